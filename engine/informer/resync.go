package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

// minimumResync is the shortest resync period, minimumResyncPeriod.
const minimumResync = 1_000_000_000

// stepResync is the goroutine that ListAndWatch starts beside its watch.
func (x *Informer) stepResync(s *actor.Set, _ actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	switch pc {
	case actor.ResyncFire:
		l := &x.Locks[actor.ListenersLock]
		if l.Holder() != actor.Nobody {
			s.WaitFor(l, actor.ListenersLock, x.resync, pc, log)
			return false
		}
		log.Emit(event.Event{Kind: event.ResyncFired, N: x.resyncPeriod})
		due := x.Processor.ShouldResync(s.Now, log)
		s.Passed(l)
		if due {
			s.Go(x.resync, actor.ResyncStart)
			return false
		}
		log.Emit(event.Event{Kind: event.ResyncNotDue})
	case actor.ResyncStart:
		if s.Acquire(&x.Locks[actor.FIFOLock], actor.FIFOLock, x.resync, pc, log) {
			x.noteReached()
			x.Queue.BeginResync()
			s.Go(x.resync, actor.ResyncKey)
		}
		return false
	default: // ResyncKey
		done, err := x.Queue.StepResync(log)
		x.broadcast(s, log)
		if !done {
			s.Go(x.resync, pc)
			return false
		}
		s.Release(&x.Locks[actor.FIFOLock], actor.FIFOLock, log)
		if err != nil {
			log.Emit(event.Event{Kind: event.ResyncGaveUp})
			x.resyncFails(s)
			return true
		}
	}
	if !x.wire.resync {
		s.Stop(x.resync)
		return true
	}
	s.Sleep(x.resync, actor.ResyncFire, actor.OnTimer, actor.After(s.Now, x.resyncPeriod))
	return true
}

// atLeast is the resync period of a handler that asks for d: AddEventHandlerWithResyncPeriod
// raises one that is too short.
func atLeast(d int64) int64 {
	if d <= 0 {
		return d
	}
	return max(d, minimumResync)
}

// checkResyncBy shortens resyncCheckPeriod for a handler that asks for the resync period d. Once
// the informer runs, no handler can. An informer without a resyncCheckPeriod never resyncs,
// whatever its handlers ask for.
func (x *Informer) checkResyncBy(d int64) {
	if d > 0 && d < x.resyncPeriod && !x.life.started {
		x.resyncPeriod = d
		x.Processor.ResyncCheckPeriodChanged(d)
	}
}

func (x *Informer) startResync(s *actor.Set) {
	if x.resyncPeriod == 0 {
		return
	}
	running := s.State(x.resync).Wait != actor.Stopped
	x.wire.resync = true
	if !running {
		s.Sleep(x.resync, actor.ResyncFire, actor.OnTimer, actor.After(s.Now, x.resyncPeriod))
	}
}

// stopResync ends the resync goroutine, but not in the middle of a Resync.
func (x *Informer) stopResync(s *actor.Set) {
	x.wire.resync = false
	if s.State(x.resync).Wait == actor.OnTimer {
		s.Stop(x.resync)
	}
}

// resyncFails ends the resync goroutine with an error, which ends the watch: an
// object has no key, or could not be transformed once more.
func (x *Informer) resyncFails(s *actor.Set) {
	s.Stop(x.resync)
	x.wire.failed = x.wire.resync
	x.wire.resync = false
	if st := s.State(x.refl); x.wire.failed && st.Wait == actor.OnServer && st.PC == actor.ReflectorReceive {
		x.starved = false
		s.Go(x.refl, st.PC)
	}
}
