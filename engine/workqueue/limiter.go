package workqueue

import (
	"math"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Limiter is a workqueue.RateLimiter: how long an item that failed has to wait.
// The zero Limiter never delays.
type Limiter struct {
	kind     limiterKind
	a, b     int64 // exponential: base and cap; fast/slow: fast and slow; max wait: b is the cap
	fast     int32 // fast/slow: how many attempts are fast
	failures []int32

	qps    float64 // bucket
	burst  int
	tokens float64
	last   int64

	inner []Limiter // max of, max wait
}

type limiterKind uint8

const (
	unlimited limiterKind = iota
	exponential
	fastSlow
	bucket
	maxOf
)

// Exponential waits base·2ⁿ, at most limit, where n is how often the item has
// failed before: ItemExponentialFailureRateLimiter.
func Exponential(base, limit int64) Limiter { return Limiter{kind: exponential, a: base, b: limit} }

// FastSlow waits fast for the first attempts and slow from then on:
// ItemFastSlowRateLimiter.
func FastSlow(fast, slow int64, attempts int) Limiter {
	return Limiter{kind: fastSlow, a: fast, b: slow, fast: int32(attempts)}
}

// Bucket lets qps items a second through, and burst at once, for all items
// together: BucketRateLimiter.
func Bucket(qps float64, burst int) Limiter {
	return Limiter{kind: bucket, qps: qps, burst: burst, tokens: float64(burst)}
}

// MaxOf asks all of limiters, and waits as long as the slowest:
// MaxOfRateLimiter.
func MaxOf(limiters ...Limiter) Limiter { return Limiter{kind: maxOf, inner: limiters} }

// DefaultController returns what DefaultControllerRateLimiter does.
func DefaultController() Limiter { return MaxOf(Exponential(5e6, 1000e9), Bucket(10, 100)) }

// CopyFrom makes l equal to src.
func (l *Limiter) CopyFrom(src *Limiter) {
	failures, inner := l.failures, l.inner
	*l = *src
	l.failures = append(failures[:0], src.failures...)
	l.inner = object.Resized(inner, len(src.inner))
	for i := range l.inner {
		l.inner[i].CopyFrom(&src.inner[i])
	}
}

// When counts a failure of k, and returns how long k has to wait from now on.
func (l *Limiter) When(k object.Key, now int64) int64 {
	switch l.kind {
	case exponential:
		delay := math.Ldexp(float64(l.a), int(l.fail(k)-1))
		if delay >= math.MaxInt64 || int64(delay) > l.b {
			return l.b
		}
		return int64(delay)
	case fastSlow:
		if l.fail(k) <= l.fast {
			return l.a
		}
		return l.b
	case bucket:
		return l.reserve(now)
	case maxOf:
		longest := int64(0)
		for i := range l.inner {
			longest = max(longest, l.inner[i].When(k, now))
		}
		return longest
	}
	return 0
}

// fail counts a failure and returns how many there are now.
func (l *Limiter) fail(k object.Key) int32 {
	l.failures = object.Grown(l.failures, k)
	l.failures[k]++
	return l.failures[k]
}

// reserve returns what Limiter.Reserve().Delay() does, of golang.org/x/time/rate. The token count
// may go below zero; later items then wait until it has recovered.
func (l *Limiter) reserve(now int64) int64 {
	if l.burst < 1 {
		return math.MaxInt64
	}
	passed := max(0, now-l.last)
	seconds := float64(passed/1e9) + float64(passed%1e9)/1e9
	if l.qps > 0 {
		l.tokens += seconds * l.qps
	}
	l.tokens = min(l.tokens, float64(l.burst)) - 1
	l.last = now
	if l.tokens >= 0 {
		return 0
	}
	if l.qps <= 0 {
		return math.MaxInt64
	}
	wait := -l.tokens / l.qps * 1e9
	if wait >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(wait)
}

// Forget sets the failures of k to zero. A bucket doesn't count failures, and gets
// no token back.
func (l *Limiter) Forget(k object.Key) {
	if int(k) < len(l.failures) {
		l.failures[k] = 0
	}
	for i := range l.inner {
		l.inner[i].Forget(k)
	}
}

// NumRequeues returns how often When was called for k since Forget.
func (l *Limiter) NumRequeues(k object.Key) int {
	n := 0
	if int(k) < len(l.failures) {
		n = int(l.failures[k])
	}
	for i := range l.inner {
		n = max(n, l.inner[i].NumRequeues(k))
	}
	return n
}

// RateLimiting is workqueue.RateLimitingInterface: a [Delaying] with a [Limiter].
type RateLimiting struct {
	Delaying
	Limiter Limiter
}

// NewRateLimiting returns an empty queue.
func NewRateLimiting(l Limiter) *RateLimiting { return &RateLimiting{Limiter: l} }

// CopyFrom makes q equal to src.
func (q *RateLimiting) CopyFrom(src *RateLimiting) {
	q.Delaying.CopyFrom(&src.Delaying)
	q.Limiter.CopyFrom(&src.Limiter)
}

// AddRateLimited calls AddAfter with the [Limiter]'s delay. Each call counts as a
// failure, even if the item waits already or the queue is shutting down. If the
// channel is full, it reports false, and the caller tries again with AddAfter and
// the delay returned.
func (q *RateLimiting) AddRateLimited(k object.Key, now int64, log *event.Log) (delay int64, ok bool) {
	delay = q.Limiter.When(k, now)
	log.Emit(event.Event{Kind: event.WorkRateLimited, Key: k, N: int64(q.Limiter.NumRequeues(k))})
	return delay, q.AddAfter(k, delay, now, log)
}

// Forget makes the [Limiter] forget the failures of k. The queue itself does not
// change.
func (q *RateLimiting) Forget(k object.Key, log *event.Log) {
	q.Limiter.Forget(k)
	log.Emit(event.Event{Kind: event.WorkForgotten, Key: k})
}

// NumRequeues returns what the [Limiter]'s returns.
func (q *RateLimiting) NumRequeues(k object.Key) int { return q.Limiter.NumRequeues(k) }

// Hash adds what the limiter remembers, at the time now.
func (l *Limiter) Hash(h *actor.Hash, now int64) {
	for k, n := range l.failures {
		if n != 0 {
			h.Add(uint64(k)<<32 | uint64(n))
		}
	}
	if l.kind == bucket && l.last != 0 { // what it holds now
		seconds := float64(now-l.last) / 1e9
		h.Add(math.Float64bits(min(l.tokens+seconds*l.qps, float64(l.burst))))
	}
	for i := range l.inner {
		l.inner[i].Hash(h, now)
	}
}

// Hash adds the queue's state at the time now.
func (q *RateLimiting) Hash(h *actor.Hash, now int64) {
	h.Bools(q.shuttingDown, q.drain, q.stopped, q.paused)
	h.Add(uint64(q.Len()))
	for i := range q.Len() {
		h.Add(uint64(q.At(i)))
	}
	last := len(q.sets)
	for last > 0 && q.sets[last-1] == 0 {
		last--
	}
	actor.HashAll(h, q.sets[:last])
	h.Add(uint64(len(q.sent)))
	for _, w := range q.sent {
		h.Add(uint64(w.Key))
		h.Due(w.ReadyAt, now)
	}
	for _, w := range q.waiting.heap {
		h.Add(uint64(w.Key))
		h.Due(w.ReadyAt, now)
	}
	q.Limiter.Hash(h, now)
}
