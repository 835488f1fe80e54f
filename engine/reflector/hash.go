package reflector

import "github.com/informerscope/informerscope/engine/actor"

// Hash adds the reflector's state at the time now.
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
