package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/processor"
)

// minimumResync is the shortest resync period, minimumResyncPeriod.
const minimumResync = 1_000_000_000

// minResyncPeriod returns the resync period of a handler that asks for d: AddEventHandlerWithResyncPeriod
// raises too short a period.
func minResyncPeriod(d int64) int64 {
	if d <= 0 {
		return d
	}
	return max(d, minimumResync)
}

// checkResyncBy shortens resyncCheckPeriod for a handler that asks for the resync period d. Once
// the informer runs, no handler can. An informer without a resyncCheckPeriod never resyncs,
// whatever its handlers ask for.
func (x *Informer) checkResyncBy(d int64) {
	if d > 0 && d < x.resyncPeriod && !x.life.started {
		x.resyncPeriod = d
		x.Processor.ResyncCheckPeriodChanged(d)
	}
}

// start lets handler i join, with its pop and run if the others' run.
func (x *Informer) start(s *actor.Set, i int, log *event.Log) {
	l := &x.Processor.Listeners[i]
	if x.life.started {
		l.Added = s.Now
	}
	l.Requested = minResyncPeriod(l.Requested)
	x.checkResyncBy(l.Requested)
	x.Processor.Join(i, processor.DetermineResyncPeriod(l.Requested, x.resyncPeriod), log)
	if !x.life.unstarted {
		listen(s, l)
	}
}

// listen starts the pop and the run of a listener.
func listen(s *actor.Set, l *processor.Listener) {
	s.Block(l.PairAt(0).Pop, actor.PopReceive, actor.OnReceive, actor.AddCh)
	s.Block(l.PairAt(0).Run, actor.RunReceive, actor.OnReceive, actor.NextCh)
}

// Distribute models sharedProcessor.distribute, called by a program that uses a processor
// alone. It adds the handlers that are new and starts their goroutines, as addListener
// does. No other actor of the informer ever moves then. The informer must not have been
// started.
func (x *Informer) Distribute(s *actor.Set, n processor.Notification, log *event.Log) {
	if !x.alone {
		x.alone = true
		for id := range actor.ID(s.Len()) {
			if r := s.Role(id); r.Informer == x.index && r.Kind != actor.Pop && r.Kind != actor.Run {
				s.Stop(id)
			}
		}
	}
	for i := range x.Processor.Listeners {
		if l := &x.Processor.Listeners[i]; !l.Joined && !l.Removed {
			x.start(s, i, log)
		}
	}
	n.Emit(event.Distributed, log)
	for i := x.Processor.Receives(0, false, log); i >= 0; i = x.Processor.Receives(i+1, false, log) {
		x.send(s, i, n, log)
	}
}

// Distributes reports whether the processor is used alone: see [Informer.Distribute].
func (x *Informer) Distributes() bool { return x.alone }

// awaitsListeners models distribute, from v0.36 on, giving listenersLock back until the listeners'
// goroutines run. It reports false if there is no listener, and in earlier versions.
func (x *Informer) awaitsListeners(s *actor.Set, log *event.Log) bool {
	if !x.cfg.Profile.AwaitsListeners || x.Processor.Receives(0, false, log) < 0 {
		return false
	}
	s.Release(&x.Locks[actor.ListenersLock], actor.ListenersLock, log)
	s.Block(x.loop, actor.LoopLock, actor.OnCond, 0)
	return true
}

// send models listener.add: a send on addCh, which pop, once it runs, is always there to receive.
func (x *Informer) send(s *actor.Set, i int, n processor.Notification, log *event.Log) {
	if j := x.Processor.Add(i, n, log); j >= 0 {
		x.offer(s, i, j)
	}
}

// offer lets the pop of a pair offer what is in its slot to nextCh: at once if a
// run is there to receive, or else when one comes back from its handler.
func (x *Informer) offer(s *actor.Set, i, pair int) {
	l := &x.Processor.Listeners[i]
	pop := l.PairAt(pair).Pop
	if receiver(s, l) >= 0 {
		s.Schedule(pop, actor.PopNext)
		return
	}
	s.Block(pop, actor.PopNext, actor.OnSend, actor.NextCh)
}

// receiver returns the pair whose run has waited longest for nextCh, or -1.
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
	for k := range l.Pairs() {
		if pop := l.PairAt(l.PopAt(k)).Pop; s.State(pop).Wait == actor.OnSend {
			s.Schedule(pop, actor.PopNext)
			return
		}
	}
}

// popNext models processorListener.pop sending its notification on nextCh.
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
	s.Schedule(l.PairAt(to).Run, actor.RunCall)
	if full {
		x.offer(s, i, from)
		return false
	}
	s.Block(pop, actor.PopReceive, actor.OnReceive, actor.AddCh)
	return false
}

// runCall models processorListener.run calling the handler.
func (x *Informer) runCall(s *actor.Set, run actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	role := s.Role(run)
	i, h := int(role.Index), &x.cfg.Handlers[role.Index]
	takes := h.duration(x.Processor.Listeners[i].Calls)
	unled := h.IfLeader && x.unled()
	if unled {
		takes = 0
	}
	x.Processor.Call(i, int(role.Pair), s.Now, takes, log)
	x.Processor.Listeners[i].PairAt(int(role.Pair)).Unled = unled
	n := x.HandlerNotification(role)
	next := actor.RunReturn
	if !unled && h.Workqueue && !h.trips(n) {
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
		s.Schedule(run, next)
	}
	return false
}

// runWork models the handler putting the key on the workqueue.
func (x *Informer) runWork(s *actor.Set, run actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	role := s.Role(run)
	x.Work.Add(s, x.Processor.Listeners[role.Index].PairAt(int(role.Pair)).InHand.Key, 0, log)
	s.Schedule(run, actor.RunReturn)
	return false
}

// HandlerNotification returns the notification that the handler of an actor, which is one of x's, is called
// with.
func (x *Informer) HandlerNotification(r actor.Role) *processor.Notification {
	return &x.Processor.Listeners[r.Index].PairAt(int(r.Pair)).InHand
}

// runReturn models the handler returning to processorListener.run.
func (x *Informer) runReturn(s *actor.Set, run actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	role := s.Role(run)
	i := int(role.Index)
	n := x.HandlerNotification(role)
	switch h := &x.cfg.Handlers[i]; {
	case x.Processor.Listeners[i].PairAt(int(role.Pair)).Unled:
		log.Emit(event.Event{Kind: event.HandlerUnled, Listener: role.Index, Key: n.Key})
	case !h.trips(n):
	case h.Panics: // HandleCrash says what it was, and panics again
		log.Emit(event.Event{Kind: event.HandlerPanicked, Listener: role.Index, Delta: event.Delta(n.Type), Key: n.Key})
		x.Die(s, PanicError{h.Name})
		return true
	default:
		log.Emit(event.Event{Kind: event.TombstoneIgnored, Listener: role.Index, Key: n.Key, Old: n.Old})
	}
	l := &x.Processor.Listeners[i]
	handled(x.cfg.Table, l, n)
	x.Processor.Return(i, int(role.Pair), log)
	if l.Joined {
		s.Block(run, actor.RunReceive, actor.OnReceive, actor.NextCh)
		x.serve(s, i)
		return true
	}
	s.Stop(run)
	x.endRun(s, log)
	return true
}

// PanicError is the panic of a handler.
type PanicError struct{ Handler string }

func (e PanicError) Error() string { return "panic in the handler " + e.Handler }

// closeListeners models the end of sharedProcessor.run: it closes each listener's
// addCh, and pop, which sees that, closes nextCh. Go allows neither a second
// time.
func (x *Informer) closeListeners(s *actor.Set, log *event.Log) {
	if x.Processor.Closed() {
		x.Die(s, ChannelError{Close: true})
		return
	}
	for i := range x.Processor.Listeners {
		l := &x.Processor.Listeners[i]
		if !l.Joined {
			continue
		}
		x.Processor.Close(i, log)
		x.silence(s, i)
		if l.Pairs() > 1 {
			x.Die(s, ChannelError{Close: true})
			return
		}
	}
}

// silence ends the goroutines of listener i, whose addCh was closed: pop, and run with it,
// unless it is in the middle of a call.
func (x *Informer) silence(s *actor.Set, i int) {
	l := &x.Processor.Listeners[i]
	s.Stop(l.PairAt(0).Pop)
	if s.State(l.PairAt(0).Run).PC == actor.RunReceive {
		s.Stop(l.PairAt(0).Run)
	}
}

// ChannelError is the panic of a goroutine that uses a listener's channel after
// another call of Run has closed it.
type ChannelError struct{ Close bool } // it closes the channel, or else sends on it

func (e ChannelError) Error() string {
	if e.Close {
		return "close of closed channel"
	}
	return "send on closed channel"
}

// endRun models the end of Run: it waits for all handlers that are in a call, also for
// removed ones. sharedProcessor.run holds listenersLock meanwhile.
func (x *Informer) endRun(s *actor.Set, log *event.Log) {
	if x.life.returning == 0 || x.inHandler(s) {
		return
	}
	if l := &x.Locks[actor.ListenersLock]; l.Holder() == x.loop {
		s.Release(l, actor.ListenersLock, log)
	}
	for ; x.life.returning > 0; x.life.returning-- {
		log.Emit(event.Event{Kind: event.InformerStopped})
	}
}

func (x *Informer) inHandler(s *actor.Set) bool {
	for i := range x.Processor.Listeners {
		l := &x.Processor.Listeners[i]
		for j := range l.Pairs() {
			if s.State(l.PairAt(j).Run).Wait != actor.Stopped {
				return true
			}
		}
	}
	return false
}
