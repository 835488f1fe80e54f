package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/reflector"
)

// Stop closes the channel that Run was given, or is going to be given. Each goroutine notices it when it
// next looks: the reflector when it waits for the server or a timer, the process
// loop when it has emptied the queue. The listeners go last, and what they have
// not handed to their handlers yet is lost.
func (x *Informer) Stop(s *actor.Set, log *event.Log) {
	late := x.life.stop()
	log.Emit(event.Event{Kind: event.StopRequested, Cause: late})
	if late != event.NoCause {
		return
	}
	if !x.life.started {
		return // Run finds it closed
	}
	x.each(func() {
		if x.life.crash != nil {
			return // the controller before this one has crashed the process
		}
		x.starved = false
		if x.notices(s) {
			x.cancelWatch(s, log)
			x.leave(s, log)
		}
		x.stopResync(s)
		x.Queue.Close(log)
		if waitsToPop(s, x.loop) {
			s.Wake(x.loop)
		}
	})
}

// notices tells whether the reflector looks at the stop channel while it waits.
// It does not look in some back-offs, nor, before v0.33, in a watch request.
func (x *Informer) notices(s *actor.Set) bool {
	if x.abandoned {
		return false
	}
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

// Stopped tells whether the informer takes no handlers any more. Run returns
// then, or once the handlers that run have returned.
func (x *Informer) Stopped() bool { return x.life.stopped }

// cancelWatch is what the reflector does about a watch request that the stop
// has ended (from v0.33). To the reflector the request has failed.
func (x *Informer) cancelWatch(s *actor.Set, log *event.Log) {
	switch st := s.State(x.refl); {
	case st.PC == actor.ReflectorOpened:
	case st.PC == actor.RequestRetry && x.Request.Watching():
	default:
		return
	}
	x.Server.Hangup()
	switch x.Reflector.WatchFailed(reflector.Failure{}) {
	case reflector.FallBack:
		log.Emit(event.Event{Kind: event.WatchListFellBack})
		x.listInVain(s, log)
	case reflector.Relist:
		x.watchError(reflector.Failure{}, false, log)
	}
}

// listInVain is a list that is asked for and given up at once, because the stop
// channel is closed already.
func (x *Informer) listInVain(s *actor.Set, log *event.Log) {
	o := x.Reflector.Begin()
	x.Server.List(o, s.Now)
	log.Emit(event.Event{Kind: event.ListRequested, N: int64(o.RV), Listener: int16(o.Limit)})
	x.Server.Hangup()
}

// runStopped is controller.Run with a stop channel that is closed already. Up to
// v0.35 the reflector looks at it before anything else.
func (x *Informer) runStopped(s *actor.Set, log *event.Log) {
	x.Reflector.Run(s.Now)
	if x.cfg.Profile.ListsStopped && !x.Reflector.Start() {
		x.listInVain(s, log)
	}
	x.Queue.Close(log)
	x.returned(s, log)
}

// leave is ListAndWatch returning because of the stop. Up to v0.32 nobody tells
// the goroutine that lists. It asks for the remaining pages, although nobody
// takes them any more.
func (x *Informer) leave(s *actor.Set, log *event.Log) {
	x.stopResync(s)
	pc := s.State(x.refl).PC
	if x.Reflector.WaitsOn() && (pc == actor.ReflectorListed || pc == actor.RequestRetry) {
		x.abandoned = true
	} else {
		x.Server.Hangup()
		x.starved = false
		s.Stop(x.refl)
	}
	x.returned(s, log)
}

// returned ends the processor once reflector and process loop of its controller
// have returned. An AddEventHandler under way holds startedLock, so it is waited
// for. The processor itself first starts the listeners.
func (x *Informer) returned(s *actor.Set, log *event.Log) {
	if x.ended || x.life.unstarted || !x.abandoned && s.State(x.refl).Wait != actor.Stopped || s.State(x.loop).Wait != actor.Stopped {
		return
	}
	if pc := s.State(x.user.id).PC; pc == actor.UserInitial || pc == actor.UserReleases {
		return
	}
	x.ended = true
	x.life.end()
	if x.cfg.DetectMutations {
		s.Stop(x.compares)
	}
	x.closeListeners(s, log)
	if x.life.crash != nil {
		return
	}
	x.life.waitForHandlers()
	x.endRun(s, log)
	if x.life.returning > 0 && x.Locks[actor.ListenersLock].Holder() == actor.Nobody {
		s.Acquire(&x.Locks[actor.ListenersLock], actor.ListenersLock, x.loop, actor.LoopPop, log)
	}
}

// endRun is the end of Run: it waits for all handlers that are in a call, those of
// removed ones too. sharedProcessor.run holds listenersLock meanwhile.
func (x *Informer) endRun(s *actor.Set, log *event.Log) {
	if x.life.returning == 0 || x.called(s) {
		return
	}
	if l := &x.Locks[actor.ListenersLock]; l.Holder() == x.loop {
		s.Release(l, actor.ListenersLock, log)
	}
	for range x.life.returned() {
		log.Emit(event.Event{Kind: event.InformerStopped})
	}
}

// called tells whether a handler is in a call.
func (x *Informer) called(s *actor.Set) bool {
	for i := range x.Processor.Listeners {
		l := &x.Processor.Listeners[i]
		for j := range l.Pairs() {
			if s.State(l.PairAt(j).Run).Wait != actor.Stopped {
				return true
			}
		}
	}
	return false
}

// closeListeners is the end of sharedProcessor.run: it closes each listener's
// addCh, and pop, which sees that, closes nextCh. Go allows neither a second
// time.
func (x *Informer) closeListeners(s *actor.Set, log *event.Log) {
	if x.Processor.Closed() {
		x.Die(s, ChannelError{Close: true})
		return
	}
	for i := range x.Processor.Listeners {
		l := &x.Processor.Listeners[i]
		if !l.Joined {
			continue
		}
		x.Processor.Close(i, log)
		x.silence(s, i)
		if l.Pairs() > 1 {
			x.Die(s, ChannelError{Close: true})
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
