package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

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
		if !l.Joined {
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

// silence closes the addCh of listener i: pop ends, and run with it, unless it
// is in the middle of a call.
func (x *Informer) silence(s *actor.Set, i int, log *event.Log) {
	l := &x.Processor.Listeners[i]
	x.Processor.Stop(i, log)
	s.Stop(l.Pop)
	if s.State(l.Run).PC == actor.RunReceive {
		s.Stop(l.Run)
	}
}
