package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/processor"
)

// stepUser makes a step of whoever calls Run, and AddEventHandler and RemoveEventHandler
// later.
func (x *Informer) stepUser(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	switch pc {
	case actor.UserRun:
		if id != x.user.id {
			return x.runBeside(s, id, log)
		}
		x.run(s, log)
		x.user.await(s)
		return true
	case actor.UserAdd:
		return x.takesBlockDeltas(s, log)
	case actor.UserInitial:
		if x.life.unstarted {
			s.Block(id, pc, actor.OnSend, actor.AddCh)
			return false
		}
		o := x.user.send(s)
		n := processor.Notification{Key: x.cfg.Table.KeyOf(o), New: o, Type: processor.Add, Cause: event.FromCache}
		if x.cfg.Profile.InitialList {
			n.Flags = event.IsInInitialList
		}
		x.send(s, int(x.user.nextCall().handler), n, log)
		return false
	default: // UserReleases
		if c := x.user.nextCall(); x.synced && x.cfg.Profile.InitialList && !c.removes {
			x.Processor.UpstreamHasSynced(int(c.handler), log)
		}
		s.Release(&x.Locks[actor.BlockDeltas], actor.BlockDeltas, log)
		x.user.returned(s)
		if x.life.stopping {
			for range x.eachSwapped {
				x.returned(s, log)
			}
		}
		return true
	}
}

// run adds the handlers that are there from the beginning, and is
// sharedIndexInformer.Run.
func (x *Informer) run(s *actor.Set, log *event.Log) {
	if x.cfg.StartsApart {
		x.life.unstarted = true
		s.Schedule(x.user.starts, actor.ProcessorRun)
	}
	for i, h := range x.cfg.Handlers {
		if l := &x.Processor.Listeners[i]; l.Removed && l.Requested > 0 {
			x.checkResyncBy(minResyncPeriod(l.Requested)) // this period stays
		} else if h.From == 0 {
			x.start(s, i, log)
		}
	}
	if !x.life.stopping {
		x.runController(s)
	}
	x.life.started = true
	log.Emit(event.Event{Kind: event.InformerStarted})
	x.Work.start(s, x.cfg.Recorded)
	if x.life.stopping {
		x.runStopped(s, log)
	}
}

// runController models controller.Run, and MutationDetector.Run beside it.
func (x *Informer) runController(s *actor.Set) {
	x.Reflector.Run(s.Now)
	x.listAndWatch(s)
	s.Schedule(x.loop, actor.LoopPop)
	if x.cfg.DetectMutations {
		x.startDetector(s)
	}
}

// runStopped models controller.Run with a stop channel that is closed already. Up to
// v0.35 the reflector looks at it before anything else.
func (x *Informer) runStopped(s *actor.Set, log *event.Log) {
	x.Reflector.Run(s.Now)
	if x.cfg.Profile.ListsStopped && !x.Reflector.Start() {
		x.listInVain(s, log)
	}
	x.Queue.Close(log)
	x.returned(s, log)
}

// stepProcessor models sharedProcessor.run starting the listeners' goroutines, where that may come
// late. It takes listenersLock to read the listeners. A lock that is held for reading can be
// taken once more, but not while somebody waits to write, as a resync does. From v0.36 on,
// sharedProcessor.run writes, and finds that the process loop has given the lock back.
func (x *Informer) stepProcessor(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	l := &x.Locks[actor.ListenersLock]
	if l.Holder() != actor.Nobody && len(l.Waiters()) > 0 {
		s.WaitFor(l, actor.ListenersLock, id, pc, log)
		return false
	}
	x.life.unstarted = false
	n := int64(0)
	for i := range x.Processor.Listeners {
		if l := &x.Processor.Listeners[i]; l.Joined {
			listen(s, l)
			n++
		}
	}
	log.Emit(event.Event{Kind: event.ListenersStarted, N: n})
	if l.Holder() == actor.Nobody {
		s.Passed(l)
	}
	for _, id := range [...]actor.ID{x.loop, x.user.id} {
		if st := s.State(id); st.Wait == actor.OnSend || st.Wait == actor.OnCond && st.PC == actor.LoopLock {
			s.Wake(id)
		}
	}
	s.Stop(id)
	if x.life.stopping {
		x.returned(s, log)
	}
	return true
}

// CanRunAgain reports whether [Informer.RunAgain] has an effect.
func (x *Informer) CanRunAgain() bool {
	return x.life.started && !x.life.unstarted && x.life.crash == nil && (x.cfg.Profile.RunsOnce || x.life.runs < actor.MaxRuns)
}

// RunAgain calls Run once more, on the same stop channel. From v0.23 on it
// does nothing but complain. v0.22 builds a second controller beside the first:
// both write to the one indexer, and both notify the same listeners, and each
// listener gets a further pop and run. From then on the newest controller
// answers for the informer. It reports false if nobody has called Run before,
// or actor.MaxRuns have.
func (x *Informer) RunAgain(s *actor.Set, log *event.Log) bool {
	if !x.CanRunAgain() {
		return false
	}
	if x.cfg.Profile.RunsOnce {
		log.Emit(event.Event{Kind: event.CallRefused, N: int64(event.RunTwice)})
		return true
	}
	id := s.ActorOf(actor.Role{Kind: actor.User, Informer: x.index, Run: x.life.runs})
	x.life.runs++
	s.Schedule(id, actor.UserRun)
	return true
}

// runBeside makes that call's own step. It needs startedLock. An AddEventHandler
// under way holds this lock until it gives blockDeltas back.
func (x *Informer) runBeside(s *actor.Set, id actor.ID, log *event.Log) (finished bool) {
	l := &x.Locks[actor.BlockDeltas]
	if x.user.calling(s) && l.Holder() != actor.Nobody {
		s.WaitFor(l, actor.BlockDeltas, id, actor.UserRun, log)
		return false
	}
	if l.Holder() == actor.Nobody {
		s.Passed(l)
	}
	again := s.Role(id).Run
	c := x.newController(s, x.Server.Dial(), again)
	if x.cfg.DetectMutations {
		c.compares = s.ActorOf(actor.Role{Kind: actor.Detector, Informer: x.index, Run: again})
	}
	k := x.add(c)
	log.Emit(event.Event{Kind: event.InformerStarted})
	x.runProcessor(s, again, log)
	s.Stop(id)
	x.swap(k)
	defer x.swap(k)
	if x.life.stopping {
		x.Queue.Close(log)
		x.returned(s, log)
	} else {
		x.runController(s)
	}
	return true
}

// runProcessor models sharedProcessor.run being called again: it starts pop and run
// of every listener, though they run already. If addCh is closed, the new pop
// ends at once, and closes nextCh a second time.
func (x *Informer) runProcessor(s *actor.Set, again int16, log *event.Log) {
	for i := range x.Processor.Listeners {
		if !x.Processor.Listeners[i].Joined {
			continue
		}
		add := func(k actor.Kind) actor.ID {
			pair := uint8(x.Processor.Listeners[i].Pairs())
			return s.ActorOf(actor.Role{Kind: k, Pair: pair, Informer: x.index, Index: int16(i), Run: again})
		}
		pop, run := add(actor.Pop), add(actor.Run)
		x.Processor.AddPair(i, pop, run)
		s.Block(pop, actor.PopReceive, actor.OnReceive, actor.AddCh)
		s.Block(run, actor.RunReceive, actor.OnReceive, actor.NextCh)
		x.serve(s, i)
	}
}

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
	for range x.eachSwapped {
		if x.life.crash != nil {
			break // the controller before this one has crashed the process
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
	}
}

// Stopped reports whether the informer takes no handlers any more. Run returns
// then, or once the handlers that run have returned.
func (x *Informer) Stopped() bool { return x.life.stopped }
