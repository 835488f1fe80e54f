package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/reflector"
)

// receive takes what came on the watch.
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
	case a.Answer == apiserver.Lost || a.Answer == apiserver.Held:
		return x.intercepted(s, &a, log)
	case (a.Failure != apiserver.NoFailure || a.Delta == event.Unknown) && undecodable(&a, x.Server.Retried()):
		x.Server.Hangup()
		log.Emit(event.Event{Kind: event.WatchErrorReceived, Cause: event.Undecodable, N: 500, Listener: int16(a.Failure)})
		return x.broke(s, reflector.Failure{Code: 500, Internal: true}, log)
	case a.Answer == apiserver.Closed:
		return x.watchClosed(s, a.Failure, x.endedBy(s, a.Failure), log)
	case a.Delta == event.Error:
		x.Server.Hangup()
		cause := event.Sent
		if a.Failure == apiserver.ListedAnew {
			cause = event.Assumed
		}
		log.Emit(event.Event{Kind: event.WatchErrorReceived, Cause: cause, N: int64(a.Code), Listener: int16(a.Failure)})
		return x.broke(s, failure(a.Record, &x.Request, x.Server.Retried()), log)
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
		s.Go(x.refl, actor.ReflectorRV)
	case w.event == event.Bookmark && (x.Reflector.Streaming() || !x.cfg.Profile.InOrder || !x.cfg.Profile.RealFIFO.EmitBookmark):
		s.Go(x.refl, actor.ReflectorRV)
	default:
		s.Go(x.refl, actor.ReflectorEnqueue)
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

// intercepted is an event that doesn't arrive, or not now. The reflector doesn't notice, and goes on waiting.
func (x *Informer) intercepted(s *actor.Set, a *apiserver.Answer, log *event.Log) (finished bool) {
	e := event.Event{Kind: event.WatchEventLost, Delta: a.Delta, Key: x.cfg.Table.KeyOf(a.Obj), New: a.Obj}
	switch {
	case a.Kind == apiserver.InitialEnd:
		e = event.Event{Kind: event.InitialEndLost}
	case a.Answer == apiserver.Held:
		e.Kind = event.WatchEventHeld
	}
	log.Emit(e)
	x.await(s, actor.ReflectorReceive)
	return true
}

// broke takes the ERROR event that ends a watch.
func (x *Informer) broke(s *actor.Set, f reflector.Failure, log *event.Log) (finished bool) {
	return x.afterWatch(s, x.Reflector.WatchBroke(f, s.Now), f, log)
}

// watchClosed takes the end of the watch. How it ended makes no difference to the
// reflector.
func (x *Informer) watchClosed(s *actor.Set, how apiserver.Failure, why event.Cause, log *event.Log) (finished bool) {
	n := x.Reflector.Events()
	v, veryShort := x.Reflector.WatchClosed(s.Now)
	log.Emit(event.Event{Kind: event.WatchClosed, Cause: why, N: n, Listener: int16(how)})
	if veryShort {
		log.Emit(event.Event{Kind: event.VeryShortWatch})
	}
	return x.afterWatch(s, v, reflector.Failure{}, log)
}

// endedBy is why an open watch has ended now.
func (x *Informer) endedBy(s *actor.Set, how apiserver.Failure) event.Cause {
	switch {
	case how == apiserver.TooSlow:
		return event.TooSlow
	case how != apiserver.NoFailure:
		return event.Broken
	case x.Reflector.LastedLong(s.Now):
		return event.TimeUp
	}
	return event.ServerEnded
}

// afterWatch goes on after a watch that was open. ListAndWatch returns no error
// then, unless the watch was to bring a streaming list.
func (x *Informer) afterWatch(s *actor.Set, v reflector.Verdict, f reflector.Failure, log *event.Log) (finished bool) {
	if v == reflector.Relist && x.Reflector.Streaming() {
		x.watchError(f, false, log)
	}
	return x.goOn(s, v, log)
}
