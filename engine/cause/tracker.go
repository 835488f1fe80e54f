package cause

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// Tracker follows one key, or all of them, or the deltas that stand for a whole list,
// through one informer of a run.
type Tracker struct {
	informer int
	key      object.Key // the one that is followed
	every    bool       // all keys are followed
	whole    bool       // only deltas that stand for a whole list are followed, and what comes of them

	w     *world.World
	x     *informer.Informer
	table *object.Table
	role  actor.Role // of the actor that has made the step

	controllers []*controller // by the number of the Run call
	listeners   []*listener
	work        work
	cache       map[object.Key]*Node // the Delta by which the object came into the cache
	gone        map[object.Key]*Node // the Delta by which it left
	writes      map[object.Ref]*Node // some may not have arrived yet
	join        []Link               // of the AddEventHandler that is under way
	begun       []*Node              // where chains begin, in order; write-backs are among them
}

// New returns a Tracker of a key. The Tracker must see a run from its first
// step on, or from a step at which nothing of the key is on its way. It follows
// all keys if key is 0.
func New(informer int, key object.Key) *Tracker {
	t := &Tracker{informer: informer, key: key, every: key == 0}
	t.forget()
	t.writes = map[object.Ref]*Node{}
	return t
}

// NewWhole returns a Tracker of the deltas that stand for a whole list: ReplacedAll and
// SyncAll. What is distributed because of one is its effect, whatever the key.
func NewWhole(informer int) *Tracker {
	t := New(informer, 0)
	t.every, t.whole = false, true
	return t
}

// forget empties the mirror, as the end of a process does with the stations.
func (t *Tracker) forget() {
	t.controllers, t.listeners, t.join = nil, nil, nil
	t.cache, t.gone = map[object.Key]*Node{}, map[object.Key]*Node{}
	t.work.init()
}

// Key is the key that the Tracker follows, and 0 if it follows all, or whole lists.
func (t *Tracker) Key() object.Key { return t.key }

// Informer is the number of the informer.
func (t *Tracker) Informer() int { return t.informer }

// follows reports whether nodes are made for k. Deltas without a key stand for a list, in
// which the key may be.
func (t *Tracker) follows(k object.Key) bool { return t.every || k == t.key || k == 0 }

// Begun returns the nodes at which chains begin, in order, up to the first from which
// something may still come, and forgets them. With rest it returns the others, too.
func (t *Tracker) Begun(rest bool) []*Node {
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
	if e, ended := w.Ended(t.informer); ended {
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
		t.ran()
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

// controller is the mirror of the controller whose goroutine has made the step.
func (t *Tracker) controller() *controller { return t.controllerAt(int(t.role.Again)) }

func (t *Tracker) controllerAt(i int) *controller {
	for len(t.controllers) <= i {
		t.controllers = append(t.controllers, newController())
	}
	return t.controllers[i]
}

// facts are those of the step.
func (t *Tracker) facts() []event.Event { return t.w.Log.Events }

// link is a fact of the step as a Link.
func (t *Tracker) link(e event.Event) Link {
	return Link{Step: t.w.Steps(), At: t.w.Now(), Event: e, RV: t.table.RVOf(e.New), OldRV: t.table.RVOf(e.Old)}
}

// elsewhere looks at a step of another informer or process, which may write to the same
// resource, or feed the workqueue.
func (t *Tracker) elsewhere() {
	for _, e := range t.facts() {
		switch e.Kind {
		case event.ObjectWritten:
			if t.owns(e) {
				t.written(e, nil)
			}
		case event.WorkAdded, event.WorkDirty, event.WorkDeferred, event.WorkBuffered:
			if t.fedInformer() == t.informer && t.follows(e.Key) {
				by := t.begins(Call, e.Key, nil, t.link(e))
				by.Over = true
				t.work.add(t, by, t.link(e))
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

// fed is the informer whose workqueue the handler of this step feeds.
func (t *Tracker) fedInformer() int {
	x := t.w.Informers[t.w.Last.Informer]
	if t.w.Last.PC == actor.RunEnqueue {
		return x.Config().Handlers[t.w.Set.Role(t.w.Last.Actor).Index].Feeds.Informer
	}
	return x.Index()
}

// written notes a write by a reconcile, or by somebody whom the informer doesn't know.
func (t *Tracker) written(e event.Event, by *Node) {
	if t.follows(e.Key) {
		n := newNode(Write, e.Key, by, t.link(e))
		t.begun = append(t.begun, n)
		t.writes[e.New] = n
	}
}

// arrives is the write of an object that the server has sent, if it was seen.
func (t *Tracker) arrives(r object.Ref) *Node {
	n := t.writes[r]
	n.over()
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
			t.written(e, nil)
		case event.Distributed:
			if l := t.link(e); t.follows(e.Key) {
				by := t.begins(Call, e.Key, nil, l)
				by.Over = true
				note = newNode(Notification, e.Key, by, l)
			}
		case event.ListenerAddCh:
			t.takes(note, t.link(e))
		case event.ListenerSlot, event.ListenerPending:
			t.places(t.link(e))
		}
	}
	note.over()
	t.stopped()
}

// killed ends all that was on its way.
func (t *Tracker) killed(l Link) {
	end := func(n *Node) {
		if n != nil && !n.Over {
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

// Cached is the Delta by which the object of a key came into the cache, and nil if the
// cache has none.
func (t *Tracker) Cached(k object.Key) *Node { return t.cache[k] }

// Gone is the Delta that took the object of a key out of the cache, if it was the last
// that changed the cache there.
func (t *Tracker) Gone(k object.Key) *Node { return t.gone[k] }

// stopped looks for listeners that the step has stopped, whoever made it.
func (t *Tracker) stopped() {
	for _, e := range t.facts() {
		if e.Kind == event.ListenerStopped {
			t.listener(e.Handler()).stop(t.link(e))
		}
	}
}
