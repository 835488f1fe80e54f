package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/processor"
)

// listen starts the pop and the run of a listener.
func listen(s *actor.Set, l *processor.Listener) {
	s.Block(l.PairAt(0).Pop, actor.PopReceive, actor.OnReceive, actor.AddCh)
	s.Block(l.PairAt(0).Run, actor.RunReceive, actor.OnReceive, actor.NextCh)
}

// stepProcessor is sharedProcessor.run starting the listeners' goroutines, where that may come
// late. It takes listenersLock to read the listeners. A lock that is held for reading can be
// taken once more, but not while somebody waits to write, as a resync does. From v0.36 on,
// sharedProcessor.run writes, and finds that the process loop has given the lock back.
func stepProcessor(x *Informer, s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	l := &x.Locks[actor.ListenersLock]
	if l.Holder() != actor.Nobody && len(l.Waiters()) > 0 {
		s.WaitFor(l, actor.ListenersLock, id, pc, log)
		return false
	}
	x.life.unstarted = false
	n := int64(0)
	for i := range x.Processor.Listeners {
		if l := &x.Processor.Listeners[i]; l.Joined {
			listen(s, l)
			n++
		}
	}
	log.Emit(event.Event{Kind: event.ListenersStarted, N: n})
	if l.Holder() == actor.Nobody {
		s.Passed(l)
	}
	for _, id := range [...]actor.ID{x.loop, x.user.id} {
		if st := s.State(id); st.Wait == actor.OnSend || st.Wait == actor.OnCond && st.PC == actor.LoopLock {
			s.Wake(id)
		}
	}
	s.Stop(id)
	if x.life.stopping {
		x.returned(s, log)
	}
	return true
}

// awaitsListeners is distribute, from v0.36 on, giving listenersLock back until the listeners'
// goroutines run. It reports false if there is no listener, and in earlier versions.
func awaitsListeners(x *Informer, s *actor.Set, log *event.Log) bool {
	if !x.cfg.Profile.AwaitsListeners || x.Processor.Receives(0, false, log) < 0 {
		return false
	}
	s.Release(&x.Locks[actor.ListenersLock], actor.ListenersLock, log)
	s.Block(x.loop, actor.LoopLock, actor.OnCond, 0)
	return true
}

// offer lets the pop of a pair offer what is in its slot to nextCh: at once if a
// run is there to receive, or else when one comes back from its handler.
func (x *Informer) offer(s *actor.Set, i, pair int) {
	l := &x.Processor.Listeners[i]
	pop := l.PairAt(pair).Pop
	if receiver(s, l) >= 0 {
		s.Go(pop, actor.PopNext)
		return
	}
	s.Block(pop, actor.PopNext, actor.OnSend, actor.NextCh)
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
func serve(x *Informer, s *actor.Set, i int) {
	l := &x.Processor.Listeners[i]
	for k := range l.Pairs() {
		if pop := l.PairAt(l.PopAt(k)).Pop; s.State(pop).Wait == actor.OnSend {
			s.Go(pop, actor.PopNext)
			return
		}
	}
}

// popNext is processorListener.pop sending its notification on nextCh.
func (x *Informer) popNext(s *actor.Set, pop actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	role := s.Role(pop)
	i, from := int(role.Index), int(role.Pair)
	l := &x.Processor.Listeners[i]
	to := receiver(s, l)
	if to < 0 { // the pop of another pair was faster
		x.offer(s, i, from)
		return false
	}
	full := x.Processor.Next(i, from, to, log)
	s.Go(l.PairAt(to).Run, actor.RunCall)
	if full {
		x.offer(s, i, from)
		return false
	}
	s.Block(pop, actor.PopReceive, actor.OnReceive, actor.AddCh)
	return false
}

// runCall is processorListener.run calling the handler.
func (x *Informer) runCall(s *actor.Set, run actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	role := s.Role(run)
	i, h := int(role.Index), &x.cfg.Handlers[role.Index]
	takes := h.takes(x.Processor.Listeners[i].Calls)
	x.Processor.Call(i, int(role.Pair), s.Now, takes, log)
	n := &x.Processor.Listeners[i].PairAt(int(role.Pair)).InHand
	next := actor.RunReturn
	if h.Workqueue && !h.trips(n) {
		if next = actor.RunWork; h.Feeds != nil {
			next = actor.RunEnqueue
		}
	}
	switch {
	case takes == Forever:
		s.Block(run, next, actor.OnCall, 0)
	case takes > 0:
		s.Sleep(run, next, actor.OnCall, actor.After(s.Now, takes))
	default:
		s.Go(run, next)
	}
	return false
}

// trips tells whether a call of the handler ends before it has done its work: it
// panics, or its type assertion fails.
func (h *Handler) trips(n *processor.Notification) bool {
	if h.Blind {
		return n.Type == processor.Delete && n.Flags&event.Tombstone != 0
	}
	return h.Panics
}

// runWork is the handler putting the key on the workqueue.
func (x *Informer) runWork(s *actor.Set, run actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	role := s.Role(run)
	x.Work.Add(s, x.Processor.Listeners[role.Index].PairAt(int(role.Pair)).InHand.Key, 0, log)
	s.Go(run, actor.RunReturn)
	return false
}

// Called is the notification that the handler of an actor, which is one of x's, is called
// with.
func Called(x *Informer, r actor.Role) *processor.Notification {
	return &x.Processor.Listeners[r.Index].PairAt(int(r.Pair)).InHand
}

// runReturn is the handler returning to processorListener.run.
func (x *Informer) runReturn(s *actor.Set, run actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	role := s.Role(run)
	i := int(role.Index)
	l := &x.Processor.Listeners[i]
	n := &l.PairAt(int(role.Pair)).InHand
	switch h := &x.cfg.Handlers[i]; {
	case !h.trips(n):
	case h.Panics: // HandleCrash says what it was, and panics again
		log.Emit(event.Event{Kind: event.HandlerPanicked, Listener: role.Index, Delta: event.Delta(n.Type), Key: n.Key})
		x.Die(s, PanicError{h.Name})
		return true
	default:
		log.Emit(event.Event{Kind: event.TombstoneIgnored, Listener: role.Index, Key: n.Key, Old: n.Old})
	}
	handled(x.cfg.Table, l, n)
	x.Processor.Return(i, int(role.Pair), log)
	if l.Joined {
		s.Block(run, actor.RunReceive, actor.OnReceive, actor.NextCh)
		serve(x, s, i)
		return true
	}
	s.Stop(run)
	x.endRun(s, log)
	return true
}

// PanicError is the panic of a handler.
type PanicError struct{ Handler string }

func (e PanicError) Error() string { return "panic in the handler " + e.Handler }

// silence ends the goroutines of listener i, whose addCh was closed: pop, and run with it,
// unless it is in the middle of a call.
func (x *Informer) silence(s *actor.Set, i int) {
	l := &x.Processor.Listeners[i]
	s.Stop(l.PairAt(0).Pop)
	if s.State(l.PairAt(0).Run).PC == actor.RunReceive {
		s.Stop(l.PairAt(0).Run)
	}
}
