package cause

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// loop looks at a step of the process loop.
func (c *controller) loop(t *Tracker) {
	switch pc := t.w.Last.PC; {
	case pc == actor.LoopStore:
		c.at++
		c.noted()
	case pc == actor.LoopRelease:
		c.release()
	}
	for _, e := range t.facts() {
		l := t.link(e)
		switch e.Kind {
		case event.Popped:
			c.pop(t, l)
		case event.LockWaits:
			for i, n := range c.hand {
				if n != nil && !n.Over && (c.batch(t) || i >= c.at) {
					n.link(l)
				}
			}
		case event.StoreAdded, event.StoreUpdated, event.StoreDeleted, event.StoreReplaced, event.StoreListed, event.StoreBookmarked:
			c.store(t, l)
		case event.ProcessFailed:
			c.fail(t, l)
		case event.Distributed:
			c.distribute(t, l)
		case event.ListenerSkipped:
			c.note.link(l)
		case event.ListenerAddCh:
			t.takes(c.note, l)
		case event.ListenerSlot, event.ListenerPending:
			t.places(l)
		case event.LockReleased:
			if actor.LockID(e.Lock()) == actor.ListenersLock {
				c.noted()
			}
		}
	}
}

// batch reports whether what was popped is processed as one.
func (c *controller) batch(t *Tracker) bool {
	return len(c.hand) > 1 && t.x.Config().Profile.InOrder
}

// pop takes deltas out of the queue: all deltas of a key out of a DeltaFIFO, a single one out of a RealFIFO.
func (c *controller) pop(t *Tracker, l Link) {
	e, n := l.Event, 1
	if !t.x.Config().Profile.InOrder {
		n = e.Length()
	}
	if !t.follows(e.Key) {
		c.hand = append(c.hand, make([]*Node, n)...)
		return
	}
	row := c.rows[e.Key]
	for _, d := range row[:n] {
		d.link(l)
		c.hand = append(c.hand, d)
	}
	if c.rows[e.Key] = row[n:]; len(row) == n {
		delete(c.rows, e.Key)
	}
}

// working is the delta at work that a fact about the key k belongs to.
func (c *controller) working(t *Tracker, k object.Key) *Node {
	if c.batch(t) {
		for _, n := range c.hand {
			if n != nil && n.Key == k {
				return n
			}
		}
		return nil
	}
	if c.at < 0 || c.at >= len(c.hand) {
		return nil
	}
	return c.hand[c.at]
}

// store notes what a delta does to the cache.
func (c *controller) store(t *Tracker, l Link) {
	e := l.Event
	n := c.working(t, e.Key)
	if n == nil {
		return
	}
	n.link(l)
	switch e.Kind {
	case event.StoreReplaced, event.StoreListed:
		c.all = all{of: n, each: map[object.Key]*Node{}, items: c.behind[n]}
		delete(c.behind, n)
		if e.Kind == event.StoreReplaced {
			c.replaced(t)
		}
	case event.StoreDeleted:
		t.leaves(e.Key, n)
	case event.StoreAdded, event.StoreUpdated:
		if n.First().Event.Delta == event.Sync && e.Old == e.New {
			return // the object is the one that the cache had
		}
		t.cache[e.Key] = n
		delete(t.gone, e.Key)
	}
}

// brought is the version that a Delta has brought into the cache.
func (n *Node) brought() (rv object.RV) {
	for i := range n.Links {
		if k := n.Links[i].Event.Kind; k == event.StoreAdded || k == event.StoreUpdated || k == event.StoreReplaced {
			rv = n.Links[i].RV
		}
	}
	return rv
}

func (t *Tracker) leaves(k object.Key, n *Node) {
	delete(t.cache, k)
	t.gone[k] = n
}

// replaced notes what a ReplacedAll does to the cache.
func (c *controller) replaced(t *Tracker) {
	follow := func(k object.Key) { // k may be in the cache, may have been there, or neither
		r, ok := t.x.Indexer.GetByKey(k)
		had := t.cache[k]
		var n *Node
		switch {
		case ok:
			n = c.ofKey(t, event.Event{Key: k, New: r})
			n.Last().RV = t.table.RVOf(r)
			t.cache[k] = n
			delete(t.gone, k)
		case had != nil:
			n = c.ofKey(t, event.Event{Key: k, Flags: event.Tombstone})
			t.leaves(k, n)
		}
		if had != nil {
			n.Last().OldRV = had.brought()
		}
	}
	switch {
	case t.whole:
	case !t.every:
		follow(t.key)
	default:
		for k := object.Key(1); int(k) < t.table.Keys(); k++ {
			follow(k)
		}
	}
}

// ofKey is the Delta that stands for what a ReplacedAll or SyncAll does to one key.
func (c *controller) ofKey(t *Tracker, e event.Event) *Node {
	if n := c.all.each[e.Key]; n != nil {
		return n
	}
	d := c.all.of
	var from *Node
	if d.First().Event.Delta == event.SyncAll {
		from = t.resync(e.Key, d.Cause.Links)
		from.Over = true
	} else {
		from = c.itemOf(t, e, d.Cause.Links, d.Cause.Why, c.all.items)
	}
	n := newNode(Delta, e.Key, from, slices.Clone(d.Links)...)
	c.all.each[e.Key] = n
	return n
}

// fail ends the deltas that the process function has lost: those of a key
// behind a delta that failed, or those of a batch that have no key.
func (c *controller) fail(t *Tracker, l Link) {
	if !c.batch(t) {
		for i := max(c.at, 0); i < len(c.hand); i++ {
			n := c.hand[i]
			n.end(l)
			for _, item := range c.behind[n] {
				item.end(l)
			}
			delete(c.behind, n)
		}
		return
	}
	for _, n := range c.hand {
		if n == nil || n.Over {
			continue
		}
		if e := n.First().Event; e.New == l.Event.New && e.Delta == l.Event.Delta {
			n.end(l)
			return
		}
	}
}

// distribute makes the Notification of a delta.
func (c *controller) distribute(t *Tracker, l Link) {
	e := l.Event
	c.noted()
	d := c.working(t, e.Key)
	whole := d != nil && d == c.all.of
	switch {
	case t.whole && whole: // the list is over when all of it was distributed
	case !t.follows(e.Key):
		return
	case whole:
		d = c.ofKey(t, e)
		fallthrough
	default:
		d.over()
	}
	c.note = newNode(Notification, e.Key, d, l)
}

// noted ends the notification that was distributed.
func (c *controller) noted() {
	c.note.over()
	c.note = nil
}

// release ends what was popped.
func (c *controller) release() {
	c.noted()
	for _, n := range c.hand {
		n.over()
	}
	for _, n := range c.all.each {
		n.over()
	}
	c.hand, c.at, c.all = c.hand[:0], -1, all{}
}
