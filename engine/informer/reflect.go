package informer

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// stepReflector models Reflector.Run with ListAndWatch and watchHandler.
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
		o := x.Reflector.LastOptions()
		if !x.wire.followUp {
			o = x.Reflector.Begin()
		}
		x.wire.followUp = false
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
			s.Schedule(x.refl, actor.ReflectorReplaces)
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
			s.Schedule(x.refl, actor.ReflectorWatch)
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
		s.Schedule(x.refl, actor.ReflectorWatch)
		return true
	default: // ReflectorBackoff
		log.Emit(event.Event{Kind: event.BackoffEnded})
		x.listAndWatch(s)
		return true
	}
}

// listed follows Reflector.list with pager.List, a part of ListAndWatch before v0.25.
func (x *Informer) listed(s *actor.Set, log *event.Log) (finished bool) {
	a := x.Server.Take()
	w := &x.wire
	if a.Answer == apiserver.ListFailed {
		if x.retryRequest(s, a.Record, log) == request.Retry {
			return true
		}
		log.Emit(event.Event{Kind: event.ListFailed, N: int64(a.Code), Listener: int16(a.Failure)})
		return x.listFailed(s, failure(a.Record, &x.Request, x.Server.Retried()), log)
	}
	if shard := x.Reflector.LastOptions().Shard; !shard.Empty() {
		switch a.ShardInfo {
		case apiserver.AnotherShard:
			log.Emit(event.Event{Kind: event.ListFailed, Listener: int16(apiserver.OtherShard)})
			return x.listFailed(s, reflector.Failure{}, log)
		case apiserver.NoShardInfo:
			x.filterList(&a, shard, log)
		}
	}
	x.Reflector.ListDecoded(len(a.List))
	if x.Reflector.LastOptions().Continue == 0 {
		w.list, w.rv = a.List, a.RV
	} else {
		w.list = append(slices.Clip(w.list), a.List...)
	}
	if a.Continue != 0 && !x.Reflector.ListComplete() {
		x.Reflector.Page(a.Continue)
		w.followUp = true
		log.Emit(event.Event{Kind: event.ListPageReceived, N: int64(len(w.list))})
		s.Schedule(x.refl, actor.ReflectorList)
		return true
	}
	if x.abandoned {
		w.list = nil
		s.Stop(x.refl)
		return true
	}
	x.Reflector.Listed(a.Code)
	log.Emit(event.Event{Kind: event.ListReceived, N: int64(len(w.list))})
	s.Schedule(x.refl, actor.ReflectorReplace)
	return false
}

// listFailed goes on after a list that the reflector gets as an error.
func (x *Informer) listFailed(s *actor.Set, f reflector.Failure, log *event.Log) (finished bool) {
	x.wire.list = nil
	v := x.Reflector.ListFailed(f)
	if v == reflector.ListAgain {
		x.wire.followUp = true
		s.Schedule(x.refl, actor.ReflectorList)
		return true
	}
	if x.abandoned {
		s.Stop(x.refl)
		return true
	}
	x.watchError(f, true, log)
	return x.backoff(s, v, log)
}

// filterList takes out of a list what is not of the shard, as NewShardedListWatch does with one whose ListMeta has no
// ShardInfo.
func (x *Informer) filterList(a *apiserver.Answer, shard object.Shard, log *event.Log) {
	kept := slices.DeleteFunc(slices.Clone(a.List), func(r object.Ref) bool { return !shard.Matches(x.cfg.Table, r) })
	log.Emit(event.Event{Kind: event.ListFiltered, N: int64(len(a.List) - len(kept))})
	a.List = kept
}

// replaceStep makes the Replace of Reflector.syncWith add one item. If the item fails, the list is given up.
func (x *Informer) replaceStep(s *actor.Set, log *event.Log) (finished bool) {
	done, err := x.Queue.StepReplace(log)
	x.broadcast(s, log)
	switch {
	case err != nil:
		s.Release(&x.Locks[actor.FIFOLock], actor.FIFOLock, log)
		x.wire.list = nil
		if x.wire.open { // watchList returns without stopping it
			x.wire.open = false
			log.Emit(event.Event{Kind: event.WatchLeft, N: int64(x.OpenWatches(s.Now))})
			return x.afterWatch(s, x.Reflector.StreamNotReplaced(), reflector.Failure{}, log)
		}
		x.watchError(reflector.Failure{}, true, log)
		return x.backoff(s, reflector.Relist, log)
	case done:
		s.Schedule(x.refl, actor.ReflectorReplaced)
	default:
		s.Schedule(x.refl, actor.ReflectorReplaces)
	}
	return false
}

// opened takes the answer to the watch request of Reflector.watch or watchList (v0.27), and of
// ListAndWatch before.
func (x *Informer) opened(s *actor.Set, log *event.Log) (finished bool) {
	a := x.Server.Take()
	if a.Answer == apiserver.OpenFailed {
		switch x.retryRequest(s, a.Record, log) {
		case request.Retry:
			return true
		case request.Empty:
			log.Emit(event.Event{Kind: event.WatchOpened})
			return x.watchClosed(s, a.Failure, event.EmptyWatch, log)
		}
		log.Emit(event.Event{Kind: event.WatchFailed, N: int64(a.Code), Listener: int16(a.Failure)})
		f := failure(a.Record, &x.Request, x.Server.Retried())
		v := x.Reflector.WatchFailed(f)
		if v == reflector.Relist {
			x.watchError(f, false, log)
		}
		return x.applyVerdict(s, v, log)
	}
	log.Emit(event.Event{Kind: event.WatchOpened})
	x.await(s, actor.ReflectorReceive)
	return true
}

// receive takes what came on the watch, as watchHandler does, and handleAnyWatch from v0.31.
func (x *Informer) receive(s *actor.Set, log *event.Log) (finished bool) {
	if x.wire.failed {
		x.Server.Hangup()
		log.Emit(event.Event{Kind: event.WatchClosed, Cause: event.ResyncFailed, N: x.Reflector.Events()})
		return x.broke(s, reflector.Failure{}, log)
	}
	var a apiserver.Answer
	if x.Conn.Untouched() { // as nearly always: the Answer is copied once less
		a = x.Server.Take()
	} else {
		a = x.Conn.Take(x.Server, s.Now)
	}
	switch {
	case a.Answer == apiserver.Lost || a.Answer == apiserver.Delayed:
		return x.intercepted(s, &a, log)
	case (a.Failure != apiserver.NoFailure || a.Delta == event.Unknown) && undecodable(&a, x.Server.Retried()):
		x.Server.Hangup()
		log.Emit(event.Event{Kind: event.WatchErrorReceived, Cause: event.Undecodable, N: 500, Listener: int16(a.Failure)})
		return x.broke(s, reflector.Failure{Code: 500, Internal: true}, log)
	case a.Answer == apiserver.Closed:
		return x.watchClosed(s, a.Failure, x.watchEndCause(s, a.Failure), log)
	case a.Delta == event.Error:
		x.Server.Hangup()
		cause := event.Sent
		if a.Failure == apiserver.ListedAnew {
			cause = event.Assumed
		}
		log.Emit(event.Event{Kind: event.WatchErrorReceived, Cause: cause, N: int64(a.Code), Listener: int16(a.Failure)})
		return x.broke(s, failure(a.Record, &x.Request, x.Server.Retried()), log)
	}
	if shard := x.Reflector.LastOptions().Shard; !shard.Empty() && a.Kind == apiserver.WatchEvent && a.Obj != 0 && !shard.Matches(x.cfg.Table, a.Obj) {
		log.Emit(event.Event{Kind: event.WatchEventFiltered, Delta: a.Delta, Key: x.cfg.Table.KeyOf(a.Obj), New: a.Obj})
		x.await(s, actor.ReflectorReceive)
		return true
	}
	if a.Failure == apiserver.OtherKind {
		x.skipOtherKind(s, &a, log)
		return true
	}
	w := &x.wire
	w.event, w.obj, w.rv = a.Delta, a.Obj, a.RV
	switch {
	case a.Kind != apiserver.WatchEvent:
		w.event = event.Bookmark
		w.last = a.Kind == apiserver.InitialEnd && x.Reflector.Streaming()
	case a.RV == 0:
		w.rv = x.cfg.Table.RVOf(a.Obj)
	}
	e := log.Add(event.WatchEventReceived)
	e.Delta, e.Key, e.New, e.N = w.event, x.cfg.Table.KeyOf(a.Obj), a.Obj, a.N
	if w.last {
		e.Flags = event.Streaming
	}
	switch {
	case w.event != event.Bookmark && a.Obj == 0:
		log.Emit(event.Event{Kind: event.WatchEventSkipped, Delta: w.event, N: int64(event.SkipNoMeta)})
		x.await(s, actor.ReflectorReceive)
		return true
	case w.event == event.Unknown:
		log.Emit(event.Event{Kind: event.WatchEventSkipped, Delta: w.event, New: a.Obj, N: int64(event.SkipUnknownType)})
		s.Schedule(x.refl, actor.ReflectorRV)
	case w.event == event.Bookmark && (x.Reflector.Streaming() || !x.cfg.Profile.InOrder || !x.cfg.Profile.RealFIFO.EmitBookmark):
		s.Schedule(x.refl, actor.ReflectorRV)
	default:
		s.Schedule(x.refl, actor.ReflectorEnqueue)
	}
	x.Reflector.Received(w.event)
	return false
}

// skipOtherKind passes over an event whose object is not of the expected type or the
// expected GroupVersionKind. client-go logs it with HandleError. Such an event neither
// moves the resourceVersion nor counts as received, not even if it is a bookmark.
func (x *Informer) skipOtherKind(s *actor.Set, a *apiserver.Answer, log *event.Log) {
	d := a.Delta
	if a.Kind != apiserver.WatchEvent {
		d = event.Bookmark
	}
	log.Emit(event.Event{Kind: event.WatchEventReceived, Delta: d, Key: x.cfg.Table.KeyOf(a.Obj), New: a.Obj, N: a.N})
	log.Emit(event.Event{Kind: event.WatchEventSkipped, Delta: d, New: a.Obj, N: int64(event.SkipExpectedType)})
	x.await(s, actor.ReflectorReceive)
}

// intercepted handles an event that doesn't arrive, or not now. The reflector doesn't notice, and goes on waiting.
func (x *Informer) intercepted(s *actor.Set, a *apiserver.Answer, log *event.Log) (finished bool) {
	e := event.Event{Kind: event.WatchEventLost, Delta: a.Delta, Key: x.cfg.Table.KeyOf(a.Obj), New: a.Obj}
	switch {
	case a.Kind == apiserver.InitialEnd:
		e = event.Event{Kind: event.InitialEndLost}
	case a.Kind == apiserver.WatchBookmark:
		e = event.Event{Kind: event.BookmarkLost, N: int64(a.RV)}
	case a.Answer == apiserver.Delayed:
		e.Kind = event.WatchEventHeld
	}
	log.Emit(e)
	x.await(s, actor.ReflectorReceive)
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
		reason := event.SkipTransform
		if err == object.ErrNoKey {
			reason = event.SkipNoMeta
		}
		x.wire.enqueueFailed(reason, log)
	}
	s.Passed(l)
	x.broadcast(s, log)
	s.Schedule(x.refl, actor.ReflectorRV)
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
		s.Schedule(x.refl, actor.ReflectorReplace)
	} else {
		if !x.Reflector.Streaming() && x.Reflector.Propagates() {
			x.Reflector.SetRV(w.rv, log)
		}
		x.await(s, actor.ReflectorReceive)
	}
	w.obj, w.event = 0, event.None
	return true
}

// notices reports whether the reflector looks at the stop channel while it waits.
// It does not look in some back-offs, nor, before v0.33, in a watch request.
func (x *Informer) notices(s *actor.Set) bool {
	if x.abandoned {
		return false
	}
	switch st := s.State(x.refl); st.Wait {
	case actor.OnServer:
		return st.PC != actor.ReflectorOpened || !x.Reflector.IgnoresStopInRequest()
	case actor.OnTimer:
		if st.PC == actor.RequestRetry {
			return !x.Request.Watching() || !x.Reflector.IgnoresStopInRequest()
		}
		return st.PC != actor.ReflectorRewatch || !x.Reflector.IgnoresStopInBackoff()
	}
	return false
}

// leave models ListAndWatch returning because of the stop. Up to v0.32 nobody tells
// the goroutine that lists. It asks for the remaining pages, although nobody
// takes them any more.
func (x *Informer) leave(s *actor.Set, log *event.Log) {
	x.stopResync(s)
	pc := s.State(x.refl).PC
	if x.Reflector.IgnoresStopInRequest() && (pc == actor.ReflectorListed || pc == actor.RequestRetry) {
		x.abandoned = true
	} else {
		x.Server.Hangup()
		x.starved = false
		s.Stop(x.refl)
	}
	x.returned(s, log)
}

// cancelWatch does what the reflector does about a watch request that the stop
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

// listInVain asks for a list that is asked for and given up at once, because the stop
// channel is closed already.
func (x *Informer) listInVain(s *actor.Set, log *event.Log) {
	o := x.Reflector.Begin()
	x.Server.List(o, s.Now)
	log.Emit(event.Event{Kind: event.ListRequested, N: int64(o.RV), Listener: int16(o.Limit)})
	x.Server.Hangup()
}
