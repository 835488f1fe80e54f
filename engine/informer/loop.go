package informer

import (
	"errors"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/indexer"
)

// pop models controller.processLoop calling Pop: it takes the head of the queue, and
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
	h.pos, h.head = 0, x.Queue.Head()
	if !h.head.KeepsLock {
		s.Release(l, actor.FIFOLock, log)
	}
	if p.LatchedSync {
		x.checkSynced(log)
	}
	return x.block(s, loop, actor.LoopBlock, log)
}

// block models HandleDeltas taking blockDeltas.
func (x *Informer) block(s *actor.Set, loop actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	if s.Acquire(&x.Locks[actor.BlockDeltas], actor.BlockDeltas, loop, actor.LoopBlock, log) {
		s.Schedule(loop, actor.LoopStore)
	}
	return false
}

// store applies a delta to the indexer, or all of them where they are a batch,
// and makes the notifications. Nobody sees an error, but what the delta stands
// for is lost. A panic is the end of the process.
func (x *Informer) store(s *actor.Set, loop actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	x.noteReached()
	h := &x.hand
	h.begin()
	var err error
	if h.head.Batch {
		err = h.applyBatch(x.cfg, x.Indexer, log)
		h.pos = len(h.deltas) - 1
		for _, d := range h.deltas {
			x.stored(d)
		}
	} else {
		d := h.deltas[h.pos]
		x.stored(d)
		if err = h.apply(x.cfg, x.Indexer, x.Queue, log); err != nil {
			log.Emit(event.Event{Kind: event.ProcessFailed, Delta: d.Type, Key: d.Key, New: d.Obj, Flags: d.Flags()})
			h.pos = len(h.deltas) - 1 // the newer Deltas of the key are lost with this one
		}
	}
	if x.cfg.DetectMutations {
		for i := range h.notes {
			if obj := h.notes[i].New; obj != 0 {
				x.detector.addObject(obj, x.Indexer)
			}
		}
	}
	if err != nil {
		if errors.As(err, new(indexer.Panicked)) {
			x.Die(s, err)
			return true
		}
	}
	if len(h.notes) > 0 {
		s.Schedule(loop, actor.LoopDistribute)
	} else {
		x.nextDelta(s)
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
		if x.life.unstarted && x.awaitsListeners(s, log) {
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
		s.Schedule(loop, actor.LoopDistribute)
		return false
	}
	s.Release(&x.Locks[actor.ListenersLock], actor.ListenersLock, log)
	h.holding = false
	if h.noted++; h.noted < len(h.notes) {
		s.Schedule(loop, actor.LoopDistribute)
	} else {
		x.nextDelta(s)
	}
	return false
}

func (x *Informer) nextDelta(s *actor.Set) {
	if x.hand.next() {
		s.Schedule(x.loop, actor.LoopStore)
	} else {
		s.Schedule(x.loop, actor.LoopRelease)
	}
}

// release models the process function returning, and Pop after it. A queue that was
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
	s.Schedule(loop, actor.LoopPop)
	return true
}

// returned ends the processor once reflector and process loop of its controller
// have returned. An AddEventHandler under way holds startedLock, so it is waited
// for. The processor itself first starts the listeners.
func (x *Informer) returned(s *actor.Set, log *event.Log) {
	if x.ended || x.life.unstarted || !x.abandoned && s.State(x.refl).Wait != actor.Stopped || s.State(x.loop).Wait != actor.Stopped {
		return
	}
	if pc := s.State(x.user.id).PC; pc == actor.UserInitial || pc == actor.UserReleases {
		return
	}
	x.ended = true
	x.life.stopped = true
	if x.cfg.DetectMutations {
		s.Stop(x.compares)
	}
	x.closeListeners(s, log)
	if x.life.crash != nil {
		return
	}
	x.life.returning++
	x.endRun(s, log)
	if x.life.returning > 0 && x.Locks[actor.ListenersLock].Holder() == actor.Nobody {
		s.Acquire(&x.Locks[actor.ListenersLock], actor.ListenersLock, x.loop, actor.LoopPop, log)
	}
}
