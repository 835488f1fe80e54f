package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/processor"
)

// Distribute is sharedProcessor.distribute, called by a program that uses a processor
// alone. It adds the handlers that are new and starts their goroutines, as addListener
// does. No other actor of the informer ever moves then. The informer must not have been
// started.
func (x *Informer) Distribute(s *actor.Set, n processor.Notification, log *event.Log) {
	if !x.alone {
		x.alone = true
		for id := range actor.ID(s.Len()) {
			if r := s.Role(id); r.Informer == x.index && r.Kind != actor.Pop && r.Kind != actor.Run {
				s.Stop(id)
			}
		}
	}
	for i := range x.Processor.Listeners {
		if l := &x.Processor.Listeners[i]; !l.Joined && !l.Removed {
			x.start(s, i, log)
		}
	}
	n.Emit(event.Distributed, log)
	for i := x.Processor.Receives(0, false, log); i >= 0; i = x.Processor.Receives(i+1, false, log) {
		x.send(s, i, n, log)
	}
}

// Distributes reports whether the processor is used alone: see Distribute.
func (x *Informer) Distributes() bool { return x.alone }
