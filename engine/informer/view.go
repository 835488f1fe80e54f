package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/object"
)

// ResyncPeriod returns resyncCheckPeriod in nanoseconds, 0 for no resync.
func (x *Informer) ResyncPeriod() int64 { return x.resyncPeriod }

// Actors returns the actors of the kinds that an informer has once.
func (x *Informer) Actors() (user, reflector, resync, loop actor.ID) {
	return x.user.id, x.refl, x.resync, x.loop
}

// Usage is what informers cost, in this process.
type Usage struct {
	Watches int64 // open watches, those included that nobody reads any more; each one is a long-lived HTTP response
	Lists   int64 // lists that came and were decoded, streaming lists among them
	Objects int64 // objects that were decoded from lists and from watch events other than bookmarks
	Copies  int64 // objects in the indexers
}

// AddUsage adds what the informer costs at the time now, all of its controllers together.
func (x *Informer) AddUsage(u *Usage, now int64) {
	for c := range x.eachController {
		lists, objects := c.Reflector.Decoded()
		u.Lists += lists
		u.Objects += objects
	}
	u.Watches += int64(x.OpenWatches(now))
	u.Copies += int64(x.Indexer.Len())
}

// Processing reports whether the process loop is within the process function: it has popped, and has
// not come to the locks that Pop gives back.
func (x *Informer) Processing(s *actor.Set) bool {
	switch s.State(x.loop).PC {
	case actor.LoopBlock, actor.LoopStore, actor.LoopLock, actor.LoopDistribute:
		return true
	}
	return false
}

// Hash adds the state of the informer, and of everything that it owns.
func (x *Informer) Hash(h *actor.Hash, s *actor.Set) {
	now := s.Now
	for c, lock := range x.eachController {
		if c != &x.Controller {
			lock.Hash(h) // the first Controller's lock is among Locks
		}
		c.hash(h, now)
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
}

// Mark adds all objects that the informer refers to, for Table.Sweep. Those of
// its feed are left to the feed. It reports false where somebody else may hold
// some, or strings of theirs: index functions, transformers, what workers write
// back, or a server that is no recording.
func (x *Informer) Mark(live *object.Live) bool {
	if x.cfg.Transform != nil || x.cfg.WritesBack != nil || x.cfg.Controller != nil || !x.Indexer.Mark(live) {
		return false
	}
	for c := range x.eachController {
		if !c.mark(live) {
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

// OpenWatches returns how many watches the server has open for x at the time now, those included that x has left open
// without reading them any more. Of a recorded server only the watch that x reads is known.
func (x *Informer) OpenWatches(now int64) (n int) {
	for _, server := range x.Servers(nil) {
		if s, simulated := server.(*apiserver.Simulated); simulated {
			n += s.OpenWatches(now)
		} else if server.State() == apiserver.Open {
			n++
		}
	}
	return n
}
