// Package controller is what the reconcile loop of controller-runtime
// (pkg/internal/controller) decides, as pure data: what becomes of a key after its
// reconcile. [Result.Outcome] says which case of reconcileHandler a result comes to, and
// [Result.RequeueOptions] how the key is added again. [RuntimeOf] returns what a version does differently.
// Queues and workers are the world's. The packages below it are
// parts that a controller may have: its priority queue, and the guards with which it
// waits for its own writes. Times and durations are nanoseconds of virtual time.
package controller

import "github.com/informerscope/informerscope/engine/controller/priorityqueue"

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
