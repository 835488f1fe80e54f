package priorityqueue

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Actors are the goroutines of a Queue as actors, and the workers that wait for its keys.
type Actors struct {
	Queue Queue

	ids     [3]actor.ID // see loops
	getters []int16     // the workers that wait in GetWithPriority, the longest first
}

// loops are the goroutines of a priority queue, and what each does in a turn.
var loops = [3]struct {
	kind actor.Kind
	pc   actor.PC
}{{actor.AddBuffer, actor.PriorityAdd}, {actor.ReadyItems, actor.PriorityReady}, {actor.WaitingItems, actor.PriorityWaiting}}

// NewActors returns an empty queue with the default limiter and an Order. Add adds an actor.
func NewActors(o Order, add func(actor.Kind, int) actor.ID) *Actors {
	a := &Actors{Queue: *New(DefaultLimiter(), o)}
	for i := range loops {
		a.ids[i] = add(loops[i].kind, 0)
	}
	return a
}

// Clone returns a copy that changes on its own.
func (a *Actors) Clone() *Actors {
	c := &Actors{ids: a.ids, getters: slices.Clone(a.getters)}
	c.Queue.CopyFrom(&a.Queue)
	return c
}

// Add models AddWithOpts.
func (a *Actors) Add(s *actor.Set, o AddOpts, k object.Key, log *event.Log) {
	a.Queue.AddWithOpts(o, k)
	log.Emit(event.Event{Kind: event.WorkBuffered, Key: k, N: int64(o.Priority)})
	a.Wake(s)
}

// Get models a worker calling GetWithPriority. Turn hands it a key.
func (a *Actors) Get(s *actor.Set, worker int16) {
	a.Queue.GetWithPriority()
	a.getters = append(a.getters, worker)
	a.Wake(s)
}

// Wake lets the goroutines move that have something to do.
func (a *Actors) Wake(s *actor.Set) {
	q := &a.Queue
	due := [...]bool{q.AddBufferReady(), q.ReadyItemsReady(), q.WaitingItemsReady(s.Now)}
	for i, id := range a.ids {
		if s.State(id).Wait == actor.Ready && s.State(id).PC != actor.None {
			continue // it is on its way
		}
		at, waits := q.NextReady()
		switch pc := loops[i].pc; {
		case due[i]:
			s.Schedule(id, pc)
		case pc == actor.PriorityWaiting && waits:
			s.Sleep(id, pc, actor.OnTimer, at)
		default:
			s.Block(id, pc, actor.OnCond, 0)
		}
	}
}

// Turn makes a turn of one of the goroutines. It calls receive for each key that a worker gets.
func (a *Actors) Turn(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log, receive func(worker int16, item Item)) {
	var items []Item
	switch pc {
	case actor.PriorityAdd:
		a.Queue.HandleAddBuffer(s.Now, log)
	case actor.PriorityWaiting:
		a.Queue.HandleWaitingItems(s.Now, log)
	default:
		items = a.Queue.HandleReadyItems(s.Now, nil, log)
	}
	for i, item := range items {
		log.Emit(event.Event{Kind: event.WorkGot, Listener: a.getters[i], Key: item.Key})
		receive(a.getters[i], item)
	}
	a.getters = slices.Delete(a.getters, 0, len(items))
	s.Block(id, pc, actor.OnCond, 0)
	a.Wake(s)
}
