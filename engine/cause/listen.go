package cause

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// listener is the mirror of a processorListener. It has a place for each notification,
// followed or not.
type listener struct {
	pending ring
	pairs   []pair
}

// pair is the mirror of a pop goroutine and a run goroutine.
type pair struct{ slot, hand place }

// place is where one notification can be. Its Node is nil if that is not followed.
type place struct {
	full bool
	n    *Node
}

// ring is a queue of places.
type ring struct {
	nodes []*Node
	head  int
}

func (r *ring) pop() place {
	if r.head == len(r.nodes) {
		return place{}
	}
	n := r.nodes[r.head]
	r.nodes[r.head] = nil
	if r.head++; r.head > 1024 && 2*r.head > len(r.nodes) {
		r.nodes = r.nodes[:copy(r.nodes, r.nodes[r.head:])]
		r.head = 0
	}
	return place{true, n}
}

// waiting returns those that have not been popped.
func (r *ring) waiting() []*Node { return r.nodes[r.head:] }

func (l *listener) pair(j int) *pair {
	l.pairs = object.Grown(l.pairs, j)
	return &l.pairs[j]
}

func (l *listener) each(f func(*Node)) {
	for _, p := range l.pairs {
		f(p.hand.n)
		f(p.slot.n)
	}
	for _, n := range l.pending.waiting() {
		f(n)
	}
}

// stop loses what was not handed to run.
func (l *listener) stop(link Link) {
	for j := range l.pairs {
		l.pairs[j].slot.n.end(link)
		l.pairs[j].slot = place{}
	}
	for _, n := range l.pending.waiting() {
		n.end(link)
	}
	l.pending = ring{}
}

func (t *Tracker) listener(i int) *listener {
	for len(t.listeners) <= i {
		t.listeners = append(t.listeners, &listener{})
	}
	return t.listeners[i]
}

// popTakes makes a listener's pop take a notification from addCh. note is nil if it is not
// followed. places says where it goes.
func (t *Tracker) popTakes(note *Node, l Link) {
	i := l.Event.Handler()
	var n *Node
	if note != nil {
		n = newNode(Delivery, l.Event.Key, note, l)
	}
	m := t.listener(i)
	real := &t.x.Processor.Listeners[i]
	for j := range real.Pairs() {
		if p := m.pair(j); !p.slot.full && real.PairAt(j).Slot.Type != 0 {
			p.slot = place{true, n}
			return
		}
	}
	m.pending.nodes = append(m.pending.nodes, n)
}

// places adds, to a notification, the fact that says where it has gone.
func (t *Tracker) places(l Link) {
	m := t.listener(l.Event.Handler())
	if l.Event.Kind == event.ListenerPending {
		w := m.pending.waiting()
		w[len(w)-1].link(l)
	}
}

// popped looks at a step of a listener's pop.
func (t *Tracker) popped() {
	for _, e := range t.facts() {
		if e.Kind != event.ListenerNextCh {
			continue
		}
		m, real := t.listener(e.Handler()), &t.x.Processor.Listeners[e.Handler()]
		m.pair(real.Pairs() - 1) // the mirror has as many pairs
		from := m.pair(int(t.role.Pair))
		for j := range m.pairs {
			if to := m.pair(j); !to.hand.full && real.PairAt(j).InHand.Type != 0 {
				to.hand = from.slot
				to.hand.n.link(t.link(e))
				break
			}
		}
		from.slot = m.pending.pop()
	}
}

// listenerRan looks at a step of a listener's run.
func (t *Tracker) listenerRan() {
	hand := &t.listener(int(t.role.Index)).pair(int(t.role.Pair)).hand
	for _, e := range t.facts() {
		l := t.link(e)
		switch e.Kind {
		case event.HandlerCalled, event.TombstoneIgnored, event.HandlerUnled:
			if hand.n.link(l); hand.n != nil && e.Kind == event.HandlerCalled && t.x.Config().Recorded != nil {
				t.work.handlerCalled(t, hand.n)
			}
		case event.HandlerReturned, event.HandlerPanicked:
			hand.n.end(l)
			*hand = place{}
		case event.WorkAdded, event.WorkDirty, event.WorkDeferred, event.WorkBuffered:
			if t.fedInformer() != t.informer || !t.follows(e.Key) { // the key is its owner's, or only whole lists are followed
				hand.n.link(l)
				break
			}
			t.work.add(t, hand.n, l)
		}
	}
}

// user looks at a step of whoever calls AddEventHandler.
func (t *Tracker) user() {
	for _, e := range t.facts() {
		l := t.link(e)
		switch e.Kind {
		case event.LockWaits:
			t.join = append(t.join, l)
		case event.ListenerAdded:
			t.join = append(t.join, l)
		case event.ListenerAddCh:
			var n *Node
			if t.follows(e.Key) {
				n = t.begins(Listing, e.Key, nil, slices.Clone(t.join)...)
				n.Cached, n.Final = t.cache[e.Key], true
			}
			t.popTakes(n, l)
		case event.ListenerSlot, event.ListenerPending:
			t.places(l)
		case event.LockReleased, event.InformerStarted: // handlers that are there from the beginning get nothing
			t.join = nil
		}
	}
}
