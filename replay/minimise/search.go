// Package minimise looks for the smallest recording in which something still comes
// about. It leaves out broken connections, then whole objects, then single events, and
// plays what is left again and again: a try is a run of the engine. A try is kept if the
// condition still comes about in it, and everything after that moment is cut off.
//
// This is delta debugging (Zeller and Hildebrandt's ddmin) with two changes. The parts
// that are tried follow the recording: an object goes with all of its events, because
// one event alone can rarely go. And a try never breaks the protocol: see part.withoutRecords.
package minimise

import (
	"math"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/excerpt"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/trace"
)

// Question is a recording, and what must still come about in a part of it.
type Question struct {
	Feed   apiserver.Feed                       // a complete one
	Key    func(object.Ref) object.Key          // of the objects of Feed
	Config func(apiserver.Feed) *world.Config   // the process that it is played to
	Look   func() func(*world.World) (yes bool) // makes what looks at the steps of one run, from before the first one on
	// Met, if it isn't nil, stands in the place of Config and Look. It says in how many records of a part it has come about,
	// 0 for never, and when. The part is given by the numbers of its records and their types.
	Met func(kept []int32, types []event.Delta) (n int, at int64)
	// Stopped is called now and then with the number of the try, from 1. Its error ends the
	// search. Best is what was found until then.
	Stopped func(try int) error
	// Better is called with each better answer. It may be nil.
	Better func(Smallest)
}

// Smallest is the smallest part that was found.
type Smallest struct {
	Records         []int32       // numbers of records
	Deltas          []event.Delta // their types, where the part needs other ones than were recorded
	Events, Objects int           // watch events, and keys in the whole part
	Step, Time      int64         // where the condition comes about; Step is 0 where Met was asked
	Tries           int           // runs that were made so far
}

// Plan returns what excerpt writes the part by. F is the Feed that the part was looked for in, and
// resource the number of its resource in the trace.
func (b *Smallest) Plan(f apiserver.Feed, resource int) *excerpt.Plan {
	p := &excerpt.Plan{Resource: resource, Records: b.Records, Time: b.Time}
	for j, i := range b.Records {
		if b.Deltas[j] == event.Added && f.At(int(i)).Delta != event.Added {
			p.Added = append(p.Added, i)
		}
	}
	return p
}

// ErrNever is the error of a condition that doesn't come about in the whole recording.
const ErrNever = fault.Plain("neverComes")

type search struct {
	q        Question
	best     *part
	answer   Smallest
	tries    int
	maxSteps int64 // steps that a try may take
	reported int   // the events of the last answer that Better got
}

// ConditionHolds reports whether the condition comes about in the whole recording.
func ConditionHolds(q Question) bool {
	yes, err := (&search{q: q}).try(wholeRecording(q.Feed))
	return yes && err == nil
}

// Run looks for the smallest part. If it is stopped it returns the best part until then,
// if there is any, with the error.
func Run(q Question) (Smallest, error) {
	s := &search{q: q}
	all := wholeRecording(q.Feed)
	yes, err := s.try(all)
	if err == nil && !yes {
		err = ErrNever
	}
	if err == nil {
		err = s.findLater(all)
	}
	for again := err == nil; again; {
		again = false
		for _, units := range []func() [][]int32{s.breaks, s.objects, s.lives, s.events} {
			var less bool
			if less, err = s.leaveOut(units()); err != nil {
				return s.answer, err
			}
			again = again || less
		}
	}
	return s.answer, err
}

// findLater looks for the condition later in the recording, by bisection over the events
// before it: a busy hour may need fewer events than the beginning. The smallest part that
// it meets is the best one from then on.
func (s *search) findLater(all *part) error {
	least, answer, most := s.best, s.answer, s.maxSteps
	s.best = all
	events, gone := s.events(), make([]bool, s.q.Feed.Len())
	for low, high := 0, len(events); high-low > 1; {
		middle := (low + high) / 2
		for j, u := range events {
			gone[u[0]] = j < middle
		}
		s.maxSteps = 0 // these runs go to the end
		yes, err := s.tryWithout(all, gone)
		if err != nil {
			s.best, s.answer = least, answer
			return err
		}
		if !yes {
			high = middle
			continue
		}
		low = middle
		if s.best.events < least.events {
			least, answer, most = s.best, s.answer, s.maxSteps
		}
	}
	s.best, s.answer, s.maxSteps = least, answer, most
	return nil
}

// tryWithout tries what is left of a part without the records that gone marks.
func (s *search) tryWithout(p *part, gone []bool) (yes bool, err error) {
	left := p.withoutRecords(gone, s.q.Key)
	if left == nil {
		return false, nil
	}
	return s.try(left)
}

// try plays a part, or asks Met of it. If the condition comes about in it, the part is the best one from
// now on, up to that moment.
func (s *search) try(p *part) (yes bool, err error) {
	s.tries++
	if s.q.Met != nil {
		if err := s.q.Stopped(s.tries); err != nil {
			return false, err
		}
		n, at := s.q.Met(p.records, p.deltas)
		if n > 0 {
			s.keep(p.upTo(n), 0, at)
		}
		return n > 0, nil
	}
	h, err := history.NewPassing(s.q.Config(p))
	if err != nil {
		return false, err
	}
	w, look := h.Front(), s.q.Look()
	yes = look(w)
	for n := int64(0); !yes; n++ {
		if n%4096 == 0 {
			if err := s.q.Stopped(s.tries); err != nil {
				return false, err
			}
		}
		if s.maxSteps > 0 && n >= s.maxSteps || !h.Step() {
			return false, nil
		}
		yes = look(w)
	}
	s.maxSteps = 2*w.Steps() + 1000
	s.keep(p.upTo(w.Informers[0].Server.View(0, 0).Played), w.Steps(), w.Now())
	return true, nil
}

// keep makes a part the best one, in which it comes about at a step and a time.
func (s *search) keep(p *part, step, at int64) {
	s.best = p
	s.answer = Smallest{Records: p.records, Deltas: p.deltas, Events: int(p.events), Objects: len(s.objects()), Step: step, Time: at, Tries: s.tries}
	if s.q.Better != nil && (s.reported == 0 || s.answer.Events < s.reported) {
		s.reported = s.answer.Events
		s.q.Better(s.answer)
	}
}

// leaveOut tries to do without the units: half of them at once, then a quarter of them,
// and in the end each one alone. It reports whether any could go.
func (s *search) leaveOut(units [][]int32) (less bool, err error) {
	gone := make([]bool, s.q.Feed.Len())
	for size := (len(units) + 1) / 2; size > 0 && len(units) > 0; size /= 2 {
		for from := 0; from < len(units); {
			to := min(from+size, len(units))
			for _, u := range units[from:to] {
				for _, i := range u {
					gone[i] = true
				}
			}
			yes, err := s.tryWithout(s.best, gone)
			s.answer.Tries = s.tries
			if err != nil {
				return less, err
			}
			if !yes {
				for _, u := range units[from:to] {
					for _, i := range u {
						gone[i] = false
					}
				}
				from = to
				continue
			}
			less = true
			units = s.remainingUnits(append(units[:from:from], units[to:]...))
		}
	}
	return less, nil
}

// remainingUnits returns the units that still have a record in the best part.
func (s *search) remainingUnits(units [][]int32) [][]int32 {
	there := make([]bool, s.q.Feed.Len())
	for _, i := range s.best.records {
		there[i] = true
	}
	out := units[:0]
	for _, u := range units {
		for _, i := range u {
			if there[i] {
				out = append(out, u)
				break
			}
		}
	}
	return out
}

// Finding returns a Met that looks for a finding of that ID in parts of resource r of a trace, which must be complete. A part has no
// recorded calls, no other resources, and lacks no events, so rules about handlers and controllers find nothing in it. Bytes returns a part of the recording.
func Finding(t *trace.Trace, r *trace.Resource, id string, bytes func(offset int64, length int) []byte) func(kept []int32, types []event.Delta) (n int, at int64) {
	return func(kept []int32, types []event.Delta) (int, int64) {
		small, resource := *t, *r
		small.Resources = []*trace.Resource{&resource}
		resource.Handlers, resource.Records = nil, make([]trace.Record, len(kept))
		var order trace.Order
		for j, i := range kept {
			rec := &resource.Records[j]
			*rec = r.Records[i]
			rec.Missing = false // a part is mended so that a server could have sent it
			if rec.Type == trace.TypeModified && types[j] == event.Added {
				rec.Type = trace.TypeAdded
			}
			switch rec.Kind {
			case trace.ListBegin, trace.InitialEnd:
				order = trace.Order{}
			case trace.WatchEvent, trace.WatchBookmark:
				rv, number := rec.RV.Number()
				rec.Backwards = order.Check(rec.Type == trace.TypeAdded, rv, number) == trace.VersionsBack && rec.Backwards
			}
		}
		pass := findings.NewPass(&small, findings.Options{Bytes: bytes})
		pass.Add(math.MaxInt)
		for _, f := range pass.Findings() {
			if f.ID == id {
				return min(f.To.Record+1, len(kept)), f.To.Time
			}
		}
		return 0, 0
	}
}

// part is a recording with some of its records left out.
type part struct {
	whole   apiserver.Feed
	records []int32       // the records that are left, by their numbers in whole
	deltas  []event.Delta // the types that they have now
	events  int64
}

// wholeRecording returns the part that leaves out nothing.
func wholeRecording(f apiserver.Feed) *part {
	p := &part{whole: f}
	for i := range f.Len() {
		r := f.At(i)
		p.add(int32(i), &r, r.Delta)
	}
	return p
}

func (p *part) Len() int             { return len(p.records) }
func (p *part) Message(i int) string { return p.whole.Message(int(p.records[i])) }
func (p *part) Events() int64        { return p.events }
func (p *part) Retried() bool        { return p.whole.Retried() }
func (p *part) Complete() bool       { return true }
func (p *part) At(i int) apiserver.Record {
	r := p.whole.At(int(p.records[i]))
	r.Delta = p.deltas[i]
	return r
}

func (p *part) Now() int64 {
	if len(p.records) == 0 {
		return 0
	}
	return p.At(len(p.records) - 1).Time
}

// add adds a record of the whole recording.
func (p *part) add(i int32, r *apiserver.Record, d event.Delta) {
	p.records, p.deltas = append(p.records, i), append(p.deltas, d)
	if r.IsEvent() {
		p.events++
	}
}

// withoutRecords returns the part that is left without the records that gone marks. It mends
// the part so that a server could have sent it: the first event of an object that no
// list held is ADDED, and an object that isn't there is not deleted. It returns nil
// where that can't be, because an object would be created that is there already.
func (p *part) withoutRecords(gone []bool, key func(object.Ref) object.Key) *part {
	out := &part{whole: p.whole}
	var before, after client
	for j, i := range p.records {
		r, d := p.whole.At(int(i)), p.deltas[j]
		var k object.Key
		if r.Obj != 0 {
			k = key(r.Obj)
		}
		was := before.cachesKey(k)
		r.Delta = d
		before.apply(&r, k)
		if gone[i] {
			continue
		}
		if k != 0 && r.Kind == apiserver.WatchEvent && r.Failure == apiserver.NoFailure {
			switch is := after.cachesKey(k); {
			case d == event.Updated && !is:
				d = event.Added
			case d == event.Deleted && !is:
				continue
			case d == event.Added && is && !was:
				return nil
			}
		}
		r.Delta = d
		after.apply(&r, k)
		out.add(i, &r, d)
	}
	return out
}

// upTo returns the first n records of the part.
func (p *part) upTo(n int) *part {
	out := &part{whole: p.whole}
	for j, i := range p.records[:n] {
		r := p.whole.At(int(i))
		out.add(i, &r, p.deltas[j])
	}
	return out
}

// client is which objects a client knows of that gets a recording.
type client struct {
	present map[object.Key]bool
	listed  map[object.Key]bool // by a list that has not ended
	lists   bool
}

func (c *client) cached() map[object.Key]bool {
	if c.lists {
		return c.listed
	}
	return c.present
}

func (c *client) cachesKey(k object.Key) bool { return c.cached()[k] }

// apply takes in a record about the object of a key.
func (c *client) apply(r *apiserver.Record, k object.Key) {
	switch r.Kind {
	case apiserver.ListBegin, apiserver.WatchOpen:
		if c.lists = r.Kind == apiserver.ListBegin || r.Streaming; c.lists {
			c.listed = map[object.Key]bool{}
		}
	case apiserver.ListEnd, apiserver.InitialEnd:
		if c.lists {
			c.present, c.listed, c.lists = c.listed, nil, false
		}
	case apiserver.ListError, apiserver.WatchEnd:
		c.lists = false
	case apiserver.ListItem, apiserver.WatchEvent:
		if c.present == nil && !c.lists {
			c.present = map[object.Key]bool{}
		}
		if k != 0 {
			c.cached()[k] = r.Delta != event.Deleted
		}
	}
}

// breaks returns the broken connections of the best part after which the reflector went on
// without a list: each one from the end of a watch to the beginning of the next watch.
// Without these records the two watches are one.
func (s *search) breaks() (units [][]int32) {
	var unit []int32 // nil while a watch is open
	for j, i := range s.best.records {
		switch r := s.best.At(j); {
		case r.Kind == apiserver.WatchEnd:
			unit = []int32{i}
		case unit == nil:
		case r.Kind == apiserver.WatchError:
			unit = append(unit, i)
		case r.Kind == apiserver.WatchOpen && !r.Streaming:
			units, unit = append(units, append(unit, i)), nil
		default: // it lists again
			unit = nil
		}
	}
	return units
}

// objects returns the objects of the best part, each with its items of lists and its events.
func (s *search) objects() (units [][]int32) {
	count := map[object.Key]int{}
	for j, i := range s.best.records {
		r := s.best.At(j)
		if r.Obj == 0 || r.Kind != apiserver.ListItem && r.Kind != apiserver.WatchEvent {
			continue
		}
		k := s.q.Key(r.Obj)
		n, known := count[k]
		if !known {
			n = len(units)
			count[k], units = n, append(units, nil)
		}
		units[n] = append(units[n], i)
	}
	return units
}

// lives returns the objects of the best part from each creation to the deletion.
func (s *search) lives() (units [][]int32) {
	for _, u := range s.objects() {
		from := 0
		for j, i := range u {
			if s.q.Feed.At(int(i)).Delta == event.Deleted || j == len(u)-1 {
				units = append(units, u[from:j+1])
				from = j + 1
			}
		}
	}
	return units
}

// events returns the items, events and bookmarks of the best part, each one alone.
func (s *search) events() (units [][]int32) {
	for j, i := range s.best.records {
		switch s.best.At(j).Kind {
		case apiserver.ListItem, apiserver.WatchEvent, apiserver.WatchBookmark:
			units = append(units, []int32{i})
		}
	}
	return units
}
