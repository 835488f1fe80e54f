package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// How far the stations are behind the server. A station has reached a
// resourceVersion if it has dealt with the change that came with it. A station that
// has nothing on its way to it has reached what the station before it has reached.
// While what a list or a resync has brought is on its way, a station stays where it
// was, since the versions in a list come in no order.
//
// With a DeltaFIFO a station may deal with a newer version of one key before an older
// one of another. It then counts as having reached the version that it dealt with
// last.

// CacheReached returns the resourceVersion that the cache has reached, 0 for none yet.
func (x *Informer) CacheReached() object.RV {
	c, _ := x.newest()
	if c.Queue.Depth() > 0 || len(c.hand.deltas) > 0 {
		return x.reached
	}
	return newer(x.reached, c.Reflector.RV())
}

// HandlerReached returns the resourceVersion that handler i has reached: it has returned
// from the calls for it. It is 0 for none yet.
func (x *Informer) HandlerReached(i int) object.RV {
	l := &x.Processor.Listeners[i]
	if !l.Joined || x.user.sendsTo(i) || l.Backlog() > 0 || x.remaining() > 0 {
		return l.Reached
	}
	return x.CacheReached()
}

// remaining returns how many notifications the newest controller has still to distribute.
func (x *Informer) remaining() int {
	c, _ := x.newest()
	return c.Remaining()
}

// noteReached notes what the cache and the handlers have reached, before something new is on
// its way to them.
func (x *Informer) noteReached() {
	x.reached = x.CacheReached()
	if x.remaining() > 0 {
		return
	}
	for i := range x.Processor.Listeners {
		if l := &x.Processor.Listeners[i]; l.Joined && l.Backlog() == 0 && !x.user.sendsTo(i) {
			l.Reached = x.reached
		}
	}
}

// stored notes what the cache has reached with a delta that was applied to it.
func (x *Informer) stored(d fifo.Delta) {
	switch d.Type {
	case event.ReplacedAll, event.Bookmark:
		_, x.reached = x.Queue.List(d)
	case event.Added, event.Updated, event.Deleted:
		if d.Tomb == 0 {
			x.reached = x.cfg.Table.RVOf(d.Obj)
		}
	}
}

// handled notes what a listener's handler has reached with a call that has returned.
func handled(t *object.Table, l *processor.Listener, n *processor.Notification) {
	if n.Cause != event.FromWatch {
		return
	}
	obj := n.New
	if n.Type == processor.Delete {
		obj = n.Old
	}
	l.Reached = t.RVOf(obj)
}

// newer returns the newer one of two resourceVersions, or b if that can't be told.
func newer(a, b object.RV) object.RV {
	if a == b { // as nearly always
		return b
	}
	m, number := a.Number()
	if n, ok := b.Number(); number && ok && m > n {
		return a
	}
	return b
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

// HasSynced reports what sharedIndexInformer.HasSynced has answered by now. Up to
// v0.35 it takes the queue's lock, which Pop holds until the object is stored.
// A caller has no answer until then.
func (x *Informer) HasSynced() bool {
	if x.cfg.Profile.LatchedSync {
		return x.synced
	}
	c, l := x.newest()
	return x.life.started && c.Queue.HasSynced() && (c.hadSynced || l.Holder() == actor.Nobody)
}

// LastSyncResourceVersion returns what
// sharedIndexInformer.LastSyncResourceVersion returns.
func (x *Informer) LastSyncResourceVersion() object.RV {
	c, _ := x.newest()
	return c.Reflector.RV()
}

// waitsToPop reports whether a process loop waits for something to pop.
func waitsToPop(s *actor.Set, loop actor.ID) bool {
	st := s.State(loop)
	return st.Wait == actor.OnCond && st.PC == actor.LoopPop
}

// broadcast wakes the process loop if it waits for something to pop.
func (x *Informer) broadcast(s *actor.Set, log *event.Log) {
	if x.Queue.Depth() > 0 && waitsToPop(s, x.loop) {
		s.Wake(x.loop)
	}
	if !x.synced {
		x.checkSynced(log)
	}
}
