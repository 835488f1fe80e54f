// Package reflector is client-go's Reflector as a pure state machine: the
// informer tells it what the API server said, and it says what to do next.
package reflector

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// shortWatch is how long a watch without events must have lasted at least, in
// nanoseconds, to have been no failure.
const shortWatch = 1_000_000_000

// defaultPageSize is pager.PageSize of client-go.
const defaultPageSize = 500

// Failure is an error of the API server, as the reflector tells them apart.
type Failure struct {
	Code            int32 // HTTP status or Status.code, 0 where there was none
	Expired         bool  // reason Expired or Gone
	TooLarge        bool  // the resourceVersion is newer than the server's
	TooManyRequests bool  // 429
	Refused         bool  // nobody listens there
}

// Verdict says how the reflector goes on.
type Verdict uint8

const (
	ListAgain   Verdict = iota + 1 // list once more, at once, with other options
	Relist                         // ListAndWatch returns: back off, then list
	Rewatch                        // watch at once from the resourceVersion reached
	WaitRewatch                    // back off, then watch from the resourceVersion reached
)

// Config is what a Reflector is made with.
type Config struct {
	PageSize          int64 // WatchListPageSize, 0 for the default rules
	BackoffSinceReset bool  // both back-offs are one, which begins anew two minutes after it did (from v0.36)
}

// Reflector is the state of a cache.Reflector.
type Reflector struct {
	cfg  Config
	zero object.RV // the resourceVersion "0"

	rv          object.RV          // lastSyncResourceVersion
	unavailable bool               // isLastSyncResourceVersionUnavailable
	paginated   bool               // paginatedResult
	asked       object.ListOptions // of the list under way
	retried     bool               // it has been tried again without a resourceVersion
	opened      int64              // when the watch was asked for
	received    int64              // events on it

	listBackoff, watchBackoff Backoff
	slept                     int64 // the length of the last back-off

	lists, watches int64
	failure        Failure // the last one
}

// New returns a Reflector that has not listed yet.
func New(t *object.Table, cfg Config) Reflector {
	r := Reflector{cfg: cfg, zero: t.RV("0")}
	r.listBackoff.SinceReset = cfg.BackoffSinceReset
	r.watchBackoff.SinceReset = cfg.BackoffSinceReset
	return r
}

// Begin starts ListAndWatch and returns what to list with.
func (r *Reflector) Begin() object.ListOptions {
	r.lists++
	r.retried = false
	rv := r.rv
	switch {
	case r.unavailable:
		rv = 0
	case rv == 0:
		rv = r.zero
	}
	limit := int64(defaultPageSize)
	switch {
	case r.cfg.PageSize != 0:
		limit = r.cfg.PageSize
	case r.paginated:
	case rv != 0 && rv != r.zero:
		limit = 0 // so that the watch cache can answer
	}
	r.asked = object.ListOptions{RV: rv, Limit: limit}
	return r.asked
}

// ListFailed takes the error of a list. If the resourceVersion was the reason,
// the same list is tried again at once without one, with the same page size.
func (r *Reflector) ListFailed(f Failure) (Verdict, object.ListOptions) {
	r.failure = f
	if (f.Expired || f.TooLarge) && !r.retried {
		r.unavailable, r.retried = true, true
		r.lists++
		r.asked.RV = 0
		return ListAgain, r.asked
	}
	return Relist, object.ListOptions{}
}

// Listed takes a list that came in so many pages.
func (r *Reflector) Listed(pages int32) {
	if r.asked.RV == r.zero && pages > 1 {
		r.paginated = true
	}
	r.unavailable = false
}

// SetRV moves lastSyncResourceVersion on.
func (r *Reflector) SetRV(rv object.RV, log *event.Log) {
	r.rv = rv
	log.Emit(event.Event{Kind: event.ResourceVersionSet, N: int64(rv)})
}

// Watch returns the resourceVersion to watch from.
func (r *Reflector) Watch(now int64) object.RV {
	r.watches++
	r.opened, r.received = now, 0
	return r.rv
}

// WatchFailed takes the error with which a watch was refused.
func (r *Reflector) WatchFailed(f Failure) Verdict {
	r.failure = f
	if f.Refused || f.TooManyRequests {
		return WaitRewatch
	}
	return Relist
}

// Received counts an event of the watch that is one of the five types.
func (r *Reflector) Received() { r.received++ }

// WatchBroke takes the ERROR event that ends a watch.
func (r *Reflector) WatchBroke(f Failure) Verdict {
	r.failure = f
	if f.TooManyRequests && !f.Expired {
		return WaitRewatch
	}
	return Relist
}

// WatchClosed takes the end of the stream. A watch that ended within a second
// and without an event is a failure: a list follows.
func (r *Reflector) WatchClosed(now int64) (v Verdict, veryShort bool) {
	if now-r.opened < shortWatch && r.received == 0 {
		r.failure = Failure{}
		return Relist, true
	}
	return Rewatch, false
}

// Backoff returns how long to sleep before the list or the watch that follows,
// in nanoseconds.
func (r *Reflector) Backoff(v Verdict, now int64, rnd *actor.Rand) int64 {
	b := &r.listBackoff
	if v == WaitRewatch && !r.cfg.BackoffSinceReset {
		b = &r.watchBackoff
	}
	r.slept = b.Next(now, rnd)
	return r.slept
}

// RV is lastSyncResourceVersion.
func (r *Reflector) RV() object.RV { return r.rv }

// Events is how many events the present watch has brought.
func (r *Reflector) Events() int64 { return r.received }

// Slept is the length of the last back-off in nanoseconds.
func (r *Reflector) Slept() int64 { return r.slept }

// Lists and Watches count requests.
func (r *Reflector) Lists() int64   { return r.lists }
func (r *Reflector) Watches() int64 { return r.watches }

// LastFailure is the last error that the API server gave.
func (r *Reflector) LastFailure() Failure { return r.failure }

// Asked is the list that was asked for last.
func (r *Reflector) Asked() object.ListOptions { return r.asked }
