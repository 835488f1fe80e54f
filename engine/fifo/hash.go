package fifo

import (
	"github.com/informerscope/informerscope/engine/actor"
)

// Hash adds the delta. It leaves out List, which is only the position of a list.
func (d *Delta) Hash(h *actor.Hash) {
	h.Add(uint64(d.Type) | uint64(d.Tomb)<<8 | uint64(uint32(d.Key))<<32)
	h.Add(uint64(uint32(d.Obj)))
}

// Hash adds the queue's state.
func (f *DeltaFIFO) Hash(h *actor.Hash) {
	h.Bools(f.populated, f.synced, f.closed, f.head.IsInInitialList, f.head.Batch, f.head.KeepsLock)
	h.Add(uint64(f.initialPopulationCount))
	h.Add(uint64(f.queue.n))
	for i := range f.queue.n {
		r := f.items.of(*f.queue.at(i))
		h.Add(uint64(r.n))
		for n, at := int32(0), r.head; n < r.n; n++ {
			f.items.nodes[at].Delta.Hash(h)
			at = f.items.nodes[at].next
		}
	}
	f.op.hash(h)
}

// Hash adds the queue's state.
func (f *RealFIFO) Hash(h *actor.Hash) {
	h.Bools(f.populated, f.synced, f.closed, f.head.IsInInitialList, f.head.Batch, f.head.KeepsLock)
	h.Add(uint64(f.initialPopulationCount))
	h.Add(uint64(f.taken))
	h.Add(uint64(f.items.n))
	for i := range f.items.n {
		f.items.at(i).Hash(h)
	}
	h.Add(uint64(f.lists.n))
	for i := range f.lists.n {
		l := f.lists.at(i)
		h.Add(uint64(l.rv))
		h.Add(uint64(len(l.refs)))
		for _, r := range l.refs {
			h.Add(uint64(r))
		}
	}
	f.op.hash(h)
}

// hash adds the operation. It leaves out seen, which follows from the list.
func (o *operation) hash(h *actor.Hash) {
	h.Add(uint64(o.phase))
	if o.phase == idle {
		return
	}
	h.Add(uint64(o.rv))
	h.Add(uint64(o.next))
	h.Add(uint64(o.queued))
	h.Add(uint64(len(o.list)))
	for _, r := range o.list {
		h.Add(uint64(r))
	}
	for _, k := range o.keys {
		h.Add(uint64(k))
	}
}
