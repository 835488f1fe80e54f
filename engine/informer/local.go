package informer

import "github.com/informerscope/informerscope/engine/actor"

// Local reports whether the next step of id, which is one of x's, commutes with every
// other actor's. This holds for listeners, because a sender and the
// receiver that waits for it are all that share something. It holds for the
// reflector while it only reads the wire, and for the process loop between its
// locks, if nobody reads the store meanwhile.
func (x *Informer) Local(s *actor.Set, id actor.ID) bool {
	if len(x.more) > 0 {
		return false // there are more senders, receivers, and writers of the store
	}
	switch s.State(id).PC {
	case actor.RunReturn: // unless it ends the process
		return !x.life.stopping && !x.cfg.Handlers[s.Role(id).Index].Panics
	case actor.PopNext, actor.ReflectorListed, actor.ReflectorOpened, actor.ReflectorRV:
		return !x.life.stopping
	case actor.ReflectorReceive:
		// A resync can fail where there is a transformer, and ends the watch.
		return !x.life.stopping && (x.cfg.Transform == nil || s.State(x.resync).Wait == actor.Stopped)
	case actor.WorkerReconciled:
		return !x.life.stopping && x.cfg.WritesBack == nil
	case actor.RunCall:
		// A call that takes its time reads the clock.
		r := s.Role(id)
		l := &x.Processor.Listeners[r.Index]
		return !x.life.stopping && x.cfg.Handlers[r.Index].takes(l.Calls) == 0
	case actor.LoopLock, actor.LoopDistribute:
		return !x.life.stopping && !x.life.unstarted && s.State(x.resync).Wait == actor.Stopped
	case actor.LoopStore:
		return !x.life.stopping && s.State(x.resync).Wait == actor.Stopped && !x.worked() && !x.cfg.Read
	}
	return false
}
