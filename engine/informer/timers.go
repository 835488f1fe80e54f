package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

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

// stepResync makes a step of the goroutine that ListAndWatch starts beside its watch.
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
			s.Schedule(x.resync, actor.ResyncStart)
			return false
		}
		log.Emit(event.Event{Kind: event.ResyncNotDue})
	case actor.ResyncStart:
		if s.Acquire(&x.Locks[actor.FIFOLock], actor.FIFOLock, x.resync, pc, log) {
			x.noteReached()
			x.Queue.BeginResync()
			s.Schedule(x.resync, actor.ResyncKey)
		}
		return false
	default: // ResyncKey
		done, err := x.Queue.StepResync(log)
		x.broadcast(s, log)
		if !done {
			s.Schedule(x.resync, pc)
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

// resyncFails ends the resync goroutine with an error, which ends the watch: an
// object has no key, or could not be transformed once more.
func (x *Informer) resyncFails(s *actor.Set) {
	s.Stop(x.resync)
	x.wire.failed = x.wire.resync
	x.wire.resync = false
	if st := s.State(x.refl); x.wire.failed && st.Wait == actor.OnServer && st.PC == actor.ReflectorReceive {
		x.starved = false
		s.Schedule(x.refl, st.PC)
	}
}

// startDetector models Run of the detector. Where it is called more than once, all
// of them compare what the one detector remembers.
func (x *Informer) startDetector(s *actor.Set) {
	if !x.life.started {
		x.detector.rotated = s.Now
	}
	s.Sleep(x.compares, actor.DetectorCompare, actor.OnTimer, s.Now+comparePeriod)
}

// stepDetector models CompareObjects, once a second. A change that it finds ends the process.
func (x *Informer) stepDetector(s *actor.Set, id actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	if m, found := x.detector.altered(x.cfg.Table, x.Indexer); found {
		k := x.cfg.Table.KeyOf(m.obj)
		log.Emit(event.Event{Kind: event.ObjectMutated, Key: k, Old: m.row, New: x.Indexer.Read(m.obj)})
		x.Die(s, MutationError{k})
		return true
	}
	x.detector.rotate(s.Now)
	s.Sleep(id, actor.DetectorCompare, actor.OnTimer, s.Now+comparePeriod)
	return true
}
