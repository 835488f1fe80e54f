package manager

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller/expectations"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/controller/program"
	"github.com/informerscope/informerscope/engine/controller/readyourwrites"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/object"
)

// QueueState is a controller's queue.
type QueueState struct {
	Priorities bool         // it is a priority queue
	Buffered   []object.Key // keys in a priority queue's addBuffer, which no goroutine has flushed yet
	Ready      []Queued     // in the order in which they are handed out
	Waiting    []Queued     // those whose time hasn't come, in the order in which it comes
	Processing []object.Key
	Dirty      []object.Key // of a workqueue: ready ones, and those that Done will queue again
}

// Queued is a key in a queue.
type Queued struct {
	Key      object.Key
	Priority int   // 0 in a workqueue
	ReadyAt  int64 // of a waiting key: when its time comes
	Requeues int   // its failures, as the rate limiter counts them

	// Behind is the last key that came later than a ready one and is handed out before it, since its
	// priority is higher. It is 0 if there is none.
	Behind object.Key
}

// Queue returns the queue of an informer's controller, or its workqueue if it has none.
func (m *Manager) Queue(informer int) (q QueueState) {
	work := &m.Informers[informer].Work
	if work.Priority != nil {
		p := &work.Priority.Queue
		q.Priorities, q.Buffered, q.Processing = true, p.Buffered(nil), p.Locked(nil)
		var newest priorityqueue.Item // of all before
		for i := range p.ReadyLen() {
			it, behind := p.ReadyAt(i), object.Key(0)
			if newest.Key != 0 && newest.AddedCounter > it.AddedCounter && newest.Priority > it.Priority {
				behind = newest.Key
			} else {
				newest = it
			}
			q.Ready = append(q.Ready, Queued{it.Key, it.Priority, 0, p.NumRequeues(it.Key), behind})
		}
		for i := range p.WaitingLen() {
			it := p.WaitingAt(i)
			q.Waiting = append(q.Waiting, Queued{it.Key, it.Priority, it.ReadyAt, p.NumRequeues(it.Key), 0})
		}
		return q
	}
	p := &work.Queue
	q.Processing, q.Dirty = p.Processing(nil, p.ProcessingLen()), p.Dirty(nil, p.DirtyLen())
	for i := range p.Len() {
		q.Ready = append(q.Ready, Queued{Key: p.At(i), Requeues: p.NumRequeues(p.At(i))})
	}
	for i := range p.WaitingLen() {
		it := p.WaitingAt(i)
		q.Waiting = append(q.Waiting, Queued{it.Key, 0, it.ReadyAt, p.NumRequeues(it.Key), 0})
		for j := i; j > 0 && q.Waiting[j].ReadyAt < q.Waiting[j-1].ReadyAt; j-- { // they are few
			q.Waiting[j], q.Waiting[j-1] = q.Waiting[j-1], q.Waiting[j]
		}
	}
	return q
}

// ReconcileState is where a worker stands in the program of its controller.
type ReconcileState struct {
	Key      object.Key // 0 if the worker has none
	Priority int        // with which it was handed out
	Next     int        // the statement in Config().Program.List that comes next; less than 0 before the object has been read
	Object   object.Ref // as it was read or written last
	Children []object.Ref
	Reads    []reconciler.Read // what was read since the reconcile began, and what the server had at that moment

	// What the worker waits for before it can read, if that is a read-your-writes client.
	Waits bool
	Wait  readyourwrites.Wait
	RV    int64        // of OnRV
	UIDs  []object.Sym // of OnDeletes
}

// Reconcile returns where a worker stands. Its slices are the world's.
func (m *Manager) Reconcile(informer, worker int) ReconcileState {
	work := &m.Informers[informer].Work
	o, r := &work.Workers[worker], &work.Controller.Runs[worker]
	s := ReconcileState{Key: o.Key, Priority: o.Priority, Next: r.Next, Object: r.Obj, Children: r.Children, Reads: r.Reads, Waits: r.Waits}
	if r.Waits {
		s.Wait, s.RV, s.UIDs = r.Read.Wait, r.Read.RV, r.Read.UIDs
	}
	return s
}

// Expectation is what a controller expects to see for a key.
type Expectation struct {
	Key      object.Key
	Add, Del int64        // creates and deletes that are still to be seen; 0 or less if there are none
	Objects  []object.Key // those whose deletion is to be seen
	Deadline int64        // from which on they don't hold the controller back any more; no timer wakes it then
	Unmet    bool         // they hold the controller back now
}

// Expectations returns what an informer's controller expects, in the order of the keys'
// numbers. What was expected and seen stays with counters of 0 or less.
func (m *Manager) Expectations(informer int) (all []Expectation) {
	c := m.Informers[informer].Work.Controller
	if c == nil || !c.Guard.Expects() {
		return nil
	}
	x := &c.Guard.Expectations
	for _, k := range x.Keys(nil) {
		e, _ := x.GetExpectations(k)
		all = append(all, Expectation{k, e.Add, e.Del, x.GetUIDs(k), e.Timestamp + expectations.Timeout, !x.SatisfiedExpectations(k, m.Set.Now).Satisfied()})
	}
	return all
}

// UnobservedWrite is a version that a controller has written, and that its guard remembers.
type UnobservedWrite struct {
	Owner    object.Key
	Resource int   // guard.Parents or guard.Children
	RV       int64 // that was written last
	Observed int64 // how far the cache has come, or the handler
}

// UnobservedWrites returns the versions that the guard of an informer's controller waits to see. A
// consistency store keeps those that were seen until the owner's next reconcile.
func (m *Manager) UnobservedWrites(informer int) (all []UnobservedWrite) {
	c := m.Informers[informer].Work.Controller
	switch {
	case c == nil:
	case c.Guard.Remembers():
		has := m.caches(informer, c.Config().Owns)
		for _, owner := range c.Guard.Consistency.Owners(nil) {
			_, written := c.Guard.Consistency.Written(owner)
			for _, v := range written {
				seen, _ := has.LastStoreSyncResourceVersion(v.Resource)
				rv, _ := v.RV.Number()
				at, _ := seen.Number()
				all = append(all, UnobservedWrite{owner, int(v.Resource), int64(rv), int64(at)})
			}
		}
	case c.Guard.Kind == guard.ReadYourWrites:
		for i := range c.Guard.Clients {
			for _, m := range c.Guard.Clients[i].Minimums() {
				all = append(all, UnobservedWrite{m.Key, i, m.RV, c.Guard.Clients[i].ObservedRV()})
			}
		}
	}
	return all
}

// WaitReason is what keeps a key's reconcile from its program.
type WaitReason uint8

// What a reconcile waits for.
const (
	WaitsForNothing WaitReason = iota
	WaitsForWorker             // it is ready, and no worker has come to it
	WaitsForSync               // it is ready, and workers start when the caches have synced
	WaitsForDone               // a worker has the key, and it was added meanwhile
	WaitsForTime               // a back-off, a RequeueAfter
	WaitsForCache              // the guard's read waits for an event
	WaitsForEvents             // its expectations are unmet
	WaitsForLeader             // it is ready, and workers start when the process leads
	numWaitReasons
)

var waitReasons = [numWaitReasons]string{"nothing", "worker", "sync", "done", "time", "cache", "events", "leader"}

func (f WaitReason) String() string { return waitReasons[f] }

// WaitReasons returns the names of all that a reconcile may wait for.
func WaitReasons() []string { return waitReasons[:] }

// WaitReason returns what keeps the reconcile of a key back at an informer's controller.
func (m *Manager) WaitReason(informer int, k object.Key) WaitReason {
	c, work := m.Informers[informer].Work.Controller, &m.Informers[informer].Work
	has := func(list []Queued) bool {
		return slices.ContainsFunc(list, func(q Queued) bool { return q.Key == k })
	}
	q := m.Queue(informer)
	busy := false
	for i := range work.Workers {
		if work.Workers[i].Key == k {
			busy = true
			if c != nil && c.Runs[i].Waits && m.Set.State(work.Workers[i].ID).Wait == actor.OnCall {
				return WaitsForCache
			}
		}
	}
	switch {
	case busy && (has(q.Ready) || slices.Contains(q.Dirty, k)):
		return WaitsForDone
	case busy:
		return WaitsForNothing
	case has(q.Ready) && m.Warmed(m.Informers[informer]):
		return WaitsForLeader
	case has(q.Ready) && c != nil && !c.Started:
		return WaitsForSync
	case has(q.Ready):
		return WaitsForWorker
	case has(q.Waiting):
		return WaitsForTime
	case c != nil && c.Guard.Expects() && !c.Guard.Expectations.SatisfiedExpectations(k, m.Set.Now).Satisfied():
		return WaitsForEvents
	}
	return WaitsForNothing
}

// Belief is what a controller believes of an object's children, and what is true.
type Belief struct {
	Wants  string       // how many children the program wants; "" where it makes none
	Cached []object.Ref // in the controller's cache
	Actual []object.Ref // on the API server

	// Asked tells that a worker has the object in hand and has read its children. Read are
	// those, and Created is how many it has created since, less what it has deleted.
	Asked   bool
	Read    []object.Ref
	Created int
	// Expected is how many more children expectations wait for, and negative where they wait
	// for deletions.
	Expected int
}

// Count returns how many children the controller takes the object to have: what its worker has
// read and made, or else what is in its cache and what it expects.
func (b *Belief) Count() int {
	if b.Asked {
		return len(b.Read) + b.Created
	}
	return len(b.Cached) + b.Expected
}

// Belief returns what the controller of informer parents takes the children of an object for. It
// reports false if nobody has such an object, or if the controller's objects own none.
func (m *Manager) Belief(parents int, k object.Key) (b Belief, ok bool) {
	x := m.Informers[parents]
	c := x.Work.Controller
	if c == nil || c.Config().Owns < 0 || m.Simulated(parents) == nil {
		return b, false
	}
	r := reconcile{x: x, c: c, run: new(reconciler.Run)}
	if r.run.Obj = m.Simulated(parents).Storage.Get(k); r.run.Obj == 0 {
		r.run.Obj, _ = m.Informers[m.PartOf(parents, k)].Indexer.GetByKey(k)
	}
	for i := range x.Work.Workers {
		if at := &c.Runs[i]; x.Work.Workers[i].Key == k && at.Obj != 0 {
			r.run = at
			b.Asked = slices.ContainsFunc(at.Reads, func(r reconciler.Read) bool { return r.Resource == guard.Children })
		}
	}
	if r.run.Obj == 0 {
		return b, false
	}
	owner, owns := ownerText(r.table(), r.run.Obj), m.PartOf(c.Config().Owns, k)
	b.Cached = ownedBy(r.table(), m.Informers[owns].Indexer.List(nil), owner, nil)
	b.Actual = ownedBy(r.table(), m.Objects(owns), owner, nil)
	if b.Asked {
		b.Read, b.Created = r.run.Children, r.run.Created
	}
	if p := &c.Config().Program; p.CreatesChildren {
		b.Wants = r.value(p.Wants)
	}
	if e, has := c.Guard.Expectations.GetExpectations(k); has {
		b.Expected = int(max(e.Add, 0) - max(e.Del, 0))
	}
	return b, true
}

// ChildCounts are how many children a controller believes a key's object to have, and how many
// it has. Belief has the children themselves.
type ChildCounts struct {
	Key      object.Key
	Believed int // children, as a read of the program would find them now
	Exists   int // children on the server
	Wants    int // children that the program is to make, by the object on the server; -1 if it makes none
}

// Duplicates returns how many children there are more than the program is to make.
func (b *ChildCounts) Duplicates() int {
	if b.Wants < 0 {
		return 0
	}
	return max(b.Exists-b.Wants, 0)
}

// Stale reports whether the controller believes what isn't so.
func (b *ChildCounts) Stale() bool { return b.Believed != b.Exists }

// ChildCounts compares what an informer's controller believes of a key's object with what is
// true. It reports false if neither the cache nor the server has the object.
func (m *Manager) ChildCounts(informer int, k object.Key) (b ChildCounts, ok bool) {
	c, x := m.Informers[informer].Work.Controller, m.Informers[informer]
	server := m.Simulated(informer)
	if c == nil || server == nil || k == 0 {
		return b, false
	}
	t := x.Config().Table
	cached, _ := m.Informers[m.PartOf(informer, k)].Indexer.GetByKey(k)
	there := server.Storage.Get(k)
	b = ChildCounts{Key: k, Wants: -1}
	if there != 0 && c.Config().Program.CreatesChildren {
		b.Wants = desiredChildren(t, c.Config().Program.Wants, there)
	}
	if cached == 0 {
		cached = there
	}
	if owns := m.PartOf(c.Config().Owns, k); owns >= 0 && cached != 0 {
		if there != 0 {
			b.Exists = len(ownedBy(t, m.Objects(owns), ownerText(t, there), nil))
		}
		g := c.Guard
		if g.Kind == guard.Mutation { // reading it changes it
			g.Mutations[guard.Children] = g.Mutations[guard.Children].Clone()
		}
		b.Believed = len(m.children(&g, owns, ownerText(t, cached), nil))
	}
	return b, cached != 0
}

// desiredChildren returns how many children a program is to make for an object.
func desiredChildren(t *object.Table, wants program.Term, o object.Ref) (n int) {
	text := wants.Text
	if wants.Kind == program.Field {
		text = t.FieldOf(o, wants.Text)
	}
	for _, d := range text {
		if d < '0' || d > '9' || n > 1<<20 {
			return 0
		}
		n = n*10 + int(d-'0')
	}
	return n
}

// AllChildCounts returns the ChildCounts of each object that the cache or the server of an informer's
// controller has, in the order of their keys' texts.
func (m *Manager) AllChildCounts(informer int) (all []ChildCounts) {
	x := m.Informers[informer]
	t := x.Config().Table
	keys := x.Indexer.ListKeys(nil)
	for _, o := range m.Objects(informer) {
		keys = append(keys, t.KeyOf(o))
	}
	slices.SortFunc(keys, t.CompareKeys)
	for _, k := range slices.Compact(keys) {
		if b, ok := m.ChildCounts(informer, k); ok {
			all = append(all, b)
		}
	}
	return all
}
