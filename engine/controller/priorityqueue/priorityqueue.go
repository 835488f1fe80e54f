// Package priorityqueue is controller-runtime's pkg/controller/priorityqueue as
// pure data. The goroutines of the real one are turns here, which a world takes
// when they are ready: HandleAddBuffer, HandleWaitingItems and HandleReadyItems. Each appends
// the facts of what became of the keys to its log, which may be nil.
// Times and durations are nanoseconds of virtual time.
package priorityqueue

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
)

// AddOpts are the options of AddWithOpts.
type AddOpts struct {
	After       int64 // nanoseconds; what is not positive means at once
	RateLimited bool  // the limiter gives the delay; if After is set, too, the smaller one counts
	Priority    int   // higher ones come first; a nil Priority of the real one is 0
}

// Order is how a version of controller-runtime orders the keys that are ready.
type Order uint8

// The orders. A key is put off by an Add with a delay, until an Add without one. ByPriority, a key whose
// delay ends is added again at that time. In the older orders it still counts as put off, and keys that are
// put off are ordered by the times at which their delays ended.
const (
	ByPriority       Order = iota // v0.23: by priority, and then as they became ready, or as their priority rose
	ByPriorityDelays              // v0.22: by priority, and among equals those last that were put off
	ByDelays                      // v0.20: those last that were put off, whatever their priority
)

// Item is a key in the queue, or a key that was handed out.
type Item struct {
	Key          object.Key
	AddedCounter uint64
	Priority     int
	ReadyAt      int64 // of a waiting item and, in the older orders, of an item that was put off
}

// Place says where a key is.
type Place uint8

// The places of a key.
const (
	Nowhere Place = iota
	Ready         // in the set of those that can be handed out
	Waiting       // in the set of those whose time has not come
)

// added is a call of AddWithOpts that waits in the buffer; its keys end at to.
type added struct {
	AddOpts
	to int
}

// Queue is priorityqueue.PriorityQueue. There is no dirty and no processing set: a
// key that is added while a worker has it is a new item, which is not handed out
// before Done. The zero Queue never delays what is rate limited.
type Queue struct {
	Limiter workqueue.Limiter

	// Deaf tells that ShutDown ends neither the workers that wait nor the adding, as up to v0.21.
	Deaf bool

	buffer []added // addBuffer
	keys   []object.Key

	items items

	retried  int64
	waiters  int
	shutdown bool
}

// DefaultLimiter returns the limiter of a queue that was given none: each key's own
// exponential back-off from 5 ms to 1000 s. It has no bucket.
func DefaultLimiter() workqueue.Limiter { return workqueue.Exponential(5e6, 1000e9) }

// New returns an empty queue, which hands out its keys in an Order.
func New(l workqueue.Limiter, o Order) *Queue { return &Queue{Limiter: l, items: items{order: o}} }

// CopyFrom makes q equal to src.
func (q *Queue) CopyFrom(src *Queue) {
	q.Limiter.CopyFrom(&src.Limiter)
	q.Deaf, q.retried, q.waiters, q.shutdown = src.Deaf, src.retried, src.waiters, src.shutdown
	q.buffer, q.keys = append(q.buffer[:0], src.buffer...), append(q.keys[:0], src.keys...)
	q.items.copyFrom(&src.items)
}

// AddWithOpts puts keys into the buffer. Nothing else happens before
// HandleAddBuffer, HandleReadyItems or Len empties it: the limiter is asked then,
// so a Forget in between comes before it. After ShutDown keys are ignored.
func (q *Queue) AddWithOpts(o AddOpts, keys ...object.Key) {
	if !q.accepts() || len(keys) == 0 {
		return
	}
	q.keys = append(q.keys, keys...)
	q.buffer = append(q.buffer, added{o, len(q.keys)})
}

// Add calls AddWithOpts without options.
func (q *Queue) Add(k object.Key) { q.AddWithOpts(AddOpts{}, k) }

// AddAfter calls AddWithOpts with a delay.
func (q *Queue) AddAfter(k object.Key, after int64) { q.AddWithOpts(AddOpts{After: after}, k) }

// AddRateLimited calls AddWithOpts with the limiter's delay.
func (q *Queue) AddRateLimited(k object.Key) { q.AddWithOpts(AddOpts{RateLimited: true}, k) }

// AddBufferReady reports whether HandleAddBuffer has something to do.
func (q *Queue) AddBufferReady() bool { return q.accepts() && len(q.buffer) > 0 }

// accepts reports whether ShutDown keeps nobody from adding keys and from waiting for them.
func (q *Queue) accepts() bool { return !q.shutdown || q.Deaf }

// HandleAddBuffer makes one turn of handleAddBuffer: it empties the buffer.
func (q *Queue) HandleAddBuffer(now int64, log *event.Log) {
	if q.accepts() {
		q.flush(now, log)
	}
}

// flush follows lockedFlushAddBuffer. What was in the buffer at ShutDown is lost.
func (q *Queue) flush(now int64, log *event.Log) {
	from := 0
	for i := range q.buffer {
		b := &q.buffer[i]
		for _, k := range q.keys[from:b.to] {
			if q.accepts() {
				q.add(&b.AddOpts, k, now, log)
			}
		}
		from = b.to
	}
	q.buffer, q.keys = q.buffer[:0], q.keys[:0]
}

// add follows lockedAddWithOpts for one key.
func (q *Queue) add(o *AddOpts, k object.Key, now int64, log *event.Log) {
	emit := func(kind event.Kind, n int64) { log.Emit(event.Event{Kind: kind, Key: k, N: n}) }
	after := o.After
	if o.RateLimited {
		if limited := q.Limiter.When(k, now); after == 0 || limited < after {
			after = limited
		}
		if failures := q.Limiter.NumRequeues(k); failures > 0 {
			emit(event.WorkRateLimited, int64(failures))
		}
	}
	to, readyAt := Ready, int64(0)
	if after > 0 {
		to, readyAt = Waiting, actor.After(now, after)
		q.retried++
	}
	q.items.states = object.Grown(q.items.states, k)
	s := &q.items.states[k]
	from := s.place
	raised, sooner := false, false
	switch {
	case from == Nowhere:
		s.priority, s.counter = o.Priority, q.items.count()
	default:
		if to == Waiting { // no delay puts off what is ready, or is to be sooner
			if to = from; from == Ready {
				readyAt = s.readyAt
			}
			readyAt = min(readyAt, s.readyAt)
		}
		raised = o.Priority > s.priority
		if from == to && readyAt == s.readyAt && !raised {
			if to == Waiting {
				emit(event.WorkDelayKept, readyAt-now)
			} else {
				emit(event.WorkKept, int64(s.priority))
			}
			return
		}
		q.items.remove(k)
		sooner = from == Ready && readyAt != s.readyAt
		if raised {
			s.priority = o.Priority
			if q.items.order == ByPriority {
				s.counter = q.items.count()
			}
		}
	}
	s.readyAt = readyAt
	q.items.insert(k, to)
	if raised {
		emit(event.WorkRaised, int64(s.priority))
	}
	switch {
	case to == Waiting:
		emit(event.WorkDelayed, readyAt-now)
	case from != to:
		emit(event.WorkQueued, int64(s.priority))
	case sooner && !raised:
		emit(event.WorkReady, 0)
	}
}

// NextReady returns when the first waiting item becomes ready.
func (q *Queue) NextReady() (at int64, ok bool) {
	if q.shutdown || q.items.waiting.len() == 0 {
		return 0, false
	}
	return q.items.states[q.items.waiting.at(0)].readyAt, true
}

// WaitingItemsReady reports whether HandleWaitingItems has something to do.
func (q *Queue) WaitingItemsReady(now int64) bool {
	at, ok := q.NextReady()
	return ok && at <= now
}

// HandleWaitingItems makes one turn of handleWaitingItems: all items whose time has
// come become ready, in the order of their times. ByPriority, each counts as added now,
// so it comes after the ready keys of its priority.
func (q *Queue) HandleWaitingItems(now int64, log *event.Log) {
	for q.WaitingItemsReady(now) {
		k := q.items.waiting.at(0)
		q.items.waiting.remove(0)
		s := &q.items.states[k]
		if q.items.order == ByPriority {
			s.readyAt, s.counter = 0, q.items.count()
		}
		q.items.insert(k, Ready)
		log.Emit(event.Event{Kind: event.WorkReady, Key: k})
		log.Emit(event.Event{Kind: event.WorkQueued, Key: k, N: int64(s.priority)})
	}
}

// GetWithPriority lets one more worker wait until HandleReadyItems hands out an
// item. If the queue is shut down, it reports that, and the worker doesn't wait.
func (q *Queue) GetWithPriority() (shutdown bool) {
	if q.accepts() {
		q.waiters++
	}
	return !q.accepts()
}

// ReadyItemsReady reports whether HandleReadyItems has something to do.
func (q *Queue) ReadyItemsReady() bool {
	if q.shutdown {
		return false
	}
	return len(q.buffer) > 0 || q.waiters > 0 && q.items.next(0) < q.items.ready.len()
}

// HandleReadyItems makes one turn of handleReadyItems: it empties the buffer and hands
// out as many items as there are workers that wait. It passes over keys that a
// worker has. It appends the items to dst.
func (q *Queue) HandleReadyItems(now int64, dst []Item, log *event.Log) []Item {
	if q.shutdown {
		return dst
	}
	q.flush(now, log)
	for i := 0; q.waiters > 0; {
		if i = q.items.next(i); i == q.items.ready.len() {
			break
		}
		k := q.items.ready.at(i)
		q.items.ready.remove(i)
		s := &q.items.states[k]
		s.place, s.locked = Nowhere, true
		q.waiters--
		dst = append(dst, Item{Key: k, AddedCounter: s.counter, Priority: s.priority})
	}
	return dst
}

// Done ends what a worker does with k. Done without Get changes nothing.
func (q *Queue) Done(k object.Key) {
	if int(k) < len(q.items.states) {
		q.items.states[k].locked = false
	}
}

// Forget makes the Limiter forget the failures of k.
func (q *Queue) Forget(k object.Key) { q.Limiter.Forget(k) }

// NumRequeues returns what the Limiter's returns.
func (q *Queue) NumRequeues(k object.Key) int { return q.Limiter.NumRequeues(k) }

// ShutDown ends the three goroutines, and all workers that wait return. Nothing that
// is ready is handed out any more. It reports false for a second call: the real one
// panics then ("close of closed channel"). ShutDownWithDrain of the real one is
// ShutDown, and waits for nobody.
func (q *Queue) ShutDown() bool {
	first := !q.shutdown
	q.shutdown = true
	return first
}

// ShuttingDown reports whether ShutDown was called.
func (q *Queue) ShuttingDown() bool { return q.shutdown }

// Len empties the buffer and returns how many items are ready. Items that a worker
// has count if they were added again; waiting ones don't. In the order of v0.22, where the waiting keys
// stand between the others, it counts up to the first of them.
func (q *Queue) Len(now int64, log *event.Log) int {
	q.flush(now, log)
	n := q.items.ready.len()
	if q.items.order == ByPriorityDelays {
		for i := range q.items.waiting.len() {
			for n > 0 && q.items.states[q.items.ready.at(n-1)].priority < q.items.states[q.items.waiting.at(i)].priority {
				n--
			}
		}
	}
	return n
}

// Buffered appends the keys that lie in the buffer of a queue, in the order in which they were added.
func (q *Queue) Buffered(dst []object.Key) []object.Key { return append(dst, q.keys...) }

// Order returns how the queue orders the keys that are ready.
func (q *Queue) Order() Order { return q.items.order }

// Waiters returns how many workers wait. As in the real one, ShutDown doesn't change it,
// though the workers return.
func (q *Queue) Waiters() int { return q.waiters }

// AddedCounter returns how many places have been given so far.
func (q *Queue) AddedCounter() uint64 { return q.items.addedCounter }

// Retried returns the metric retries_total: how many additions had a delay.
func (q *Queue) Retried() int64 { return q.retried }

// ReadyLen returns how many items are ready, without those in the buffer.
func (q *Queue) ReadyLen() int { return q.items.ready.len() }

// WaitingLen returns how many items wait for their time, without those in the buffer.
func (q *Queue) WaitingLen() int { return q.items.waiting.len() }

// ReadyAt returns the i-th ready item, in the order in which workers get them.
func (q *Queue) ReadyAt(i int) Item { return q.items.item(q.items.ready.at(i)) }

// WaitingAt returns the i-th item that waits, in the order of their times.
func (q *Queue) WaitingAt(i int) Item { return q.items.item(q.items.waiting.at(i)) }

// Locked appends the keys that workers have, in the order of their numbers.
func (q *Queue) Locked(dst []object.Key) []object.Key {
	for k := range q.items.states {
		if q.items.states[k].locked {
			dst = append(dst, object.Key(k))
		}
	}
	return dst
}

// Hash adds the queue's state at the time now.
func (q *Queue) Hash(h *actor.Hash, now int64) {
	h.Bool(q.shutdown)
	h.Add(uint64(q.waiters))
	h.Add(uint64(len(q.buffer)))
	for _, b := range q.buffer {
		h.Add(uint64(b.After))
		h.Bool(b.RateLimited)
		h.Add(uint64(b.Priority))
		h.Add(uint64(b.to))
	}
	actor.HashAll(h, q.keys)
	q.items.hash(h, now)
	q.Limiter.Hash(h, now)
}
