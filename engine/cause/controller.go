package cause

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// controller is the mirror of a reflector, its queue and its process loop.
type controller struct {
	cause   Link                 // what ended the last watch or list; its Step is 0 for nothing
	reason  Link                 // what made the reflector ask for the list under way
	list    []Link               // the list under way; empty for none
	event   *Node                // the watch event in the reflector's hands
	delayed []*Node              // watch events that are held back on their way
	temp    map[object.Key]*Node // the initial events in the temporary store
	items   map[object.Key]*Node // the initial events of the streaming list that Replace is given

	bulks map[*Node]map[object.Key]*Node // the same for each ReplacedAll that was queued

	resync []Link // the resync under way

	rows map[object.Key][]*Node // the deltas of each key in the queue, those without a key under 0

	hand    []*Node // what was popped, nil for what is not followed
	current int     // the one at work; -1 before the first

	popped []*Node // by the last call by hand, which may be put back

	bulk bulk  // of the ReplacedAll or SyncAll at work
	note *Node // the notification being distributed
}

// bulk is what a ReplacedAll or SyncAll does to single keys.
type bulk struct {
	node   *Node                // nil for none
	deltas map[object.Key]*Node // the Delta that stands for a key
	items  map[object.Key]*Node // the initial events behind it
}

func newController() *controller {
	return &controller{
		temp: map[object.Key]*Node{}, items: map[object.Key]*Node{}, bulks: map[*Node]map[object.Key]*Node{},
		rows: map[object.Key][]*Node{}, current: -1,
	}
}

func (c *controller) each(f func(*Node)) {
	for _, n := range c.delayed {
		f(n)
	}
	f(c.event)
	f(c.note)
	for _, n := range c.hand {
		f(n)
	}
	for _, row := range c.rows {
		for _, n := range row {
			f(n)
		}
	}
	eachNode(c.temp, f)
	eachNode(c.items, f)
	eachNode(c.bulk.deltas, f)
	eachNode(c.bulk.items, f)
	for _, m := range c.bulks {
		eachNode(m, f)
	}
}

func eachNode(m map[object.Key]*Node, f func(*Node)) {
	for _, n := range m {
		f(n)
	}
}

// reflector looks at a step of the reflector.
func (c *controller) reflector(t *Tracker) {
	pc := t.w.Last.PC
	for _, e := range t.facts() {
		l := t.link(e)
		switch e.Kind {
		case event.ListRequested:
			c.listRequested(l)
		case event.WatchRequested:
			c.drop(l)
			if e.Flags&event.Streaming != 0 {
				c.listFailed(l)
				c.listRequested(l)
			}
		case event.ListPageReceived, event.ListReceived, event.ReplaceStarted:
			c.list = append(c.list, l)
			if e.Kind == event.ListReceived {
				c.items, c.temp = c.temp, map[object.Key]*Node{}
			}
		case event.ListFailed, event.WatchFailed, event.WatchErrorReceived, event.WatchClosed, event.VeryShortWatch, event.WatchListFellBack:
			c.cause = l
			c.listFailed(l)
			if e.Kind == event.WatchClosed {
				c.drop(l)
			}
		case event.WatchEventHeld, event.WatchEventLost:
			c.intercepted(t, l)
		case event.WatchEventReceived:
			c.received(t, l)
		case event.WatchEventSkipped:
			c.event.end(l)
		case event.ListStreamed:
			c.streamed(l)
		case event.LockWaits:
			if pc == actor.ReflectorEnqueue {
				c.event.link(l)
			} else {
				c.list = append(c.list, l)
			}
		case event.Enqueued, event.DeltaAppended, event.DeltasDeduplicated, event.DeleteIgnored:
			from := c.event
			if pc == actor.ReflectorReplaces {
				from = c.item(t, e)
			}
			c.enqueue(t, from, l)
		case event.ReplaceEnded:
			c.list, c.reason = nil, Link{}
			c.items = map[object.Key]*Node{}
		case event.LockReleased:
			if pc == actor.ReflectorReplaces { // Replace has failed
				c.listFailed(l)
			}
		}
	}
}

// listRequested notes a request for a list. A list may take several requests, so the
// first reason to list again is kept.
func (c *controller) listRequested(l Link) {
	if c.reason.Step == 0 {
		c.reason = c.cause
	}
	c.cause = Link{}
	c.list = append(c.list, l)
}

// drop ends the watch events that are held back: their connection is gone.
func (c *controller) drop(l Link) {
	for _, n := range c.delayed {
		n.end(l)
	}
	c.delayed = nil
}

// listFailed ends the list under way, because it failed.
func (c *controller) listFailed(l Link) {
	for _, m := range []map[object.Key]*Node{c.temp, c.items} {
		for _, n := range m {
			n.end(l)
		}
		clear(m)
	}
	c.list = nil
}

// intercepted notes a watch event that the reflector doesn't get, or not yet.
func (c *controller) intercepted(t *Tracker, l Link) {
	e := l.Event
	if !t.follows(e.Key) || e.New == 0 {
		return
	}
	n := t.begins(Watch, e.Key, t.arrives(e.New), l)
	if e.Kind == event.WatchEventLost {
		n.Final = true
	} else {
		c.delayed = append(c.delayed, n)
	}
}

// received takes a watch event into the reflector's hands.
func (c *controller) received(t *Tracker, l Link) {
	e := l.Event
	c.event = nil
	for i, n := range c.delayed {
		if n.First().Event.New == e.New {
			c.delayed, c.event = slices.Delete(c.delayed, i, i+1), n
			n.link(l)
			return
		}
	}
	switch {
	case e.New == 0 && e.Delta == event.Bookmark:
	case t.follows(e.Key):
		c.event = t.begins(Watch, e.Key, t.arrives(e.New), l)
	default: // a transformer may still give it the key
		c.event = &Node{Kind: Watch, Key: e.Key, Links: []Link{l}}
	}
}

// streamed puts an initial event into the temporary store, in the place of an earlier
// one of its key.
func (c *controller) streamed(l Link) {
	n := c.event
	if old := c.temp[l.Event.Key]; old != nil {
		old.merge(n, l)
	}
	n.link(l)
	if l.Event.Delta == event.Deleted {
		n.finish()
		delete(c.temp, l.Event.Key)
		return
	}
	c.temp[l.Event.Key] = n
}

// item returns the Node for a key's entry in a list, present or absent.
func (c *controller) item(t *Tracker, e event.Event) *Node {
	if !t.follows(e.Key) {
		return nil
	}
	return c.itemOf(t, e, c.list, c.reason, c.items)
}

func (c *controller) itemOf(t *Tracker, e event.Event, list []Link, why Link, items map[object.Key]*Node) *Node {
	kind, cause := Item, items[e.Key]
	switch {
	case e.Flags&event.Tombstone != 0:
		kind, cause = Gap, nil
	case cause == nil:
		cause = t.arrives(e.New)
	}
	cause.finish()
	n := t.begins(kind, e.Key, cause, slices.Clone(list)...)
	n.Trigger, n.Final = why, true
	return n
}

// enqueue makes a Delta, or merges it into the one before it.
func (c *controller) enqueue(t *Tracker, from *Node, l Link) {
	e := l.Event
	if !t.follows(e.Key) {
		return
	}
	if from == c.event && from != nil && !t.follows(from.Key) {
		t.begun = append(t.begun, from) // a transformer has given it the key
	}
	if e.Kind == event.DeleteIgnored {
		from.end(l)
		return
	}
	from.finish()
	if e.Kind == event.Enqueued {
		l.Row = t.x.Queue.Counters().Popped + int64(e.Depth()) - 1
	}
	d := newNode(Delta, e.Key, from, l)
	if e.Delta == event.ReplacedAll {
		c.bulks[d] = c.items
	}
	row := c.rows[e.Key]
	if e.Kind != event.DeltasDeduplicated {
		c.rows[e.Key] = append(row, d)
		return
	}
	older := row[len(row)-1]
	if older.First().Event.Flags&event.Tombstone != 0 { // the tombstone knows less
		older.merge(d, l)
		row[len(row)-1] = d
		return
	}
	d.Final, d.MergedInto = true, older
	older.Merged = append(older.Merged, d)
}

// resynced looks at a step of the resync goroutine.
func (c *controller) resynced(t *Tracker) {
	for _, e := range t.facts() {
		l := t.link(e)
		switch e.Kind {
		case event.ResyncFired:
			c.resync = []Link{l}
		case event.LockWaits:
			c.resync = append(c.resync, l)
		case event.SyncSkipped:
			if t.follows(e.Key) {
				c.sync(t, e.Key).end(l)
			}
		case event.Enqueued, event.DeltaAppended:
			if t.follows(e.Key) {
				c.enqueue(t, c.sync(t, e.Key), l)
			}
		}
	}
}

// sync makes the Node of a resync of one key, or of all of them if k is 0.
func (c *controller) sync(t *Tracker, k object.Key) *Node {
	return t.resync(k, slices.Clone(c.resync))
}

func (t *Tracker) resync(k object.Key, links []Link) *Node {
	n := t.begins(Resync, k, nil, links...)
	n.Cached = t.cache[k]
	return n
}

// loop looks at a step of the process loop.
func (c *controller) loop(t *Tracker) {
	switch pc := t.w.Last.PC; {
	case pc == actor.LoopStore:
		c.current++
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
				if n != nil && !n.Final && (c.batch(t) || i >= c.current) {
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
			t.popTakes(c.note, l)
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

// working returns the delta at work that a fact about the key k belongs to. Of several of one key in a batch, it is the first
// that has not been distributed.
func (c *controller) working(t *Tracker, k object.Key) *Node {
	if c.batch(t) {
		for _, n := range c.hand {
			if n != nil && n.Key == k && !n.Final {
				return n
			}
		}
		return nil
	}
	if c.current < 0 || c.current >= len(c.hand) {
		return nil
	}
	return c.hand[c.current]
}

// store notes what a delta does to the cache.
func (c *controller) store(t *Tracker, l Link) {
	e := l.Event
	n := c.working(t, e.Key)
	if c.batch(t) { // of several deltas of a key, only the last one is written
		for _, later := range c.hand {
			if later != nil && later.Key == e.Key {
				n = later
			}
		}
	}
	if n == nil {
		return
	}
	n.link(l)
	switch e.Kind {
	case event.StoreReplaced, event.StoreListed:
		c.bulk = bulk{node: n, deltas: map[object.Key]*Node{}, items: c.bulks[n]}
		delete(c.bulks, n)
		if e.Kind == event.StoreReplaced {
			c.replaced(t)
		}
	case event.StoreDeleted:
		t.removed(e.Key, n)
	case event.StoreAdded, event.StoreUpdated:
		if n.First().Event.Delta == event.Sync && e.Old == e.New {
			return // the cache had this object already
		}
		t.cache[e.Key] = n
		delete(t.removals, e.Key)
	}
}

// cachedVersion returns the version that a Delta has brought into the cache.
func (n *Node) cachedVersion() (rv object.RV) {
	for i := range n.Links {
		if k := n.Links[i].Event.Kind; k == event.StoreAdded || k == event.StoreUpdated || k == event.StoreReplaced || k == event.CacheWritten {
			rv = n.Links[i].RV
		}
	}
	return rv
}

func (t *Tracker) removed(k object.Key, n *Node) {
	delete(t.cache, k)
	t.removals[k] = n
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
			delete(t.removals, k)
		case had != nil:
			n = c.ofKey(t, event.Event{Key: k, Flags: event.Tombstone})
			t.removed(k, n)
		}
		if had != nil {
			n.Last().OldRV = had.cachedVersion()
		}
	}
	switch {
	case t.whole:
	case !t.followsAll:
		follow(t.key)
	default:
		for k := object.Key(1); int(k) < t.table.Keys(); k++ {
			follow(k)
		}
	}
}

// ofKey returns the Delta that stands for what a ReplacedAll or SyncAll does to one key.
func (c *controller) ofKey(t *Tracker, e event.Event) *Node {
	if n := c.bulk.deltas[e.Key]; n != nil {
		return n
	}
	d := c.bulk.node
	var from *Node
	if d.First().Event.Delta == event.SyncAll {
		from = t.resync(e.Key, d.Cause.Links)
		from.Final = true
	} else {
		from = c.itemOf(t, e, d.Cause.Links, d.Cause.Trigger, c.bulk.items)
	}
	n := newNode(Delta, e.Key, from, slices.Clone(d.Links)...)
	c.bulk.deltas[e.Key] = n
	return n
}

// fail ends the deltas that the process function has lost: a key's
// behind a delta that failed, or a batch's that have no key.
func (c *controller) fail(t *Tracker, l Link) {
	if !c.batch(t) {
		for i := max(c.current, 0); i < len(c.hand); i++ {
			n := c.hand[i]
			n.end(l)
			for _, item := range c.bulks[n] {
				item.end(l)
			}
			delete(c.bulks, n)
		}
		return
	}
	for _, n := range c.hand {
		if n == nil || n.Final {
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
	whole := d != nil && d == c.bulk.node
	switch {
	case t.whole && whole: // the list is over when all of it was distributed
	case !t.follows(e.Key):
		return
	case whole:
		d = c.ofKey(t, e)
		fallthrough
	default:
		d.finish()
	}
	c.note = newNode(Notification, e.Key, d, l)
}

// noted ends the notification that was distributed.
func (c *controller) noted() {
	c.note.finish()
	c.note = nil
}

// release ends what was popped.
func (c *controller) release() {
	c.noted()
	for _, n := range c.hand {
		n.finish()
	}
	for _, n := range c.bulk.deltas {
		n.finish()
	}
	c.hand, c.current, c.bulk = c.hand[:0], -1, bulk{}
}
