package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// stepLoop is controller.processLoop: Pop, and HandleDeltas within it.
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
		s.Release(&x.Locks[actor.BlockDeltas], actor.BlockDeltas, log)
		s.Release(&x.Locks[actor.FIFOLock], actor.FIFOLock, log)
		x.Queue.Processed(log)
		x.hand = hand{deltas: x.hand.deltas[:0]}
		s.Go(x.loop, actor.LoopPop)
		return true
	}
	return false
}

// pop takes the head of the queue, and with it blockDeltas if that is free.
func (x *Informer) pop(s *actor.Set, log *event.Log) {
	l := &x.Locks[actor.FIFOLock]
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
	x.hand.deltas, _ = x.Queue.Pop(x.hand.deltas[:0], log)
	x.hand.at = 0
	if s.Acquire(&x.Locks[actor.BlockDeltas], actor.BlockDeltas, x.loop, actor.LoopBlock, log) {
		s.Go(x.loop, actor.LoopStore)
	}
}

// store applies one delta to the indexer, and makes the notification of it.
func (x *Informer) store(s *actor.Set, log *event.Log) (finished bool) {
	d := x.hand.deltas[x.hand.at]
	n, err := x.apply(d, log)
	if err != nil {
		x.die(s, err)
		return true
	}
	x.hand.note, x.hand.to = n, 0
	s.Go(x.loop, actor.LoopDistribute)
	return false
}

// apply is one round of HandleDeltas. Only an IndexFunc can fail, and that is a
// panic: objects without a key never get into the queue.
func (x *Informer) apply(d fifo.Delta, log *event.Log) (processor.Notification, error) {
	n := processor.Notification{Key: d.Key}
	old, exists := x.Indexer.GetByKey(d.Key)
	switch {
	case d.Type == event.Deleted:
		n.Type, n.Old, n.Tomb = processor.Delete, d.Obj, d.Tomb > 0
		return n, x.Indexer.Delete(d.Key, x.rv(d.Obj), d.Tomb == 0, log)
	case exists:
		n.Type, n.Old, n.New = processor.Update, old, d.Obj
		n.Sync = d.Type == event.Sync || d.Type == event.Replaced && x.rv(old) == x.rv(d.Obj)
		return n, x.Indexer.Update(d.Obj, log)
	default:
		n.Type, n.New = processor.Add, d.Obj
		return n, x.Indexer.Add(d.Obj, log)
	}
}

func (x *Informer) rv(r object.Ref) object.RV { return x.cfg.Table.Meta(r).RV }

// distribute hands the notification to the next listener that is to have it,
// and goes on to the next delta after the last.
func (x *Informer) distribute(s *actor.Set, log *event.Log) {
	h := &x.hand
	if !h.holding {
		if !s.Acquire(&x.Locks[actor.ListenersLock], actor.ListenersLock, x.loop, actor.LoopLock, log) {
			return
		}
		h.holding = true
		log.Emit(h.note.Event(event.Distributed))
		h.to = x.Processor.Receives(0, h.note.Sync, log)
	}
	if h.to >= 0 {
		x.send(s, h.to, h.note, log)
		h.to = x.Processor.Receives(h.to+1, h.note.Sync, log)
	}
	if h.to >= 0 {
		s.Go(x.loop, actor.LoopDistribute)
		return
	}
	s.Release(&x.Locks[actor.ListenersLock], actor.ListenersLock, log)
	h.holding, h.note = false, processor.Notification{}
	if h.at++; h.at < len(h.deltas) {
		s.Go(x.loop, actor.LoopStore)
	} else {
		s.Go(x.loop, actor.LoopRelease)
	}
}

// send is listener.add: a send on addCh, which pop is always there to receive.
func (x *Informer) send(s *actor.Set, i int, n processor.Notification, log *event.Log) {
	if x.Processor.Add(i, n, log) {
		x.offer(s, i)
	}
}

// offer lets pop offer what is in its slot to nextCh: at once if run is there
// to receive, or else when it comes back from its handler.
func (x *Informer) offer(s *actor.Set, i int) {
	l := &x.Processor.Listeners[i]
	if s.State(l.Run).PC == actor.RunReceive {
		s.Go(l.Pop, actor.PopNext)
	} else {
		s.Block(l.Pop, actor.PopNext, actor.OnSend, actor.NextCh)
	}
}

// stepListener is processorListener.pop and run.
func (x *Informer) stepListener(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	i := int(s.Role(id).Index)
	l, h := &x.Processor.Listeners[i], &x.cfg.Handlers[i]
	switch pc {
	case actor.PopNext:
		full := x.Processor.Next(i, log)
		s.Go(l.Run, actor.RunCall)
		if full {
			s.Block(id, actor.PopNext, actor.OnSend, actor.NextCh)
		} else {
			s.Block(id, actor.PopReceive, actor.OnReceive, actor.AddCh)
		}
	case actor.RunCall:
		takes := h.takes(l.Calls)
		x.Processor.Call(i, s.Now, takes, log)
		next := actor.RunReturn
		if h.Workqueue {
			next = actor.RunWork
		}
		if takes > 0 {
			s.Sleep(id, next, actor.OnCall, s.Now+takes)
		} else {
			s.Go(id, next)
		}
	case actor.RunWork:
		x.Work.add(s, l.InHand.Key, log)
		s.Go(id, actor.RunReturn)
	default: // RunReturn
		x.Processor.Return(i, log)
		if x.stopped {
			s.Stop(id)
			return true
		}
		s.Block(id, actor.RunReceive, actor.OnReceive, actor.NextCh)
		if l.Slot.Type != 0 {
			s.Go(l.Pop, actor.PopNext)
		}
		return true
	}
	return false
}
