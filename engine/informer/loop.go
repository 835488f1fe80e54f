package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// stepLoop is controller.processLoop: Pop, and the process function within it.
func (x *Informer) stepLoop(s *actor.Set, pc actor.PC, log *event.Log) (finished bool) {
	switch pc {
	case actor.LoopPop:
		x.pop(s, log)
	case actor.LoopBlock:
		if s.Acquire(&x.Locks[actor.BlockDeltas], actor.BlockDeltas, x.loop, pc, log) {
			s.Go(x.loop, actor.LoopStore)
		}
	case actor.LoopStore:
		return x.store(s, log)
	case actor.LoopLock, actor.LoopDistribute:
		x.distribute(s, log)
	default: // LoopRelease
		return x.release(s, log)
	}
	return false
}

// pop takes the head of the queue, and with it blockDeltas if that is free.
func (x *Informer) pop(s *actor.Set, log *event.Log) {
	l, p := &x.Locks[actor.FIFOLock], &x.cfg.Profile
	if x.stopping && p.StopsAtOnce {
		s.Stop(x.loop)
		x.returned(s, log)
		return
	}
	if l.Holder() == actor.Nobody && x.Queue.Depth() == 0 {
		x.Queue.Pop(nil, log)
		s.Passed(l)
		if x.Queue.Closed() {
			s.Stop(x.loop)
			x.returned(s, log)
			return
		}
		s.Block(x.loop, actor.LoopPop, actor.OnCond, 0)
		return
	}
	if !s.Acquire(l, actor.FIFOLock, x.loop, actor.LoopPop, log) {
		return
	}
	h := &x.hand
	if p.Batch {
		h.deltas, _ = x.Queue.PopBatch(h.deltas[:0], log)
	} else {
		h.deltas, _ = x.Queue.Pop(h.deltas[:0], log)
	}
	h.at, h.head = 0, x.Queue.Head()
	if !h.head.KeepsLock {
		s.Release(l, actor.FIFOLock, log)
	}
	if s.Acquire(&x.Locks[actor.BlockDeltas], actor.BlockDeltas, x.loop, actor.LoopBlock, log) {
		s.Go(x.loop, actor.LoopStore)
	}
}

// distribute hands the notification to the next listener that is to have it,
// and goes on after the last.
func (x *Informer) distribute(s *actor.Set, log *event.Log) {
	h := &x.hand
	n := &h.notes[h.noted]
	if !h.holding {
		if !s.Acquire(&x.Locks[actor.ListenersLock], actor.ListenersLock, x.loop, actor.LoopLock, log) {
			return
		}
		h.holding = true
		log.Emit(n.Event(event.Distributed))
		if x.closed && (!n.Sync || x.closedSyncing) {
			x.die(s, ChannelError{})
			return
		}
		h.to = x.Processor.Receives(0, n.Sync, log)
	}
	if h.to >= 0 {
		x.send(s, h.to, *n, log)
		h.to = x.Processor.Receives(h.to+1, n.Sync, log)
	}
	if h.to >= 0 {
		s.Go(x.loop, actor.LoopDistribute)
		return
	}
	s.Release(&x.Locks[actor.ListenersLock], actor.ListenersLock, log)
	h.holding = false
	if h.noted++; h.noted < len(h.notes) {
		s.Go(x.loop, actor.LoopDistribute)
		return
	}
	x.nextDelta(s)
}

// nextDelta goes on to the next delta that was popped.
func (x *Informer) nextDelta(s *actor.Set) {
	h := &x.hand
	h.notes, h.noted, h.to = h.notes[:0], 0, 0
	if h.at++; h.at < len(h.deltas) {
		s.Go(x.loop, actor.LoopStore)
	} else {
		s.Go(x.loop, actor.LoopRelease)
	}
}

// release is the process function returning, and Pop after it. A queue that was
// unlocked meanwhile is locked again, to be told that its deltas have been
// processed.
func (x *Informer) release(s *actor.Set, log *event.Log) (finished bool) {
	if l := &x.Locks[actor.BlockDeltas]; l.Holder() == x.loop {
		s.Release(l, actor.BlockDeltas, log)
	}
	l := &x.Locks[actor.FIFOLock]
	if l.Holder() != x.loop && !s.Acquire(l, actor.FIFOLock, x.loop, actor.LoopRelease, log) {
		return false
	}
	x.Queue.Processed(log)
	s.Release(l, actor.FIFOLock, log)
	x.checkSynced(log)
	x.hand = hand{deltas: x.hand.deltas[:0], notes: x.hand.notes[:0]}
	s.Go(x.loop, actor.LoopPop)
	return true
}

// checkSynced passes on that the queue has synced: to the informer and, each
// by a goroutine of its own, the handlers' trackers. All of these only wait for
// a channel to be closed, so nobody sees one of them before the next.
func (x *Informer) checkSynced(log *event.Log) {
	p := &x.cfg.Profile
	if x.synced || !p.InitialList && !p.LatchedSync || !x.Queue.HasSynced() {
		return
	}
	x.synced = true
	log.Emit(event.Event{Kind: event.InformerHasSynced})
	if !p.InitialList {
		return
	}
	for i := range x.Processor.Listeners {
		if x.Processor.Listeners[i].Joined {
			x.Processor.UpstreamHasSynced(i, log)
		}
	}
}

// HasSynced is sharedIndexInformer.HasSynced.
func (x *Informer) HasSynced() bool {
	if x.cfg.Profile.LatchedSync {
		return x.synced
	}
	return x.started && x.newest().Queue.HasSynced()
}

// LastSyncResourceVersion is sharedIndexInformer.LastSyncResourceVersion.
func (x *Informer) LastSyncResourceVersion() object.RV { return x.newest().Reflector.RV() }

// send is listener.add: a send on addCh, which pop is always there to receive.
func (x *Informer) send(s *actor.Set, i int, n processor.Notification, log *event.Log) {
	if j := x.Processor.Add(i, n, log); j >= 0 {
		x.offer(s, i, j)
	}
}
