package reflector

import "github.com/informerscope/informerscope/engine/actor"

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

// start is the manager being made.
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
