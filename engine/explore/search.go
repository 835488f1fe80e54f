package explore

import (
	"math"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/world"
)

// Search is an exploration under way. It tries all interleavings from a world on,
// and leaves that world as it is. In it, only waiting takes time, since any actor
// may be slower than any other. Timers and servers follow the clock, which stands
// still unless no other actor can move within the patience. Timers that only keep
// time (see Next) are left out at first. If the answer is no without them, they
// fire, up to the limit of the clock: resyncs come round, and a silent watch times
// out. Once a schedule is found, Search looks for the shortest one by bisection.
type Search struct {
	x              explorer
	found          Result
	states, steps  int // of the rounds before this one
	low            int // no schedule of so few steps leads there; while shortening
	shortens, done bool
}

// NewSearch returns a search that explores from w on.
func NewSearch(w *world.World, q Question, l Limits) *Search {
	s := &Search{x: explorer{q: q, limits: l.orDefaults(), everyStep: q.Visible == nil}}
	x := &s.x
	for _, pc := range q.Visible {
		x.visible[pc] = true
	}
	x.push(0, w)
	root := x.stack[0].w
	root.TakeNoTime()
	root.Log.Reset() // what has happened already is no answer
	if _, yes := q.Look(root.World(), 0); yes {
		s.found = Result{Yes: true, Shortest: true, Complete: true, States: 1}
		s.done = true
		return s
	}
	x.begin(x.limits.Depth, true)
	return s
}

// Advance makes at most so many steps, and reports whether the exploration has ended.
func (s *Search) Advance(steps int) bool {
	for !s.done {
		if !s.x.search(&steps) {
			return false
		}
		s.round()
	}
	return true
}

// Result returns what is known: the answer once Advance has reported the end, and before
// that the states and steps until now.
func (s *Search) Result() Result {
	f := s.found
	if !s.done {
		f.States, f.Steps = max(s.states, s.x.out.States), s.steps+s.x.out.Steps
	}
	return f
}

// round takes in what a round of the search has found, and begins the next one if
// there is one.
func (s *Search) round() {
	x := &s.x
	out := &x.out
	s.states, s.steps = max(s.states, out.States), s.steps+out.Steps
	switch {
	case s.shortens && !out.Yes:
		s.low = x.bound
		if out.States >= x.limits.States {
			s.found.Shortest = false
		}
	case out.Yes:
		s.found, s.shortens = *out, true
		s.found.Shortest = true
	default:
		s.found = *out
		if out.Complete && x.waits && !x.passing {
			x.passing, x.until = true, x.stack[0].w.Set.Now+x.limits.Clock
			x.begin(x.limits.Depth, true)
			return
		}
	}
	n := len(s.found.Schedule)
	if s.done = !s.shortens || s.low >= n-1; s.done {
		s.found.States, s.found.Steps = s.states, s.steps
		return
	}
	x.begin((s.low+n)/2, false)
}

// explorer searches depth first. It holds the worlds of one schedule, and uses
// their memory again for the next.
type explorer struct {
	q         Question
	limits    Limits
	visible   [actor.NumPC]bool
	everyStep bool // steps are visible
	stack     []frame
	visited   visited

	bound   int  // of the steps in a row
	reduced bool // schedules that differ only in the order of independent steps count as one
	depth   int  // in stack, -1 when everything was tried
	out     Result

	passing bool  // timers that only keep time may fire
	until   int64 // the latest time at which they may
	waits   bool  // in some state, only such timers were left
	late    bool  // in some state, only timers after until were left
}

type frame struct {
	w      *world.Driver
	memory uint64
	ready  []actor.ID
	next   int
}

// push makes the frame at depth d a copy of w.
func (x *explorer) push(d int, w *world.World) *frame {
	if d == len(x.stack) {
		x.stack = append(x.stack, frame{w: new(world.Driver)})
	}
	f := &x.stack[d]
	f.w.CopyFrom(w)
	return f
}

// child makes the frame at depth d+1 a copy of the one at d. The last child of a
// frame takes over the frame's world, which is not needed any more; only the first
// frame keeps its own.
func (x *explorer) child(d int) *frame {
	f := &x.stack[d]
	if d == 0 || f.next < len(f.ready) || d+1 == len(x.stack) {
		return x.push(d+1, f.w.World())
	}
	next := &x.stack[d+1]
	next.w, f.w = f.w, next.w
	return next
}

// hash sums up a frame's state, with what the question remembers.
func (f *frame) hash() uint64 {
	var h actor.Hash
	h.Add(f.memory)
	f.w.Hash(&h)
	return uint64(h)
}

// begin begins to try every schedule of at most bound steps. If reduced is set, it
// leaves out schedules that differ from another one only in the order of
// independent steps.
func (x *explorer) begin(bound int, reduced bool) {
	x.visited.reset()
	x.bound, x.reduced, x.depth, x.late = bound, reduced, 0, false
	root := &x.stack[0]
	root.memory, _ = x.q.Look(root.w.World(), 0)
	x.ready(root)
	x.visited.add(root.hash(), 0, 0)
	x.out = Result{States: 1, Complete: true}
}

// search goes on for at most so many steps, which it subtracts. It reports whether
// what begin has begun has ended; out is the answer then.
func (x *explorer) search(steps *int) bool {
	out := &x.out
	begin := x.stack[0].w.Set.Now
	for d := x.depth; ; {
		if d < 0 {
			if x.late {
				out.Complete, out.Reached.Clock = false, x.limits.Clock
			}
			return true
		}
		f := &x.stack[d]
		if f.next == len(f.ready) {
			d--
			continue
		}
		if *steps <= 0 {
			x.depth = d
			return false
		}
		*steps--
		id := f.ready[f.next]
		f.next++
		memory := f.memory
		f = x.child(d)
		f.w.Step(id)
		out.Steps++
		yes := false
		if f.memory, yes = x.q.Look(f.w.World(), memory); yes {
			out.Yes, out.Complete, out.Reached = true, false, Limits{}
			for _, f := range x.stack[:d+1] {
				out.Schedule = append(out.Schedule, f.ready[f.next-1])
			}
			return true
		}
		clock := int64(0)
		if x.passing {
			clock = f.w.Set.Now - begin
		}
		fresh, shallower, earlier := x.visited.add(f.hash(), d+1, clock)
		worth := fresh || earlier || shallower && !x.reduced // the depth matters only if the shortest schedule is sought
		if fresh {
			out.States++
		}
		switch {
		case !worth || f.memory == x.q.Settled && f.memory != 0:
		case out.States >= x.limits.States || out.Steps >= stepsPerState*x.limits.States:
			out.Complete, out.Reached.States = false, x.limits.States
			return true
		case d+1 == x.bound:
			out.Complete, out.Reached.Depth = false, x.bound
		default:
			d++
			x.ready(f)
		}
	}
}

// stepsPerState bounds the steps of a search, which may reach a state many times,
// each time earlier.
const stepsPerState = 64

// ready finds the actors that can move: those that are due, or will be within the
// patience. If one of them has a step that concerns no other actor, it alone is
// tried.
func (x *explorer) ready(f *frame) {
	w := f.w.World()
	f.ready, f.next = f.ready[:0], 0
	first := actor.Never
	ids := actor.ID(w.Set.Len())
	for id := range ids {
		if at := w.Set.ReadyAt(id); at < first && !x.idle(w, id) {
			first = at
		}
	}
	if first == actor.Never {
		x.rests(w)
		return
	}
	until := first + x.limits.Patience
	for id := range ids {
		at := w.Set.ReadyAt(id)
		if at > until || at == actor.Never || x.idle(w, id) {
			continue
		}
		if x.reduced && !x.everyStep && at <= w.Set.Now && !x.visible[w.Set.State(id).PC] && w.Informers[w.Set.Role(id).Informer].Local(&w.Set, id) {
			f.ready = append(f.ready[:0], id)
			return
		}
		f.ready = append(f.ready, id)
	}
}

// idle reports whether the actor only keeps time, and must not do so now.
func (x *explorer) idle(w *world.World, id actor.ID) bool {
	return w.KeepsTime(id) && (!x.passing || w.Set.ReadyAt(id) > x.until)
}

// rests notes whether a timer is left in w, where no actor can move.
func (x *explorer) rests(w *world.World) {
	for id := range actor.ID(w.Set.Len()) {
		if w.Set.ReadyAt(id) != actor.Never {
			x.waits, x.late = true, x.passing
			return
		}
	}
}

// visited are the states that were seen, by their sums, and at which depth and how
// early at least.
type visited struct {
	slots []slot
	n     int
}

type slot struct {
	hash  uint64
	depth int32 // counted from 1; 0 is a free slot
	clock int32 // milliseconds
}

func (s *visited) reset() {
	if s.slots == nil {
		s.slots = make([]slot, 1<<12)
	}
	clear(s.slots)
	s.n = 0
}

// add notes a state that came about so many nanoseconds after the beginning. It is
// fresh if it was not seen before, and it can be worth going on from if it was not
// seen at so small a depth, or so early.
func (s *visited) add(h uint64, depth int, clock int64) (fresh, shallower, earlier bool) {
	at, ms := s.find(h), int32(min(clock/1e6, math.MaxInt32))
	if at.depth != 0 {
		if shallower = int(at.depth) > depth+1; shallower {
			at.depth = int32(depth + 1)
		}
		if earlier = at.clock > ms; earlier {
			at.clock = ms
		}
		return false, shallower, earlier
	}
	*at = slot{h, int32(depth + 1), ms}
	if s.n++; 4*s.n > 3*len(s.slots) {
		old := s.slots
		s.slots = make([]slot, 2*len(old))
		for _, o := range old {
			if o.depth != 0 {
				*s.find(o.hash) = o
			}
		}
	}
	return true, true, true
}

func (s *visited) find(h uint64) *slot {
	mask := uint64(len(s.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		if at := &s.slots[i]; at.depth == 0 || at.hash == h {
			return at
		}
	}
}
