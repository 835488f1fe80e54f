package informer

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// stepReflector is Reflector.Run with ListAndWatch and watchHandler.
func (x *Informer) stepReflector(s *actor.Set, _ actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	finished = x.reflect(s, pc, log)
	if x.life.stopping && x.notices(s) {
		x.leave(s, log)
		return true
	}
	return finished
}

func (x *Informer) reflect(s *actor.Set, pc actor.PC, log *event.Log) (finished bool) {
	switch pc {
	case actor.ReflectorList:
		o := x.Reflector.Asked()
		if !x.wire.again {
			o = x.Reflector.Begin()
		}
		x.wire.again = false
		x.Request.Begin(false)
		x.Server.List(o, s.Now)
		log.Emit(event.Event{Kind: event.ListRequested, N: int64(o.RV), Listener: int16(o.Limit)})
		x.await(s, actor.ReflectorListed)
		return false
	case actor.ReflectorListed:
		return x.listed(s, log)
	case actor.ReflectorReplace:
		if s.Acquire(&x.Locks[actor.FIFOLock], actor.FIFOLock, x.refl, pc, log) {
			x.hadSynced = x.Queue.HasSynced()
			x.noteReached()
			x.Queue.BeginReplace(x.wire.list, x.wire.rv)
			s.Go(x.refl, actor.ReflectorReplaces)
		}
		return false
	case actor.ReflectorReplaces:
		return x.replaceStep(s, log)
	case actor.ReflectorReplaced:
		s.Release(&x.Locks[actor.FIFOLock], actor.FIFOLock, log)
		x.wire.list = nil
		x.Reflector.SetRV(x.wire.rv, log)
		x.startResync(s)
		if x.wire.open {
			x.wire.open = false
			x.Reflector.Streamed(s.Now)
			x.await(s, actor.ReflectorReceive)
		} else {
			s.Go(x.refl, actor.ReflectorWatch)
		}
		return true
	case actor.ReflectorWatch:
		if x.life.stopping {
			x.leave(s, log)
			return true
		}
		o := x.Reflector.Watch(s.Now, &s.Rand)
		e := event.Event{Kind: event.WatchRequested, N: int64(o.RV)}
		if o.SendInitialEvents {
			e.Flags = event.Streaming
			x.wire.temp.reset()
		}
		x.Request.Begin(true)
		x.Conn.Clear()
		x.Server.Watch(o, s.Now)
		log.Emit(e)
		x.await(s, actor.ReflectorOpened)
		return false
	case actor.ReflectorOpened:
		return x.opened(s, log)
	case actor.ReflectorReceive:
		return x.receive(s, log)
	case actor.ReflectorEnqueue:
		x.enqueue(s, log)
		return false
	case actor.ReflectorRV:
		return x.received(s, log)
	case actor.RequestRetry:
		x.retry(s, log)
		return false
	case actor.ReflectorRewatch:
		log.Emit(event.Event{Kind: event.BackoffEnded})
		s.Go(x.refl, actor.ReflectorWatch)
		return true
	default: // ReflectorBackoff
		log.Emit(event.Event{Kind: event.BackoffEnded})
		x.listAndWatch(s)
		return true
	}
}

// listAndWatch is ListAndWatch being called.
func (x *Informer) listAndWatch(s *actor.Set) {
	if x.Reflector.Start() {
		s.Go(x.refl, actor.ReflectorWatch)
	} else {
		s.Go(x.refl, actor.ReflectorList)
	}
}

// await lets the reflector wait for the server, and then do pc.
func (x *Informer) await(s *actor.Set, pc actor.PC) {
	if x.wire.failed && pc == actor.ReflectorReceive {
		x.starved = false
		s.Go(x.refl, pc)
		return
	}
	at, ok := x.Conn.Due(x.Server)
	x.starved, x.barren = !ok, at
	s.Starved = s.Starved || !ok
	if !ok || at == actor.Never {
		s.Block(x.refl, pc, actor.OnServer, 0)
		return
	}
	s.Sleep(x.refl, pc, actor.OnServer, max(at, s.Now)+s.Costs[pc])
}

func (x *Informer) listed(s *actor.Set, log *event.Log) (finished bool) {
	a := x.Server.Take()
	w := &x.wire
	if a.Answer == apiserver.ListFailed {
		if x.tries(s, a.Record, log) == request.Retry {
			return true
		}
		log.Emit(event.Event{Kind: event.ListFailed, N: int64(a.Code), Listener: int16(a.Failure)})
		w.list = nil
		f := failure(a.Record, &x.Request, x.Server.Retried())
		v := x.Reflector.ListFailed(f)
		if v == reflector.ListAgain {
			w.again = true
			s.Go(x.refl, actor.ReflectorList)
			return true
		}
		if x.abandoned {
			s.Stop(x.refl)
			return true
		}
		x.watchError(f, true, log)
		return x.backoff(s, v, log)
	}
	x.Reflector.ListDecoded(len(a.List))
	if x.Reflector.Asked().Continue == 0 {
		w.list, w.rv = a.List, a.RV
	} else {
		w.list = append(slices.Clip(w.list), a.List...)
	}
	if a.Continue != 0 && !x.Reflector.Whole() {
		x.Reflector.Page(a.Continue)
		w.again = true
		log.Emit(event.Event{Kind: event.ListPageReceived, N: int64(len(w.list))})
		s.Go(x.refl, actor.ReflectorList)
		return true
	}
	if x.abandoned {
		w.list = nil
		s.Stop(x.refl)
		return true
	}
	x.Reflector.Listed(a.Code)
	log.Emit(event.Event{Kind: event.ListReceived, N: int64(len(w.list))})
	s.Go(x.refl, actor.ReflectorReplace)
	return false
}

// watchError gives the error that ListAndWatch returns to WatchErrorHandler.
// The default handler says nothing of some errors.
func (x *Informer) watchError(f reflector.Failure, listing bool, log *event.Log) {
	e := event.Event{Kind: event.WatchErrorHandled, N: int64(f.Code)}
	if !x.Reflector.Handled(f, listing) {
		e.Flags = event.Silent
	}
	log.Emit(e)
}

// replaceStep is one item of Replace. If the item fails, the list is given up.
func (x *Informer) replaceStep(s *actor.Set, log *event.Log) (finished bool) {
	done, err := x.Queue.StepReplace(log)
	x.broadcast(s, log)
	switch {
	case err != nil:
		s.Release(&x.Locks[actor.FIFOLock], actor.FIFOLock, log)
		x.wire.list = nil
		if x.wire.open { // the watch is forgotten, not stopped
			x.wire.open = false
			return x.afterWatch(s, x.Reflector.StreamNotReplaced(), reflector.Failure{}, log)
		}
		x.watchError(reflector.Failure{}, true, log)
		return x.backoff(s, reflector.Relist, log)
	case done:
		s.Go(x.refl, actor.ReflectorReplaced)
	default:
		s.Go(x.refl, actor.ReflectorReplaces)
	}
	return false
}

// waitsToPop reports whether a process loop waits for something to pop.
func waitsToPop(s *actor.Set, loop actor.ID) bool {
	st := s.State(loop)
	return st.Wait == actor.OnCond && st.PC == actor.LoopPop
}

// broadcast wakes the process loop if it waits for something to pop.
func (x *Informer) broadcast(s *actor.Set, log *event.Log) {
	if x.Queue.Depth() > 0 && waitsToPop(s, x.loop) {
		s.Wake(x.loop)
	}
	if !x.synced {
		x.checkSynced(log)
	}
}

func (x *Informer) opened(s *actor.Set, log *event.Log) (finished bool) {
	a := x.Server.Take()
	if a.Answer == apiserver.OpenFailed {
		switch x.tries(s, a.Record, log) {
		case request.Retry:
			return true
		case request.Empty:
			log.Emit(event.Event{Kind: event.WatchOpened})
			return x.watchClosed(s, a.Failure, event.NeverBegan, log)
		}
		log.Emit(event.Event{Kind: event.WatchFailed, N: int64(a.Code), Listener: int16(a.Failure)})
		f := failure(a.Record, &x.Request, x.Server.Retried())
		v := x.Reflector.WatchFailed(f)
		if v == reflector.Relist {
			x.watchError(f, false, log)
		}
		return x.goOn(s, v, log)
	}
	log.Emit(event.Event{Kind: event.WatchOpened})
	x.await(s, actor.ReflectorReceive)
	return true
}

// goOn does what the verdict on the end of a watch says.
func (x *Informer) goOn(s *actor.Set, v reflector.Verdict, log *event.Log) (finished bool) {
	switch v {
	case reflector.Rewatch:
		s.Go(x.refl, actor.ReflectorWatch)
		return true
	case reflector.FallBack:
		return x.fallBack(s, log)
	}
	return x.backoff(s, v, log)
}

// fallBack is ListAndWatch listing because the streaming list failed.
func (x *Informer) fallBack(s *actor.Set, log *event.Log) (finished bool) {
	log.Emit(event.Event{Kind: event.WatchListFellBack})
	s.Go(x.refl, actor.ReflectorList)
	return true
}

// enqueue hands the event to the queue, or to the temporary store of a
// streaming list. An event that is refused there is lost: client-go only logs
// it.
func (x *Informer) enqueue(s *actor.Set, log *event.Log) {
	if x.Reflector.Streaming() {
		x.wire.keep(x.cfg, log)
		x.received(s, log)
		return
	}
	l := &x.Locks[actor.FIFOLock]
	if l.Holder() != actor.Nobody {
		s.WaitFor(l, actor.FIFOLock, x.refl, actor.ReflectorEnqueue, log)
		return
	}
	x.noteReached()
	it := fifo.Object(x.wire.obj)
	var err error
	switch x.wire.event {
	case event.Added:
		err = x.Queue.Add(it, log)
	case event.Updated:
		err = x.Queue.Update(it, log)
	case event.Deleted:
		err = x.Queue.Delete(it, log)
	default:
		x.Queue.Bookmark(x.wire.rv, log)
	}
	if err != nil {
		x.wire.lose(err, log)
	}
	s.Passed(l)
	x.broadcast(s, log)
	s.Go(x.refl, actor.ReflectorRV)
}

// received moves on behind an event.
func (x *Informer) received(s *actor.Set, log *event.Log) (finished bool) {
	w := &x.wire
	if w.last {
		w.last = false
		x.Reflector.StreamEnded()
		w.list, w.open = w.temp.list(x.cfg.Table), true
		w.temp.reset()
		log.Emit(event.Event{Kind: event.ListReceived, N: int64(len(w.list))})
		s.Go(x.refl, actor.ReflectorReplace)
	} else {
		if !x.Reflector.Streaming() && x.Reflector.Propagates() {
			x.Reflector.SetRV(w.rv, log)
		}
		x.await(s, actor.ReflectorReceive)
	}
	w.obj, w.event = 0, event.None
	return true
}

// backoff puts the reflector to sleep before it does what v says. If
// ListAndWatch has returned, its resync goroutine ends.
func (x *Informer) backoff(s *actor.Set, v reflector.Verdict, log *event.Log) (finished bool) {
	// The random part of the back-off was decided when the recording was made.
	wish := int64(0)
	if at, ok := x.Server.NextRequest(); ok {
		wish = max(at-s.Now, 1)
	}
	d := x.Reflector.Backoff(v, s.Now, &s.Rand, wish)
	pc := actor.ReflectorRewatch
	if v == reflector.Relist {
		pc = actor.ReflectorBackoff
		x.stopResync(s)
		x.wire.failed = false
	}
	log.Emit(event.Event{Kind: event.BackoffStarted, N: d})
	s.Sleep(x.refl, pc, actor.OnTimer, s.Now+d)
	return true
}
