package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/object"
)

// hashedQueue and hashedServer are a queue and a server whose state can be summed up.
type hashedQueue interface{ Hash(h *actor.Hash) }

type hashedServer interface {
	Hash(h *actor.Hash, now int64)
}

// Hash adds the state of the informer, and of everything that it owns. It reports false if its server cannot be summed up.
func (x *Informer) Hash(h *actor.Hash, s *actor.Set) bool {
	now := s.Now
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
	x.Work.hash(h, s)
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

// markedQueue is a queue that can tell what it refers to.
type markedQueue interface{ Mark(live *object.Live) }

// Mark adds all objects that the informer refers to, for Table.Sweep. Those of
// its feed are left to the feed. It reports false where somebody else may hold
// some, or strings of theirs: index functions, transformers, what workers write
// back, or a server that is no recording.
func (x *Informer) Mark(live *object.Live) bool {
	if x.cfg.Transform != nil || x.cfg.WritesBack != nil || x.cfg.Controller != nil || !x.Indexer.Mark(live) || !x.Controller.mark(live) {
		return false
	}
	for k := range x.more {
		if !x.more[k].mark(live) {
			return false
		}
	}
	x.Processor.Mark(live)
	if x.cfg.feeds() || x.cfg.Recorded != nil {
		live.EveryKey() // every key that was ever on the workqueue may have failures counted
	}
	x.Work.mark(live)
	x.detector.mark(live)
	live.Refs(x.user.objects)
	return true
}

// mark adds what the controller refers to. It reports false if its server cannot
// say.
func (c *Controller) mark(live *object.Live) bool {
	server, ok := c.Server.(*apiserver.Playback)
	if !ok {
		return false
	}
	server.Mark(live)
	c.Conn.Mark(live)
	c.Queue.(markedQueue).Mark(live)
	c.wire.mark(live)
	c.hand.mark(live)
	return true
}
