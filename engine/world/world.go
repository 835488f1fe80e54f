// Package world is the machine: informers, their controllers and their API servers, with a
// clock and a schedule. A World says what there is at one moment, which actors can move
// ([World.Ready]), and which of them a real run would most plausibly let move next
// ([World.Next]). A Driver lets one of them make a step ([Driver.Step]), or does something from
// outside ([Driver.Do]): a [Command].
//
// A world is deterministic: the same Config, and the same steps and commands, give the same
// facts, on every machine. A step allocates next to nothing, and a copy costs as much as the
// queues and the caches hold. Package history keeps runs of worlds, and package explore tries
// all their schedules.
//
// What versions of client-go do differently is data, a [Profile].
package world

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/manager"
)

// Config describes a [World]. Worlds and their clones share it, so it must not
// change once a [World] was made from it.
type Config struct {
	Seed      uint64            // of everything that is random
	Start     int64             // the clock before the first step, in nanoseconds
	Costs     *actor.Costs      // nil for actor.DefaultCosts
	Informers []informer.Config // each with its own server, handlers and workqueue
	Collector int64             // how long after a write the garbage collector looks, ns; 0 for no collector
	Replicas  int               // processes, each with as many of the Informers; 0 for a single one
	Election  *election.Config  // of a leader among the Replicas; nil if they elect none, and each has a shard
	Notes     Notes             // what a timeline marks beside what happens; may be nil
}

// Notes are moments at which somebody has noted something while a run was recorded.
// They may still be read, in the order of their times.
type Notes interface {
	Len() int
	Time(i int) int64 // nanoseconds
}

// World is the whole machine at one moment. It is plain data: between two steps nothing
// happens. Only its Driver moves it.
type World struct {
	manager.Manager

	// Last is the last step, and Returned what it has returned if it was a call by
	// hand. They are not part of the state: nothing that the world does later depends on them.
	Last     Step
	Returned Returned

	steps   int64
	horizon int64 // time passes until then, even if nothing comes of it; 0 for none
	moved   bool  // an actor has moved
	hands   bool  // a station is used by hand, so no actor moves

	popped []fifo.Delta // what was popped last by hand; immutable
}

// Step describes one step.
type Step struct {
	Actor    actor.ID // Nobody for a command, or when time has passed
	PC       actor.PC // what the actor did
	Informer int16    // the informer whose actor it was, or for which the command was
	Finished bool     // the actor finished what it was doing: an Operation ends here
}

// Now returns the virtual time of the last step, in nanoseconds.
func (w *World) Now() int64 { return w.Set.Now }

// Steps returns how many steps have been made.
func (w *World) Steps() int64 { return w.steps }

// Horizon returns the time up to which timers fire even if nothing comes of them, in
// nanoseconds. PassTime sets it. It is 0 if none is set.
func (w *World) Horizon() int64 { return w.horizon }

// Moved reports whether an actor has made a step.
func (w *World) Moved() bool { return w.moved }

// ByHand reports whether a station is used by hand, so that no actor moves.
func (w *World) ByHand() bool { return w.hands }

// ProcessExit returns the fact with which the process of an informer has ended in w's last step. It
// reports false if that process goes on.
func (w *World) ProcessExit(informer int) (e event.Event, ok bool) {
	for _, e := range w.Log.Events {
		if e.Kind == event.ProcessKilled {
			return e, w.Set.SameProcess(w.Last.Informer, int16(informer))
		}
	}
	return e, false
}

// Usage returns what all informers together cost.
func (w *World) Usage() (u informer.Usage) {
	for _, x := range w.Informers {
		x.AddUsage(&u, w.Set.Now)
	}
	return u
}

// Returned holds the results of a call by hand. It is not part of the state.
type Returned struct {
	Deltas   []fifo.Delta // of QueuePop and QueuePopFails: what was popped
	Err      error
	ShutDown bool // of WorkGet: the workqueue is shut down and empty
}
