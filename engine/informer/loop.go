package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// pop is controller.processLoop calling Pop: it takes the head of the queue, and
// with it blockDeltas if that is free.
func (x *Informer) pop(s *actor.Set, loop actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	l, p := &x.Locks[actor.FIFOLock], &x.cfg.Profile
	if x.life.stopping && p.StopsAtOnce {
		s.Stop(loop)
		x.returned(s, log)
		return false
	}
	if l.Holder() == actor.Nobody && x.Queue.Depth() == 0 {
		x.Queue.Pop(nil, log)
		s.Passed(l)
		if x.Queue.Closed() {
			s.Stop(loop)
			x.returned(s, log)
			return false
		}
		s.Block(loop, actor.LoopPop, actor.OnCond, 0)
		return false
	}
	if !s.Acquire(l, actor.FIFOLock, loop, actor.LoopPop, log) {
		return false
	}
	x.hadSynced = x.Queue.HasSynced()
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
	if p.LatchedSync {
		x.checkSynced(log)
	}
	return x.block(s, loop, actor.LoopBlock, log)
}

// block is HandleDeltas taking blockDeltas.
func (x *Informer) block(s *actor.Set, loop actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	if s.Acquire(&x.Locks[actor.BlockDeltas], actor.BlockDeltas, loop, actor.LoopBlock, log) {
		s.Go(loop, actor.LoopStore)
	}
	return false
}

// distribute hands the notification to the next listener that is to have it.
// After the last listener, the process loop goes on.
func (x *Informer) distribute(s *actor.Set, loop actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	h := &x.hand
	n := &h.notes[h.noted]
	sync := n.Flags&event.IsSync != 0
	if !h.holding {
		if !s.Acquire(&x.Locks[actor.ListenersLock], actor.ListenersLock, loop, actor.LoopLock, log) {
			return false
		}
		if x.life.unstarted && awaitsListeners(x, s, log) {
			return false
		}
		h.holding = true
		n.Emit(event.Distributed, log)
		if x.Processor.Panics(sync) {
			x.Die(s, ChannelError{})
			return false
		}
		h.to = x.Processor.Receives(0, sync, log)
	}
	if h.to >= 0 {
		if x.life.unstarted {
			s.Block(loop, actor.LoopDistribute, actor.OnSend, actor.AddCh)
			return false
		}
		x.send(s, h.to, *n, log)
		h.to = x.Processor.Receives(h.to+1, sync, log)
	}
	if h.to >= 0 {
		s.Go(loop, actor.LoopDistribute)
		return false
	}
	s.Release(&x.Locks[actor.ListenersLock], actor.ListenersLock, log)
	h.holding = false
	if h.noted++; h.noted < len(h.notes) {
		s.Go(loop, actor.LoopDistribute)
	} else {
		x.nextDelta(s)
	}
	return false
}

// nextDelta goes on to the next delta that was popped.
func (x *Informer) nextDelta(s *actor.Set) {
	if x.hand.next() {
		s.Go(x.loop, actor.LoopStore)
	} else {
		s.Go(x.loop, actor.LoopRelease)
	}
}

// release is the process function returning, and Pop after it. A queue that was
// unlocked meanwhile is locked again, to be told that its deltas have been
// processed.
func (x *Informer) release(s *actor.Set, loop actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	if l := &x.Locks[actor.BlockDeltas]; l.Holder() == loop {
		s.Release(l, actor.BlockDeltas, log)
	}
	l := &x.Locks[actor.FIFOLock]
	if l.Holder() != loop && !s.Acquire(l, actor.FIFOLock, loop, actor.LoopRelease, log) {
		return false
	}
	x.Queue.Processed(log)
	s.Release(l, actor.FIFOLock, log)
	x.checkSynced(log)
	x.hand.release()
	s.Go(loop, actor.LoopPop)
	return true
}

// checkSynced passes on that the queue has synced: to the informer and, each
// by a goroutine of its own, the handlers' trackers. All of these only wait for
// a channel to be closed, so nobody sees one of them before the next. From v0.36
// on the informer's goroutine has gone after a stop, and nobody waits for the
// queue's lock: a DeltaFIFO closes the channel when the last object of the first
// list is popped, before that object is stored.
func (x *Informer) checkSynced(log *event.Log) {
	p := &x.cfg.Profile
	if x.synced || !p.InitialList && !p.LatchedSync || p.LatchedSync && x.life.stopping || !x.Queue.HasSynced() {
		return
	}
	x.synced = true
	log.Emit(event.Event{Kind: event.InformerHasSynced})
	if !p.InitialList {
		return
	}
	for i := range x.Processor.Listeners {
		// Up to v0.35 a registration asks the informer, also when it was removed.
		if l := &x.Processor.Listeners[i]; l.Joined || l.Removed && !p.LatchedSync {
			x.Processor.UpstreamHasSynced(i, log)
		}
	}
}

// HasSynced is what sharedIndexInformer.HasSynced has answered by now. Up to
// v0.35 it takes the queue's lock, which Pop holds until the object is stored.
// A caller has no answer until then.
func (x *Informer) HasSynced() bool {
	if x.cfg.Profile.LatchedSync {
		return x.synced
	}
	c, l := &x.Controller, &x.Locks[actor.FIFOLock]
	if n := len(x.more); n > 0 {
		c, l = &x.more[n-1].Controller, &x.more[n-1].fifo
	}
	return x.life.started && c.Queue.HasSynced() && (c.hadSynced || l.Holder() == actor.Nobody)
}

// LastSyncResourceVersion is sharedIndexInformer.LastSyncResourceVersion.
func (x *Informer) LastSyncResourceVersion() object.RV { return x.newest().Reflector.RV() }

// send is listener.add: a send on addCh, which pop, once it runs, is always there to receive.
func (x *Informer) send(s *actor.Set, i int, n processor.Notification, log *event.Log) {
	if j := x.Processor.Add(i, n, log); j >= 0 {
		x.offer(s, i, j)
	}
}
