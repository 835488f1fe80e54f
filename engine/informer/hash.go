package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

// hashedQueue and hashedServer are a queue and a server whose state can be summed up.
type hashedQueue interface{ Hash(h *actor.Hash) }

type hashedServer interface {
	Hash(h *actor.Hash, now int64)
}

// Hash adds the state of the informer, and of everything that it owns, at the
// time now. It reports false if its server cannot be summed up.
func (x *Informer) Hash(h *actor.Hash, now int64) bool {
	if !x.Controller.hash(h, now) {
		return false
	}
	for k := range x.more {
		x.more[k].fifo.Hash(h)
		if !x.more[k].hash(h, now) {
			return false
		}
	}
	x.Indexer.Hash(h)
	x.Processor.Hash(h, now)
	x.Work.hash(h, now)
	for i := range x.Locks {
		x.Locks[i].Hash(h)
	}
	x.life.hash(h)
	h.Bools(x.alone, x.synced)
	h.Add(uint64(x.resyncPeriod))
	if x.cfg.DetectMutations {
		x.detector.hash(h, now)
	}
	x.user.hash(h)
	return true
}

func refs(h *actor.Hash, list []object.Ref) {
	h.Add(uint64(len(list)))
	for _, r := range list {
		h.Add(uint64(r))
	}
}
