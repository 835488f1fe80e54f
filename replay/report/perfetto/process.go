package perfetto

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
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
