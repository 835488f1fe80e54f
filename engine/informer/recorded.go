package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/indexer"
)

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
