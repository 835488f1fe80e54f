package event

import "github.com/informerscope/informerscope/engine/object"

// Fields is a set of fields of facts. Each exported one is read by the method of
// Event that has its name.
type Fields uint64

const (
	// The fields of Event whose meaning is the same for all kinds.
	delta Fields = 1 << iota
	flags
	key
	oldObject
	newObject
	cause

	// What Listener holds.
	Handler
	Worker
	Index
	Limit
	Failure
	Retry
	Holder

	// What N holds.
	RV
	Code
	Number
	Duration
	Value
	Lock
	Syncing
	Skip
	Refused
	Revision
	Until

	// What N counts.
	Items
	Received
	Queued
	Depth
	Length
	Left
	Pending
	Lost
	Requeues
	Requests
	Reconciles
	Started
	Priority
)

// Counts are the fields in which N is a number of things. Count reads them.
const Counts = Items | Received | Queued | Depth | Length | Left | Pending | Lost | Requeues | Requests | Reconciles | Started | Priority

// Has reports whether facts of the kind have any of the fields in what.
func (k Kind) Has(what Fields) bool { return k < numKinds && kinds[k].fields&what != 0 }

// n is N if N holds one of the fields in what, and 0 otherwise.
func (e *Event) n(what Fields) int64 {
	if e.Kind.Has(what) {
		return e.N
	}
	return 0
}

// which is Listener if Listener holds one of the fields in what, and -1 otherwise.
func (e *Event) which(what Fields) int {
	if e.Kind.Has(what) {
		return int(e.Listener)
	}
	return -1
}

// Handler is the number of the handler, or processorListener, counted from 0; -1
// where the fact is not about one.
func (e Event) Handler() int {
	if e.Kind == CallRefused && e.Refused() != AddHandlerStopped {
		return -1
	}
	return e.which(Handler)
}

// Worker is the number of the worker, counted from 0; -1 where the fact is not
// about one.
func (e Event) Worker() int { return e.which(Worker) }

// Index is the number of the index, counted from 0; -1 where the fact is not
// about one.
func (e Event) Index() int { return e.which(Index) }

// Limit is how many items a page of the list may have, 0 for any number.
func (e Event) Limit() int { return max(e.which(Limit), 0) }

// Failure is an apiserver.Failure: what went wrong, 0 for nothing.
func (e Event) Failure() int { return max(e.which(Failure), 0) }

// Retry is the number of the retry, counted from 1.
func (e Event) Retry() int { return max(e.which(Retry), 0) }

// Holder is the actor.ID of the actor that holds what the acting one waits for, -1
// where the fact is not about waiting.
func (e Event) Holder() int { return e.which(Holder) }

// RV is a resourceVersion: the one from which a list or a watch is requested, or
// the one that was reached.
func (e Event) RV() object.RV { return object.RV(e.n(RV)) }

// Code is the HTTP status code of an answer, or the code of a Status; 0 where
// there was no answer.
func (e Event) Code() int { return int(e.n(Code)) }

// Number is the number of the watch event in its feed, or of the act in its recording.
func (e Event) Number() int64 { return e.n(Number) }

// Duration is how long something takes from here, or how often it is due, in
// nanoseconds.
func (e Event) Duration() int64 { return e.n(Duration) }

// Value is the indexed value.
func (e Event) Value() object.Sym { return object.Sym(e.n(Value)) }

// Lock is an actor.LockID.
func (e Event) Lock() int { return int(e.n(Lock)) }

// Syncing tells whether the listener takes part in the next resync.
func (e Event) Syncing() bool { return e.n(Syncing) != 0 }

// Skip is why the reflector passed over a watch event.
func (e Event) Skip() SkipReason { return SkipReason(e.n(Skip)) }

// Refused is which call was refused, and why.
func (e Event) Refused() Refusal { return Refusal(e.n(Refused)) }

// Revision is a revision of the cluster's etcd.
func (e Event) Revision() int64 { return e.n(Revision) }

// Until is a time on the clock, in nanoseconds.
func (e Event) Until() int64 { return e.n(Until) }

// Items is how many objects a list has, or has so far.
func (e Event) Items() int { return int(e.n(Items)) }

// Received is how many watch events a watch has delivered.
func (e Event) Received() int64 { return e.n(Received) }

// Queued is how many deltas a Replace has queued.
func (e Event) Queued() int { return int(e.n(Queued)) }

// Depth is how many keys are in the queue, or workqueue, now; in a RealFIFO, how
// many deltas.
func (e Event) Depth() int { return int(e.n(Depth)) }

// Length is how many deltas the key has now, or had as it was popped.
func (e Event) Length() int { return int(e.n(Length)) }

// Left is how many keys of the first list are still to be popped.
func (e Event) Left() int { return int(e.n(Left)) }

// Pending is the length of pendingNotifications now.
func (e Event) Pending() int { return int(e.n(Pending)) }

// Lost is how many notifications were discarded.
func (e Event) Lost() int { return int(e.n(Lost)) }

// Requeues is how often the rate limiter has seen the key since it was forgotten.
func (e Event) Requeues() int { return int(e.n(Requeues)) }

// Started is how many informers a factory has started, or how many listeners a processor.
func (e Event) Started() int { return int(e.n(Started)) }

// Priority is the key's in a priority queue. It may be negative.
func (e Event) Priority() int { return int(e.n(Priority)) }

// Count is the fact's number, whatever it counts: see Counts.
func (e Event) Count() int64 { return e.n(Counts) }

// Requests is how many requests will fail: negative for all, 0 if requests no
// longer fail.
func (e Event) Requests() int { return int(e.n(Requests)) }

// Reconciles is how many reconciles will fail: negative for all, 0 if commands no
// longer make any fail.
func (e Event) Reconciles() int { return int(e.n(Reconciles)) }
