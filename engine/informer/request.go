package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// tries lets rest.Request deal with a request that failed, on the reflector's
// goroutine, which waits meanwhile. A failure that was recorded above
// rest.Request is final.
func (x *Informer) tries(s *actor.Set, r apiserver.Record, log *event.Log) request.Verdict {
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

// retry is rest.Request sending the request again.
func (x *Informer) retry(s *actor.Set, log *event.Log) {
	log.Emit(event.Event{Kind: event.RequestRetried, Listener: int16(x.Request.Retries())})
	if x.Request.Watching() {
		x.Server.Watch(x.Reflector.Asked(), s.Now)
		x.await(s, actor.ReflectorOpened)
		return
	}
	x.Server.List(x.Reflector.Asked(), s.Now)
	x.await(s, actor.ReflectorListed)
}

// failure is the error of the request q, or of its watch, as the reflector gets it. retried
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
