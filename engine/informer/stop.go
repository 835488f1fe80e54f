package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

// Stop closes the channel that Run was given. Each goroutine notices it when it
// next looks: the reflector when it waits for the server or a timer, the process
// loop when it has emptied the queue. The listeners go last, and what they have
// not handed to their handlers yet is lost.
func (x *Informer) Stop(s *actor.Set, log *event.Log) {
	if !x.started || x.stopping || x.crash != nil {
		return
	}
	x.stopping = true
	x.each(func() {
		if x.crash != nil {
			return // of the one before
		}
		x.starved = false
		if x.notices(s) {
			x.leave(s, log)
		}
		x.stopResync(s)
		x.Queue.Close(log)
		if s.State(x.loop).Wait == actor.OnCond {
			s.Wake(x.loop)
		}
	})
}

// notices tells whether the reflector looks at the stop channel while it waits.
// It does not in some back-offs, nor, before v0.33, in a watch request.
func (x *Informer) notices(s *actor.Set) bool {
	switch st := s.State(x.refl); st.Wait {
	case actor.OnServer:
		return st.PC != actor.ReflectorOpened || !x.Reflector.WaitsOn()
	case actor.OnTimer:
		if st.PC == actor.RequestRetry {
			return !x.Request.Watching() || !x.Reflector.WaitsOn()
		}
		return st.PC != actor.ReflectorRewatch || !x.Reflector.SleepsOn()
	}
	return false
}

// Stopped tells whether Run has returned.
func (x *Informer) Stopped() bool { return x.stopped }

// leave is ListAndWatch returning because of the stop.
func (x *Informer) leave(s *actor.Set, log *event.Log) {
	x.Server.Hangup()
	x.starved = false
	x.stopResync(s)
	s.Stop(x.refl)
	x.returned(s, log)
}

// returned ends Run once reflector and process loop of its controller have
// returned. An AddEventHandler under way holds startedLock, so it is waited for.
func (x *Informer) returned(s *actor.Set, log *event.Log) {
	if x.ended || s.State(x.refl).Wait != actor.Stopped || s.State(x.loop).Wait != actor.Stopped {
		return
	}
	if pc := s.State(x.user).PC; pc == actor.UserInitial || pc == actor.UserReleases {
		return
	}
	x.ended, x.stopped = true, true
	if x.cfg.DetectMutations {
		s.Stop(x.compares)
	}
	x.closeListeners(s, log)
	if x.crash == nil {
		log.Emit(event.Event{Kind: event.InformerStopped})
	}
}

// closeListeners is the end of sharedProcessor.run: it closes each listener's
// addCh, and pop, which sees that, closes nextCh. Go allows neither a second
// time.
func (x *Informer) closeListeners(s *actor.Set, log *event.Log) {
	if x.closed {
		x.die(s, ChannelError{Close: true})
		return
	}
	for i := range x.Processor.Listeners {
		l := &x.Processor.Listeners[i]
		if !l.Joined {
			continue
		}
		x.closed, x.closedSyncing = true, x.closedSyncing || l.Syncing
		x.silence(s, i, log)
		if l.Pairs() > 1 {
			x.die(s, ChannelError{Close: true})
			return
		}
	}
}

// ChannelError is the panic of a goroutine that uses a listener's channel after
// another call of Run has closed it.
type ChannelError struct{ Close bool } // it closes the channel, or else sends on it

func (e ChannelError) Error() string {
	if e.Close {
		return "close of closed channel"
	}
	return "send on closed channel"
}
