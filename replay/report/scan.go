package report

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Scan finds out from the recorded calls of handlers how each was added, so that
// the engine's handlers can be added in the same way. A recording says what a
// handler was called with, when, and how long that took. The rest follows from that
// and from what the server sent: see scanned.found.
type Scan struct {
	trace   *trace.Trace
	log     worker.Log
	skipped []*feed.Passing
	of      []*scanned // by resource
}

// ErrNoCalls says that a capture holds no recorded calls, as far as it was read.
const ErrNoCalls = fault.Plain("noCalls")

// callsBy is how many watch events may come before the first call.
const callsBy = 1000

// NewScan begins to scan t, which must still be empty. It lets t forget the
// records that it has seen, so nobody else may need them.
func NewScan(t *trace.Trace) *Scan {
	s := &Scan{trace: t}
	t.Others = s.log.Line
	return s
}

// Grown takes in what was added to the trace since the last call. It fails with
// ErrNoCalls as soon as reading on is of no use.
func (s *Scan) Grown() error {
	most, any := 0, len(s.log.Reconciles) > 0
	for i, r := range s.trace.Resources {
		if i == len(s.of) {
			one := newScanned(r)
			s.of = append(s.of, one)
			s.skipped = append(s.skipped, &feed.Passing{Feed: feed.Feed{Trace: s.trace, Resource: r}, Keys: maxKeys, Gone: one.gone})
		}
		s.of[i].take()
		for _, h := range r.Handlers {
			h.Calls = h.Calls[:0]
		}
		s.skipped[i].Skip()
		most, any = max(most, s.of[i].events), any || len(r.Handlers) > 0
	}
	if most > callsBy && !any {
		return ErrNoCalls
	}
	return nil
}

// Found returns what was found out about each resource that has recorded handlers, by
// the resource's name.
func (s *Scan) Found() map[string]*Found {
	out := map[string]*Found{}
	end := int64(0)
	for _, one := range s.of {
		end = max(end, one.end)
	}
	for _, one := range s.of {
		if f := one.found(end); f != nil {
			out[one.r.Name()] = f
		}
	}
	return out
}

// Controllers returns the recorded controller of each resource, by the resource's name.
func (s *Scan) Controllers() map[string]*feed.Controller { return feed.Controllers(s.trace, &s.log) }

// FoundIn returns what a whole trace, which keeps its records and calls, says of the
// handlers of its resource r; nil if none was recorded.
func FoundIn(t *trace.Trace, r *trace.Resource) *Found {
	if len(r.Handlers) == 0 {
		return nil
	}
	end := int64(0)
	for _, other := range t.Resources {
		if n := len(other.Records); n > 0 {
			end = max(end, other.Records[n-1].At)
		}
		for _, h := range other.Handlers {
			if n := len(h.Calls); n > 0 {
				end = max(end, h.Calls[n-1].At)
			}
		}
	}
	one := newScanned(r)
	one.take()
	return one.found(end)
}

// version is a version of an object, or the end of one.
type version struct {
	key  object.Key
	rv   object.RV
	gone bool
}

// arrival is a version that the server has told of. It is new, or the object is gone.
type arrival struct {
	version
	at    int64
	fresh bool // its key was not there before
}

// maxRecent is how many changes are remembered. A handler that is behind by more looks as
// if it had missed some.
const maxRecent = 1 << 16

// scanned is what was read of a resource.
type scanned struct {
	r        *trace.Resource
	seen     int // records
	events   int // watch events
	end      int64
	stopped  int64                    // when the client ended its last watch, 0 while it goes on
	lists    []int64                  // when lists ended, and initial events
	ended    int64                    // when the last watch ended; 0 while one is open
	ends     []int64                  // by list: when the watch before it ended
	kept     []int                    // by list: how many objects it had that were there in the same version
	streams  bool                     // the events that come are a list
	list     []version                // what has come of a list
	first    map[object.Key]object.RV // what the first list held
	standing map[object.Key]object.RV // what the server has told of, as of now

	recent    []arrival // by position modulo maxRecent
	changes   int       // how many there were
	positions map[version]int

	again   map[version]int      // how often an event brought what was there
	agains  []int64              // when
	others  map[version]struct{} // events whose object is of another kind
	tells   bool                 // a call has said that its object is of an initial list
	anyKind bool                 // handlers were called with such objects

	handlers []*scannedHandler
}

func newScanned(r *trace.Resource) *scanned {
	return &scanned{
		r: r, standing: map[object.Key]object.RV{},
		positions: map[version]int{}, again: map[version]int{}, others: map[version]struct{}{},
	}
}

// gone forgets a key, whose number may be given to another one.
func (s *scanned) gone(k object.Key) {
	delete(s.standing, k)
	delete(s.first, k)
	for _, h := range s.handlers {
		delete(h.has, k)
	}
}

// take takes in what was read, in the order in which it came.
func (s *scanned) take() {
	next := make([]int, len(s.r.Handlers))
	calls := func(until int64) {
		for i, h := range s.r.Handlers {
			if i == len(s.handlers) {
				s.handlers = append(s.handlers, &scannedHandler{name: h.Name, has: map[object.Key]version{}, excluded: never})
			}
			for ; next[i] < len(h.Calls) && h.Calls[next[i]].At < until; next[i]++ {
				s.end = max(s.end, h.Calls[next[i]].At)
				s.handlers[i].take(s, &h.Calls[next[i]])
			}
		}
	}
	for ; s.seen < s.r.Forgotten+len(s.r.Records); s.seen++ {
		rec := &s.r.Records[s.seen-s.r.Forgotten]
		calls(rec.At)
		s.end = max(s.end, rec.At)
		s.record(rec)
	}
	calls(never)
}

// never is later than everything.
const never = 1<<63 - 1

func (s *scanned) record(rec *trace.Record) {
	s.stopped = 0
	switch rec.Kind {
	case trace.ListBegin:
		s.list = s.list[:0]
	case trace.ListItem:
		s.list = append(s.list, s.version(rec.Obj))
	case trace.ListEnd:
		s.listed(rec.At)
	case trace.WatchOpen:
		if s.streams, s.list = rec.Streaming, s.list[:0]; !s.streams {
			s.ended = 0
		}
	case trace.WatchEnd, trace.WatchError:
		s.ended = cmp.Or(s.ended, rec.At)
		if rec.Canceled {
			s.stopped = rec.At
		}
	case trace.InitialEnd:
		if s.streams {
			s.streams = false
			s.listed(rec.At)
		}
	case trace.WatchEvent:
		s.event(rec)
	}
}

func (s *scanned) event(rec *trace.Record) {
	s.events++
	if rec.Type == trace.TypeError {
		s.ended = cmp.Or(s.ended, rec.At)
	}
	if rec.Obj == 0 || rec.Type >= trace.TypeError {
		return
	}
	v := s.version(rec.Obj)
	if rec.Failure == trace.OtherKind && !s.anyKind {
		if len(s.others) < maxRecent {
			s.others[v] = struct{}{}
		}
		return
	}
	was, there := s.standing[v.key]
	switch {
	case s.streams:
		s.list = append(s.list, v)
	case rec.Type == trace.TypeDeleted:
		if there {
			s.changed(version{v.key, v.rv, true}, rec.At)
		}
	case there && was == v.rv:
		if len(s.again) < maxRecent {
			s.again[v]++
			s.agains = append(s.agains, rec.At)
		}
	default:
		s.changed(v, rec.At)
	}
}

func (s *scanned) version(o object.Ref) version {
	return version{key: s.r.Table.KeyOf(o), rv: s.r.Table.RVOf(o)}
}

// listed takes in a list that has come whole.
func (s *scanned) listed(at int64) {
	there, kept := map[object.Key]object.RV{}, 0
	for _, v := range s.list {
		there[v.key] = v.rv
		if was, known := s.standing[v.key]; !known || was != v.rv {
			s.changed(v, at)
		} else {
			kept++
		}
	}
	var gone []object.Key
	for k := range s.standing {
		if _, known := there[k]; !known {
			gone = append(gone, k)
		}
	}
	slices.Sort(gone)
	for _, k := range gone {
		s.changed(version{k, s.standing[k], true}, at)
	}
	if len(s.lists) == 0 {
		s.first = there
	}
	s.lists, s.ends, s.kept = append(s.lists, at), append(s.ends, cmp.Or(s.ended, at)), append(s.kept, kept)
	s.ended = 0
}

func (s *scanned) changed(v version, at int64) {
	_, there := s.standing[v.key]
	if v.gone {
		delete(s.standing, v.key)
	} else {
		s.standing[v.key] = v.rv
	}
	c := arrival{v, at, !there}
	if i := s.changes % maxRecent; i < len(s.recent) {
		if old := s.recent[i].version; s.positions[old] == s.changes-maxRecent {
			delete(s.positions, old)
		}
		s.recent[i] = c
	} else {
		s.recent = append(s.recent, c)
	}
	s.positions[v] = s.changes
	s.changes++
}

// standingAt is how many objects there were at a time.
func (s *scanned) standingAt(at int64) int {
	n := len(s.standing)
	for i := s.changes - 1; i >= max(0, s.changes-maxRecent) && s.at(i).at >= at; i-- {
		if c := s.at(i); c.gone {
			n++
		} else if c.fresh {
			n--
		}
	}
	return n
}

// at returns the change at a position that is still remembered.
func (s *scanned) at(position int) *arrival { return &s.recent[position%maxRecent] }
