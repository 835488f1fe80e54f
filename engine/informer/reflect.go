package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/reflector"
)

// stepReflector is Reflector.Run with ListAndWatch and watchHandler.
func (x *Informer) stepReflector(s *actor.Set, pc actor.PC, log *event.Log) (finished bool) {
	finished = x.reflect(s, pc, log)
	if st := s.State(x.refl); x.stopping && (st.Wait == actor.OnServer || st.Wait == actor.OnTimer) {
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
		x.Server.List(o, s.Now)
		log.Emit(event.Event{Kind: event.ListRequested, N: int64(o.RV), Listener: int16(o.Limit)})
		x.await(s, actor.ReflectorListed)
		return false
	case actor.ReflectorListed:
		return x.listed(s, log)
	case actor.ReflectorReplace:
		if s.Acquire(&x.Locks[actor.FIFOLock], actor.FIFOLock, x.refl, pc, log) {
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
		s.Go(x.refl, actor.ReflectorWatch)
		return true
	case actor.ReflectorWatch:
		rv := x.Reflector.Watch(s.Now)
		x.Server.Watch(object.ListOptions{RV: rv, Bookmarks: true}, s.Now)
		log.Emit(event.Event{Kind: event.WatchRequested, N: int64(rv)})
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
		x.Reflector.SetRV(x.wire.rv, log)
		x.wire.obj, x.wire.event = 0, event.None
		x.await(s, actor.ReflectorReceive)
		return true
	case actor.ReflectorRewatch:
		log.Emit(event.Event{Kind: event.BackoffEnded})
		s.Go(x.refl, actor.ReflectorWatch)
		return true
	default: // ReflectorBackoff
		log.Emit(event.Event{Kind: event.BackoffEnded})
		s.Go(x.refl, actor.ReflectorList)
		return true
	}
}

// await lets the reflector wait for the server, and then do pc.
func (x *Informer) await(s *actor.Set, pc actor.PC) {
	at, ok := x.Server.Due()
	if !ok || at == actor.Never {
		x.starved = !ok
		s.Block(x.refl, pc, actor.OnServer, 0)
		return
	}
	s.Sleep(x.refl, pc, actor.OnServer, max(at, s.Now)+s.Costs[pc])
}

func (x *Informer) listed(s *actor.Set, log *event.Log) (finished bool) {
	a := x.Server.Take()
	if a.Answer == apiserver.ListFailed {
		log.Emit(event.Event{Kind: event.ListFailed, N: int64(a.Code)})
		v, _ := x.Reflector.ListFailed(failure(a.Record))
		if v == reflector.ListAgain {
			x.wire.again = true
			s.Go(x.refl, actor.ReflectorList)
			return true
		}
		return x.backoff(s, v, log)
	}
	x.wire.list, x.wire.rv = a.List, a.RV
	x.Reflector.Listed(a.Code)
	log.Emit(event.Event{Kind: event.ListReceived, N: int64(len(a.List))})
	s.Go(x.refl, actor.ReflectorReplace)
	return false
}

// replaceStep is one item of Replace. If one has no key, the list is given up.
func (x *Informer) replaceStep(s *actor.Set, log *event.Log) (finished bool) {
	done, err := x.Queue.StepReplace(log)
	x.broadcast(s)
	switch {
	case err != nil:
		s.Release(&x.Locks[actor.FIFOLock], actor.FIFOLock, log)
		x.wire.list = nil
		return x.backoff(s, reflector.Relist, log)
	case done:
		s.Go(x.refl, actor.ReflectorReplaced)
	default:
		s.Go(x.refl, actor.ReflectorReplaces)
	}
	return false
}

// broadcast wakes the process loop if it waits for something to pop.
func (x *Informer) broadcast(s *actor.Set) {
	if x.Queue.Depth() > 0 && s.State(x.loop).Wait == actor.OnCond {
		s.Wake(x.loop)
	}
}

func (x *Informer) opened(s *actor.Set, log *event.Log) (finished bool) {
	a := x.Server.Take()
	if a.Answer == apiserver.OpenFailed {
		log.Emit(event.Event{Kind: event.WatchFailed, N: int64(a.Code)})
		return x.backoff(s, x.Reflector.WatchFailed(failure(a.Record)), log)
	}
	log.Emit(event.Event{Kind: event.WatchOpened})
	x.await(s, actor.ReflectorReceive)
	return true
}

// receive takes what came on the watch.
func (x *Informer) receive(s *actor.Set, log *event.Log) (finished bool) {
	a := x.Server.Take()
	if a.Answer == apiserver.Closed {
		n := x.Reflector.Events()
		v, veryShort := x.Reflector.WatchClosed(s.Now)
		log.Emit(event.Event{Kind: event.WatchClosed, N: n})
		if veryShort {
			log.Emit(event.Event{Kind: event.VeryShortWatch})
			return x.backoff(s, v, log)
		}
		s.Go(x.refl, actor.ReflectorWatch)
		return true
	}
	if a.Delta == event.Error {
		x.Server.Hangup()
		log.Emit(event.Event{Kind: event.WatchErrorReceived, N: int64(a.Code)})
		return x.backoff(s, x.Reflector.WatchBroke(failure(a.Record)), log)
	}
	w := &x.wire
	w.event, w.obj, w.rv = a.Delta, a.Obj, a.RV
	switch {
	case a.Kind != apiserver.WatchEvent:
		w.event = event.Bookmark
	case a.RV == 0:
		w.rv = x.cfg.Table.Meta(a.Obj).RV
	}
	log.Emit(event.Event{Kind: event.WatchEventReceived, Delta: w.event, Key: x.cfg.Table.Meta(a.Obj).Key, New: a.Obj, N: a.N})
	switch {
	case w.event != event.Bookmark && a.Obj == 0:
		log.Emit(event.Event{Kind: event.WatchEventSkipped, Delta: w.event, N: int64(event.SkipNoMeta)})
		x.await(s, actor.ReflectorReceive)
		return true
	case w.event == event.Unknown:
		log.Emit(event.Event{Kind: event.WatchEventSkipped, Delta: w.event, New: a.Obj, N: int64(event.SkipUnknownType)})
		fallthrough
	case w.event == event.Bookmark:
		s.Go(x.refl, actor.ReflectorRV)
	default:
		s.Go(x.refl, actor.ReflectorEnqueue)
	}
	x.Reflector.Received()
	return false
}

// enqueue hands the event to the queue. An object without a key is lost, as it
// is in client-go, which only logs it.
func (x *Informer) enqueue(s *actor.Set, log *event.Log) {
	l := &x.Locks[actor.FIFOLock]
	if l.Holder() != actor.Nobody {
		s.WaitFor(l, actor.FIFOLock, x.refl, actor.ReflectorEnqueue, log)
		return
	}
	it := fifo.Object(x.wire.obj)
	var err error
	switch x.wire.event {
	case event.Added:
		err = x.Queue.Add(it, log)
	case event.Updated:
		err = x.Queue.Update(it, log)
	default:
		err = x.Queue.Delete(it, log)
	}
	if err != nil {
		log.Emit(event.Event{Kind: event.WatchEventSkipped, Delta: x.wire.event, New: x.wire.obj, N: int64(event.SkipNoMeta)})
	}
	s.Passed(l)
	x.broadcast(s)
	s.Go(x.refl, actor.ReflectorRV)
}

// backoff puts the reflector to sleep before what v says. If ListAndWatch has
// returned, its resync goroutine ends.
func (x *Informer) backoff(s *actor.Set, v reflector.Verdict, log *event.Log) (finished bool) {
	d := x.Reflector.Backoff(v, s.Now, &s.Rand)
	pc := actor.ReflectorRewatch
	if v == reflector.Relist {
		pc = actor.ReflectorBackoff
		x.stopResync(s)
	}
	log.Emit(event.Event{Kind: event.BackoffStarted, N: d})
	s.Sleep(x.refl, pc, actor.OnTimer, s.Now+d)
	return true
}

func failure(r apiserver.Record) reflector.Failure {
	return reflector.Failure{
		Code:            r.Code,
		Expired:         r.Failure == apiserver.Expired || r.Failure == apiserver.Gone,
		TooLarge:        r.Failure == apiserver.TooLarge,
		TooManyRequests: r.Failure == apiserver.TooManyRequests,
		Refused:         r.Failure == apiserver.Refused,
	}
}
