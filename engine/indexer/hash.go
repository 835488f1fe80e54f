package indexer

import "github.com/informerscope/informerscope/engine/actor"

// Hash adds the store's state. It leaves out the indices, because they follow from
// what was written unless objects were changed in place.
func (x *Indexer) Hash(h *actor.Hash) {
	last := len(x.items)
	for last > 0 && x.items[last-1] == 0 {
		last--
	}
	h.Add(uint64(last))
	for _, r := range x.items[:last] {
		h.Add(uint64(r))
	}
	h.Add(uint64(x.rv))
	for _, m := range x.changed {
		h.Add(uint64(m.obj)<<32 | uint64(m.reads))
	}
}
