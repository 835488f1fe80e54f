package workqueue

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// waitingForAddCap is the capacity of client-go's waitingForAddCh.
const waitingForAddCap = 1000

// Waiting is an item that waits for its time: waitFor.
type Waiting struct {
	Key     object.Key
	ReadyAt int64
}

// Delaying is workqueue's delayingType: a Queue to which items can be added later.
// AddAfter sends them over a channel to waitingLoop, which is an actor of the
// world. LoopTurn is one turn of that loop.
type Delaying struct {
	Queue
	sent    []Waiting // waitingForAddCh
	heap    []Waiting // waitForPriorityQueue, with the layout of container/heap
	place   []int32   // by key: its place in heap, counted from 1
	stopped bool      // the loop has ended: ShutDown closes its stopCh
}

// CopyFrom makes d equal to src.
func (d *Delaying) CopyFrom(src *Delaying) {
	queue, sent, heap, place := d.Queue, d.sent, d.heap, d.place
	*d = *src
	queue.CopyFrom(&src.Queue)
	d.Queue = queue
	d.sent = append(sent[:0], src.sent...)
	d.heap = append(heap[:0], src.heap...)
	d.place = append(place[:0], src.place...)
}

// ShutDown also ends the loop, so items that wait are lost. Only the first call
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
	return !d.stopped && (len(d.sent) > 0 || len(d.heap) > 0 && d.heap[0].ReadyAt <= now)
}

// NextReady returns when the loop's timer fires. It ignores the heartbeat every
// ten seconds, which changes nothing.
func (d *Delaying) NextReady() (at int64, ok bool) {
	if d.stopped || len(d.heap) == 0 {
		return 0, false
	}
	return d.heap[0].ReadyAt, true
}

// LoopTurn adds one item whose time has come to the queue, or takes one from the
// channel. It reports false if there is neither.
func (d *Delaying) LoopTurn(now int64, log *event.Log) bool {
	switch {
	case !d.LoopReady(now):
		return false
	case len(d.heap) > 0 && d.heap[0].ReadyAt <= now:
		k := d.popReady()
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

// WaitingLen is how many items wait for their time.
func (d *Delaying) WaitingLen() int { return len(d.heap) }

// WaitingAt returns the i-th waiting item in heap order: the first is the next,
// and the others are only partly ordered.
func (d *Delaying) WaitingAt(i int) Waiting { return d.heap[i] }

// Sent is how many items lie in waitingForAddCh.
func (d *Delaying) Sent() int { return len(d.sent) }

// insert keeps the earlier time if the item waits already.
func (d *Delaying) insert(w Waiting, now int64, log *event.Log) {
	if int(w.Key) >= len(d.place) {
		d.place = append(d.place, make([]int32, int(w.Key)+1-len(d.place))...)
	}
	if at := int(d.place[w.Key]) - 1; at >= 0 {
		kept := w.ReadyAt >= d.heap[at].ReadyAt
		if !kept {
			d.heap[at].ReadyAt = w.ReadyAt
			if !d.down(at, len(d.heap)) {
				d.up(at)
			}
		}
		at = int(d.place[w.Key]) - 1
		kind := event.WorkDelayed
		if kept {
			kind = event.WorkDelayKept
		}
		log.Emit(event.Event{Kind: kind, Key: w.Key, N: d.heap[at].ReadyAt - now})
		return
	}
	d.heap = append(d.heap, w)
	d.place[w.Key] = int32(len(d.heap))
	d.up(len(d.heap) - 1)
	log.Emit(event.Event{Kind: event.WorkDelayed, Key: w.Key, N: w.ReadyAt - now})
}

// Wait lets k wait for its time: AddAfter, and the turn of the loop that takes k out of the channel. A
// queue that is shutting down ignores it.
func Wait(d *Delaying, k object.Key, delay, now int64, log *event.Log) {
	if d.ShuttingDown() {
		return
	}
	d.counters.Delayed++
	d.counters.Retried++
	d.insert(Waiting{k, actor.After(now, delay)}, now, log)
}

// Drop forgets that k waits for its time, if it does.
func Drop(d *Delaying, k object.Key) {
	if int(k) >= len(d.place) || d.place[k] == 0 {
		return
	}
	at, last := int(d.place[k])-1, len(d.heap)-1
	d.swap(at, last)
	d.heap, d.place[k] = d.heap[:last], 0
	if at < last && !d.down(at, last) {
		d.up(at)
	}
}

// popReady removes the first item as container/heap does, because the layout of
// the heap decides the order of items that become ready at the same time.
func (d *Delaying) popReady() object.Key {
	last := len(d.heap) - 1
	d.swap(0, last)
	d.down(0, last)
	k := d.heap[last].Key
	d.heap = d.heap[:last]
	d.place[k] = 0
	return k
}

func (d *Delaying) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if d.heap[i].ReadyAt >= d.heap[parent].ReadyAt {
			return
		}
		d.swap(i, parent)
		i = parent
	}
}

// down reports whether the item moved; n is the length of the heap.
func (d *Delaying) down(i, n int) bool {
	start := i
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if right := child + 1; right < n && d.heap[right].ReadyAt < d.heap[child].ReadyAt {
			child = right
		}
		if d.heap[child].ReadyAt >= d.heap[i].ReadyAt {
			break
		}
		d.swap(i, child)
		i = child
	}
	return i > start
}

func (d *Delaying) swap(i, j int) {
	d.heap[i], d.heap[j] = d.heap[j], d.heap[i]
	d.place[d.heap[i].Key], d.place[d.heap[j].Key] = int32(i+1), int32(j+1)
}
