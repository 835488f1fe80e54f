package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/processor"
)

// offer lets the pop of a pair offer what is in its slot to nextCh: at once if a
// run is there to receive, or else when one comes back from its handler.
func (x *Informer) offer(s *actor.Set, i, pair int) {
	l := &x.Processor.Listeners[i]
	if l.Pairs() == 1 {
		if s.State(l.Run).PC == actor.RunReceive {
			s.Go(l.Pop, actor.PopNext)
		} else {
			s.Block(l.Pop, actor.PopNext, actor.OnSend, actor.NextCh)
		}
		return
	}
	if receiver(s, l) >= 0 {
		s.Go(l.PairAt(pair).Pop, actor.PopNext)
	} else {
		s.Block(l.PairAt(pair).Pop, actor.PopNext, actor.OnSend, actor.NextCh)
	}
}

// receiver is the pair whose run has waited longest for nextCh, or -1.
func receiver(s *actor.Set, l *processor.Listener) int {
	for k := range l.Pairs() {
		if j := l.RunAt(k); s.State(l.PairAt(j).Run).PC == actor.RunReceive {
			return j
		}
	}
	return -1
}

// serve lets the pop go on that has waited longest to send on nextCh, now that
// there is a run to receive.
func (x *Informer) serve(s *actor.Set, i int) {
	l := &x.Processor.Listeners[i]
	if l.Pairs() == 1 {
		if l.Slot.Type != 0 {
			s.Go(l.Pop, actor.PopNext)
		}
		return
	}
	for k := range l.Pairs() {
		if pop := l.PairAt(l.PopAt(k)).Pop; s.State(pop).Wait == actor.OnSend {
			s.Go(pop, actor.PopNext)
			return
		}
	}
}

// stepListener is processorListener.pop and run.
func (x *Informer) stepListener(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	i := int(s.Role(id).Index)
	l, h := &x.Processor.Listeners[i], &x.cfg.Handlers[i]
	pair := l.PairOf(id)
	switch pc {
	case actor.PopNext:
		to := 0
		if l.Pairs() > 1 {
			if to = receiver(s, l); to < 0 { // the pop of another pair was faster
				x.offer(s, i, pair)
				return false
			}
		}
		full := x.Processor.Next(i, pair, to, log)
		s.Go(l.PairAt(to).Run, actor.RunCall)
		if full {
			x.offer(s, i, pair)
		} else {
			s.Block(id, actor.PopReceive, actor.OnReceive, actor.AddCh)
		}
	case actor.RunCall:
		takes := h.takes(l.Calls)
		x.Processor.Call(i, pair, s.Now, takes, log)
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
		x.Work.add(s, l.PairAt(pair).InHand.Key, log)
		s.Go(id, actor.RunReturn)
	default: // RunReturn
		x.Processor.Return(i, pair, log)
		if !l.Joined {
			s.Stop(id)
			return true
		}
		s.Block(id, actor.RunReceive, actor.OnReceive, actor.NextCh)
		x.serve(s, i)
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
