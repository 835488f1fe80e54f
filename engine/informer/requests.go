package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// await lets the reflector wait for the server, and then do pc.
func (x *Informer) await(s *actor.Set, pc actor.PC) {
	if x.wire.failed && pc == actor.ReflectorReceive {
		x.starved = false
		s.Schedule(x.refl, pc)
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

// retryRequest lets rest.Request deal with a request that failed, on the reflector's
// goroutine, which waits meanwhile. A failure that was recorded above
// rest.Request is final.
func (x *Informer) retryRequest(s *actor.Set, r apiserver.Record, log *event.Log) request.Verdict {
	if x.Server.Retried() {
		return request.Fail
	}
	v, after := x.Request.Failed(request.Failure{
		Code:       r.Code,
		RetryAfter: r.RetryAfter.Nanoseconds(),
		Reset:      r.Failure == apiserver.Reset,
		EOF:        r.Failure == apiserver.BrokenOff,
		Timeout:    r.Failure == apiserver.TimedOut,
		Lost:       r.Failure == apiserver.ConnectionLost,
	})
	n := int16(x.Request.Retries())
	switch {
	case v == request.Retry:
		log.Emit(event.Event{Kind: event.RequestFailed, N: int64(r.Code), Listener: int16(r.Failure)})
		log.Emit(event.Event{Kind: event.RequestWaits, N: after, Listener: n})
		s.Sleep(x.refl, actor.RequestRetry, actor.OnTimer, s.Now+after)
	case n > 0:
		log.Emit(event.Event{Kind: event.RequestGaveUp, N: int64(r.Code), Listener: n})
	}
	return v
}

// retry models rest.Request sending the request again.
func (x *Informer) retry(s *actor.Set, log *event.Log) {
	log.Emit(event.Event{Kind: event.RequestRetried, Listener: int16(x.Request.Retries())})
	if x.Request.Watching() {
		x.Server.Watch(x.Reflector.LastOptions(), s.Now)
		x.await(s, actor.ReflectorOpened)
		return
	}
	x.Server.List(x.Reflector.LastOptions(), s.Now)
	x.await(s, actor.ReflectorListed)
}

// failure returns the error of the request q, or of its watch, as the reflector gets it. retried
// tells that it was recorded above rest.Request.
func failure(r apiserver.Record, q *request.Request, retried bool) reflector.Failure {
	f := reflector.Failure{
		Code:            r.Code,
		Expired:         r.Failure == apiserver.Expired,
		Gone:            r.Failure == apiserver.Gone && (r.Kind != apiserver.WatchError || q.GoneByCode()),
		TooLarge:        r.Failure == apiserver.TooLarge,
		TooManyRequests: r.Failure == apiserver.TooManyRequests,
		Internal:        r.Failure == apiserver.InternalError,
		Refused:         r.Failure == apiserver.Refused,
	}
	if r.Kind == apiserver.WatchError && r.Code != 0 && !retried && !q.ReadsStatus() {
		return reflector.Failure{
			Code:            r.Code,
			Gone:            r.Code == 410 && q.GoneByCode(),
			TooManyRequests: r.Code == 429,
			Internal:        r.Code >= 500 && r.Code != 503 && r.Code != 504,
		}
	}
	return f
}

// undecodable reports whether client-go can't decode what came on the watch. Then
// the reflector gets an ERROR event of code 500 in its place. Where
// rest.Request reads the watch, an event of an unknown type is refused like
// that, too. retried tells that the recording was made above rest.Request.
func undecodable(a *apiserver.Answer, retried bool) bool {
	switch a.Failure {
	case apiserver.Undecodable, apiserver.ConnectionLost:
		return true
	}
	return a.Answer == apiserver.Event && a.Delta == event.Unknown && !retried
}

// listAndWatch models ListAndWatch being called.
func (x *Informer) listAndWatch(s *actor.Set) {
	if x.Reflector.Start() {
		s.Schedule(x.refl, actor.ReflectorWatch)
	} else {
		s.Schedule(x.refl, actor.ReflectorList)
	}
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

// applyVerdict does what the verdict on the end of a watch says.
func (x *Informer) applyVerdict(s *actor.Set, v reflector.Verdict, log *event.Log) (finished bool) {
	switch v {
	case reflector.Rewatch:
		s.Schedule(x.refl, actor.ReflectorWatch)
		return true
	case reflector.FallBack:
		return x.fallBack(s, log)
	}
	return x.backoff(s, v, log)
}

// fallBack models ListAndWatch listing because the streaming list failed.
func (x *Informer) fallBack(s *actor.Set, log *event.Log) (finished bool) {
	log.Emit(event.Event{Kind: event.WatchListFellBack})
	s.Schedule(x.refl, actor.ReflectorList)
	return true
}

// afterWatch goes on after a watch that was open. ListAndWatch returns no error
// then, unless the watch was to bring a streaming list.
func (x *Informer) afterWatch(s *actor.Set, v reflector.Verdict, f reflector.Failure, log *event.Log) (finished bool) {
	if v == reflector.Relist && x.Reflector.Streaming() {
		x.watchError(f, false, log)
	}
	return x.applyVerdict(s, v, log)
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

// watchEndCause returns why an open watch has ended now.
func (x *Informer) watchEndCause(s *actor.Set, how apiserver.Failure) event.Cause {
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

// Resume lets an informer that was starved go on, if its feed has grown enough,
// and returns the time before which all that happens is known: actor.Never if
// it is not starved any more.
func (x *Informer) Resume(s *actor.Set) (until int64) {
	until = actor.Never
	for range x.eachSwapped {
		if x.starved {
			x.await(s, s.State(x.refl).PC)
		}
		if x.starved {
			until = min(until, x.barren)
		}
	}
	return until
}

// Break cuts the connection of an open watch. What is on its way is lost.
func (x *Informer) Break(s *actor.Set) {
	for range x.eachSwapped {
		x.Server.Cut()
		x.Conn.Clear()
	}
	x.Poll(s)
}

// Poll lets a reflector that waits for the server look again: there may be more
// to come than it was told when it began to wait.
func (x *Informer) Poll(s *actor.Set) {
	for range x.eachSwapped {
		if st := s.State(x.refl); st.Wait == actor.OnServer {
			x.await(s, st.PC)
		}
	}
}

// ContinueSimulated lets a simulated server go on in the place of each recording that answers
// the informer, and returns how many objects the first of them holds. Each
// server has at least least records of the recording.
func (x *Informer) ContinueSimulated(s *actor.Set, least int) (objects int) {
	for range x.eachSwapped {
		p, ok := x.Server.(*apiserver.Playback)
		if !ok {
			continue
		}
		server := p.Continue(uint64(s.Rand), s.Now, least)
		server.Reopen(p.State(), x.Reflector.LastOptions(), s.Now)
		x.Server = server
		objects = max(objects, server.Storage.Len())
	}
	x.Poll(s)
	return objects
}

// Played returns how many records a simulated server would have that goes on from
// what the informer's servers have played.
func (x *Informer) Played() (records int) {
	for range x.eachSwapped {
		if p, ok := x.Server.(*apiserver.Playback); ok {
			records = max(records, p.Reached())
		}
	}
	return records
}

// Tamper does something to watch events on their way to each reflector. What n means
// depends on t.
func (x *Informer) Tamper(t apiserver.Tamper, n int64) {
	for c := range x.eachSwapped {
		c.Conn.Tamper(t, n)
	}
}
