package perfetto

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// Step writes what w's last step has done, if it was the informer's.
func (p *Process) Step(w *world.World) {
	if int(w.Last.Informer) != p.informer {
		return
	}
	p.now = w.Now()
	x := w.Informers[p.informer]
	p.popping, p.batch = false, 0
	for i := range w.Log.Events {
		if w.Log.Events[i].Kind == event.Popped {
			p.batch++
		}
	}
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		if e.Actor == int16(actor.Nobody) {
			p.outside(w, e)
			continue
		}
		tid := p.actor(w, actor.ID(e.Actor))
		p.reflects(x.Config().Table, tid, e)
		p.pops(x.Config().Table, tid, e)
		p.handles(w, tid, e)
		p.works(x.Config().Table, tid, e)
		p.locks(w, tid, e)
	}
	p.count("queue", &p.queue, x.Queue.Depth())
	p.count("cache", &p.store, x.Indexer.Len())
	p.count("workqueue", &p.work, x.Work.Queue.Len())
	for i := range x.Processor.Listeners {
		if i == len(p.pending) {
			p.pending = append(p.pending, -1)
		}
		p.count("behind: "+x.Config().Handlers[i].Name, &p.pending[i], x.Processor.Listeners[i].Backlog())
	}
}

// outside writes what a command does. It is nobody's, so it stands on the locks' side of
// the process, on a thread of its own.
func (p *Process) outside(w *world.World, e *event.Event) {
	if e.Kind == event.ProcessKilled {
		p.close()
	}
	name := e.Kind.String()
	if e.Key != 0 {
		name += " " + w.Informers[p.informer].Config().Table.KeyText(e.Key)
	}
	p.thread(0, func() string { return "outside" })
	p.instant(0, name)
}

// reflects writes what the reflector and the resync goroutine do.
func (p *Process) reflects(t *object.Table, tid int, e *event.Event) {
	switch e.Kind {
	case event.ListRequested:
		p.beginSlice(tid, task, "list")
	case event.WatchRequested:
		p.beginSlice(tid, task, "request watch")
	case event.ReplaceStarted:
		p.begin(tid, task, "Replace")
		p.w.number(true, "items", e.Count())
		p.w.done(true)
	case event.BackoffStarted:
		p.beginSlice(tid, task, "back-off")
	case event.RequestWaits:
		p.beginSlice(tid, part, "wait for retry "+strconv.Itoa(e.Retry()))
	case event.RequestRetried, event.RequestGaveUp:
		p.end(tid, part)
	case event.ResyncFired:
		p.beginSlice(tid, task, "Resync")
	case event.WatchEventReceived:
		p.begin(tid, task, e.Delta.String()+" "+t.KeyText(e.Key))
		p.w.arg(true, "resourceVersion", t.RVText(t.RVOf(e.New)))
		p.w.done(true)
	case event.WatchClosed, event.WatchErrorReceived, event.ListFailed, event.WatchFailed:
		p.end(tid, task)
		p.instant(tid, e.Kind.String())
	case event.ListReceived, event.ReplaceEnded, event.WatchOpened, event.BackoffEnded, event.ResourceVersionSet, event.WatchEventSkipped, event.ResyncNotDue, event.ResyncGaveUp:
		p.end(tid, task)
	case event.Enqueued, event.DeltaAppended:
		p.queued.add(e.Key, p.startFlow(tid))
	}
}

// pops writes what the process loop does.
func (p *Process) pops(t *object.Table, tid int, e *event.Event) {
	switch e.Kind {
	case event.Popped:
		if !p.popping { // a batch has several of them, and is one task
			name := "Pop " + t.KeyText(e.Key)
			if p.batch > 1 {
				name = "Pop " + strconv.Itoa(p.batch) + " deltas"
			} else if e.Key == 0 {
				name = "Pop " + e.Delta.String()
			}
			p.beginSlice(tid, task, name)
			p.popping = true
		}
		n := -1
		if e.Delta != event.None { // a RealFIFO's; its key may have more of them
			n = 1
		}
		p.arrive(tid, p.queued.take(e.Key, n))
	case event.PopWaits:
		p.end(tid, task)
	case event.Distributed:
		p.instant(tid, "distribute "+e.Delta.String()+" "+t.KeyText(e.Key))
	}
}

// handles writes what the handlers are called with.
func (p *Process) handles(w *world.World, tid int, e *event.Event) {
	t := w.Informers[p.informer].Config().Table
	switch e.Kind {
	case event.ListenerAddCh:
		for len(p.buffered) <= e.Handler() {
			p.buffered = append(p.buffered, nil)
		}
		// The fact is of the goroutine that sends: the process loop, or AddEventHandler's.
		p.buffered[e.Handler()] = append(p.buffered[e.Handler()], p.startFlow(tid))
	case event.HandlerCalled:
		p.begin(tid, task, handlerMethod(e.Delta)+" "+t.KeyText(e.Key))
		p.w.arg(true, "resourceVersion", t.RVText(t.RVOf(firstKnown(e.New, e.Old))))
		p.w.done(true)
		if h := e.Handler(); h < len(p.buffered) && len(p.buffered[h]) > 0 {
			p.arrive(tid, p.buffered[h][:1])
			p.buffered[h] = p.buffered[h][1:]
		}
	case event.HandlerReturned:
		p.end(tid, task)
	case event.ListenerStopped: // it delivers what it holds, and nothing behind that
		if h := e.Handler(); h < len(p.buffered) {
			p.buffered[h] = p.buffered[h][:max(0, len(p.buffered[h])-e.Discarded())]
		}
	case event.HandlerPanicked:
		p.instant(tid, "panic")
		p.end(tid, task)
	case event.WorkAdded, event.WorkDirty, event.WorkDeferred:
		p.working.add(e.Key, p.startFlow(tid))
	}
}

// works writes what the workers do.
func (p *Process) works(t *object.Table, tid int, e *event.Event) {
	switch e.Kind {
	case event.WorkGot:
		p.beginSlice(tid, task, t.KeyText(e.Key))
		p.arrive(tid, p.working.take(e.Key, -1))
	case event.ReconcileStarted:
		p.beginSlice(tid, part, "reconcile")
	case event.ReconcileEnded:
		p.end(tid, part)
	case event.ReconcilePanicked:
		p.instant(tid, "panic")
	case event.ReconcileFailed:
		p.instant(tid, "error")
		p.end(tid, part)
	case event.WorkDone, event.WorkUnlocked:
		p.end(tid, task)
	}
}

// locks writes who holds each lock, and who waits for it.
func (p *Process) locks(w *world.World, tid int, e *event.Event) {
	switch e.Kind {
	case event.LockWaits:
		p.begin(tid, waits, "wait for "+actor.LockID(e.Lock()).String())
		if h := e.Holder(); h >= 0 {
			p.w.arg(true, "holder", actorName(w.Informers[p.informer], w.Set.Role(actor.ID(h))))
		} else {
			p.w.key(true, "holder")
			p.w.buf = append(p.w.buf, "null"...)
		}
		p.w.done(true)
	case event.LockAcquired:
		p.end(tid, waits)
		p.beginSlice(p.lock(actor.LockID(e.Lock())), task, actorName(w.Informers[p.informer], w.Set.Role(actor.ID(e.Actor))))
	case event.LockReleased:
		p.end(p.lock(actor.LockID(e.Lock())), task)
		if role := w.Set.Role(actor.ID(e.Actor)); role.Kind == actor.Resync {
			p.end(tid, task) // Resync has returned
		}
	}
}

// beginSlice begins a slice without arguments.
func (p *Process) beginSlice(tid int, d depth, name string) {
	p.begin(tid, d, name)
	p.w.done(false)
}

// handlerMethod returns the method that a notification calls.
func handlerMethod(d event.Delta) string {
	switch d {
	case event.Added:
		return "OnAdd"
	case event.Updated:
		return "OnUpdate"
	}
	return "OnDelete"
}

func firstKnown(a, b object.Ref) object.Ref {
	if a != 0 {
		return a
	}
	return b
}
