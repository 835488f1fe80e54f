package cause

import "github.com/informerscope/informerscope/engine/object"

// Queued returns the deltas of a key that are in the queue, the oldest first. again is
// the number of the Run call whose queue it is, 0 for the first. Under the key 0 are
// those that stand for a whole list.
func (t *Tracker) Queued(again int, k object.Key) []*Node { return t.controllerAt(again).rows[k] }

// Popped returns the deltas that the process loop has popped and not yet released: nil
// for each that is not followed.
func (t *Tracker) Popped(again int) []*Node { return t.controllerAt(again).hand }

// Received is the watch event in the reflector's hands, or the one that it had last.
func (t *Tracker) Received(again int) *Node { return t.controllerAt(again).event }

// Distributing is the notification that the process loop distributes, nil for none and
// for one that is not followed.
func (t *Tracker) Distributing(again int) *Node { return t.controllerAt(again).note }

// Chains are the nodes at which chains begin, in order, those that Begun has returned not
// among them.
func (t *Tracker) Chains() []*Node { return t.begun }

// Pending returns the pendingNotifications of a listener, the oldest first: nil for each
// that is not followed.
func (t *Tracker) Pending(listener int) []*Node { return t.listener(listener).pending.waiting() }

// Pair returns the notifications in the hands of a listener's pop and run; nil for none,
// and for one that is not followed.
func (t *Tracker) Pair(listener, pair int) (pop, run *Node) {
	p := t.listener(listener).pair(pair)
	return p.slot.n, p.hand.n
}

// Work returns what the workqueue has of a key: the Request that is dirty, the Reconcile
// that is processing, and the Retry that waits for its time. Each is nil if there is none.
func (t *Tracker) Work(k object.Key) (dirty, processing, waiting *Node) {
	return t.work.dirty[k], t.work.busy[k], t.work.heap[k]
}
