package perfetto

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// Process is one informer of a trace.
type Process struct {
	w        *Writer
	pid      int
	informer int
	now      int64
	threads  []*thread // by their numbers, nil for one that has not come

	queued, working flights   // the flows that end when the key is popped, or when a worker gets it
	buffered        [][]int64 // by listener: the flow of each notification on its way, the oldest first
	popping         bool      // the step under way belongs to the loop's slice
	batch           int       // how many deltas are popped in the step under way

	queue, store, work int
	pending            []int
}

// flights are flows on their way, by keys.
type flights [][]int64

func (f *flights) add(k object.Key, id int64) {
	if id == 0 {
		return
	}
	for len(*f) <= int(k) {
		*f = append(*f, nil)
	}
	(*f)[k] = append((*f)[k], id)
}

// take removes the first n flows of a key, or all if n is negative.
func (f flights) take(k object.Key, n int) []int64 {
	if int(k) >= len(f) {
		return nil
	}
	ids := f[k]
	if n < 0 || n >= len(ids) {
		f[k] = nil
		return ids
	}
	f[k] = ids[n:]
	return ids[:n]
}

// thread is an actor or a lock. Its slices are nested: a deeper one ends before the one
// around it.
type thread struct{ open []depth }

// depth says which slices end when another one begins.
type depth uint8

const (
	task   depth = iota // what an actor does
	part                // of a task
	waits               // for a lock
	lowest = task
)

// Process adds an informer of a world, by its number there.
func (w *Writer) Process(name string, informer int) *Process {
	p := &Process{w: w, pid: len(w.all) + 1, informer: informer, queue: -1, store: -1, work: -1}
	w.all = append(w.all, p)
	w.event(metadata, p.pid, 0, 0, "process_name")
	w.arg(true, "name", name)
	w.done(true)
	return p
}

// firstActor is the number of the thread of the actor with ID 0. The locks come before.
const firstActor = int(actor.NumLocks) + 1

// thread finds a thread, and names it when it comes for the first time.
func (p *Process) thread(tid int, name func() string) *thread {
	for len(p.threads) <= tid {
		p.threads = append(p.threads, nil)
	}
	t := p.threads[tid]
	if t == nil {
		t = &thread{}
		p.threads[tid] = t
		p.w.event(metadata, p.pid, tid, 0, "thread_name")
		p.w.arg(true, "name", name())
		p.w.done(true)
		p.w.event(metadata, p.pid, tid, 0, "thread_sort_index")
		p.w.number(true, "sort_index", int64(tid))
		p.w.done(true)
	}
	return t
}

// actor returns the number of an actor's thread.
func (p *Process) actor(w *world.World, id actor.ID) int {
	tid := firstActor + int(id)
	p.thread(tid, func() string { return actorName(w.Informers[p.informer], w.Set.Role(id)) })
	return tid
}

// lock returns the number of a lock's thread.
func (p *Process) lock(l actor.LockID) int {
	tid := 1 + int(l)
	p.thread(tid, func() string { return "lock " + l.String() })
	return tid
}

func actorName(x *informer.Informer, role actor.Role) string {
	name := role.Kind.String()
	switch role.Kind {
	case actor.Run, actor.Pop:
		name += " " + x.Config().Handlers[role.Index].Name
	case actor.Worker:
		name += " " + strconv.Itoa(int(role.Index)+1)
	}
	if role.Run > 0 {
		name += " @" + strconv.Itoa(int(role.Run)+1)
	}
	return name
}

// begin begins a slice, and ends those that can't be around it. The caller adds what the
// slice's arguments are, and calls done.
func (p *Process) begin(tid int, d depth, name string) {
	p.end(tid, d)
	t := p.threads[tid]
	t.open = append(t.open, d)
	p.w.event(begins, p.pid, tid, p.now, name)
}

// end ends the slices of a depth and those within.
func (p *Process) end(tid int, d depth) {
	t := p.threads[tid]
	for n := len(t.open); n > 0 && t.open[n-1] >= d; n-- {
		t.open = t.open[:n-1]
		p.w.event(ends, p.pid, tid, p.now, "")
		p.w.done(false)
	}
}

// isOpen reports whether an actor is doing anything.
func (p *Process) isOpen(tid int) bool { return len(p.threads[tid].open) > 0 }

// close ends all slices, and forgets all flows.
func (p *Process) close() {
	for tid, t := range p.threads {
		if t != nil {
			p.end(tid, lowest)
		}
	}
	p.queued, p.working = nil, nil
	for i := range p.buffered {
		p.buffered[i] = nil
	}
}

// instant draws something that happens at once.
func (p *Process) instant(tid int, name string) {
	p.w.event(instant, p.pid, tid, p.now, name)
	p.w.buf = append(p.w.buf, `,"s":"t"`...)
	p.w.done(false)
}

// startFlow starts a flow in the slice that is open on a thread. The answer is its number, 0
// where no slice is open.
func (p *Process) startFlow(tid int) int64 {
	if !p.isOpen(tid) {
		return 0
	}
	p.w.flows++
	p.w.flow(flows, p.pid, tid, p.now, p.w.flows)
	return p.w.flows
}

// arrive ends flows in the slice that is open on a thread.
func (p *Process) arrive(tid int, ids []int64) {
	for _, id := range ids {
		if id != 0 {
			p.w.flow(flown, p.pid, tid, p.now, id)
		}
	}
}

// count writes a counter if it has changed.
func (p *Process) count(name string, was *int, is int) {
	if *was == is {
		return
	}
	*was = is
	p.w.event(counts, p.pid, 0, p.now, name)
	p.w.number(true, "n", int64(is))
	p.w.done(true)
}

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
