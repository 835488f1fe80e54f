package workqueue

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// waitingForAddCap is the capacity of client-go's waitingForAddCh.
const waitingForAddCap = 1000

// Delaying is workqueue's delayingType: a [Queue] to which items can be added later.
// AddAfter sends them over a channel to waitingLoop, which is an actor of the
// world. LoopTurn is one turn of that loop.
type Delaying struct {
	Queue
	sent    []Waiting // waitingForAddCh
	waiting waitForPriorityQueue
	stopped bool // the loop has ended: ShutDown closes its stopCh
}

// CopyFrom makes d equal to src.
func (d *Delaying) CopyFrom(src *Delaying) {
	d.Queue.CopyFrom(&src.Queue)
	d.sent = append(d.sent[:0], src.sent...)
	d.waiting.copyFrom(&src.waiting)
	d.stopped = src.stopped
}

// ShutDown shuts the queue down, and ends the loop, so items that wait are lost. Only the first call
// has an effect: a second one doesn't end a ShutDownWithDrain.
func (d *Delaying) ShutDown(log *event.Log) {
	if !d.stopped {
		d.Queue.ShutDown(log)
		d.stopped = true
	}
}

// AddAfter queues k when delay has passed; at once if that is not positive. It
// reports false if the loop's channel is full. The caller then waits and tries
// again.
func (d *Delaying) AddAfter(k object.Key, delay, now int64, log *event.Log) bool {
	if d.ShuttingDown() {
		return true
	}
	if delay > 0 && len(d.sent) == waitingForAddCap {
		return false
	}
	d.counters.Retried++
	if delay <= 0 {
		d.Add(k, log)
		return true
	}
	d.counters.Delayed++
	d.sent = append(d.sent, Waiting{k, actor.After(now, delay)})
	return true
}

// LoopReady reports whether waitingLoop has something to do.
func (d *Delaying) LoopReady(now int64) bool {
	return !d.stopped && (len(d.sent) > 0 || len(d.waiting.heap) > 0 && d.waiting.heap[0].ReadyAt <= now)
}

// NextReady returns when the loop's timer fires. It ignores the heartbeat every
// ten seconds, which changes nothing.
func (d *Delaying) NextReady() (at int64, ok bool) {
	if d.stopped || len(d.waiting.heap) == 0 {
		return 0, false
	}
	return d.waiting.heap[0].ReadyAt, true
}

// LoopTurn adds one item whose time has come to the queue, or takes one from the
// channel. It reports false if there is neither.
func (d *Delaying) LoopTurn(now int64, log *event.Log) bool {
	switch {
	case !d.LoopReady(now):
		return false
	case len(d.waiting.heap) > 0 && d.waiting.heap[0].ReadyAt <= now:
		k := d.waiting.pop()
		log.Emit(event.Event{Kind: event.WorkReady, Key: k})
		d.Add(k, log)
	default:
		w := d.sent[0]
		d.sent = append(d.sent[:0], d.sent[1:]...)
		if w.ReadyAt > now {
			d.insert(w, now, log)
		} else {
			log.Emit(event.Event{Kind: event.WorkReady, Key: w.Key})
			d.Add(w.Key, log)
		}
	}
	return true
}

// WaitingLen returns how many items wait for their time.
func (d *Delaying) WaitingLen() int { return len(d.waiting.heap) }

// WaitingAt returns the i-th waiting item in heap order: the first is the next,
// and the others are only partly ordered.
func (d *Delaying) WaitingAt(i int) Waiting { return d.waiting.heap[i] }

// Sent returns how many items lie in waitingForAddCh.
func (d *Delaying) Sent() int { return len(d.sent) }

// insert keeps the earlier time if the item waits already.
func (d *Delaying) insert(w Waiting, now int64, log *event.Log) {
	kind := event.WorkDelayed
	at, kept := d.waiting.push(w)
	if kept {
		kind = event.WorkDelayKept
	}
	log.Emit(event.Event{Kind: kind, Key: w.Key, N: at - now})
}

// Wait lets k wait for its time: [Delaying.AddAfter], and the turn of the loop that takes k out of the channel. A
// queue that is shutting down ignores it.
func (d *Delaying) Wait(k object.Key, delay, now int64, log *event.Log) {
	if d.ShuttingDown() {
		return
	}
	d.counters.Delayed++
	d.counters.Retried++
	d.insert(Waiting{k, actor.After(now, delay)}, now, log)
}

// Drop forgets that k waits for its time, if it does.
func (d *Delaying) Drop(k object.Key) { d.waiting.remove(k) }

// Waiting is an item that waits for its time: waitFor.
type Waiting struct {
	Key     object.Key
	ReadyAt int64
}

// waitForPriorityQueue are the items that wait for their times, in the layout of container/heap.
type waitForPriorityQueue struct {
	heap  []Waiting
	place []int32 // by key: its place in heap, counted from 1
}

func (q *waitForPriorityQueue) copyFrom(src *waitForPriorityQueue) {
	q.heap = append(q.heap[:0], src.heap...)
	q.place = append(q.place[:0], src.place...)
}

// push adds w. If its key waits already, the earlier of the two times counts. It returns that time, and
// reports whether the time that was known was kept.
func (q *waitForPriorityQueue) push(w Waiting) (at int64, kept bool) {
	q.place = object.Grown(q.place, w.Key)
	i := int(q.place[w.Key]) - 1
	if i < 0 {
		q.heap = append(q.heap, w)
		q.place[w.Key] = int32(len(q.heap))
		q.up(len(q.heap) - 1)
		return w.ReadyAt, false
	}
	if at = q.heap[i].ReadyAt; w.ReadyAt >= at {
		return at, true
	}
	q.heap[i].ReadyAt = w.ReadyAt
	q.fix(i)
	return w.ReadyAt, false
}

// remove takes k out, if it waits.
func (q *waitForPriorityQueue) remove(k object.Key) {
	if int(k) >= len(q.place) || q.place[k] == 0 {
		return
	}
	at, last := int(q.place[k])-1, len(q.heap)-1
	q.swap(at, last)
	q.heap, q.place[k] = q.heap[:last], 0
	if at < last {
		q.fix(at)
	}
}

// fix puts the i-th item where its time belongs.
func (q *waitForPriorityQueue) fix(i int) {
	if !q.down(i, len(q.heap)) {
		q.up(i)
	}
}

// pop removes the first item as container/heap does, because the layout of
// the heap decides the order of items that become ready at the same time.
func (q *waitForPriorityQueue) pop() object.Key {
	last := len(q.heap) - 1
	q.swap(0, last)
	q.down(0, last)
	k := q.heap[last].Key
	q.heap = q.heap[:last]
	q.place[k] = 0
	return k
}

func (q *waitForPriorityQueue) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if q.heap[i].ReadyAt >= q.heap[parent].ReadyAt {
			return
		}
		q.swap(i, parent)
		i = parent
	}
}

// down reports whether the item moved; n is the length of the heap.
func (q *waitForPriorityQueue) down(i, n int) bool {
	start := i
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if right := child + 1; right < n && q.heap[right].ReadyAt < q.heap[child].ReadyAt {
			child = right
		}
		if q.heap[child].ReadyAt >= q.heap[i].ReadyAt {
			break
		}
		q.swap(i, child)
		i = child
	}
	return i > start
}

func (q *waitForPriorityQueue) swap(i, j int) {
	q.heap[i], q.heap[j] = q.heap[j], q.heap[i]
	q.place[q.heap[i].Key], q.place[q.heap[j].Key] = int32(i+1), int32(j+1)
}
