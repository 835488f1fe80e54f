package cause

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// Tracker follows one key, or all of them, or the deltas that stand for a whole list,
// through one informer of a run.
type Tracker struct {
	informer   int
	key        object.Key // that is followed
	followsAll bool       // all keys are followed
	whole      bool       // only deltas that stand for a whole list are followed, and what comes of them

	w     *world.World
	x     *informer.Informer
	table *object.Table
	role  actor.Role // of the actor that has made the step

	controllers []*controller // by the number of the Run call
	listeners   []*listener
	work        work
	cache       map[object.Key]*Node // the Delta by which the object came into the cache
	removals    map[object.Key]*Node // the Delta by which it left
	writes      map[object.Ref]*Node // some may not have arrived yet
	join        []Link               // of the AddEventHandler that is under way
	begun       []*Node              // where chains begin, in order; write-backs are among them
}

// New returns a Tracker of a key. The Tracker must see a run from its first
// step on, or from a step at which nothing of the key is on its way. It follows
// all keys if key is 0.
func New(informer int, key object.Key) *Tracker {
	t := &Tracker{informer: informer, key: key, followsAll: key == 0}
	t.forget()
	t.writes = map[object.Ref]*Node{}
	return t
}

// NewWhole returns a Tracker of the deltas that stand for a whole list: ReplacedAll and
// SyncAll. What is distributed because of one is its effect, whatever the key.
func NewWhole(informer int) *Tracker {
	t := New(informer, 0)
	t.followsAll, t.whole = false, true
	return t
}

// forget empties the mirror, as the end of a process does with the stations.
func (t *Tracker) forget() {
	t.controllers, t.listeners, t.join = nil, nil, nil
	t.cache, t.removals = map[object.Key]*Node{}, map[object.Key]*Node{}
	t.work.init()
}

// Key returns the key that the Tracker follows, and 0 if it follows all, or whole lists.
func (t *Tracker) Key() object.Key { return t.key }

// Informer returns the number of the informer.
func (t *Tracker) Informer() int { return t.informer }

// follows reports whether nodes are made for k. Deltas without a key stand for a list, in
// which the key may be.
func (t *Tracker) follows(k object.Key) bool { return t.followsAll || k == t.key || k == 0 }

// Roots returns the nodes at which chains begin, in order, up to the first from which
// something may still come, and forgets them. With rest it returns the others, too.
func (t *Tracker) Roots(rest bool) []*Node {
	i := 0
	for i < len(t.begun) && (rest || t.begun[i].Done()) {
		i++
	}
	out := t.begun[:i:i]
	t.begun = t.begun[i:]
	return out
}

// begins makes a Node at which a chain begins, unless it has a cause.
func (t *Tracker) begins(kind Kind, k object.Key, cause *Node, links ...Link) *Node {
	n := newNode(kind, k, cause, links...)
	if cause == nil {
		t.begun = append(t.begun, n)
	}
	return n
}

// Look takes in the step that w has just made.
func (t *Tracker) Look(w *world.World) {
	t.w, t.x = w, w.Informers[t.informer]
	t.table = t.x.Config().Table
	if e, ended := w.ProcessExit(t.informer); ended {
		t.killed(t.link(e))
		t.stopped()
		return
	}
	id := w.Last.Actor
	if id == actor.Nobody {
		t.outside()
		return
	}
	t.role = w.Set.Role(id)
	if int(t.role.Informer) != t.informer || t.role.Kind == actor.Collector {
		t.elsewhere()
		return
	}
	switch t.role.Kind {
	case actor.User:
		t.user()
	case actor.Reflector:
		t.controller().reflector(t)
	case actor.Resync:
		t.controller().resynced(t)
	case actor.Loop:
		t.controller().loop(t)
	case actor.Pop:
		t.popped()
	case actor.Run:
		t.listenerRan()
	case actor.Delaying:
		t.delayed()
	case actor.Worker:
		t.worked()
	case actor.Recorded:
		t.recorded()
	case actor.ReadyItems:
		t.handedOut()
	}
	t.stopped()
}

// controller returns the mirror of the controller whose goroutine has made the step.
func (t *Tracker) controller() *controller { return t.controllerAt(int(t.role.Run)) }

func (t *Tracker) controllerAt(i int) *controller {
	for len(t.controllers) <= i {
		t.controllers = append(t.controllers, newController())
	}
	return t.controllers[i]
}

func (t *Tracker) facts() []event.Event { return t.w.Log.Events }

// link returns a fact of the step as a Link.
func (t *Tracker) link(e event.Event) Link {
	return Link{Step: t.w.Steps(), Time: t.w.Now(), Event: e, RV: t.table.RVOf(e.New), OldRV: t.table.RVOf(e.Old)}
}

// elsewhere looks at a step of another informer or process, which may write to the same
// resource, or feed the workqueue.
func (t *Tracker) elsewhere() {
	for _, e := range t.facts() {
		switch e.Kind {
		case event.ObjectWritten:
			if t.owns(e) {
				t.written(e, nil, t.otherWorker())
			}
		case event.WorkAdded, event.WorkDirty, event.WorkDeferred, event.WorkBuffered:
			if t.fedInformer() == t.informer && t.follows(e.Key) {
				t.work.add(t, t.called(t.link(e)), t.link(e))
			}
		}
	}
}

// owns reports whether an object that was written is of the informer's resource.
func (t *Tracker) owns(e event.Event) bool {
	if t.w.Informers[t.w.Last.Informer].Config().Table != t.table {
		return false
	}
	s := t.w.Simulated(t.informer)
	return s == nil || s.Storage.HasWritten(e.New)
}

// fedInformer returns the informer whose workqueue the handler of this step feeds.
func (t *Tracker) fedInformer() int {
	x := t.w.Informers[t.w.Last.Informer]
	if t.w.Last.PC == actor.RunEnqueue {
		return x.Config().Handlers[t.w.Set.Role(t.w.Last.Actor).Index].Feeds.Informer
	}
	return x.Index()
}

// written notes a write by a reconcile, by another controller's, or by somebody whom the informer doesn't know.
func (t *Tracker) written(e event.Event, by *Node, other string) {
	if t.follows(e.Key) {
		n := newNode(Write, e.Key, by, t.link(e))
		n.Caller = other
		t.begun = append(t.begun, n)
		t.writes[e.New] = n
	}
}

// otherWorker names the reconcile of another informer's controller that has made the step, "" for none.
func (t *Tracker) otherWorker() string {
	id := t.w.Last.Actor
	if id == actor.Nobody || t.w.Set.Role(id).Kind != actor.Worker {
		return ""
	}
	x := t.w.Informers[t.w.Set.Role(id).Informer]
	return x.Config().Name + " " + x.Config().Table.KeyText(x.Work.Workers[t.w.Set.Role(id).Index].Key)
}

// arrives returns the write of an object that the server has sent, if it was seen.
func (t *Tracker) arrives(r object.Ref) *Node {
	n := t.writes[r]
	n.finish()
	return n
}

// outside looks at what a command did.
func (t *Tracker) outside() {
	if int(t.w.Last.Informer) != t.informer {
		t.elsewhere()
		return
	}
	if t.w.ByHand() {
		t.byHand()
		return
	}
	var note *Node // of a program that calls distribute itself
	for _, e := range t.facts() {
		switch e.Kind {
		case event.ObjectWritten:
			t.written(e, nil, "")
		case event.CacheWritten:
			if l := t.link(e); t.follows(e.Key) {
				t.cache[e.Key] = t.begins(Call, e.Key, nil, l)
				t.cache[e.Key].Final = true
				delete(t.removals, e.Key)
			}
		case event.Distributed:
			if l := t.link(e); t.follows(e.Key) {
				note = newNode(Notification, e.Key, t.called(l), l)
			}
		case event.ListenerAddCh:
			t.popTakes(note, t.link(e))
		case event.ListenerSlot, event.ListenerPending:
			t.places(t.link(e))
		}
	}
	note.finish()
	t.stopped()
}

// killed ends all that was on its way.
func (t *Tracker) killed(l Link) {
	end := func(n *Node) {
		if n != nil && !n.Final {
			n.end(l)
		}
	}
	for _, c := range t.controllers {
		c.each(end)
	}
	for _, m := range t.listeners {
		m.each(end)
	}
	t.work.each(end)
	t.forget()
}

// Cached returns the Delta by which the object of a key came into the cache, and nil if the
// cache has none.
func (t *Tracker) Cached(k object.Key) *Node { return t.cache[k] }

// Deleted returns the Delta that took the object of a key out of the cache, if it was the last
// that changed the cache there.
func (t *Tracker) Deleted(k object.Key) *Node { return t.removals[k] }

// stopped looks for listeners that the step has stopped, whoever made it.
func (t *Tracker) stopped() {
	for _, e := range t.facts() {
		if e.Kind == event.ListenerStopped {
			t.listener(e.Handler()).stop(t.link(e))
		}
	}
}

// Missed is where a chain stopped before it came to a handler.
type Missed struct {
	Node *Node
	// Link is the fact at which it stopped. It is nil if the Node is still on its way, and
	// if the Node is a Notification for which the handler was no listener.
	Link *Link
}

// Notified reports whether the chain that begins with n has come to a handler. Otherwise it
// says where the chain stopped. A chain of a Listing for another handler never comes to
// this one.
func (n *Node) Notified(handler int) (received bool, m Missed) {
	switch {
	case n.Kind == Delivery:
		if n.Find(event.HandlerCalled) != nil {
			return true, Missed{}
		}
		return false, n.stopped()
	case n.Kind == Notification || n.Kind == Listing:
		for _, e := range n.Effects {
			if e.Handler() == handler {
				return e.Notified(handler)
			}
		}
		for i := range n.Links {
			if e := n.Links[i].Event; e.Kind == event.ListenerSkipped && e.Handler() == handler {
				return false, Missed{n, &n.Links[i]}
			}
		}
		return false, Missed{Node: n}
	case n.MergedInto != nil || len(n.Effects) == 0:
		return false, n.stopped()
	}
	for _, e := range n.Effects {
		if received, m = e.Notified(handler); received {
			return true, Missed{}
		}
	}
	return false, m
}

// stopped returns where n itself stopped.
func (n *Node) stopped() Missed {
	if !n.Final {
		return Missed{Node: n}
	}
	return Missed{n, n.Last()}
}

// Queued returns the deltas of a key that are in the queue, the oldest first. again is
// the number of the Run call whose queue it is, 0 for the first. Under the key 0 are
// those that stand for a whole list.
func (t *Tracker) Queued(again int, k object.Key) []*Node { return t.controllerAt(again).rows[k] }

// Popped returns the deltas that the process loop has popped and not yet released: nil
// for each that is not followed.
func (t *Tracker) Popped(again int) []*Node { return t.controllerAt(again).hand }

// Received returns the watch event in the reflector's hands, or the last that it had.
func (t *Tracker) Received(again int) *Node { return t.controllerAt(again).event }

// Distributing returns the notification that the process loop distributes. It is nil if there is none, or if that is not
// followed.
func (t *Tracker) Distributing(again int) *Node { return t.controllerAt(again).note }

// Chains returns the nodes at which chains begin, in order, those that Roots has returned not
// among them.
func (t *Tracker) Chains() []*Node { return t.begun }

// Pending returns the pendingNotifications of a listener, the oldest first: nil for each
// that is not followed.
func (t *Tracker) Pending(listener int) []*Node { return t.listener(listener).pending.waiting() }

// Pair returns the notifications in the hands of a listener's pop and run. Each is nil if there is none, or if that is
// not followed.
func (t *Tracker) Pair(listener, pair int) (pop, run *Node) {
	p := t.listener(listener).pair(pair)
	return p.slot.n, p.hand.n
}

// Work returns what the workqueue has of a key: the Request that is dirty, the Reconcile
// that is processing, and the Retry that waits for its time. Each is nil if there is none.
func (t *Tracker) Work(k object.Key) (dirty, processing, waiting *Node) {
	return t.work.dirty[k], t.work.busy[k], t.work.heap[k]
}

// byHand looks at a call by hand, with which a chain begins.
func (t *Tracker) byHand() {
	c, k := t.controllerAt(0), &t.work
	for _, e := range t.facts() {
		if !t.follows(e.Key) {
			continue
		}
		l := t.link(e)
		switch e.Kind {
		case event.Enqueued, event.DeltaAppended, event.DeltasDeduplicated, event.DeleteIgnored:
			c.enqueue(t, t.called(l), l)
		case event.Popped:
			c.pop(t, l)
		case event.StoreAdded, event.StoreUpdated, event.StoreDeleted, event.StoreReplaced:
			c.next(e)
			c.store(t, l)
		case event.Requeued:
			if len(c.hand) == 0 { // the deltas of an earlier call are over
				c.hand = c.popped
			}
			for _, d := range c.hand {
				if d != nil {
					d.link(l)
				}
			}
			c.rows[e.Key], c.hand = append(c.rows[e.Key], c.hand...), nil
		case event.RequeueSkipped:
			for _, d := range c.hand {
				d.end(l)
			}
		case event.WorkAdded, event.WorkDirty, event.WorkDeferred:
			if k.ready != nil {
				k.waitingLoop(t, l)
			} else if len(k.sent[e.Key]) > 0 {
				k.step(t, l)
			} else {
				k.add(t, t.called(l), l)
			}
		case event.WorkDelayed, event.WorkDelayKept, event.WorkReady:
			k.waitingLoop(t, l)
		case event.WorkShutDown: // waitingLoop ends
			eachNode(k.heap, func(n *Node) { n.end(l) })
		default:
			if e.Key != 0 {
				k.step(t, l)
			}
		}
	}
	if len(c.hand) > 0 {
		c.popped = slices.Clone(c.hand)
	}
	c.release()
}

// next goes on to the next popped delta that the fact can be about. A delta
// that the indexer refuses leaves no fact.
func (c *controller) next(e event.Event) {
	for c.current++; c.current < len(c.hand)-1; c.current++ {
		if d := c.hand[c.current]; d == nil || (d.First().Event.Delta == event.Deleted) == (e.Kind == event.StoreDeleted) {
			return
		}
	}
}
