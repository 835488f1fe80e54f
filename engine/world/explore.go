package world

import (
	"errors"
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
)

// Question asks whether something can happen in some interleaving.
type Question struct {
	// Look is asked about the beginning, with an empty Log, and about the state after every step,
	// whose facts are in the world's Log. It is given what it said before that
	// step, 0 at first, and says what to remember, and whether this is it. It
	// must depend on nothing else.
	Look func(w *World, memory uint64) (remember uint64, yes bool)
	// Visible are the steps that can change what Look says; nil for all of them.
	Visible []actor.PC
	// Settled, unless it is 0, is what Look remembers once it can never say yes
	// again.
	Settled uint64
}

// Limits bound an exploration. Each 0 stands for a default.
type Limits struct {
	States   int   // different states; a million by default
	Depth    int   // steps in a row; 4000 by default
	Patience int64 // for how long other actors may go before one that could move, ns; 100 ms by default
	Clock    int64 // how long after the beginning a timer may still fire that only keeps time, ns; 15 minutes by default, longer than a watch lasts
}

func (l Limits) orDefaults() Limits {
	if l.States == 0 {
		l.States = 1_000_000
	}
	if l.Depth == 0 {
		l.Depth = 4000
	}
	if l.Patience == 0 {
		l.Patience = 100_000_000
	}
	if l.Clock == 0 {
		l.Clock = 900_000_000_000
	}
	return l
}

// Exploration is an answer.
type Exploration struct {
	Yes      bool
	Schedule []actor.ID // the actors in the order in which they move, until it has happened
	Shortest bool       // no schedule is shorter
	Complete bool       // everything that can happen was tried: if Yes is false, it can't happen
	Met      Limits     // the limits that cut the search short; zero if none did
	States   int        // different ones that were seen
	Steps    int        // made to see them
}

// ErrCannotExplore is the error for a world with a server whose states have no
// hash.
var ErrCannotExplore = errors.New("a world with such a server cannot be explored")

// Explore tries all interleavings of cfg's run.
func Explore(cfg *Config, q Question, l Limits) (Exploration, error) {
	w, err := newWorld(cfg)
	if err != nil {
		return Exploration{}, err
	}
	return w.Explore(q, l)
}

// Explore tries all interleavings from here on, and leaves w as it is. In it, only
// waiting takes time, since any actor may be slower than any other. Timers and
// servers follow the clock, which stands still unless no other actor can move
// within the patience. Timers that only keep time (see Next) are left out at
// first. If the answer is no without them, they fire, up to the limit of the clock:
// resyncs come round, and a silent watch times out.
func (w *World) Explore(q Question, l Limits) (Exploration, error) {
	x := explorer{q: q, limits: l.orDefaults()}
	for _, pc := range q.Visible {
		x.visible[pc] = true
	}
	x.all = q.Visible == nil
	var h actor.Hash
	if !w.hash(&h, 0) {
		return Exploration{}, ErrCannotExplore
	}
	x.push(0, w)
	x.stack[0].w.Set.Costs = actor.Costs{}
	root := x.stack[0].w
	root.settle()
	root.Log.Reset() // what has happened already is no answer
	if _, yes := q.Look(root, 0); yes {
		return Exploration{Yes: true, Shortest: true, Complete: true, States: 1}, nil
	}
	out := x.search(x.limits.Depth, true)
	if out.Complete && x.waits {
		x.passing, x.until = true, root.Set.Now+x.limits.Clock
		states, steps := out.States, out.Steps
		out = x.search(x.limits.Depth, true)
		out.States, out.Steps = max(out.States, states), out.Steps+steps
	}
	if out.Yes {
		x.shorten(&out)
	}
	return out, nil
}

// Along returns a branch of h that leaves it at its furthest point and follows an
// Exploration's Schedule, which must have been found from there.
func (h *History) Along(schedule []actor.ID) (*History, bool) {
	b := h.Branch(h.Steps())
	if !b.Do(Command{Kind: TakeNoTime}) {
		return b, false
	}
	for _, id := range schedule {
		if !b.Choose(id) {
			return b, false
		}
	}
	return b, true
}

// settle makes steps due at once that were under way when steps still took time.
func (w *World) settle() {
	for id := range actor.ID(w.Set.Len()) {
		if st := w.Set.State(id); st.Wait == actor.Ready && w.Set.At(id) != actor.Never {
			w.Set.Go(id, st.PC)
		}
	}
}

// hash adds the state to h, with what a question remembers.
func (w *World) hash(h *actor.Hash, memory uint64) bool {
	h.Add(memory)
	w.Set.Hash(h)
	for _, x := range w.Informers {
		if !x.Hash(h, w.Set.Now) {
			return false
		}
	}
	return true
}

// explorer searches depth first. It holds the worlds of one schedule, and uses
// their memory again for the next.
type explorer struct {
	q       Question
	limits  Limits
	visible [actor.NumPC]bool
	all     bool // steps are visible
	stack   []frame
	seen    seen

	passing bool  // what only keeps time is let go on
	until   int64 // but no further than that
	waits   bool  // somewhere there was nothing left but what only keeps time
	late    bool  // or but what is further than that
}

type frame struct {
	w      *World
	memory uint64
	ready  []actor.ID
	next   int
}

// push makes the frame at depth d a copy of w.
func (x *explorer) push(d int, w *World) *frame {
	if d == len(x.stack) {
		x.stack = append(x.stack, frame{w: new(World)})
	}
	f := &x.stack[d]
	f.w.copyFrom(w)
	return f
}

// child makes the frame at depth d+1 a copy of the one at d. The last child of a
// frame takes over the frame's world, which is not needed any more; only the first
// frame keeps its own.
func (x *explorer) child(d int) *frame {
	f := &x.stack[d]
	if d == 0 || f.next < len(f.ready) || d+1 == len(x.stack) {
		return x.push(d+1, f.w)
	}
	next := &x.stack[d+1]
	next.w, f.w = f.w, next.w
	return next
}

// search tries every schedule of at most bound steps. If reduced is set, it leaves
// out schedules that differ from another one only in the order of independent
// steps.
func (x *explorer) search(bound int, reduced bool) (out Exploration) {
	x.seen.reset()
	x.late = false
	root := &x.stack[0]
	root.memory, _ = x.q.Look(root.w, 0)
	x.ready(root, reduced)
	var h actor.Hash
	root.w.hash(&h, root.memory)
	begin := root.w.Set.Now
	x.seen.add(uint64(h), 0, 0)
	out.States, out.Complete = 1, true
	for d := 0; d >= 0; {
		f := &x.stack[d]
		if f.next == len(f.ready) {
			d--
			continue
		}
		id := f.ready[f.next]
		f.next++
		memory := f.memory
		f = x.child(d)
		f.w.step(id)
		out.Steps++
		yes := false
		if f.memory, yes = x.q.Look(f.w, memory); yes {
			out.Yes, out.Complete, out.Met = true, false, Limits{}
			for _, f := range x.stack[:d+1] {
				out.Schedule = append(out.Schedule, f.ready[f.next-1])
			}
			return out
		}
		h = 0
		f.w.hash(&h, f.memory)
		clock := int64(0)
		if x.passing {
			clock = f.w.Set.Now - begin
		}
		fresh, shallower, earlier := x.seen.add(uint64(h), d+1, clock)
		worth := fresh || earlier || shallower && !reduced // the depth matters only if the shortest schedule is sought
		if fresh {
			out.States++
		}
		switch {
		case !worth || f.memory == x.q.Settled && f.memory != 0:
		case out.States >= x.limits.States || out.Steps >= stepsPerState*x.limits.States:
			out.Complete, out.Met.States = false, x.limits.States
			return out
		case d+1 == bound:
			out.Complete, out.Met.Depth = false, bound
		default:
			d++
			x.ready(f, reduced)
		}
	}
	if x.late {
		out.Complete, out.Met.Clock = false, x.limits.Clock
	}
	return out
}

// stepsPerState bounds the steps of a search, which may reach a state many times,
// each time earlier.
const stepsPerState = 64

// ready finds the actors that can move: those that are due, or will be within the
// patience. If one of them has a step that concerns no other actor, it alone is
// tried.
func (x *explorer) ready(f *frame, reduced bool) {
	w := f.w
	f.ready, f.next = f.ready[:0], 0
	first := actor.Never
	ids := actor.ID(w.Set.Len())
	for id := range ids {
		if at := w.Set.At(id); at < first && !x.idle(w, id) {
			first = at
		}
	}
	if first == actor.Never {
		x.rests(w)
		return
	}
	until := max(first, w.Set.Now) + x.limits.Patience
	for id := range ids {
		at := w.Set.At(id)
		if at > until || at == actor.Never || x.idle(w, id) {
			continue
		}
		if reduced && !x.all && at <= w.Set.Now && !x.visible[w.Set.State(id).PC] && w.of(id).Local(&w.Set, id) {
			f.ready = append(f.ready[:0], id)
			return
		}
		f.ready = append(f.ready, id)
	}
}

// idle reports whether the actor only keeps time, and must not do so now.
func (x *explorer) idle(w *World, id actor.ID) bool {
	return w.idle(id) && (!x.passing || w.Set.At(id) > x.until)
}

// rests notes whether a timer is left in w, where no actor can move.
func (x *explorer) rests(w *World) {
	for id := range actor.ID(w.Set.Len()) {
		if w.Set.At(id) != actor.Never {
			x.waits, x.late = true, x.passing
			return
		}
	}
}

// shorten looks for the shortest schedule by bisection, without leaving any out.
func (x *explorer) shorten(out *Exploration) {
	out.Shortest = true
	for low := 0; low < len(out.Schedule)-1; {
		bound := (low + len(out.Schedule)) / 2
		try := x.search(bound, false)
		out.States, out.Steps = max(out.States, try.States), out.Steps+try.Steps
		if try.Yes {
			out.Schedule = slices.Clone(try.Schedule)
			continue
		}
		if try.States >= x.limits.States {
			out.Shortest = false
		}
		low = bound
	}
}
