package manager

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/program"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/controller/replicaset"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
)

// syncedPollPeriod is how often WaitForCacheSync asks, in nanoseconds.
const syncedPollPeriod = 100_000_000

// awaitCaches models WaitForCacheSync, which the Run of a controller calls before it starts
// workers: client-go's sample and kube-controller-manager call it themselves, and in
// controller-runtime the sources do. Handlers fill the queue meanwhile. Two things differ in
// controller-runtime. Its sources add their handlers when their informers have synced, and
// here the handlers are there from the beginning. It gives up after CacheSyncTimeout, which
// is two minutes, and the manager ends.
func (d Driver) awaitCaches(id actor.ID, role actor.Role) {
	due, s, work := d.Set.ReadyAt(id), &d.Set, &d.Informers[role.Informer].Work
	if _, n := d.Unsynced(int(role.Informer)); n > 0 {
		d.Log.Add(event.CachesAwaited).N = n
		s.Sleep(id, actor.WorkerStart, actor.OnTimer, due+((s.Now-due)/syncedPollPeriod+1)*syncedPollPeriod)
		return
	}
	d.Log.Add(event.CachesSynced)
	if work.Controller.Config().Warmup && d.Election != nil && !d.Election.Replicas[d.Replica(int(role.Informer))].Leads {
		s.Block(id, actor.WorkerElected, actor.OnReceive, 0)
		return
	}
	startWorkers(s, work)
}

// Unsynced returns the names and the number of the informers that an informer's controller still waits
// for before its workers start. It waits until each informer that feeds it or that its program reads has
// synced.
func (m *Manager) Unsynced(informer int) (names string, n int64) {
	c := m.Informers[informer].Work.Controller.Config()
	for i, x := range m.Informers {
		cfg, synced := x.Config(), x.HasSynced()
		awaited := i == informer || i == c.Owns || i == c.Reads-1
		for j := range cfg.Handlers {
			if f := cfg.Handlers[j].Feeds; f != nil && f.Informer == informer {
				awaited = true
				synced = synced && (cfg.Handlers[j].From == 0 || x.Processor.Listeners[j].Joined)
				synced = synced && (!c.AwaitsHandlers || !cfg.Profile.InitialList || x.Processor.Listeners[j].Synced)
			}
		}
		if awaited && !synced {
			if n++; n > 1 {
				names += ", "
			}
			names += cfg.Name
		}
	}
	return names, n
}

// runProgram makes a step of a worker's program.
func (d Driver) runProgram(role actor.Role) {
	x := d.Informers[role.Informer]
	r := reconcile{d: d, x: x, c: x.Work.Controller, n: role.Index}
	r.o, r.run = &x.Work.Workers[r.n], &r.c.Runs[r.n]
	if r.run.Next < 0 {
		r.begin()
		return
	}
	r.next()
}

// begin reads the object, unless the guard holds the reconcile back.
func (r *reconcile) begin() {
	g := &r.c.Guard
	if g.Remembers() {
		if stale := g.Consistency.EnsureReady(r.o.Key, r.d.caches(r.x.Index(), r.owns()), nil); len(stale) > 0 {
			r.emit(event.Event{Kind: event.CacheStale, N: int64(stale[0].WroteRV)})
			if after := r.c.Config().Requeue; after > 0 {
				r.ends(controller.Result{RequeueAfter: after})
			} else {
				r.ends(controller.Result{Failure: controller.Failed})
			}
			return
		}
	}
	if !r.canRead(guard.Parents, r.o.Key, false) {
		return
	}
	if r.readFails() {
		return
	}
	r.run.Obj = r.get(r.o.Key)
	r.run.Next = 0
	takes := r.x.Work.Lasts(r.o.Key, r.c.Config().Work)
	defer informer.Delay(&r.d.Set, r.o.ID, takes)
	r.o.Obj, r.o.Started, r.o.Duration = r.run.Obj, r.d.Set.Now, takes
	r.emit(event.Event{Kind: event.ReconcileStarted, New: r.run.Obj, N: takes})
	if r.run.Obj == 0 {
		g.Expectations.DeleteExpectations(r.o.Key)
		g.Consistency.Clear(r.o.Key, 0)
		r.ends(controller.Result{})
		return
	}
	if g.Expects() && !g.Expectations.SatisfiedExpectations(r.o.Key, r.d.Set.Now).Satisfied() {
		r.run.Skips = true
		e, _ := g.Expectations.GetExpectations(r.o.Key)
		r.emit(event.Event{Kind: event.ExpectationsUnmet, N: max(e.Add, 0) + max(e.Del, 0)})
	}
	r.scheduleNext(g.Kind == guard.Live)
}

// next does the next statement whose condition holds, or ends the reconcile.
func (r *reconcile) next() {
	list := r.c.Config().Program.List
	for r.run.Next < len(list) {
		s := &list[r.run.Next]
		switch {
		case s.Op == program.Claim:
			if r.claim() {
				return
			}
			if r.run.Fails {
				r.ends(controller.Result{})
				return
			}
			r.rank()
			r.run.Skips = r.run.Skips || r.field(apiserver.Deletion) != ""
		case s.Op == program.Status:
			if r.updateStatus() {
				return
			}
		case r.run.Batch.Size > 0:
			if r.batch(s) {
				return
			}
		case s.Op.Manages() && r.run.Skips || !s.Comparison.Compare(r.value(s.Left), r.value(s.Right)) || r.isNoOp(s):
		default:
			r.carryOut(s)
			return
		}
		r.run.Next++
		r.run.Expected = false
	}
	r.ends(controller.Result{RequeueAfter: r.run.Result.RequeueAfter})
}

// isNoOp reports whether a statement would change nothing of what was read.
func (r *reconcile) isNoOp(s *program.Statement) bool {
	switch s.Op {
	case program.Set, program.Update:
		return r.field(s.Name) == r.value(s.Value)
	case program.Drop:
		return r.field(s.Name) == ""
	case program.Acquire, program.Release:
		return (r.value(program.Term{Kind: program.Outside}) == "1") == (s.Op == program.Acquire)
	case program.Delete:
		return len(r.run.Children) == 0
	}
	return false
}

func (r *reconcile) carryOut(s *program.Statement) {
	r.run.Last = r.run.Next
	if !s.While {
		defer func() { r.run.Expected = false }()
	}
	switch s.Op {
	case program.List:
		if !r.canRead(guard.Children, 0, true) {
			return
		}
		if r.readFails() {
			return
		}
		r.list()
		r.run.Next++
		r.emit(event.Event{Kind: event.ChildrenRead, N: int64(len(r.run.Children))})
		r.scheduleNext(r.c.Guard.Kind == guard.Live)
	case program.Acquire, program.Release:
		r.c.Change(r.o.Key, s.Op == program.Acquire)
		e := event.Event{Kind: event.OutsideChanged, Delta: event.Added}
		if s.Op == program.Release {
			e.Delta = event.Deleted
		}
		r.run.Next++
		r.emit(e)
		r.scheduleNext(true)
	case program.Return:
		r.ends(controller.Result{})
	case program.Fail:
		r.ends(controller.Result{Failure: controller.Failed})
	case program.Terminate:
		r.ends(controller.Result{Failure: controller.TerminalError})
	case program.Panic:
		r.panics()
	case program.Requeue:
		r.ends(controller.Result{RequeueAfter: s.After})
	case program.RequeueRateLimited:
		r.ends(controller.Result{Requeue: true})
	case program.Prioritise:
		r.run.Next++
		r.run.Result.HasPriority, r.run.Result.Priority = true, int(s.After)
		r.scheduleNext(false)
	default:
		switch {
		case s.Slow:
			r.run.Batch = reconciler.Batch{SlowStart: replicaset.SlowStart{Rest: int(r.times(s))}}
			r.batch(s)
			return
		case s.While && s.Op == program.Delete && r.c.Config().Program.Claims:
			n := min(int(r.times(s)), len(r.run.Children))
			r.run.Batch = reconciler.Batch{SlowStart: replicaset.SlowStart{Size: n}, Open: n}
			r.batch(s)
			return
		case !s.While:
			r.run.Next++
		}
		r.write(s)
	}
}

// panics models the program panicking. Where Reconcile of controller-runtime recovers it, what the
// program has said of its result is lost, and the panic is an error. Nothing recovers it in a
// worker of client-go: HandleCrash panics again.
func (r *reconcile) panics() {
	r.emit(event.Event{Kind: event.ReconcilePanicked})
	if !r.c.Config().Recovers {
		r.x.Die(&r.d.Set, informer.ReconcileError{Controller: r.x.Config().Name})
		return
	}
	r.run.Result = controller.Result{}
	r.ends(controller.Result{Failure: controller.Failed})
}
