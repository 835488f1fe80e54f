package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// The functions below tell an observer what the actors hold in their hands between two steps.

// Config returns what the informer was made of.
func (x *Informer) Config() *Config { return x.cfg }

// ResyncPeriod is resyncCheckPeriod in nanoseconds, 0 for no resync.
func (x *Informer) ResyncPeriod() int64 { return x.resyncPeriod }

// Received is the watch event that the reflector has taken from the stream and
// not yet dealt with; event.None if there is none.
func (c *Controller) Received() (event.Delta, object.Ref) { return c.wire.event, c.wire.obj }

// Listed is how many objects the reflector has from the server and not yet
// given to Replace whole: of a streaming list, what the temporary store holds.
func (c *Controller) Listed() int {
	if c.Reflector.Streaming() && !c.wire.open {
		return c.wire.temp.n
	}
	return len(c.wire.list)
}

// Remaining is how many notifications the process loop has still to make of
// what it has written to the indexer, the one being distributed included.
func (c *Controller) Remaining() int { return len(c.hand.notes) - c.hand.noted }

// Popped is what the process loop has popped and not yet processed, and which
// of the deltas is at work. The slice is valid until the next step.
func (c *Controller) Popped() (deltas []fifo.Delta, at int) { return c.hand.deltas, c.hand.at }

// Distributing is the notification that the process loop is about to hand to a
// listener. Its Type is 0 if there is none.
func (c *Controller) Distributing() (n processor.Notification, listener int) {
	if c.hand.noted < len(c.hand.notes) {
		n = c.hand.notes[c.hand.noted]
	}
	return n, c.hand.to
}

// Actors returns the actors of the kinds that an informer has once.
func (x *Informer) Actors() (user, reflector, resync, loop actor.ID) {
	return x.user.id, x.refl, x.resync, x.loop
}

// ControllerOf is the controller whose goroutine the actor is, with the lock of its
// queue: the first one for actors that are no controller's.
func (x *Informer) ControllerOf(s *actor.Set, id actor.ID) (*Controller, *actor.Lock) {
	if k := x.of(s, id); k > 0 {
		return &x.more[k-1].Controller, &x.more[k-1].fifo
	}
	return &x.Controller, &x.Locks[actor.FIFOLock]
}

// Usage is what informers cost, in this process.
type Usage struct {
	Watches int64 // open watches; each one is a long-lived HTTP response
	Lists   int64 // lists that came and were decoded, streaming lists among them
	Objects int64 // objects that were decoded from lists and from watch events other than bookmarks
	Copies  int64 // objects in the indexers
}

// AddUsage adds what the informer costs, all of its controllers together.
func (x *Informer) AddUsage(u *Usage) {
	add := func(c *Controller) {
		lists, objects := c.Reflector.Decoded()
		u.Lists += lists
		u.Objects += objects
		if c.Server.State() == apiserver.Open {
			u.Watches++
		}
	}
	add(&x.Controller)
	for k := range x.more {
		add(&x.more[k].Controller)
	}
	u.Copies += int64(x.Indexer.Len())
}

// Processing reports whether the process loop is within the process function: it has popped, and has
// not come to the locks that Pop gives back.
func Processing(x *Informer, s *actor.Set) bool {
	switch s.State(x.loop).PC {
	case actor.LoopBlock, actor.LoopStore, actor.LoopLock, actor.LoopDistribute:
		return true
	}
	return false
}
