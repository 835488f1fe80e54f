package informer

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
)

// Work is the controller behind the handlers that feed the workqueue.
type Work struct {
	Queue    workqueue.RateLimiting
	Workers  []Worker
	Delaying actor.ID // waitingLoop
	Failing  Failing
	Hanging  Hanging

	// Controller is what plays a program in each reconcile; nil if there is none.
	Controller *reconciler.Controller
	// Priority is its queue, if that is a priority queue; nil if it is Queue.
	Priority *priorityqueue.Actors

	recorded recorded // of a Recording, whose id is actor.Nobody without one

	WroteRV object.RV // of the object that a worker has written last to the API server; 0 for nothing yet
}

// Failing is what commands have said of the reconciles that end from now on.
type Failing struct {
	Key        object.Key // whose reconciles fail, 0 for any key's
	Remaining  int64      // how many of them, negative for all
	Configured bool       // there was such a command; nothing that the workers do depends on it
}

// fails reports whether the reconcile of k that ends now fails, and counts it.
func (f *Failing) fails(k object.Key) bool {
	if f.Remaining == 0 || f.Key != 0 && f.Key != k {
		return false
	}
	if f.Remaining = max(f.Remaining-1, -1); f.Remaining == 0 {
		f.Key = 0
	}
	return true
}

// Hanging is what a command has said of the next reconcile that begins.
type Hanging struct {
	Key    object.Key // of the reconcile, 0 for any key
	Longer int64      // how much longer it takes, in nanoseconds: Forever if it doesn't return, 0 for no longer
}

// Lasts returns how long the reconcile of k takes that begins now, in nanoseconds, or Forever. Usual is how long it
// takes if no command has said anything of it.
func (w *Work) Lasts(k object.Key, usual int64) int64 {
	h := &w.Hanging
	if h.Longer == 0 || h.Key != 0 && h.Key != k {
		return usual
	}
	longer := h.Longer
	*h = Hanging{}
	if longer < 0 {
		return Forever
	}
	return actor.After(usual, longer)
}

// Hang makes the next reconcile of k, 0 for any key, take some nanoseconds longer, or Forever. If they are 0, the
// reconciles that hang return.
func (w *Work) Hang(s *actor.Set, k object.Key, longer int64) {
	w.Hanging = Hanging{k, max(longer, Forever)}
	for i := range w.Workers {
		if id := w.Workers[i].ID; longer == 0 && hangs(s, id) {
			s.Schedule(id, s.State(id).PC)
		}
	}
}

// Hangs reports whether a worker hangs, or the next one is to.
func (w *Work) Hangs(s *actor.Set) bool {
	return w.Hanging.Longer != 0 || slices.ContainsFunc(w.Workers, func(o Worker) bool { return hangs(s, o.ID) })
}

// hangs reports whether a worker is in a reconcile that doesn't return.
func hangs(s *actor.Set, worker actor.ID) bool {
	return s.State(worker).Wait == actor.OnCall && s.ReadyAt(worker) == actor.Never
}

// Delay keeps a worker for some nanoseconds, or Forever, before its next step.
func Delay(s *actor.Set, worker actor.ID, ns int64) {
	switch pc := s.State(worker).PC; {
	case ns == Forever:
		s.Block(worker, pc, actor.OnCall, 0)
	case ns > 0:
		s.Sleep(worker, pc, actor.OnCall, actor.After(s.Now, ns))
	}
}

// failsForEver reports whether the reconcile of each key that waits for its time will
// fail, however often it is tried.
func (w *Work) failsForEver() bool {
	f, q, p := &w.Failing, &w.Queue, w.Priority
	switch {
	case f.Remaining >= 0:
		return false
	case f.Key == 0:
		return true
	case p != nil:
		return p.Queue.WaitingLen() == 1 && p.Queue.WaitingAt(0).Key == f.Key
	}
	return q.WaitingLen() == 1 && q.WaitingAt(0).Key == f.Key
}

// Worker is one goroutine that takes keys off the workqueue.
type Worker struct {
	ID       actor.ID
	Key      object.Key // in hand, 0 for none
	Obj      object.Ref // what the cache held for it when the reconcile began, 0 for nothing
	Started  int64      // when the reconcile began
	Duration int64      // how long it takes, ns
	Failed   bool
	Priority int   // with which the priority queue has handed out Key
	Done     int64 // reconciles so far

	delay   int64 // of the rate limiter for Key
	sending bool  // waitingForAddCh was full when Key was to go there
}

func (w *Work) init(cfg *Config, add func(actor.Kind, int) actor.ID) {
	w.Queue = *workqueue.NewRateLimiting(workqueue.DefaultController())
	w.Delaying = add(actor.Delaying, 0)
	if w.recorded.id = actor.Nobody; cfg.Recorded != nil {
		w.recorded.id = add(actor.Recorded, 0) // all workers of a recording are parts of this actor
		for range cfg.Recorded.Workers {
			w.Workers = append(w.Workers, Worker{ID: w.recorded.id})
		}
		return
	}
	for i := range cfg.Workers {
		w.Workers = append(w.Workers, Worker{ID: add(actor.Worker, i)})
	}
	if cfg.Controller != nil {
		w.Controller = reconciler.New(cfg.Table, cfg.Controller, cfg.Profile.Mutation, cfg.Workers)
		if cfg.Controller.Priorities {
			w.Priority = priorityqueue.NewActors(cfg.Controller.Order, add)
		}
	}
}

// mark adds what the workers have in hand.
func (w *Work) mark(live *object.Live) {
	for i := range w.Workers {
		live.Ref(w.Workers[i].Obj)
	}
}

// hash adds the state of the workqueue and of the workers. Two states in which two workers
// have only changed places count as one.
func (w *Work) hash(h *actor.Hash, s *actor.Set) {
	now := s.Now
	w.Queue.Hash(h, now)
	h.Add(uint64(w.recorded.next))
	h.Add(uint64(w.Failing.Remaining))
	h.Add(uint64(w.Failing.Key))
	h.Add(uint64(w.Hanging.Key))
	h.Add(uint64(w.Hanging.Longer))
	if w.Controller != nil {
		w.Controller.Hash(h, now)
	}
	if w.Priority != nil {
		w.Priority.Queue.Hash(h, now) // the workers that wait are alike
	}
	sum := uint64(0)
	for i := range w.Workers {
		o := &w.Workers[i]
		var hash actor.Hash
		s.HashOf(&hash, o.ID)
		hash.Add(uint64(uint32(o.Key))<<32 | uint64(uint32(o.Obj)))
		hash.Bools(o.Failed, o.sending)
		hash.Add(uint64(o.Priority))
		if w.Controller != nil {
			w.Controller.Runs[i].Hash(&hash)
		}
		sum += uint64(hash)
	}
	h.Add(sum)
}

func (w *Work) copyFrom(src *Work) {
	w.Queue.CopyFrom(&src.Queue)
	w.Workers = append(w.Workers[:0], src.Workers...)
	w.Delaying, w.Failing, w.Hanging, w.recorded, w.WroteRV = src.Delaying, src.Failing, src.Hanging, src.recorded, src.WroteRV
	w.Controller, w.Priority = nil, nil
	if src.Controller != nil {
		w.Controller = src.Controller.Clone()
	}
	if src.Priority != nil {
		w.Priority = src.Priority.Clone()
	}
}

func (w *Work) start(s *actor.Set, r *Recording) {
	s.Block(w.Delaying, actor.DelayingReceive, actor.OnReceive, 0)
	if r != nil {
		w.awaitAct(s, r)
		return
	}
	if w.Priority != nil {
		w.Priority.Wake(s)
	}
	if w.Controller != nil { // the first worker stands for the controller's Run, which starts the workers
		if s.Schedule(w.Workers[0].ID, actor.WorkerStart); w.Controller.Config().From > s.Now {
			s.Sleep(w.Workers[0].ID, actor.WorkerStart, actor.OnTimer, w.Controller.Config().From)
		}
		return
	}
	w.StartWorkers(s)
}

// StartWorkers lets the workers take keys.
func (w *Work) StartWorkers(s *actor.Set) {
	for i := range w.Workers {
		s.Schedule(w.Workers[i].ID, actor.WorkerGet)
	}
}

// Add models queue.Add, called by a handler. Only a priority queue regards the priority.
func (w *Work) Add(s *actor.Set, k object.Key, priority int, log *event.Log) {
	if w.Priority != nil {
		w.Priority.Add(s, priorityqueue.AddOpts{Priority: priority}, k, log)
		return
	}
	w.Queue.Add(k, log)
	w.signal(s)
}

// AddAfter models queue.AddAfter, called by a handler.
func (w *Work) AddAfter(s *actor.Set, k object.Key, after int64, log *event.Log) {
	if w.Priority != nil {
		w.Priority.Add(s, priorityqueue.AddOpts{After: after}, k, log)
	} else if w.Queue.AddAfter(k, after, s.Now, log) && w.Queue.Sent() > 0 {
		s.Schedule(w.Delaying, actor.DelayingFire)
	}
}

// signal wakes one worker if there is something for it to get.
func (w *Work) signal(s *actor.Set) {
	if !w.Queue.CanGet() {
		return
	}
	for i := range w.Workers {
		if id := w.Workers[i].ID; s.State(id).Wait == actor.OnCond {
			s.Wake(id)
			return
		}
	}
}

// Resume models a program calling Resume of the workqueue, which wakes all workers that wait.
func (w *Work) Resume(s *actor.Set, log *event.Log) {
	w.Queue.Resume(log)
	for i := range w.Workers {
		if id := w.Workers[i].ID; s.State(id).Wait == actor.OnCond {
			s.Wake(id)
		}
	}
}

// CanPause reports whether a command to pause the workqueue, or to resume it, has an effect. Neither a priority queue nor
// the queue of a recorded controller can be paused.
func (x *Informer) CanPause(pause bool) bool {
	return x.cfg.Profile.Pausable && x.Work.Priority == nil && x.cfg.Recorded == nil && x.Work.Queue.Paused() != pause
}

// get models worker i calling Get.
func (w *Work) get(s *actor.Set, i int16, log *event.Log) {
	o := &w.Workers[i]
	if w.Priority != nil {
		s.Block(o.ID, actor.WorkerReceive, actor.OnReceive, 0)
		w.Priority.Get(s, i)
		return
	}
	k, got := w.Queue.Get(i, log)
	switch got {
	case workqueue.NotReady:
		s.Block(o.ID, actor.WorkerGet, actor.OnCond, 0)
	case workqueue.ShutDown:
		s.Stop(o.ID)
	default:
		w.begin(s, i, k, 0)
	}
}

func (w *Work) begin(s *actor.Set, i int16, k object.Key, priority int) {
	o := &w.Workers[i]
	if o.Key, o.Priority = k, priority; w.Controller != nil {
		w.Controller.Runs[i].Begin()
		s.Schedule(o.ID, actor.WorkerProgram)
		return
	}
	s.Schedule(o.ID, actor.WorkerReconcile)
}

// waitForKey makes worker i ask for another key.
func (w *Work) waitForKey(s *actor.Set, i int16) {
	o := &w.Workers[i]
	o.Key, o.Obj, o.Failed, o.Priority = 0, 0, false, 0
	s.Schedule(o.ID, actor.WorkerGet)
}

// result returns what the reconcile of worker i came to.
func (w *Work) result(i int16) (r controller.Result) {
	if w.Controller != nil {
		r = w.Controller.Runs[i].Result
	}
	if w.Workers[i].Failed && r.Failure == controller.NoError {
		r.Failure = controller.Failed
	}
	return r
}

// reconcile models worker i calling the reconciler, which reads the object from the store
// and takes some nanoseconds.
func (w *Work) reconcile(s *actor.Set, i int16, store *indexer.Indexer, takes int64, log *event.Log) {
	o := &w.Workers[i]
	o.Obj, _ = store.GetByKey(o.Key)
	takes = w.Lasts(o.Key, takes)
	o.Started, o.Duration = s.Now, takes
	log.Emit(event.Event{Kind: event.ReconcileStarted, Listener: i, Key: o.Key, New: o.Obj, N: takes})
	s.Sleep(o.ID, actor.WorkerReconciled, actor.OnCall, s.Now)
	Delay(s, o.ID, takes)
}

// reconciled models the reconciler returning to worker i, with an error or without one.
func (w *Work) reconciled(s *actor.Set, i int16, cfg *Config, server apiserver.Server, log *event.Log) {
	o := &w.Workers[i]
	o.Done++
	o.Failed = w.Failing.fails(o.Key) || w.Controller != nil && w.Controller.Runs[i].Result.Failure != controller.NoError || cfg.WorkFails != nil && cfg.WorkFails(o.Key, w.Queue.NumRequeues(o.Key)) || o.conflicts(cfg, server)
	kind := event.ReconcileEnded
	if o.Failed {
		kind = event.ReconcileFailed
	}
	log.Emit(event.Event{Kind: kind, Listener: i, Key: o.Key})
	s.Schedule(o.ID, actor.WorkerDone)
}

// conflicts reports whether what the worker would write is not about the newest
// version of its object.
func (w *Worker) conflicts(cfg *Config, server apiserver.Server) bool {
	s, ok := server.(*apiserver.Simulated)
	if !ok || cfg.WritesBack == nil || w.Obj == 0 || s.Storage.Get(w.Key) == w.Obj {
		return false
	}
	_, writes := cfg.WritesBack(cfg.Table, w.Obj)
	return writes
}

// done models worker i calling Forget or AddRateLimited, and then Done. It reports false if
// the delaying queue's channel is full: the worker waits then.
func (w *Work) done(s *actor.Set, i int16, log *event.Log) (finished bool) {
	if w.Priority != nil {
		w.doneWithPriority(s, i, log)
		return true
	}
	o, q := &w.Workers[i], &w.Queue
	result := w.result(i)
	switch opts, forgets, again := result.RequeueOptions(0); {
	case again:
		ok := false
		switch {
		case o.sending:
			ok = q.AddAfter(o.Key, o.delay, s.Now, log)
		case opts.RateLimited:
			o.delay, ok = q.AddRateLimited(o.Key, s.Now, log)
		default:
			q.Forget(o.Key, log)
			o.delay = opts.After
			ok = q.AddAfter(o.Key, opts.After, s.Now, log)
		}
		if o.sending = !ok; o.sending {
			s.Block(o.ID, actor.WorkerDone, actor.OnSend, 0)
			return false
		}
		if q.Sent() > 0 {
			s.Schedule(w.Delaying, actor.DelayingFire)
		}
	case forgets:
		q.Forget(o.Key, log)
	}
	q.Done(o.Key, i, log)
	w.signal(s)
	w.waitForKey(s, i)
	return true
}

// doneWithPriority does what done does, with a priority queue.
func (w *Work) doneWithPriority(s *actor.Set, i int16, log *event.Log) {
	o, p := &w.Workers[i], w.Priority
	result := w.result(i)
	opts, forgets, again := result.RequeueOptions(o.Priority)
	if forgets {
		p.Queue.Forget(o.Key)
		log.Emit(event.Event{Kind: event.WorkForgotten, Key: o.Key})
	}
	if again {
		p.Add(s, opts, o.Key, log)
	}
	p.Queue.Done(o.Key)
	log.Emit(event.Event{Kind: event.WorkUnlocked, Listener: i, Key: o.Key})
	w.waitForKey(s, i)
	p.Wake(s)
}

// delay makes one turn of waitingLoop.
func (w *Work) delay(s *actor.Set, log *event.Log) {
	q := &w.Queue
	q.LoopTurn(s.Now, log)
	w.signal(s)
	for i := range w.Workers {
		if id := w.Workers[i].ID; s.State(id).Wait == actor.OnSend {
			s.Wake(id)
		}
	}
	w.awaitReady(s)
}

// awaitReady lets waitingLoop wait for what it has to do next.
func (w *Work) awaitReady(s *actor.Set) {
	switch at, waits := w.Queue.NextReady(); {
	case w.Queue.LoopReady(s.Now):
		s.Schedule(w.Delaying, actor.DelayingFire)
	case waits:
		s.Sleep(w.Delaying, actor.DelayingFire, actor.OnTimer, at)
	default:
		s.Block(w.Delaying, actor.DelayingReceive, actor.OnReceive, 0)
	}
}

// Fail makes the next n reconciles of k that end fail, or all if n is negative. 0 for k
// is any key. It takes the place of what was said before, so that with 0 for n none
// fails because of it.
func (w *Work) Fail(k object.Key, n int64) {
	if n == 0 {
		k = 0
	}
	w.Failing = Failing{Key: k, Remaining: max(n, -1), Configured: true}
}

// WriteBack returns what worker i, whose configuration is cfg, writes to the API server, now
// that its reconcile has ended.
func (w *Work) WriteBack(i int16, cfg *Config) (m object.Meta, ok bool) {
	o := &w.Workers[i]
	if cfg.WritesBack == nil || o.Failed || o.Obj == 0 {
		return m, false
	}
	return cfg.WritesBack(cfg.Table, o.Obj)
}

// Limiter returns the rate limiter of the queue that the workers take keys from.
func (w *Work) Limiter() *workqueue.Limiter {
	if w.Priority != nil {
		return &w.Priority.Queue.Limiter
	}
	return &w.Queue.Limiter
}
