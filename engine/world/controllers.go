package world

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller/expectations"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/controller/readyourwrites"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
)

// What can be told of a controller between two steps. All of it is read from the world;
// nothing here changes it.

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

	// Behind is a key that came later than a ready one and is handed out before it, since its
	// priority is higher: of those, the one that came last. It is 0 if there is none.
	Behind object.Key
}

// QueueOf returns the queue of an informer's controller, or its workqueue if it has none.
func QueueOf(w *World, informer int) (q QueueState) {
	work := &w.Informers[informer].Work
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

// LimiterOf is the rate limiter of an informer's controller.
func LimiterOf(w *World, informer int) *workqueue.Limiter {
	work := &w.Informers[informer].Work
	if work.Priority != nil {
		return &work.Priority.Queue.Limiter
	}
	return &work.Queue.Limiter
}

// ReconcileState is where a worker stands in the program of its controller.
type ReconcileState struct {
	Key      object.Key // 0 if the worker has none
	Priority int        // with which it was handed out
	At       int        // the statement in Config().Program.List that comes next; less than 0 before the object has been read
	Object   object.Ref // as it was read or written last
	Children []object.Ref
	Reads    []reconciler.Read // what was read since the reconcile began, and what the server had at that moment

	// What the worker waits for before it can read, if that is a read-your-writes client.
	Waits bool
	On    readyourwrites.Wait
	RV    int64        // of OnRV
	UIDs  []object.Sym // of OnDeletes
}

// ReconcileOf returns where a worker stands. Its slices are the world's.
func ReconcileOf(w *World, informer, worker int) ReconcileState {
	work := &w.Informers[informer].Work
	o, r := &work.Workers[worker], &work.Controller.Runs[worker]
	s := ReconcileState{Key: o.Key, Priority: o.Priority, At: r.At, Object: r.Obj, Children: r.Children, Reads: r.Reads, Waits: r.Waits}
	if r.Waits {
		s.On, s.RV, s.UIDs = r.Read.On, r.Read.RV, r.Read.UIDs
	}
	return s
}

// Expected is what a controller expects to see for a key.
type Expected struct {
	Key      object.Key
	Add, Del int64        // creates and deletes that are still to be seen; 0 or less if there are none
	Objects  []object.Key // those whose deletion is to be seen
	Deadline int64        // from which on they don't hold the controller back any more; no timer wakes it then
	Unmet    bool         // they hold the controller back now
}

// ExpectedBy returns what an informer's controller expects, in the order of the keys'
// numbers. What was expected and seen stays with counters of 0 or less.
func ExpectedBy(w *World, informer int) (all []Expected) {
	c := ControllerOf(w, informer)
	if c == nil || !c.Guard.Expects() {
		return nil
	}
	x := &c.Guard.Expectations
	for _, k := range x.Keys(nil) {
		e, _ := x.GetExpectations(k)
		all = append(all, Expected{k, e.Add, e.Del, x.GetUIDs(k), e.At + expectations.Timeout, !x.SatisfiedExpectations(k, w.Set.Now).Satisfied()})
	}
	return all
}

// Unseen is a version that a controller has written, and that its guard remembers.
type Unseen struct {
	Owner    object.Key
	Resource int   // guard.Own or guard.Children
	RV       int64 // that was written last
	Seen     int64 // how far the cache has come, or the handler
}

// UnseenBy returns the versions that the guard of an informer's controller waits to see. A
// consistency store keeps those that were seen until the owner's next reconcile.
func UnseenBy(w *World, informer int) (all []Unseen) {
	c := ControllerOf(w, informer)
	switch {
	case c == nil:
	case c.Guard.Remembers():
		has := cachesOf(w, informer, c.Config().Owns)
		for _, owner := range c.Guard.Consistency.Owners(nil) {
			_, written := c.Guard.Consistency.Written(owner)
			for _, v := range written {
				seen, _ := has.LastStoreSyncResourceVersion(v.Resource)
				rv, _ := v.RV.Number()
				at, _ := seen.Number()
				all = append(all, Unseen{owner, int(v.Resource), int64(rv), int64(at)})
			}
		}
	case c.Guard.Kind == guard.ReadYourWrites:
		for i := range c.Guard.Clients {
			for _, m := range c.Guard.Clients[i].Minimums() {
				all = append(all, Unseen{m.Key, i, m.RV, c.Guard.Clients[i].ObservedRV()})
			}
		}
	}
	return all
}

// WaitsFor says what keeps a key's reconcile from its program.
type WaitsFor uint8

// What a reconcile waits for.
const (
	WaitsForNothing WaitsFor = iota
	WaitsForWorker           // it is ready, and no worker has come to it
	WaitsForSync             // it is ready, and workers start when the caches have synced
	WaitsForDone             // a worker has the key, and it was added meanwhile
	WaitsForTime             // a back-off, a RequeueAfter
	WaitsForCache            // the guard's read waits for an event
	WaitsForEvents           // its expectations are unmet
	WaitsForLeader           // it is ready, and workers start when the process leads
	NumWaitsFor
)

var waitsForNames = [NumWaitsFor]string{"nothing", "worker", "sync", "done", "time", "cache", "events", "leader"}

func (f WaitsFor) String() string { return waitsForNames[f] }

// WaitsForNames are the names of all that a reconcile may wait for.
func WaitsForNames() []string { return waitsForNames[:] }

// WaitsForOf says what keeps the reconcile of a key back at an informer's controller.
func WaitsForOf(w *World, informer int, k object.Key) WaitsFor {
	c, work := ControllerOf(w, informer), &w.Informers[informer].Work
	has := func(list []Queued) bool {
		return slices.ContainsFunc(list, func(q Queued) bool { return q.Key == k })
	}
	q := QueueOf(w, informer)
	busy := false
	for i := range work.Workers {
		if work.Workers[i].Key == k {
			busy = true
			if c != nil && c.Runs[i].Waits && w.Set.State(work.Workers[i].ID).Wait == actor.OnCall {
				return WaitsForCache
			}
		}
	}
	switch {
	case busy && (has(q.Ready) || slices.Contains(q.Dirty, k)):
		return WaitsForDone
	case busy:
		return WaitsForNothing
	case has(q.Ready) && Warmed(w, w.Informers[informer]):
		return WaitsForLeader
	case has(q.Ready) && c != nil && !c.Started:
		return WaitsForSync
	case has(q.Ready):
		return WaitsForWorker
	case has(q.Waiting):
		return WaitsForTime
	case c != nil && c.Guard.Expects() && !c.Guard.Expectations.SatisfiedExpectations(k, w.Set.Now).Satisfied():
		return WaitsForEvents
	}
	return WaitsForNothing
}
