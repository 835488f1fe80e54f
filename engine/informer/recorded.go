package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
)

// Recording is what a recorded controller did. It is played as it was: each act at its time.
// What follows from the acts is the engine's: what waits in the workqueue, when a delay is over, and
// what a reconcile finds in the cache. Copies of a world share a Recording.
type Recording struct {
	Name       string
	Workers    int
	Priorities bool  // the workqueue was controller-runtime's priority queue, which has each key once
	Acts       []Act // each later than the one before
}

// Act is one thing that a recorded controller did. Times are in nanoseconds.
type Act struct {
	Time    int64
	N       int64  // of CallAddAfter and CallAddRateLimited: the delay, negative where it isn't known; of ReconcileBegin: what the reconcile took; of ReconcileAnswer: the status
	Request string // of ReconcileWrite: verb, resource and name
	Caller  string // of a call that adds a key: within what it was made, "" if nobody knows
	Write   int32  // of a call that adds a key, since a write has come back: where Acts has that write, from 1
	Key     object.Key
	Worker  int16 // from 0; -1 if it was no worker
	Method  Method
	Failed  bool // of ReconcileEnd
}

// Method says what an [Act] is.
type Method uint8

// The methods: calls of the workqueue's, and parts of a reconcile.
const (
	CallAdd Method = iota
	CallAddAfter
	CallAddRateLimited
	CallGet
	CallForget
	CallDone // Done
	CallShutDown
	ReconcileBegin
	ReconcileWrite
	ReconcileAnswer
	ReconcileEnd
)

// recorded is how far a Recording was played.
type recorded struct {
	id       actor.ID
	next     int  // the act whose turn it is
	diverged bool // something happened that the recorded controller has not seen
}

// awaitAct lets the recorded controller wait for the time of its next act.
func (w *Work) awaitAct(s *actor.Set, r *Recording) {
	if w.recorded.diverged || w.recorded.next == len(r.Acts) {
		s.Stop(w.recorded.id)
		return
	}
	s.Sleep(w.recorded.id, actor.RecordedAct, actor.OnTimer, r.Acts[w.recorded.next].Time)
}

// Acted returns how many acts of a [Recording] were played.
func (w *Work) Acted() int { return w.recorded.next }

// RecordedUntilHere reports whether a recorded controller was played up to a moment from which on
// nobody knows what it would have done.
func (w *Work) RecordedUntilHere() bool { return w.recorded.diverged }

// stepRecorded does the next act of the recorded controller.
func (x *Informer) stepRecorded(s *actor.Set, _ actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	w, r := &x.Work, x.cfg.Recorded
	a := &r.Acts[w.recorded.next]
	switch a.Method {
	case CallAdd:
		w.addRecorded(s, r, a, log)
	case CallAddAfter, CallAddRateLimited:
		w.addLater(s, r, a, log)
	case CallGet:
		w.take(s, a, log)
	case CallForget:
		w.Queue.Forget(a.Key, log)
	case CallDone:
		w.Queue.Done(a.Key, max(a.Worker, 0), log)
		if a.Worker >= 0 && w.Workers[a.Worker].Key == a.Key { // or else the recorder has given the number to another one
			w.Workers[a.Worker].clear()
		}
	case CallShutDown:
		w.Queue.ShutDown(log)
		w.awaitReady(s)
	case ReconcileWrite:
		log.Emit(event.Event{Kind: event.WriteSent, Listener: a.Worker, Key: a.Key, N: int64(w.recorded.next)})
	case ReconcileAnswer:
		log.Emit(event.Event{Kind: event.WriteReturned, Listener: a.Worker, Key: a.Key, N: a.N})
	case ReconcileBegin:
		w.beginRecorded(s, a, x.Indexer, log)
	case ReconcileEnd:
		w.endRecorded(a, log)
	}
	w.recorded.next++
	w.awaitAct(s, r)
	return true
}

// Disturb tells the workers that something has happened which the recorded controller has not
// seen. From then on nobody knows what it would have done, so its part ends. It does nothing where there
// is none.
func (w *Work) Disturb(s *actor.Set) {
	if w.recorded.id == actor.Nobody || w.recorded.diverged {
		return
	}
	w.recorded.diverged = true
	s.Stop(w.recorded.id)
	for i := range w.Workers {
		w.Workers[i] = Worker{ID: w.recorded.id, Done: w.Workers[i].Done}
	}
}

// addRecorded models queue.Add. A priority queue has no other entry for the key that could become
// ready later.
func (w *Work) addRecorded(s *actor.Set, r *Recording, a *Act, log *event.Log) {
	if r.Priorities {
		w.Queue.Drop(a.Key)
		w.awaitReady(s)
	}
	w.Queue.Add(a.Key, log)
}

// addLater models queue.AddAfter or AddRateLimited, and what waitingLoop does with the key: nobody knows
// when that was. The rate limiter counts, and decides where the recording doesn't say what it
// decided.
func (w *Work) addLater(s *actor.Set, r *Recording, a *Act, log *event.Log) {
	q, delay := &w.Queue, a.N
	if a.Method == CallAddRateLimited {
		given := q.Limiter.When(a.Key, s.Now)
		log.Emit(event.Event{Kind: event.WorkRateLimited, Key: a.Key, N: int64(q.NumRequeues(a.Key))})
		if delay < 0 {
			delay = given
		}
	}
	if delay <= 0 || r.Priorities && q.IsDirty(a.Key) { // the earlier time stays
		w.addRecorded(s, r, a, log)
		return
	}
	q.Wait(a.Key, delay, s.Now, log)
	w.awaitReady(s)
}

// take models a worker's Get, which gets the key that it got.
func (w *Work) take(s *actor.Set, a *Act, log *event.Log) {
	before := w.Queue.Queue.Take(a.Key, a.Worker, log)
	switch {
	case before > 0:
		log.Emit(event.Event{Kind: event.WorkOvertook, Listener: a.Worker, Key: a.Key, N: int64(before)})
	case before < 0:
		w.Queue.Drop(a.Key)
		w.awaitReady(s)
		log.Emit(event.Event{Kind: event.WorkMissing, Listener: a.Worker, Key: a.Key})
	}
	w.Workers[a.Worker].clear()
	w.Workers[a.Worker].Key = a.Key
}

// clear leaves the worker with nothing in hand.
func (o *Worker) clear() { o.Key, o.Obj, o.Started, o.Failed = 0, 0, 0, false }

// beginRecorded begins a reconcile, which reads the object from the cache.
func (w *Work) beginRecorded(s *actor.Set, a *Act, store *indexer.Indexer, log *event.Log) {
	o := &w.Workers[a.Worker]
	o.Key = a.Key
	o.Obj, _ = store.GetByKey(a.Key)
	o.Started, o.Duration = s.Now, a.N
	log.Emit(event.Event{Kind: event.ReconcileStarted, Listener: a.Worker, Key: a.Key, New: o.Obj, N: a.N})
}

// endRecorded ends a reconcile. Where the workqueue was not recorded, the worker has
// nothing in hand any more.
func (w *Work) endRecorded(a *Act, log *event.Log) {
	o := &w.Workers[a.Worker]
	o.Done++
	o.Failed = a.Failed
	kind := event.ReconcileEnded
	if a.Failed {
		kind = event.ReconcileFailed
	}
	log.Emit(event.Event{Kind: kind, Listener: a.Worker, Key: a.Key})
	if !w.Queue.IsProcessing(a.Key) {
		o.clear()
	}
}

// HasRead reports whether the worker is in a reconcile that has read the object from the cache.
func (o *Worker) HasRead(s *actor.Set) bool {
	switch s.State(o.ID).PC {
	case actor.WorkerReconciled, actor.WorkerDone:
		return true
	case actor.RecordedAct, actor.None:
		return o.Started > 0
	}
	return false
}
