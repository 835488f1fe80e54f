package report

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// version is a version of an object, or the end of one.
type version struct {
	key     object.Key
	rv      object.RV
	deleted bool
}

// arrival is a version that the server has told of. It is new, or the object is gone.
type arrival struct {
	version
	time  int64
	fresh bool // its key was not there before
}

// maxRecent is how many events are remembered that told nothing, or were of another kind.
const maxRecent = 1 << 16

// scanned is what was read of a resource.
type scanned struct {
	r        *trace.Resource
	seen     int // records
	events   int // watch events
	end      int64
	stopped  int64                    // when the client ended its last watch, 0 while it goes on
	failed   int64                    // when the first list or watch failed, if none had succeeded before; 0 for never
	lists    []int64                  // when lists ended, and initial events
	ended    int64                    // when the last watch ended; 0 while one is open
	ends     []int64                  // by list: when the watch before it ended
	retained []int                    // by list: how many objects it had that were there in the same version
	streams  bool                     // the events that come are a list
	list     []version                // what has come of a list
	first    map[object.Key]object.RV // what the first list held
	standing map[object.Key]object.RV // what the server has told of, as of now

	changes findings.Newest[version, arrival] // a handler that is behind by more of them looks as if it had missed some

	repeats      map[version]int      // how often an event brought what was there
	agains       []int64              // when
	otherKinds   map[version]struct{} // events whose object is of another kind
	marksInitial bool                 // a call has said that its object is of an initial list
	anyKind      bool                 // handlers were called with such objects

	handlers []*scannedHandler
}

func newScanned(r *trace.Resource) *scanned {
	return &scanned{
		r: r, standing: map[object.Key]object.RV{},
		repeats: map[version]int{}, otherKinds: map[version]struct{}{},
	}
}

// forgetKey forgets a key, whose number may be given to another one.
func (s *scanned) forgetKey(k object.Key) {
	delete(s.standing, k)
	delete(s.first, k)
	for _, h := range s.handlers {
		delete(h.newest, k)
	}
}

// readNew takes in what was read, in the order in which it came.
func (s *scanned) readNew() {
	next := make([]int, len(s.r.Handlers))
	calls := func(until int64) {
		for i, h := range s.r.Handlers {
			if i == len(s.handlers) {
				s.handlers = append(s.handlers, &scannedHandler{name: h.Name, newest: map[object.Key]version{}, excluded: never})
			}
			for ; next[i] < len(h.Calls) && h.Calls[next[i]].Time < until; next[i]++ {
				s.end = max(s.end, h.Calls[next[i]].Time)
				s.handlers[i].addCall(s, &h.Calls[next[i]])
			}
		}
	}
	for ; s.seen < s.r.Forgotten+len(s.r.Records); s.seen++ {
		rec := &s.r.Records[s.seen-s.r.Forgotten]
		calls(rec.Time)
		s.end = max(s.end, rec.Time)
		s.record(rec)
	}
	calls(never)
}

// never is later than everything.
const never = 1<<63 - 1

func (s *scanned) record(rec *trace.Record) {
	s.stopped = 0
	switch rec.Kind {
	case trace.ListError:
		if len(s.lists) == 0 {
			s.failed = cmp.Or(s.failed, rec.Time)
		}
	case trace.ListBegin:
		s.list = s.list[:0]
	case trace.ListItem:
		s.list = append(s.list, s.version(rec.Obj))
	case trace.ListEnd:
		s.listed(rec.Time)
	case trace.WatchOpen:
		if s.streams, s.list = rec.Streaming, s.list[:0]; !s.streams {
			s.ended = 0
		}
	case trace.WatchEnd, trace.WatchError:
		if len(s.lists) == 0 {
			s.failed = cmp.Or(s.failed, rec.Time)
		}
		s.ended = cmp.Or(s.ended, rec.Time)
		if rec.Canceled {
			s.stopped = rec.Time
		}
	case trace.InitialEnd:
		if s.streams {
			s.streams = false
			s.listed(rec.Time)
		}
	case trace.WatchEvent:
		s.event(rec)
	}
}

func (s *scanned) event(rec *trace.Record) {
	s.events++
	if rec.Type == trace.TypeError {
		s.ended = cmp.Or(s.ended, rec.Time)
	}
	if rec.Obj == 0 || rec.Type >= trace.TypeError {
		return
	}
	v := s.version(rec.Obj)
	if rec.Failure == trace.OtherKind && !s.anyKind {
		if len(s.otherKinds) < maxRecent {
			s.otherKinds[v] = struct{}{}
		}
		return
	}
	was, there := s.standing[v.key]
	switch {
	case s.streams:
		s.list = append(s.list, v)
	case rec.Type == trace.TypeDeleted:
		if there {
			s.changed(version{v.key, v.rv, true}, rec.Time)
		}
	case there && was == v.rv:
		if len(s.repeats) < maxRecent {
			s.repeats[v]++
			s.agains = append(s.agains, rec.Time)
		}
	default:
		s.changed(v, rec.Time)
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
	slices.SortFunc(gone, cmp.Compare)
	for _, k := range gone {
		s.changed(version{k, s.standing[k], true}, at)
	}
	if len(s.lists) == 0 {
		s.first = there
	}
	s.lists, s.ends, s.retained = append(s.lists, at), append(s.ends, cmp.Or(s.ended, at)), append(s.retained, kept)
	s.ended = 0
}

func (s *scanned) changed(v version, at int64) {
	_, there := s.standing[v.key]
	if v.deleted {
		delete(s.standing, v.key)
	} else {
		s.standing[v.key] = v.rv
	}
	s.changes.Add(v, arrival{v, at, !there})
}

// standingAt returns how many objects there were at a time.
func (s *scanned) standingAt(at int64) int {
	n := len(s.standing)
	for i := s.changes.Len() - 1; i >= s.changes.First() && s.changes.At(i).time >= at; i-- {
		if c := s.changes.At(i); c.deleted {
			n++
		} else if c.fresh {
			n--
		}
	}
	return n
}

// scannedHandler is what was read of a recorded handler.
type scannedHandler struct {
	name      string
	calls     int
	durations durations
	newest    map[object.Key]version // what it was told last of each key
	began     int64                  // when the first call began
	last      int64                  // when the last call returned
	longest   int64                  // what the longest took

	// What passed besides the calls since it last had nothing to do: between the change
	// and the first call about it, and between the calls. The engine loses no time there.
	idle int64

	before   int   // how many changes had been read when the first call was
	joining  int   // how many OnAdd may still be of what was there when it joined
	initial  bool  // OnAdd says whether it is one of these
	joined   int   // how many there were
	news     bool  // one of them was not in the first list
	included int64 // the newest change among them
	excluded int64 // the first change that came before the first call, and was told on its own

	received int   // the position after the newest change that it was told of
	reached  int64 // when that had come
	missed   bool  // its first change was not the first of all

	repeats map[version]int
	vague   bool    // some of ticks are a bit too early, because it was behind
	ticks   []int64 // when resyncs began, as far as it is known

	relists []int // the lists that it was told of although they had nothing new
	same0   int64 // when the first call of the newest resync, or of such a list, began
	spread  int64 // the longest time from there to the end of the last call of it
}

// gap is the longest time between two calls of a handler that has notifications waiting.
const gap = millisecond

func (h *scannedHandler) addCall(s *scanned, c *trace.Call) {
	began := c.Time - max(c.Duration, 0)
	first := h.calls == 0
	idle := first || began-h.last > gap
	if idle {
		h.idle = 0
	} else {
		h.idle += max(began-h.last, 0)
	}
	if first {
		h.began, h.joining, h.initial, h.before = began, s.standingAt(began), c.Initial, s.changes.Len()
	}
	h.calls++
	h.durations = h.durations.add(c.Duration)
	h.longest = max(h.longest, c.Duration)
	defer func() { h.last = c.Time }()
	s.marksInitial = s.marksInitial || c.Initial
	if c.Fn == trace.OnUpdate && c.OldRV == c.RV {
		h.repeated(s, c, began, idle && !h.awaitsChange(s, began))
		return
	}
	v := version{c.Key, c.RV, c.Fn == trace.OnDelete}
	if _, other := s.otherKinds[v]; other {
		s.anyKind = true
		delete(s.otherKinds, v)
		s.changed(v, c.Time)
	}
	h.newest[c.Key] = v
	position, known := s.changes.Find(v)
	if idle && known {
		h.idle = max(began-s.changes.At(position).time, 0)
	}
	if first && !c.Initial && (s.marksInitial || known && position == 0 && len(s.first) == 0 && began-s.changes.At(0).time <= lateThreshold) {
		h.joining = 0 // nothing came before it
	}
	// An object may have been deleted by the first call, and be in the initial list all the same.
	if c.Fn == trace.OnAdd && (h.joining > 0 || h.initial) && c.Initial == h.initial {
		h.joining = max(h.joining-1, 0)
		h.joined++
		if s.first[c.Key] != c.RV {
			h.news = true
		}
		if known {
			h.included = max(h.included, s.changes.At(position).time)
			h.received = max(h.received, position+1)
			h.excludes(s, v.key, position)
		}
		return
	}
	h.joining = 0
	if !known {
		return
	}
	at := s.changes.At(position).time
	if at < h.began {
		h.excluded = min(h.excluded, at)
	}
	if h.received == 0 && h.joined == 0 && position > 0 {
		h.missed = true
	}
	h.received, h.reached = max(h.received, position+1), max(h.reached, at)
}

// excludes notes the first change of a key after a position that the handler was not told of when
// it joined, although the change had come by then.
func (h *scannedHandler) excludes(s *scanned, k object.Key, position int) {
	for i := max(position+1, h.before-maxAhead, s.changes.First()); i < h.before; i++ {
		if c := s.changes.At(i); c.key == k && c.time < h.began {
			h.excluded = min(h.excluded, c.time)
			return
		}
	}
}

// awaitsChange reports whether a change had come a while before a time that the handler has yet to be
// told of. A pause between two calls says little then: the process may have been slow.
func (h *scannedHandler) awaitsChange(s *scanned, at int64) bool {
	return h.received > 0 && h.received >= s.changes.First() && h.received < s.changes.Len() && s.changes.At(h.received).time < at-second/10
}

// repeated takes in a call that brings nothing new: because of an event that came twice, of
// a list, or of a resync.
func (h *scannedHandler) repeated(s *scanned, c *trace.Call, began int64, idle bool) {
	v := version{key: c.Key, rv: c.RV}
	if s.repeats[v] > h.repeats[v] {
		if h.repeats == nil {
			h.repeats = map[version]int{}
		}
		h.repeats[v]++
		return
	}
	earliest := began
	if !idle {
		earliest = min(h.reached, began)
	}
	for i := len(s.lists) - 1; i >= 0 && s.lists[i] > earliest-second/2; i-- {
		if s.lists[i] <= began {
			if n := len(h.relists); n == 0 || h.relists[n-1] != i {
				h.relists, h.same0 = append(h.relists, i), began
			}
			h.spread = max(h.spread, c.Time-h.same0)
			return
		}
	}
	n := len(h.ticks)
	if n > 0 {
		earliest = max(earliest, h.ticks[n-1])
	}
	if n == 0 || earliest-h.ticks[n-1] > second/2 {
		h.ticks = append(h.ticks, earliest)
		h.vague = h.vague || !idle
		h.same0 = began
	}
	h.spread = max(h.spread, c.Time-h.same0)
}

// period returns the resync period as the recording has it: the usual time between two resyncs
// with no list between them, or what passed before the only one since the handler joined
// or a list came. It is in whole seconds where it is so close to them that nothing tells
// the difference.
func (h *scannedHandler) period(lists []int64, since int64) int64 {
	if len(h.ticks) == 0 {
		return 0
	}
	listed := func(from, to int64) (at int64) {
		for _, l := range lists {
			if l > from && l < to {
				at = l
			}
		}
		return at
	}
	var between []int64
	for i := 1; i < len(h.ticks); i++ {
		if listed(h.ticks[i-1], h.ticks[i]) == 0 {
			between = append(between, h.ticks[i]-h.ticks[i-1])
		}
	}
	if len(between) == 0 {
		between = append(between, h.ticks[0]-max(since, listed(since, h.ticks[0])))
	}
	slices.Sort(between)
	p := between[len(between)/2]
	sum, n := int64(0), int64(0)
	for _, d := range between {
		if max(d-p, p-d) < p/5 {
			sum, n = sum+d, n+1
		}
	}
	p = sum / n
	whole := max((p+second/2)/second*second, second) // client-go has no shorter period
	off := max(p-whole, whole-p)
	if off < second/10 && off*n < second/4 || h.vague && off < second*2/5 || p < second {
		return whole
	}
	return p
}

// lateThreshold is how much later than another handler a handler may first be called although both were
// added before Run.
const lateThreshold = 100 * millisecond

// Scan finds out from the recorded calls of handlers how each was added, so that
// the engine's handlers can be added in the same way. A recording says what a
// handler was called with, when, and how long that took. The rest follows from that
// and from what the server sent: see scanned.infer.
type Scan struct {
	trace     *trace.Trace
	log       worker.Log
	calls     feed.Calls
	skipped   []*feed.Passing
	resources []*scanned // by resource
}

// ErrNoCalls says that a capture holds no recorded calls, as far as it was read.
const ErrNoCalls = fault.Plain("noCalls")

// callsBy is how many watch events may come before the first call.
const callsBy = 1000

// NewScan begins to scan t, which must still be empty. It lets t forget the
// records that it has seen, so nobody else may need them.
func NewScan(t *trace.Trace) *Scan {
	s := &Scan{trace: t}
	t.OtherLine = s.log.Line
	return s
}

// Grown takes in what was added to the trace since the last call. It fails with
// ErrNoCalls as soon as reading on is of no use.
func (s *Scan) Grown() error {
	s.calls.Read(s.trace, &s.log)
	most, any := 0, len(s.log.Reconciles) > 0
	for i, r := range s.trace.Resources {
		if i == len(s.resources) {
			x := newScanned(r)
			s.resources = append(s.resources, x)
			s.skipped = append(s.skipped, &feed.Passing{Feed: feed.Feed{Trace: s.trace, Resource: r}, Sweeper: trace.Sweeper{Keys: maxKeys, Deleted: x.forgetKey}})
		}
		s.resources[i].readNew()
		r.ForgetCalls()
		s.skipped[i].Skip()
		most, any = max(most, s.resources[i].events), any || len(r.Handlers) > 0
	}
	if most > callsBy && !any {
		return ErrNoCalls
	}
	return nil
}

// Inferred returns what was found out about each resource that has recorded handlers, by
// the resource's name.
func (s *Scan) Inferred() map[string]*InferredHandlers {
	out := map[string]*InferredHandlers{}
	end := int64(0)
	for _, x := range s.resources {
		end = max(end, x.end)
	}
	for _, x := range s.resources {
		if f := x.infer(end); f != nil {
			out[x.r.Name()] = f
		}
	}
	return out
}

// Controllers returns the recorded controller of each resource, by the resource's name.
func (s *Scan) Controllers() map[string]*feed.Controller { return s.calls.Controllers(s.trace, &s.log) }

// InferHandlers returns what a whole trace, which keeps its records and calls, says of the
// handlers of its resource r; nil if none was recorded.
func InferHandlers(t *trace.Trace, r *trace.Resource) *InferredHandlers {
	if len(r.Handlers) == 0 {
		return nil
	}
	end := int64(0)
	for _, other := range t.Resources {
		if n := len(other.Records); n > 0 {
			end = max(end, other.Records[n-1].Time)
		}
		for _, h := range other.Handlers {
			if n := len(h.Calls); n > 0 {
				end = max(end, h.Calls[n-1].Time)
			}
		}
	}
	x := newScanned(r)
	x.readNew()
	return x.infer(end)
}
