// Package reflector is client-go's Reflector as a pure state machine: the
// informer tells it what the API server said, and it says what to do next.
//
// Whatever goes wrong is told by ListFailed, WatchFailed, WatchBroke, WatchClosed
// or StreamNotReplaced, and the [Verdict] that they return says what follows. A
// Reflector sends nothing and stores nothing. All times are nanoseconds.
//
// It follows tools/cache/reflector.go of v0.22 to v0.38.0-beta.0. [Config] has what
// differs between these.
package reflector

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// shortWatch is how long a watch without events must last, in nanoseconds, to count as no failure.
const shortWatch = 1_000_000_000

// defaultPageSize is pager.PageSize of client-go.
const defaultPageSize = 500

// minWatchTimeout is what a watch asks the server for at least, in seconds; it
// asks for up to twice that, so that not all watches end together.
const minWatchTimeout = 300

// invalid is the code with which a server that has no streaming lists refuses
// one.
const invalid = 422

// Failure is an error of the API server, as the reflector tells them apart.
type Failure struct {
	Code            int32 // HTTP status or Status.code, 0 where there was none
	Expired         bool  // reason Expired
	Gone            bool  // reason Gone, the same in old servers
	TooLarge        bool  // the resourceVersion is newer than the server's
	TooManyRequests bool  // 429
	Internal        bool  // reason InternalError
	Refused         bool  // nobody listens there
}

// expired reports what isExpiredError does.
func (f Failure) expired() bool { return f.Expired || f.Gone }

// retriable reports what isWatchErrorRetriable does: whether the server is not at fault for good.
func (f Failure) retriable() bool { return f.Refused || f.TooManyRequests }

// Verdict says how the reflector goes on.
type Verdict uint8

const (
	ListAgain   Verdict = iota + 1 // list once more, at once, with what LastOptions says; the pages so far are void
	Relist                         // ListAndWatch returns: back off, then ListAndWatch
	Rewatch                        // watch at once: from the resourceVersion reached, or the streaming list anew
	WaitRewatch                    // back off, then do as Rewatch
	FallBack                       // no streaming list this time: list
)

// Config is what a [Reflector] is made with, and the gates in which client-go's
// versions differ.
type Config struct {
	PageSize           int64        // WatchListPageSize, 0 for the default rules
	Shard              object.Shard // whose selector each request has, as NewShardedListWatch sets it
	InternalErrorRetry int64        // MaxInternalErrorRetryDuration, ns (from v0.25)

	OneBackoff        bool // lists and watches share one back-off (from v0.28)
	BackoffSinceReset bool // it begins anew two minutes after it last did (from v0.36)
	StopEndsRequests  bool // a stop ends a watch request that has not been answered (from v0.33)
	StopEndsBackoff   bool // a stop ends a back-off before a watch at once (from v0.27)
	StreamingList     bool // WatchListClient (on from v0.35)
	StreamTransforms  bool // the temporary store of a streaming list holds transformed objects (from v0.34)
	RVAfterAdded      bool // a watch from "" or "0" sets the RV only after an event other than Added (from v0.36)
	FallsBack         bool // a streaming list that fails is followed by a list, whatever the error (from v0.29)
	WrapsErrors       bool // a failed list's reason can be told from the error that ListAndWatch returns (from v0.25)
}

// Reflector is the state of a cache.Reflector.
type Reflector struct {
	cfg  Config
	zero object.RV // the resourceVersion "0"

	rv          object.RV // lastSyncResourceVersion
	unavailable bool      // isLastSyncResourceVersionUnavailable
	paginated   bool      // paginatedResult

	asked   object.ListOptions // of the request under way
	first   object.ListOptions // of the list's first page
	began   object.RV          // what the list asked for before it was tried again
	retried bool               // it has been tried again without a resourceVersion
	pages   int32              // of the list so far, asked for

	streaming  bool  // a streaming list is under way
	opened     int64 // when the watch was asked for
	received   int64 // events on it
	propagates bool  // its events' resourceVersions count

	listBackoff, watchBackoff Backoff
	slept                     int64 // the length of the last back-off
	firstInternal             int64 // when the present row of internal errors began
	lastInternal              int64

	lists, watches  int64
	listed, decoded int64   // lists and objects that have come
	failure         Failure // the last one
}

// New returns a [Reflector] that has not listed yet.
func New(t *object.Table, cfg Config) Reflector {
	r := Reflector{cfg: cfg, zero: t.RV("0"), firstInternal: never, lastInternal: never}
	r.listBackoff.SinceReset = cfg.BackoffSinceReset
	r.watchBackoff.SinceReset = cfg.BackoffSinceReset
	return r
}

const never = -1 << 62

// Run starts the reflector at the time now.
func (r *Reflector) Run(now int64) {
	r.listBackoff.start(now)
	r.watchBackoff.start(now)
}

// Start models ListAndWatch being called. It reports whether a streaming list comes
// first.
func (r *Reflector) Start() bool {
	r.streaming = r.cfg.StreamingList
	return r.streaming
}

// Begin starts a list and returns what to ask for, with relistResourceVersion's version.
func (r *Reflector) Begin() object.ListOptions {
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
	r.began = rv
	return r.ask(object.ListOptions{RV: rv, Limit: limit})
}

// ask sends the first page's request.
func (r *Reflector) ask(o object.ListOptions) object.ListOptions {
	r.lists++
	o.Shard = r.cfg.Shard
	r.asked, r.first, r.pages = o, o, 1
	return o
}

// Page takes a page that is not the last, and returns what to ask for next.
func (r *Reflector) Page(next object.Sym) object.ListOptions {
	r.lists++
	r.pages++
	r.asked = object.ListOptions{Limit: r.first.Limit, Continue: next, Shard: r.cfg.Shard}
	return r.asked
}

// ListFailed takes the error of a list, as pager.List and then Reflector.list do. If its continue token has expired, the
// list is asked for whole. If the resourceVersion was the reason, the list is
// asked for without one, and with the same page size.
func (r *Reflector) ListFailed(f Failure) Verdict {
	r.failure = f
	switch {
	case f.Expired && r.asked.Continue != 0:
		r.lists++
		r.asked = object.ListOptions{RV: r.first.RV, Shard: r.cfg.Shard}
		return ListAgain
	case (f.expired() || f.TooLarge) && !r.retried:
		r.unavailable, r.retried = true, true
		r.ask(object.ListOptions{Limit: r.first.Limit})
		return ListAgain
	}
	return Relist
}

// ListComplete reports whether the answer to the request under way is all of the list,
// even if it has a continue token. After the pager has given up on pages, it
// goes through no more of them.
func (r *Reflector) ListComplete() bool { return r.pages > 1 && r.asked.Continue == 0 }

// ListDecoded takes the n objects of a list, or of a page of it.
func (r *Reflector) ListDecoded(n int) { r.decoded += int64(n) }

// Listed takes a whole list. recorded is the number of its pages where they
// came as one, from a recording.
func (r *Reflector) Listed(recorded int32) {
	r.listed++
	if r.began == r.zero && max(r.pages, recorded) > 1 {
		r.paginated = true
	}
	r.unavailable, r.lastInternal = false, never
}

// StreamEnded takes the bookmark after the initial events, whose objects are to be given to Replace next.
func (r *Reflector) StreamEnded() {
	r.unavailable = false
	r.listed++
}

// StreamNotReplaced takes the error with which Replace refused what a streaming
// list has brought.
func (r *Reflector) StreamNotReplaced() Verdict {
	if !r.cfg.FallsBack {
		return Relist
	}
	r.streaming = false
	return FallBack
}

// Streamed tells that Replace has taken what a streaming list has brought. The same
// watch goes on.
func (r *Reflector) Streamed(now int64) {
	r.streaming, r.lastInternal = false, never
	r.opened, r.received, r.propagates = now, 0, true
}

// SetRV sets lastSyncResourceVersion to rv.
func (r *Reflector) SetRV(rv object.RV, log *event.Log) {
	r.rv = rv
	log.Add(event.ResourceVersionSet).N = int64(rv)
}

// Watch returns what to watch with. A streaming list asks for rewatchResourceVersion's version.
func (r *Reflector) Watch(now int64, rnd *actor.Rand) object.ListOptions {
	r.watches++
	r.opened, r.received = now, 0
	r.asked = object.ListOptions{RV: r.rv, Bookmarks: true, Timeout: int64(minWatchTimeout*(1+rnd.Float())) * second, Shard: r.cfg.Shard}
	if r.streaming {
		r.asked.Match, r.asked.SendInitialEvents = object.NotOlderThan, true
		if r.unavailable {
			r.asked.RV = 0
		}
	}
	r.propagates = !r.cfg.RVAfterAdded || r.rv != 0 && r.rv != r.zero
	return r.asked
}

const second = 1_000_000_000

// WatchFailed takes the error with which a watch was refused, by isWatchErrorRetriable.
func (r *Reflector) WatchFailed(f Failure) Verdict {
	r.failure = f
	switch {
	case r.streaming:
		return r.streamFailed(f)
	case f.retriable():
		return WaitRewatch
	}
	return Relist
}

// streamFailed follows isErrorRetriableWithSideEffectsFn of watchList.
func (r *Reflector) streamFailed(f Failure) Verdict {
	switch {
	case f.retriable():
		return WaitRewatch
	case f.expired() || f.TooLarge:
		r.unavailable = true
		return Rewatch
	case !r.cfg.FallsBack && f.Code != invalid:
		return Relist
	}
	r.streaming = false
	return FallBack
}

// Received counts an event of the watch that is one of the five types.
func (r *Reflector) Received(d event.Delta) {
	r.received++
	if d != event.Bookmark {
		r.decoded++
	}
	if d != event.Added && d != event.Unknown {
		r.propagates = true
	}
}

// Propagates reports whether the resourceVersion of the event received last counts.
// Initial Added events are in no order, so theirs don't.
func (r *Reflector) Propagates() bool { return r.propagates }

// WatchBroke takes the ERROR event that ends a watch, as Reflector.watch does (v0.27; ListAndWatch
// before).
func (r *Reflector) WatchBroke(f Failure, now int64) Verdict {
	r.failure = f
	switch {
	case r.streaming:
		return r.streamFailed(f)
	case f.TooManyRequests && !f.expired():
		return WaitRewatch
	case f.Internal && !f.expired() && r.retryInternal(now):
		return Rewatch
	}
	return Relist
}

// retryInternal follows RetryWithDeadline: internal errors that follow each other
// within a minute are one row, and it may last for InternalErrorRetry.
func (r *Reflector) retryInternal(now int64) bool {
	if now-r.lastInternal >= 60*second {
		r.firstInternal = now
	}
	r.lastInternal = now
	if r.cfg.InternalErrorRetry == 0 {
		return false
	}
	if now-r.firstInternal <= r.cfg.InternalErrorRetry {
		return true
	}
	r.lastInternal = never
	return false
}

// WatchClosed takes the end of the stream, as the end of watchHandler does (handleAnyWatch from
// v0.31). A watch that ended within a second and without an event is a failure: a list follows.
func (r *Reflector) WatchClosed(now int64) (v Verdict, veryShort bool) {
	if now-r.opened >= shortWatch || r.received > 0 {
		return Rewatch, false
	}
	r.failure = Failure{}
	if r.streaming && r.cfg.FallsBack {
		r.streaming = false
		return FallBack, true
	}
	return Relist, true
}

// LastedLong reports whether the watch was opened so long before now that it may
// have reached the timeout that it asked for.
func (r *Reflector) LastedLong(now int64) bool { return now-r.opened >= minWatchTimeout*second }

// Backoff returns how long to sleep before the list or the watch that follows,
// in nanoseconds: as near to wish as it can be, where that is not 0.
func (r *Reflector) Backoff(v Verdict, now int64, rnd *actor.Rand, wish int64) int64 {
	b := &r.listBackoff
	if v == WaitRewatch && !r.cfg.OneBackoff {
		b = &r.watchBackoff
	}
	r.slept = b.Next(now, rnd, wish)
	return r.slept
}

// IgnoresStopInRequest reports whether a stop goes unnoticed until a watch request has been
// answered.
func (r *Reflector) IgnoresStopInRequest() bool { return !r.cfg.StopEndsRequests }

// IgnoresStopInBackoff reports whether a stop goes unnoticed until a back-off before a watch
// is over.
func (r *Reflector) IgnoresStopInBackoff() bool { return r.streaming || !r.cfg.StopEndsBackoff }

// Handled reports whether DefaultWatchErrorHandler reports the error that
// ListAndWatch has returned because of f: it is silent about what has expired.
func (r *Reflector) Handled(f Failure, listing bool) bool {
	return !f.expired() || listing && !r.cfg.WrapsErrors
}

// Streaming reports whether a streaming list is under way.
func (r *Reflector) Streaming() bool { return r.streaming }

// RV returns lastSyncResourceVersion.
func (r *Reflector) RV() object.RV { return r.rv }

// Events returns how many events the present watch has brought.
func (r *Reflector) Events() int64 { return r.received }

// Opened returns when the present watch was asked for, in nanoseconds, or when its initial
// events had come.
func (r *Reflector) Opened() int64 { return r.opened }

// Slept returns the length of the last back-off in nanoseconds.
func (r *Reflector) Slept() int64 { return r.slept }

// Lists returns how many requests for a list were sent, each page counted.
func (r *Reflector) Lists() int64 { return r.lists }

// Watches returns how many requests for a watch were sent.
func (r *Reflector) Watches() int64 { return r.watches }

// Decoded counts the lists that have come whole, streaming lists among them, and the
// objects that have come in lists and in watch events other than bookmarks.
func (r *Reflector) Decoded() (lists, objects int64) { return r.listed, r.decoded }

// LastFailure returns the last error that the API server gave.
func (r *Reflector) LastFailure() Failure { return r.failure }

// LastOptions returns the request that was sent last.
func (r *Reflector) LastOptions() object.ListOptions { return r.asked }

// Times in nanoseconds.
const (
	backoffInit  = 800_000_000
	backoffMax   = 30_000_000_000
	backoffReset = 120_000_000_000
)

// Backoff is wait.NewExponentialBackoffManager(800ms, 30s, 2min, 2.0, 1.0):
// each sleep is twice the one before, and longer by up to all of itself again.
// It begins anew once two minutes have passed: since the sleep before (up to
// v0.35), or since it last began anew (SinceReset, from v0.36).
type Backoff struct {
	SinceReset bool

	next int64 // the next base, 0 for the first
	mark int64 // when it was last asked, or last began anew
	used bool
}

// start makes the manager anew.
func (b *Backoff) start(now int64) { b.next, b.mark, b.used = backoffInit, now, true }

// Next returns how long to sleep. The jitter is random, or, where wish is not 0,
// whatever brings the sleep nearest to it.
func (b *Backoff) Next(now int64, rnd *actor.Rand, wish int64) int64 {
	switch {
	case !b.used || now-b.mark > backoffReset:
		b.next, b.mark, b.used = backoffInit, now, true
	case !b.SinceReset:
		b.mark = now
	}
	base := b.next
	b.next = min(2*b.next, backoffMax)
	jitter := int64(rnd.Float() * float64(base))
	if wish != 0 {
		jitter = min(max(wish-base, 0), base-1)
	}
	return base + jitter
}

// Hash adds the reflector's state at the time now to h.
func (r *Reflector) Hash(h *actor.Hash, now int64) {
	h.Bools(r.unavailable, r.paginated, r.retried, r.streaming, r.propagates, r.received > 0)
	h.Add(uint64(r.rv))
	h.Add(uint64(r.asked.RV))
	h.Add(uint64(r.asked.Limit) | uint64(r.asked.Match)<<32)
	h.Add(uint64(r.asked.Continue))
	h.Add(uint64(r.first.RV))
	h.Add(uint64(r.began))
	h.Add(uint64(r.pages))
	h.Since(r.opened, now, shortWatch)
	r.listBackoff.hash(h, now)
	r.watchBackoff.hash(h, now)
	if r.cfg.InternalErrorRetry != 0 {
		h.Since(r.firstInternal, now, r.cfg.InternalErrorRetry+1)
		h.Since(r.lastInternal, now, r.cfg.InternalErrorRetry+1)
	}
}

func (b *Backoff) hash(h *actor.Hash, now int64) {
	h.Bool(b.used)
	h.Add(uint64(b.next))
	if b.next != backoffInit { // it can begin anew
		h.Since(b.mark, now, backoffReset+1)
	}
}
