package cause

import (
	"cmp"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// work is the mirror of the workqueue and its workers, by key.
type work struct {
	dirty map[object.Key]*Node   // the Request that is queued, or that Done will queue
	busy  map[object.Key]*Node   // the Reconcile
	sent  map[object.Key][]*Node // each Retry in waitingForAddCh
	heap  map[object.Key]*Node   // the Retry that waits for its time
	ready *Node                  // the Retry whose time has come in this step
	wrote []wrote                // the last writes of a recorded controller
	heard []*Node                // the last deliveries for which a handler was called, beside a recorded controller
	early []*Node                // the last calls of a recorded controller whose handler the engine hasn't called yet
}

func (k *work) init() {
	k.dirty, k.busy, k.heap = map[object.Key]*Node{}, map[object.Key]*Node{}, map[object.Key]*Node{}
	k.sent, k.ready, k.wrote, k.heard, k.early = map[object.Key][]*Node{}, nil, nil, nil, nil
}

// each calls f for every node in the workqueue.
func (k *work) each(f func(*Node)) {
	eachNode(k.dirty, f)
	eachNode(k.busy, f)
	eachNode(k.heap, f)
	for _, sent := range k.sent {
		for _, n := range sent {
			f(n)
		}
	}
}

// add follows queue.Add, called because of by: it makes a Request, or merges by into the one
// that is there.
func (k *work) add(t *Tracker, by *Node, l Link) {
	key := l.Event.Key
	if by == nil || !t.follows(key) {
		return
	}
	by.link(l)
	if l.Event.Kind != event.WorkDirty && l.Event.Kind != event.WorkBuffered || k.dirty[key] == nil {
		k.dirty[key] = newNode(Request, key, by, l)
		return
	}
	r := k.dirty[key]
	r.Merged = append(r.Merged, by)
	by.Effects = append(by.Effects, r)
}

// worked looks at a step of a worker.
func (t *Tracker) worked() {
	for _, e := range t.facts() {
		switch {
		case e.Kind == event.ObjectWritten && !t.owns(e): // of another informer's resource
			t.work.busy[t.x.Work.Workers[t.role.Index].Key].link(t.link(e))
		case t.follows(e.Key) && e.Key != 0:
			t.work.step(t, t.link(e))
		}
	}
}

// handedOut looks at a step of the priority queue, in which workers get keys.
func (t *Tracker) handedOut() {
	for _, e := range t.facts() {
		if e.Kind == event.WorkGot && t.follows(e.Key) {
			t.work.step(t, t.link(e))
		}
	}
}

// step takes in a fact about a worker's key.
func (k *work) step(t *Tracker, l Link) {
	key := l.Event.Key
	switch l.Event.Kind {
	case event.WorkGot:
		r := k.dirty[key]
		delete(k.dirty, key)
		if r == nil { // Done was called by hand without Get, and has queued the key twice; or a recorded worker got it from nowhere
			r = newNode(Request, key, t.called(l), l)
		}
		r.end(l)
		k.busy[key] = newNode(Reconcile, key, r, l)
	case event.ReconcileStarted, event.ReconcileEnded, event.ReconcileFailed, event.ReconcilePanicked, event.WriteSent, event.WriteReturned:
		if k.busy[key].link(l); l.Event.Kind == event.WriteSent {
			k.wrote = append(k.wrote[max(0, len(k.wrote)+1-mostWrites):], wrote{k.busy[key], l})
		}
	case event.ObjectWritten:
		if t.owns(l.Event) {
			t.written(l.Event, k.busy[key], "")
		}
	case event.WorkRateLimited:
		by := k.busy[key]
		if by == nil || t.w.ByHand() {
			by = t.called(l)
		}
		n := newNode(Retry, key, by, l)
		if n.Final = t.x.Work.Queue.ShuttingDown(); !n.Final { // a queue that shuts down ignores the key
			k.sent[key] = append(k.sent[key], n)
		}
	case event.WorkAdded, event.WorkDirty, event.WorkDeferred: // a delay of nothing
		if sent := k.sent[key]; len(sent) > 0 {
			by := sent[len(sent)-1]
			k.sent[key] = sent[:len(sent)-1]
			k.add(t, by, l)
			by.finish()
		}
	case event.WorkBuffered: // whatever it waits for, it is in the priority queue until it is handed out
		if by := k.busy[key]; by != nil {
			n := newNode(Retry, key, by, l)
			k.add(t, n, l)
			n.finish()
		}
	case event.WorkDone, event.WorkUnlocked:
		k.busy[key].end(l)
		delete(k.busy, key)
	case event.WorkRequeued:
		k.dirty[key].link(l)
	}
}

// mostRounds is how often a chain goes back from an Add to the write that has come back before it. A controller may feed itself for ever.
const mostRounds = 16

// mostWrites is how many writes may come back.
const mostWrites = 64

// wrote is a write, and the Reconcile that has sent it.
type wrote struct {
	sender *Node
	link   Link
}

// called makes the Node of a call of the workqueue's method, by hand, by the handler of another informer, or by a recorded controller.
func (t *Tracker) called(l Link) *Node {
	n := newNode(Call, l.Event.Key, nil, l)
	switch id := t.w.Last.Actor; {
	case id == actor.Nobody:
	case t.w.Last.PC == actor.RunEnqueue:
		c, r := t.w.Informers[t.w.Last.Informer].Config(), t.w.Set.Role(id)
		n.Caller = c.Handlers[r.Index].Name + " " + c.Table.KeyText(t.w.Informers[t.w.Last.Informer].HandlerNotification(r).Key)
	case t.role.Kind == actor.Recorded:
		a := &t.x.Config().Recorded.Acts[t.x.Work.Acted()-1]
		n.Kind, n.Caller = Recorded, a.Caller
		for _, w := range t.work.wrote {
			if w.sender != nil && w.link.Event.Number() == int64(a.Write-1) {
				n.Trigger, n.Cause = w.link, w.sender // unless the handler's call is known
				w.sender.Effects = append(w.sender.Effects, n)
			}
		}
		if caller := t.callerNamed(a.Caller); caller != nil {
			t.cameOf(n, caller)
		} else if n.Ahead = slices.ContainsFunc(t.x.Config().Handlers, func(h informer.Handler) bool { return strings.HasPrefix(a.Caller, h.Name+" On") }); n.Ahead {
			t.work.early = append(t.work.early[max(0, len(t.work.early)+1-mostWrites):], n)
		}
	}
	n.Final = true
	t.begun = append(t.begun, n)
	from := n
	for rounds := 0; from != nil && rounds <= mostRounds; from = from.Cause {
		if from.Kind == Recorded {
			if rounds++; rounds > mostRounds {
				from.Cause = nil
			}
		}
	}
	return n
}

// callerNamed returns what a recorded controller has added a key for: the reconcile, or the delivery for which the handler was called before. It
// returns nil if there is none yet.
func (t *Tracker) callerNamed(name string) *Node {
	if key, ok := strings.CutPrefix(name, "reconcile "); ok {
		k, _ := t.table.LookupKey(key)
		return t.work.busy[k]
	}
	for _, n := range slices.Backward(t.work.heard) {
		if t.isCall(n, name) {
			return n
		}
	}
	return nil
}

// isCall reports whether the handler's call of a delivery is the one of that name.
func (t *Tracker) isCall(n *Node, caller string) bool {
	caller, _, _ = strings.Cut(caller, " ← ")
	l := n.First()
	version := t.table.RVText(cmp.Or(l.RV, l.OldRV)) // of a deletion there is the old one alone
	if l.RV == l.OldRV {
		version += "→" + version
	}
	return strings.HasPrefix(caller, t.x.Config().Handlers[n.Handler()].Name+" On") && strings.HasSuffix(caller, " "+t.table.KeyText(n.Key)+" "+version)
}

// handlerCalled notes that the handler is called for a delivery. A recorded process may be faster than the engine, and one in a bubble of
// testing/synctest takes no time: what it has added by then comes of this call, too.
func (k *work) handlerCalled(t *Tracker, n *Node) {
	k.heard = append(k.heard[max(0, len(k.heard)+1-mostWrites):], n)
	k.early = slices.DeleteFunc(k.early, func(early *Node) bool {
		called := t.isCall(n, early.Caller)
		if called {
			t.cameOf(early, n)
		}
		return called
	})
}

// cameOf notes that a recorded call was made within the call of a delivery. If a write has come back there, the watch event comes of that.
func (t *Tracker) cameOf(n, delivery *Node) {
	n.Cause = delivery
	delivery.Effects = append(delivery.Effects, n)
	came := delivery.Origin()
	for _, w := range t.work.wrote {
		if w.link == n.Trigger && w.sender != nil && came.Kind == Watch && came.Cause == nil && came.First().Step > w.link.Step {
			came.Cause = w.sender
		}
	}
}

// recorded looks at what a recorded controller did. An Add begins a chain, since the engine's calls of handlers are others than the recorded
// ones. It goes back to the engine's call of the same handler with the same version, and to the reconcile whose write has come back.
func (t *Tracker) recorded() {
	for _, e := range t.facts() {
		if e.Key == 0 || !t.follows(e.Key) {
			continue
		}
		switch l := t.link(e); {
		case e.Kind == event.WorkDelayed, e.Kind == event.WorkDelayKept:
			t.work.waitingLoop(t, l)
		case (e.Kind == event.WorkAdded || e.Kind == event.WorkDirty || e.Kind == event.WorkDeferred) && len(t.work.sent[e.Key]) == 0:
			t.work.add(t, t.called(l), l)
		default:
			t.work.step(t, l)
		}
		if waits := t.work.heap[e.Key]; waits != nil && !t.waits(e.Key) { // the queue has dropped it
			waits.finish()
			delete(t.work.heap, e.Key)
		}
	}
}

// delayed looks at a step of the delaying queue's loop.
func (t *Tracker) delayed() {
	for _, e := range t.facts() {
		if t.follows(e.Key) && e.Key != 0 {
			t.work.waitingLoop(t, t.link(e))
		}
	}
}

// waitingLoop follows a fact of client-go's delayingType.waitingLoop.
func (k *work) waitingLoop(t *Tracker, l Link) {
	key := l.Event.Key
	switch l.Event.Kind {
	case event.WorkDelayed, event.WorkDelayKept:
		n := k.popRetry(t, l)
		if waits := k.heap[key]; waits != nil {
			n.merge(waits, l)
			return
		}
		n.link(l)
		k.heap[key] = n
	case event.WorkReady:
		if n := k.heap[key]; n != nil && !t.waits(key) {
			delete(k.heap, key)
			k.ready = n
		} else {
			k.ready = k.popRetry(t, l)
		}
		k.ready.link(l)
	case event.WorkAdded, event.WorkDirty, event.WorkDeferred:
		k.add(t, k.ready, l)
		k.ready.finish()
		k.ready = nil
	}
}

// popRetry takes the first Retry of a key out of waitingForAddCh. A Retry that
// nobody has sent comes of an AddAfter by hand.
func (k *work) popRetry(t *Tracker, l Link) *Node {
	key := l.Event.Key
	sent := k.sent[key]
	if len(sent) == 0 {
		return newNode(Retry, key, t.called(l), l)
	}
	if k.sent[key] = sent[1:]; len(sent) == 1 {
		delete(k.sent, key)
	}
	return sent[0]
}

// waits reports whether the key is in the heap of the delaying queue.
func (t *Tracker) waits(key object.Key) bool {
	q := &t.x.Work.Queue
	for i := range q.WaitingLen() {
		if q.WaitingAt(i).Key == key {
			return true
		}
	}
	return false
}
