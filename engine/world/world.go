// Package world wires the stations together and moves them: which actors can
// move, one step of one of them, the schedule that a real run would most
// plausibly take, and the history of a run, in which any step can be reached.
package world

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
)

// Config describes a World. Worlds and their clones share it, so it must not
// change once a World was made from it.
type Config struct {
	Seed      uint64            // of everything that is random
	Start     int64             // the clock before the first step, in nanoseconds
	Costs     *actor.Costs      // nil for actor.DefaultCosts
	Informers []informer.Config // each with its own server, handlers and workqueue
	Collector int64             // how long after a write the garbage collector looks, ns; 0 for no collector
	Replicas  int               // processes that elect a leader, each with as many of the Informers; 0 for one that needs no election
	Election  *election.Config  // of the Replicas
	Notes     Notes             // what a timeline marks beside what happens; may be nil
}

// Notes are moments at which somebody has noted something while a run was recorded.
// They may still be read, in the order of their times.
type Notes interface {
	Len() int
	At(i int) int64 // nanoseconds
}

// World is the whole machine. It is plain data: between two steps nothing
// happens. Only its Driver moves it.
type World struct {
	Set       actor.Set
	Informers []*informer.Informer

	// Log holds the facts of the last step. It is not part of the state.
	Log event.Log
	// Last is the last step, and Returned what it has returned if it was a call by
	// hand. They are not part of the state either.
	Last     Step
	Returned Returned

	steps   int64
	horizon int64 // time passes until then, even if nothing comes of it; 0 for none
	moved   bool  // an actor has moved
	hands   bool  // a station is used by hand, so no actor moves

	collector actor.ID // the garbage collector, if collects isn't 0
	collects  int64

	election *Election // nil for none

	popped []fifo.Delta // what was popped last by hand; immutable
}

// Step describes one step.
type Step struct {
	Actor    actor.ID // Nobody for a command, or when time has passed
	PC       actor.PC // what the actor did
	Informer int16    // the informer whose actor it was, or for which the command was
	Finished bool     // the actor finished what it was doing: an Operation ends here
}

// New returns the driver of a world before its first step.
func New(cfg *Config) (*Driver, error) {
	d := new(Driver)
	w := &d.view
	w.Set.Now, w.Set.Rand = cfg.Start, actor.Rand(cfg.Seed)
	w.Set.Costs = actor.DefaultCosts
	if cfg.Costs != nil {
		w.Set.Costs = *cfg.Costs
	}
	for i := range cfg.Informers {
		if c := &cfg.Informers[i]; c.Versions == nil { // so that all runs of cfg share them
			c.Versions = apiserver.NewVersions(c.Table)
		}
		x, err := informer.New(&w.Set, i, &cfg.Informers[i])
		if err != nil {
			return nil, err
		}
		w.Informers = append(w.Informers, x)
	}
	w.election = newElection(cfg, &w.Set)
	if w.collects = cfg.Collector; w.collects > 0 {
		w.collector = w.Set.For(actor.Role{Kind: actor.Collector})
		w.Set.Block(w.collector, actor.CollectorLook, actor.OnCond, 0)
	}
	return d, nil
}

// copyFrom makes w equal to src, reusing w's memory.
func (w *World) copyFrom(src *World) {
	w.Set.CopyFrom(&src.Set)
	for len(w.Informers) < len(src.Informers) {
		w.Informers = append(w.Informers, new(informer.Informer))
	}
	w.Informers = w.Informers[:len(src.Informers)]
	for i, x := range src.Informers {
		w.Informers[i].CopyFrom(x)
	}
	w.steps, w.horizon, w.moved, w.hands = src.steps, src.horizon, src.moved, src.hands
	w.collector, w.collects = src.collector, src.collects
	w.election = src.election.clone()
	w.Last, w.Returned, w.popped = src.Last, src.Returned, src.popped
	w.Log.Events = append(w.Log.Events[:0], src.Log.Events...)
}

// Now is the virtual time of the last step, in nanoseconds.
func (w *World) Now() int64 { return w.Set.Now }

// Steps is how many steps have been made.
func (w *World) Steps() int64 { return w.steps }

// Horizon is the time up to which timers fire even if nothing comes of them, in
// nanoseconds. PassTime sets it. It is 0 if none is set.
func (w *World) Horizon() int64 { return w.horizon }

// TimeIsUp tells whether the next step of the default schedule is the one that reaches
// the horizon.
func (w *World) TimeIsUp() bool {
	if w.horizon == 0 {
		return false
	}
	if id, ok := w.Next(); ok {
		return w.Set.At(id) > w.horizon
	}
	return w.KnownUntil() > w.horizon
}

// Moved tells whether an actor has made a step.
func (w *World) Moved() bool { return w.moved }

// ByHand tells whether a station is used by hand, so that no actor moves.
func (w *World) ByHand() bool { return w.hands }

// Ready appends the actors that can move, in a fixed order. A goroutine may always
// be late, so each of them may be the next. If it is one that waits for a timer or
// for the server, the clock moves to the end of its wait.
func (w *World) Ready(dst []actor.ID) []actor.ID {
	for id := range actor.ID(w.Set.Len()) {
		if w.CanMove(id) {
			dst = append(dst, id)
		}
	}
	return dst
}

// CanMove reports whether there is an actor id and it can move.
func (w *World) CanMove(id actor.ID) bool {
	return id >= 0 && int(id) < w.Set.Len() && w.Set.At(id) != actor.Never && !w.hands
}

// Next is the default scheduler: the actor whose next micro-step is done first.
// There is none if the world is starved, or if nothing more will happen. Resync
// timers don't count once the server has nothing more to send, unless there is a
// horizon.
func (w *World) Next() (actor.ID, bool) {
	if w.hands {
		return actor.Nobody, false
	}
	until := actor.Never
	if w.Set.Starved {
		until = w.KnownUntil()
		w.Set.Starved = until != actor.Never
	}
	next, least := w.Set.Earliest()
	if least >= until {
		return actor.Nobody, false
	}
	if w.Set.State(next).Wait.Passes() && w.Idle(next) {
		next = w.nextBusy()
		if next == actor.Nobody || w.Set.At(next) >= until {
			return actor.Nobody, false
		}
	}
	return next, true
}

// nextBusy is Next without the actors that are idle.
func (w *World) nextBusy() actor.ID {
	next, best := actor.Nobody, actor.Never
	for id := range actor.ID(w.Set.Len()) {
		if at := w.Set.At(id); at < best && !w.Idle(id) {
			next, best = id, at
		}
	}
	return next
}

// Idle reports whether the actor waits for something that will change nothing any
// more: a resync timer after the server's last event, a leader's renewal while nobody else moves, a delay after which a reconcile fails
// as before, a reflector whose watch brings only bookmarks and its end, or caches that nothing
// lets sync. No actor is idle up to the horizon.
func (w *World) Idle(id actor.ID) bool {
	if !w.Set.State(id).Wait.Passes() || w.Set.At(id) <= w.horizon {
		return false
	}
	switch w.Set.State(id).PC {
	case actor.WorkerStart:
		return syncsNever(w, id)
	case actor.ElectorWake, actor.ElectorStart:
		return electionRests(w)
	}
	x := w.of(id)
	if x.Idle(&w.Set, id) {
		return x.Over(&w.Set, w.Set.At(id)) || x.Quiet(&w.Set)
	}
	return w.Set.Role(id).Kind == actor.Reflector && x.Quiet(&w.Set)
}

func (w *World) of(id actor.ID) *informer.Informer { return w.Informers[w.Set.Role(id).Informer] }

// Starved reports whether the world waits for a feed to grow: more may come, and
// it is not known when.
func (w *World) Starved() bool { return w.KnownUntil() != actor.Never }

// KnownUntil returns the time up to which the world may move: nothing that is still unread
// in the feeds happens before it. It is actor.Never if no feed is awaited.
func (w *World) KnownUntil() (until int64) {
	until = actor.Never
	for _, x := range w.Informers {
		if x.Starved() {
			until = min(until, x.Resume(&w.Set))
		}
	}
	return until
}

// step moves the actor id, which must be able to, to its next visible point. The
// facts are in w.Log until the next step.
func (w *World) step(id actor.ID) {
	s := &w.Set
	pc, role := s.Begin(id)
	w.Log.Reset()
	w.Log.Actor = id
	w.Last.Actor, w.Last.PC, w.Last.Informer = id, pc, role.Informer
	switch {
	case pc < actor.RunEnqueue:
		w.Last.Finished = w.Informers[role.Informer].Step(s, id, pc, &w.Log)
		if pc == actor.WorkerReconciled {
			w.writeBack(role)
		}
	case pc == actor.RunEnqueue:
		enqueued(w, id, role)
		w.Last.Finished = false
	case pc == actor.WorkerStart:
		awaitCaches(w, id, role)
		w.Last.Finished = true
	case pc == actor.CollectorLook:
		collect(w, id)
		w.Last.Finished = true
	case pc >= actor.ElectorStart:
		elect(w, id, pc, role)
		w.Last.Finished = true
	default:
		programmed(w, role)
		w.Last.Finished = false
	}
	if w.election != nil {
		holdUp(w)
	}
	w.steps++
	w.moved = true
}

// takeNoTime makes steps due at once, those included that were under way when steps still took
// time.
func (w *World) takeNoTime() {
	w.Set.Costs = actor.Costs{}
	for id := range actor.ID(w.Set.Len()) {
		if st := w.Set.State(id); st.Wait == actor.Ready && w.Set.At(id) != actor.Never {
			w.Set.Go(id, st.PC)
		}
	}
}

// Hash adds the state to h. It reports false if there is a server whose states have no hash.
func (w *World) Hash(h *actor.Hash) bool {
	w.Set.Hash(h)
	w.election.hash(h, w.Set.Now)
	for _, x := range w.Informers {
		if !x.Hash(h, &w.Set) {
			return false
		}
	}
	return true
}

// KeepsTime reports whether an actor only keeps time: it is idle, or in a WaitForCacheSync that
// would only ask again.
func (w *World) KeepsTime(id actor.ID) bool { return w.Idle(id) || asksInVain(w, id) }

// runTo makes steps that the default scheduler picks, until the given one is made or there is none. With
// kinds, it also stops after a step that has a fact of one of them, and reports whether it did. There
// must be no horizon.
func (w *World) runTo(step int64, kinds *event.Set) (has bool) {
	for w.steps < step && !has {
		id, ok := w.Next()
		if !ok {
			break
		}
		w.step(id)
		has = kinds != nil && w.Log.Has(kinds)
	}
	return has
}
