package workqueue

import (
	"math"

	"github.com/informerscope/informerscope/engine/actor"
)

// Hash adds the queue's state at the time now.
func (q *RateLimiting) Hash(h *actor.Hash, now int64) {
	h.Bools(q.shuttingDown, q.drain, q.stopped)
	h.Add(uint64(q.Len()))
	for i := range q.Len() {
		h.Add(uint64(q.At(i)))
	}
	last := len(q.sets)
	for last > 0 && q.sets[last-1] == 0 {
		last--
	}
	h.Add(uint64(last))
	for _, s := range q.sets[:last] {
		h.Add(uint64(s))
	}
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
