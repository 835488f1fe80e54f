package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// What the actors hold in their hands between two steps, for whoever looks on.

// Config returns what the informer was made of.
func (x *Informer) Config() *Config { return x.cfg }

// ResyncPeriod is resyncCheckPeriod in nanoseconds, 0 for no resync.
func (x *Informer) ResyncPeriod() int64 { return x.resyncPeriod }

// Received is the watch event that the reflector has taken from the stream and
// not yet dealt with; event.None if there is none.
func (x *Informer) Received() (event.Delta, object.Ref) { return x.wire.event, x.wire.obj }

// Listed is how many objects the reflector has from the server and not yet
// given to Replace whole: of a streaming list, what the temporary store holds.
func (x *Informer) Listed() int {
	if x.Reflector.Streaming() {
		return x.wire.temp.n
	}
	return len(x.wire.list)
}

// Remaining is how many notifications the process loop has still to make of
// what it has written to the indexer, the one being distributed included.
func (x *Informer) Remaining() int { return len(x.hand.notes) - x.hand.noted }

// Popped is what the process loop has popped and not yet processed, and which
// of the deltas is at work. The slice is valid until the next step.
func (x *Informer) Popped() (deltas []fifo.Delta, at int) { return x.hand.deltas, x.hand.at }

// Distributing is the notification that the process loop is about to hand to a
// listener: its Type is 0 if there is none.
func (x *Informer) Distributing() (n processor.Notification, listener int) {
	if x.hand.noted < len(x.hand.notes) {
		n = x.hand.notes[x.hand.noted]
	}
	return n, x.hand.to
}

// Actors returns the actors that an informer has one of.
func (x *Informer) Actors() (user, reflector, resync, loop actor.ID) {
	return x.user, x.refl, x.resync, x.loop
}
