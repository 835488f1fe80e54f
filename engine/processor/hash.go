package processor

import "github.com/informerscope/informerscope/engine/actor"

// Hash adds the listeners' state at the time now.
func (p *Processor) Hash(h *actor.Hash, now int64) {
	h.Bools(p.closed, p.closedSyncing)
	for i := range p.Listeners {
		l := &p.Listeners[i]
		h.Bools(l.Joined, l.Syncing, l.Removed, l.Upstream, l.Synced)
		h.Add(uint64(l.Initial))
		h.Add(uint64(l.Resync))
		if l.Resync != 0 {
			h.Due(l.NextResync, now)
		}
		for j := range l.Pairs() {
			l.PairAt(j).Slot.Hash(h)
			l.PairAt(j).InHand.Hash(h)
		}
		if l.Pairs() > 1 {
			for k := range l.Pairs() {
				h.Add(uint64(l.PopAt(k))<<8 | uint64(l.RunAt(k)))
			}
		}
		h.Add(uint64(l.pending.n))
		for i := range l.pending.n {
			n := l.pending.at(i)
			n.Hash(h)
		}
	}
}

// Hash adds the notification.
func (n *Notification) Hash(h *actor.Hash) {
	h.Add(uint64(n.Type))
	if n.Type == 0 {
		return
	}
	h.Add(uint64(uint32(n.Old))<<32 | uint64(uint32(n.New)))
	h.Add(uint64(n.Key))
	h.Add(uint64(n.Flags)<<8 | uint64(n.Cause))
}
