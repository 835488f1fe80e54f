package informer

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
)

// Work is the controller behind the handlers that feed the workqueue.
type Work struct {
	Queue    workqueue.RateLimiting
	Workers  []Worker
	Delaying actor.ID // waitingLoop
	Failing  Failing

	wroteKey object.Key // see Informer.Wrote
	wroteRV  object.RV
}

// Failing is what commands have said of the reconciles that end from now on.
type Failing struct {
	Key  object.Key // whose reconciles fail, 0 for any key's
	Left int64      // how many of them, negative for all
	Ever bool       // there was such a command; nothing that the workers do depends on it
}

// takes reports whether the reconcile of k that ends now fails, and counts it.
func (f *Failing) takes(k object.Key) bool {
	if f.Left == 0 || f.Key != 0 && f.Key != k {
		return false
	}
	if f.Left = max(f.Left-1, -1); f.Left == 0 {
		f.Key = 0
	}
	return true
}

// failsForEver reports whether the reconcile of each key that waits for its time will
// fail, however often it is tried.
func (w *Work) failsForEver() bool {
	f, q := &w.Failing, &w.Queue
	return f.Left < 0 && (f.Key == 0 || q.WaitingLen() == 1 && q.WaitingAt(0).Key == f.Key)
}

// Worker is one goroutine that takes keys off the workqueue.
type Worker struct {
	ID      actor.ID
	Key     object.Key // in hand, 0 for none
	Obj     object.Ref // what the cache held for it when the reconcile began, 0 for nothing
	Started int64      // when the reconcile began
	Takes   int64      // how long it takes, ns
	Failed  bool
	Done    int64 // reconciles so far

	delay   int64 // of the rate limiter for Key
	sending bool  // waitingForAddCh was full when Key was to go there
}

func (w *Work) init(cfg *Config, add func(actor.Kind, int) actor.ID) {
	w.Queue = *workqueue.NewRateLimiting(workqueue.DefaultController())
	w.Delaying = add(actor.Delaying, 0)
	for i := range cfg.Workers {
		w.Workers = append(w.Workers, Worker{ID: add(actor.Worker, i)})
	}
}

func (w *Work) copyFrom(src *Work) {
	w.Queue.CopyFrom(&src.Queue)
	w.Workers = append(w.Workers[:0], src.Workers...)
	w.Delaying, w.Failing, w.wroteKey, w.wroteRV = src.Delaying, src.Failing, src.wroteKey, src.wroteRV
}

func (w *Work) start(s *actor.Set) {
	s.Block(w.Delaying, actor.DelayingReceive, actor.OnReceive, 0)
	for i := range w.Workers {
		s.Go(w.Workers[i].ID, actor.WorkerGet)
	}
}

// add is queue.Add, called by a handler.
func (w *Work) add(s *actor.Set, k object.Key, log *event.Log) {
	w.Queue.Add(k, log)
	w.signal(s)
}

// signal wakes one worker if there is something for it to get.
func (w *Work) signal(s *actor.Set) {
	if w.Queue.Len() == 0 {
		return
	}
	for i := range w.Workers {
		if id := w.Workers[i].ID; s.State(id).Wait == actor.OnCond {
			s.Wake(id)
			return
		}
	}
}

// stepWorker is a worker of the controller.
func (x *Informer) stepWorker(s *actor.Set, id actor.ID, pc actor.PC, log *event.Log) (finished bool) {
	q := &x.Work.Queue
	i := s.Role(id).Index
	w := &x.Work.Workers[i]
	switch pc {
	case actor.WorkerGet:
		k, got := q.Get(i, log)
		switch got {
		case workqueue.Waits:
			s.Block(id, pc, actor.OnCond, 0)
		case workqueue.ShutDown:
			s.Stop(id)
		default:
			w.Key = k
			s.Go(id, actor.WorkerReconcile)
		}
	case actor.WorkerReconcile:
		w.Obj, _ = x.Indexer.GetByKey(w.Key)
		w.Started, w.Takes = s.Now, x.cfg.WorkTime
		log.Emit(event.Event{Kind: event.ReconcileStarted, Listener: i, Key: w.Key, New: w.Obj, N: w.Takes})
		s.Sleep(id, actor.WorkerReconciled, actor.OnCall, actor.After(s.Now, w.Takes))
	case actor.WorkerReconciled:
		w.Done++
		w.Failed = x.Work.Failing.takes(w.Key) || x.cfg.WorkFails != nil && x.cfg.WorkFails(w.Key, q.NumRequeues(w.Key)) || x.conflicts(w)
		kind := event.ReconcileEnded
		if w.Failed {
			kind = event.ReconcileFailed
		}
		log.Emit(event.Event{Kind: kind, Listener: i, Key: w.Key})
		s.Go(id, actor.WorkerDone)
	default: // WorkerDone
		if !x.done(s, i, log) {
			s.Block(id, pc, actor.OnSend, 0)
			return false
		}
		s.Go(id, actor.WorkerGet)
		return true
	}
	return false
}

// Reconciles reports whether a handler feeds the workqueue, and workers take from it.
func (x *Informer) Reconciles() bool { return len(x.Work.Workers) > 0 && !x.alone && x.feeds() }

func (x *Informer) feeds() bool {
	return slices.ContainsFunc(x.cfg.Handlers, func(h Handler) bool { return h.Workqueue })
}

// FailReconciles makes the next n reconciles of k that end fail, or all if n is
// negative. 0 for k is any key. It takes the place of what was said before, so that
// with 0 for n none fails because of it.
func (x *Informer) FailReconciles(k object.Key, n int64) {
	if n == 0 {
		k = 0
	}
	x.Work.Failing = Failing{Key: k, Left: max(n, -1), Ever: true}
}

// WriteBack is what worker i writes to the API server, now that its reconcile
// has ended.
func (x *Informer) WriteBack(i int16) (m object.Meta, ok bool) {
	w := &x.Work.Workers[i]
	if x.cfg.WritesBack == nil || w.Failed || w.Obj == 0 {
		return m, false
	}
	return x.cfg.WritesBack(x.cfg.Table, w.Obj)
}

// conflicts tells whether what the worker would write is not about the newest
// version of its object.
func (x *Informer) conflicts(w *Worker) bool {
	s, ok := x.Server.(*apiserver.Simulated)
	if !ok || x.cfg.WritesBack == nil || w.Obj == 0 || s.Get(w.Key) == w.Obj {
		return false
	}
	_, writes := x.cfg.WritesBack(x.cfg.Table, w.Obj)
	return writes
}

// done is Forget or AddRateLimited, and then Done. It reports false if the
// delaying queue's channel is full.
func (x *Informer) done(s *actor.Set, i int16, log *event.Log) bool {
	w, q := &x.Work.Workers[i], &x.Work.Queue
	if w.Failed {
		ok := false
		if w.sending {
			ok = q.AddAfter(w.Key, w.delay, s.Now, log)
		} else {
			w.delay, ok = q.AddRateLimited(w.Key, s.Now, log)
		}
		if w.sending = !ok; w.sending {
			return false
		}
		if q.Sent() > 0 {
			s.Go(x.Work.Delaying, actor.DelayingFire)
		}
	} else {
		q.Forget(w.Key, log)
	}
	q.Done(w.Key, i, log)
	x.Work.signal(s)
	w.Key, w.Obj, w.Failed = 0, 0, false
	return true
}

// stepDelaying is one turn of waitingLoop.
func (x *Informer) stepDelaying(s *actor.Set, id actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	q := &x.Work.Queue
	q.LoopTurn(s.Now, log)
	x.Work.signal(s)
	for i := range x.Work.Workers {
		if w := x.Work.Workers[i].ID; s.State(w).Wait == actor.OnSend {
			s.Wake(w)
		}
	}
	switch at, waits := q.NextReady(); {
	case q.LoopReady(s.Now):
		s.Go(id, actor.DelayingFire)
	case waits:
		s.Sleep(id, actor.DelayingFire, actor.OnTimer, at)
	default:
		s.Block(id, actor.DelayingReceive, actor.OnReceive, 0)
	}
	return true
}
