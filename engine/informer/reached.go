package informer

import (
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

// CacheReached is the resourceVersion that the cache has reached, 0 for none yet.
func (x *Informer) CacheReached() object.RV {
	c := x.newest()
	if c.Queue.Depth() > 0 || len(c.hand.deltas) > 0 {
		return x.reached
	}
	return newer(x.reached, c.Reflector.RV())
}

// HandlerReached is the resourceVersion that handler i has reached: it has returned
// from the calls for it. It is 0 for none yet.
func (x *Informer) HandlerReached(i int) object.RV {
	l := &x.Processor.Listeners[i]
	if !l.Joined || x.user.sendsTo(i) || l.Behind() > 0 || x.newest().Remaining() > 0 {
		return l.Reached
	}
	return x.CacheReached()
}

// noteReached notes what the cache and the handlers have reached, before something new is on
// its way to them.
func (x *Informer) noteReached() {
	x.reached = x.CacheReached()
	if x.newest().Remaining() > 0 {
		return
	}
	for i := range x.Processor.Listeners {
		if l := &x.Processor.Listeners[i]; l.Joined && l.Behind() == 0 && !x.user.sendsTo(i) {
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

// newer is the newer one of two resourceVersions, or b if that can't be told.
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
