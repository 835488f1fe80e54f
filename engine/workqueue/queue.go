// Package workqueue is client-go's workqueue as pure data: the queue that
// deduplicates, the delaying queue around it, and the rate limiters. Workers
// and the delaying queue's loop are actors of the world. Times and durations
// are nanoseconds of virtual time.
//
// The methods have client-go's names and are called in the same order: Add, Get, then Forget or
// AddRateLimited, and Done. No method waits. Where client-go's Get would wait, [Queue.Get] returns NotReady,
// and where AddAfter would, [Delaying.AddAfter] returns false. [Delaying.LoopTurn] is a turn of
// waitingLoop, to be called when [Delaying.LoopReady] reports true. An item is the key of an object.
//
// [Queue] follows util/workqueue/queue.go of client-go, [Delaying] delaying_queue.go,
// [RateLimiting] rate_limiting_queue.go, and [Limiter] default_rate_limiters.go.
package workqueue

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Queue is workqueue.Type: the items that wait, in order; the dirty set, which are
// items to be processed; and the processing set, which are items in workers'
// hands.
type Queue struct {
	queue []object.Key
	head  int // queue[:head] has been handed out
	sets  []set

	dirty, processing int // sizes of the sets
	shuttingDown      bool
	drain             bool
	paused            bool
	counters          Counters
}

// set says in which sets a key is.
type set uint8

const (
	isDirty set = 1 << iota
	isProcessing
)

// Counters count what went through a queue since it was made.
type Counters struct {
	Added     int64 // items put into the queue
	Merged    int64 // Add calls that found the item there already
	Retrieved int64 // items handed to workers
	Delayed   int64 // AddAfter calls that wait
	Retried   int64 // AddAfter calls, with the calls that AddRateLimited makes: the metric retries_total
}

// CopyFrom makes q equal to src.
func (q *Queue) CopyFrom(src *Queue) {
	queue, sets := q.queue, q.sets
	*q = *src
	q.queue = append(queue[:0], src.queue[src.head:]...)
	q.head = 0
	q.sets = append(sets[:0], src.sets...)
}

// Add marks k dirty and queues it, unless it is dirty already. If a worker has it
// in hand, Done will queue it. A queue that is shutting down ignores Add.
func (q *Queue) Add(k object.Key, log *event.Log) {
	if q.shuttingDown {
		return
	}
	q.grow(k)
	if q.sets[k]&isDirty != 0 {
		q.counters.Merged++
		log.Emit(event.Event{Kind: event.WorkDirty, Key: k})
		return
	}
	q.sets[k] |= isDirty
	q.dirty++
	if q.sets[k]&isProcessing != 0 {
		q.counters.Merged++
		log.Emit(event.Event{Kind: event.WorkDeferred, Key: k})
		return
	}
	q.push(k)
	log.Emit(event.Event{Kind: event.WorkAdded, Key: k, N: int64(q.Len())})
}

// GetResult is the outcome of Get.
type GetResult uint8

// The outcomes of Get.
const (
	Item     GetResult = iota // an item
	NotReady                  // nothing yet: the worker waits until CanGet
	ShutDown                  // nothing any more
)

// Get hands the head of the queue to a worker. Items that are queued at [Queue.ShutDown]
// are still handed out, unless the queue is paused.
func (q *Queue) Get(worker int16, log *event.Log) (object.Key, GetResult) {
	if q.Len() == 0 || q.paused {
		if q.shuttingDown {
			return 0, ShutDown
		}
		log.Emit(event.Event{Kind: event.WorkGetWaits, Listener: worker})
		return 0, NotReady
	}
	return q.handOver(worker, log), Item
}

// handOver hands the head of the queue to a worker.
func (q *Queue) handOver(worker int16, log *event.Log) object.Key {
	k := q.queue[q.head]
	q.head++
	if q.head == len(q.queue) {
		q.queue, q.head = q.queue[:0], 0
	}
	// An item can be queued twice if Done was called without Get, so either bit
	// may already have its new value.
	if q.sets[k]&isProcessing == 0 {
		q.processing++
	}
	if q.sets[k]&isDirty != 0 {
		q.dirty--
	}
	q.sets[k] = isProcessing
	q.counters.Retrieved++
	log.Emit(event.Event{Kind: event.WorkGot, Listener: worker, Key: k})
	return k
}

// Take hands k to a worker, wherever in the queue it is. It returns how many items were
// before it, and -1 if the queue doesn't have it.
func (q *Queue) Take(k object.Key, worker int16, log *event.Log) (before int) {
	q.grow(k)
	before = slices.Index(q.queue[q.head:], k)
	if before > 0 { // to the head, where Get finds it
		copy(q.queue[q.head+1:q.head+before+1], q.queue[q.head:q.head+before])
	}
	if before < 0 {
		q.queue = slices.Insert(q.queue, q.head, k)
	}
	q.queue[q.head] = k
	q.handOver(worker, log)
	return before
}

// CanGet reports whether Get would return at once.
func (q *Queue) CanGet() bool { return q.Len() > 0 && !q.paused || q.shuttingDown }

// Pause makes Get wait until [Queue.Resume], whatever is queued (from v0.38): workqueue.Pausable.
func (q *Queue) Pause(log *event.Log) {
	q.paused = true
	log.Emit(event.Event{Kind: event.WorkPaused})
}

// Resume lets Get hand out items again.
func (q *Queue) Resume(log *event.Log) {
	q.paused = false
	log.Emit(event.Event{Kind: event.WorkResumed, N: int64(q.Len())})
}

// Paused reports whether the queue is paused.
func (q *Queue) Paused() bool { return q.paused }

// Done ends the processing of k, and queues it again if it became dirty meanwhile.
// As in client-go, Done without Get is not prevented, and queues a dirty item once
// more each time.
func (q *Queue) Done(k object.Key, worker int16, log *event.Log) {
	q.grow(k)
	if q.sets[k]&isProcessing != 0 {
		q.sets[k] &^= isProcessing
		q.processing--
	}
	log.Emit(event.Event{Kind: event.WorkDone, Listener: worker, Key: k})
	if q.sets[k]&isDirty != 0 {
		q.push(k)
		log.Emit(event.Event{Kind: event.WorkRequeued, Key: k, N: int64(q.Len())})
	}
}

// ShutDown makes Add ignore items and Get stop waiting. It ends a
// [Queue.ShutDownWithDrain] that is under way.
func (q *Queue) ShutDown(log *event.Log) { q.shutDown(false, log) }

// ShutDownWithDrain does what [Queue.ShutDown] does, but the caller then waits until [Queue.Drained] (from
// v0.23).
func (q *Queue) ShutDownWithDrain(log *event.Log) { q.shutDown(true, log) }

func (q *Queue) shutDown(drain bool, log *event.Log) {
	q.drain = drain
	if !q.shuttingDown {
		q.shuttingDown = true
		log.Emit(event.Event{Kind: event.WorkShutDown})
	}
}

// Drained reports whether [Queue.ShutDownWithDrain] returns. It does as soon as no worker
// has an item in hand, even if items are still queued.
func (q *Queue) Drained() bool { return q.processing == 0 || !q.drain }

// ShuttingDown reports what workqueue.Interface.ShuttingDown does.
func (q *Queue) ShuttingDown() bool { return q.shuttingDown }

// Len returns the number of queued items.
func (q *Queue) Len() int { return len(q.queue) - q.head }

// At returns the i-th queued item from the head.
func (q *Queue) At(i int) object.Key { return q.queue[q.head+i] }

// DirtyLen returns the number of items in the dirty set.
func (q *Queue) DirtyLen() int { return q.dirty }

// ProcessingLen returns the number of items in workers' hands.
func (q *Queue) ProcessingLen() int { return q.processing }

// Dirty appends up to limit keys of the dirty set, in the order of their
// numbers.
func (q *Queue) Dirty(dst []object.Key, limit int) []object.Key {
	return q.members(isDirty, min(limit, q.dirty), dst)
}

// Processing appends up to limit keys of the processing set.
func (q *Queue) Processing(dst []object.Key, limit int) []object.Key {
	return q.members(isProcessing, min(limit, q.processing), dst)
}

// IsDirty reports whether k is in the dirty set.
func (q *Queue) IsDirty(k object.Key) bool { return int(k) < len(q.sets) && q.sets[k]&isDirty != 0 }

// IsProcessing reports whether k is in the processing set.
func (q *Queue) IsProcessing(k object.Key) bool {
	return int(k) < len(q.sets) && q.sets[k]&isProcessing != 0
}

// Counters returns what went through the queue.
func (q *Queue) Counters() Counters { return q.counters }

func (q *Queue) members(s set, limit int, dst []object.Key) []object.Key {
	for k := 0; limit > 0 && k < len(q.sets); k++ {
		if q.sets[k]&s != 0 {
			dst = append(dst, object.Key(k))
			limit--
		}
	}
	return dst
}

func (q *Queue) grow(k object.Key) {
	if int(k) >= len(q.sets) {
		q.sets = append(q.sets, make([]set, int(k)+1-len(q.sets))...)
	}
}

func (q *Queue) push(k object.Key) {
	// Move up rather than grow once more than half of the slice is gone.
	if len(q.queue) == cap(q.queue) && q.head > len(q.queue)/2 {
		n := copy(q.queue, q.queue[q.head:])
		q.queue, q.head = q.queue[:n], 0
	}
	q.queue = append(q.queue, k)
	q.counters.Added++
}
