package cause

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
)

// byHand looks at a call by hand, with which a chain begins.
func (t *Tracker) byHand() {
	c, k := t.controllerAt(0), &t.work
	call := func(l Link) *Node {
		n := t.begins(Call, l.Event.Key, nil, l)
		n.Over = true
		return n
	}
	for _, e := range t.facts() {
		if !t.follows(e.Key) {
			continue
		}
		l := t.link(e)
		switch e.Kind {
		case event.Enqueued, event.DeltaAppended, event.DeltasDeduplicated, event.DeleteIgnored:
			c.enqueue(t, call(l), l)
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
				k.turn(t, l)
			} else if len(k.sent[e.Key]) > 0 {
				k.step(t, l)
			} else {
				k.add(t, call(l), l)
			}
		case event.WorkDelayed, event.WorkDelayKept, event.WorkReady:
			k.turn(t, l)
		case event.WorkShutDown: // waitingLoop ends
			eachOf(k.heap, func(n *Node) { n.end(l) })
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
	for c.at++; c.at < len(c.hand)-1; c.at++ {
		if d := c.hand[c.at]; d == nil || (d.First().Event.Delta == event.Deleted) == (e.Kind == event.StoreDeleted) {
			return
		}
	}
}
