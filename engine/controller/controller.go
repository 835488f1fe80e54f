// Package controller is the reconcile loop of controller-runtime
// (pkg/internal/controller) as pure data: a controller's queue, and what becomes of a
// key after its reconcile. Workers are the world's actors. The packages below it are
// parts that a controller may have: its priority queue, and the guards with which it
// waits for its own writes. Times and durations are nanoseconds of virtual time.
package controller

import (
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
)

// DefaultLimiter returns the rate limiter of a controller that was given none. With the
// priority queue it is each key's own exponential back-off, without it client-go's
// default, in which all keys also share a bucket.
func DefaultLimiter(usePriorityQueue bool) workqueue.Limiter {
	if usePriorityQueue {
		return priorityqueue.DefaultLimiter()
	}
	return workqueue.DefaultController()
}

// Queue is a controller's queue: the priority queue, or client-go's workqueue in
// priorityQueueWrapper, which gives all keys the priority 0. One of the two is in use.
type Queue struct {
	UsePriorityQueue bool
	Priority         priorityqueue.Queue
	Work             workqueue.RateLimiting
}

// NewQueue returns an empty queue. A priority queue hands out its keys in the Order o.
func NewQueue(usePriorityQueue bool, l workqueue.Limiter, o priorityqueue.Order) *Queue {
	q := &Queue{UsePriorityQueue: usePriorityQueue, Priority: *priorityqueue.New(workqueue.Limiter{}, o)}
	*q.Limiter() = l
	return q
}

// Limiter returns the rate limiter of the queue in use.
func (q *Queue) Limiter() *workqueue.Limiter {
	if q.UsePriorityQueue {
		return &q.Priority.Limiter
	}
	return &q.Work.Limiter
}

// AddWithOpts adds k, as sources and the reconcile loop do. Without the priority queue,
// a rate limit counts and the delay beside it doesn't. If it reports false, the
// workqueue's channel is full: the caller waits, and then calls Work.AddAfter with the
// delay returned.
func (q *Queue) AddWithOpts(o priorityqueue.AddOpts, k object.Key, now int64, log *event.Log) (delay int64, ok bool) {
	switch {
	case q.UsePriorityQueue:
		q.Priority.AddWithOpts(o, k)
	case o.RateLimited:
		return q.Work.AddRateLimited(k, now, log)
	case o.After > 0:
		return o.After, q.Work.AddAfter(k, o.After, now, log)
	default:
		q.Work.Add(k, log)
	}
	return 0, true
}

// Done ends what a worker does with k.
func (q *Queue) Done(k object.Key, worker int16, log *event.Log) {
	if q.UsePriorityQueue {
		q.Priority.Done(k)
	} else {
		q.Work.Done(k, worker, log)
	}
}

// Forget makes the limiter forget the failures of k.
func (q *Queue) Forget(k object.Key, log *event.Log) {
	if q.UsePriorityQueue {
		q.Priority.Forget(k)
	} else {
		q.Work.Forget(k, log)
	}
}

// ShutDown ends the queue, as the end of the controller's context does.
func (q *Queue) ShutDown(log *event.Log) {
	if q.UsePriorityQueue {
		q.Priority.ShutDown()
	} else {
		q.Work.ShutDown(log)
	}
}

// Failure says with which error a reconcile returned.
type Failure uint8

// The errors of a reconcile.
const (
	NoError       Failure = iota
	Failed                // an error, or a panic that was recovered
	TerminalError         // reconcile.TerminalError, anywhere in the chain of errors
)

// Result is reconcile.Result, and the error beside it.
type Result struct {
	Failure      Failure
	RequeueAfter int64 // nanoseconds; what is not positive means nothing
	Requeue      bool
	HasPriority  bool
	Priority     int // with which the key is added again, if HasPriority
}

// Outcome is the case of reconcileHandler that a Result came to.
type Outcome uint8

// The outcomes of a reconcile.
const (
	Succeeded       Outcome = iota // the failures are forgotten
	Retried                        // an error: added again, rate limited
	TerminalFailure                // a terminal error: not added again, and the failures stay
	RequeuedAfter                  // the failures are forgotten, and the key is added with the delay
	Requeued                       // added again, rate limited, as if it had failed
)

// Outcome says which case r is.
func (r *Result) Outcome() Outcome {
	switch {
	case r.Failure == TerminalError:
		return TerminalFailure
	case r.Failure == Failed:
		return Retried
	case r.RequeueAfter > 0:
		return RequeuedAfter
	case r.Requeue:
		return Requeued
	}
	return Succeeded
}

// Handle models the end of reconcileHandler: it does to the queue what the result of k's
// reconcile asks for. Priority is the one with which k was handed out. The key is added
// again before Done, which is the caller's. The results are those of AddWithOpts.
func (q *Queue) Handle(k object.Key, priority int, r *Result, now int64, log *event.Log) (delay int64, ok bool) {
	o, forgets, again := r.RequeueOptions(priority)
	if forgets {
		q.Forget(k, log)
	}
	if !again {
		return 0, true
	}
	return q.AddWithOpts(o, k, now, log)
}

// RequeueOptions says how a key with that priority is added again after r, whether its failures are
// forgotten before, and whether it is added at all.
func (r *Result) RequeueOptions(priority int) (o priorityqueue.AddOpts, forgets, again bool) {
	if o.Priority = priority; r.HasPriority {
		o.Priority = r.Priority
	}
	switch r.Outcome() {
	case TerminalFailure:
		return o, false, false
	case Succeeded:
		return o, true, false
	case RequeuedAfter:
		o.After = r.RequeueAfter
		return o, true, true
	}
	o.RateLimited = true
	return o, false, true
}
