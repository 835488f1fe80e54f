// Package reconciler is a controller as data: what it was made of, and where each of its
// workers stands in the program. The world plays it, since it reads other informers'
// caches and writes to the API server.
package reconciler

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/mutation"
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/controller/program"
	"github.com/informerscope/informerscope/engine/controller/readyourwrites"
	"github.com/informerscope/informerscope/engine/controller/replicaset"
	"github.com/informerscope/informerscope/engine/object"
)

// Config is what a controller is made of. Copies share it.
type Config struct {
	Program   program.Program
	Guard     guard.Kind
	Requeue   int64 // a stale reconcile comes again after it, in nanoseconds; 0 for the back-off of an error
	Work      int64 // what a reconcile takes beside its requests, between the read of its object and what the program does then, in nanoseconds
	RoundTrip int64 // how long a request and its answer take, in nanoseconds; 0 for a millisecond
	Burst     int   // how many children one reconcile makes or deletes at most; 0 for BurstReplicas of kube-controller-manager, which is 500
	Owns      int   // the informer of the children; less than 0 for none
	Reads     int   // 1 + another informer of the controller's own objects, whose cache a reconcile reads them from; 0 for none
	From      int64 // when the controller is added to its manager, ns: it adds its handlers then, to informers that run

	// Priorities tells that the controller has controller-runtime's priority queue, and not
	// client-go's workqueue. Ranks tells that its handlers give a low priority to objects of
	// an initial list, and to those that a resync brings unchanged.
	Priorities, Ranks bool
	// JudgesByAge tells that the handlers give it to objects older than a minute instead, as in v0.20.
	JudgesByAge bool
	Order       priorityqueue.Order // of the priority queue

	// AwaitsHandlers tells that the workers start when the handlers have been called for the
	// initial lists. Without it, they start when the informers have synced.
	AwaitsHandlers bool

	// NoTerminating tells that a status has no terminatingReplicas.
	NoTerminating bool

	// Recovers tells that a panic of the program is an error. Without it, the process ends.
	Recovers bool

	// Warmup is EnableWarmup: the informers that feed the controller start with the process, and the workers
	// start when the process leads. Without it, both start when the process leads.
	Warmup bool
}

// Controller is a controller's state.
type Controller struct {
	cfg     *Config
	Guard   guard.Guard
	Started bool         // its caches have synced, and its workers run
	Runs    []Run        // by worker
	Outside []object.Key // whose objects have a resource outside of the cluster, in the order of their numbers
}

// Run is a worker's way through the program.
type Run struct {
	Next     int        // the next statement; less than 0 before the object has been read
	Last     int        // the last that was done; less than 0 before the first
	Obj      object.Ref // the object, as it was read or written last
	Children []object.Ref
	Created  int // children created or deleted since they were read, the latter negative
	Skips    bool
	Expected bool // expectations were set for the statement at work
	Waits    bool // for the guard
	Read     readyourwrites.Read
	Result   controller.Result
	Reads    []Read // since the reconcile began

	Claims    []object.Ref // children to release and orphans to adopt, of those that were read
	Rechecked replicaset.Recheck
	Batch     Batch
	Fails     bool // it ends with an error, because a request failed

	Active      []object.Ref // children that were claimed, before any was created or deleted
	Terminating int          // children that end gracefully
	Status      object.Labels
	Tries       int // writes of the status that have failed
}

// Batch is where slowStartBatch stands, with one create after the other.
type Batch struct {
	replicaset.SlowStart
	Open int // creates of the batch that are still to be sent
}

// Read is what a read came to, and what it should have come to.
type Read struct {
	Resource int // guard.Parents or guard.Children
	Key      object.Key
	Items    int   // how many objects were read
	Actual   int   // how many there were on the server
	RV       int64 // of the object, or of the list, as it was answered
	Newest   int64 // what the server had at that moment
	Old      bool  // the server had something else
}

// New returns a controller that begins.
func New(t *object.Table, cfg *Config, gates mutation.Gates, workers int) *Controller {
	c := &Controller{cfg: cfg, Guard: guard.New(t, cfg.Guard, gates), Runs: make([]Run, workers)}
	for i := range c.Runs {
		c.Runs[i].Begin()
	}
	return c
}

// Config returns what the controller was made of.
func (c *Controller) Config() *Config { return c.cfg }

// Clone returns a copy that goes on by itself.
func (c *Controller) Clone() *Controller {
	d := &Controller{cfg: c.cfg, Started: c.Started, Runs: slices.Clone(c.Runs), Outside: slices.Clone(c.Outside)}
	d.Guard.CopyFrom(&c.Guard)
	for i := range d.Runs {
		r := &d.Runs[i]
		r.Children, r.Reads, r.Claims, r.Active = slices.Clone(r.Children), slices.Clone(r.Reads), slices.Clone(r.Claims), slices.Clone(r.Active)
		r.Read.UIDs = slices.Clone(r.Read.UIDs)
	}
	return d
}

// Begin makes a worker ready for another key.
func (r *Run) Begin() {
	*r = Run{Next: -1, Last: -1, Children: r.Children[:0], Reads: r.Reads[:0], Claims: r.Claims[:0], Active: r.Active[:0]}
}

// Change sets whether an object has a resource outside. It reports whether it hadn't that
// already.
func (c *Controller) Change(k object.Key, has bool) bool {
	i, had := slices.BinarySearch(c.Outside, k)
	if has && !had {
		c.Outside = slices.Insert(c.Outside, i, k)
	} else if had && !has {
		c.Outside = slices.Delete(c.Outside, i, i+1)
	}
	return has != had
}

// Has reports whether an object has a resource outside.
func (c *Controller) Has(k object.Key) bool {
	_, has := slices.BinarySearch(c.Outside, k)
	return has
}

// Hash adds what a later step depends on, at the time now, except the Runs, which the
// controller's workers add.
func (c *Controller) Hash(h *actor.Hash, now int64) {
	c.Guard.Hash(h, now)
	actor.HashAll(h, c.Outside)
}

// Hash adds what a later step depends on.
func (r *Run) Hash(h *actor.Hash) {
	h.Add(uint64(uint32(r.Next)) | uint64(r.Created)<<32)
	h.Add(uint64(r.Obj) | uint64(r.Rechecked)<<32)
	actor.HashAll(h, r.Children)
	actor.HashAll(h, r.Claims)
	actor.HashAll(h, r.Active)
	h.Add(uint64(r.Terminating) | uint64(r.Tries)<<16 | uint64(r.Status)<<32)
	h.Add(uint64(r.Batch.Size) | uint64(r.Batch.Open)<<16 | uint64(r.Batch.Rest)<<32)
	h.Bools(r.Skips, r.Expected, r.Waits, r.Batch.Failed, r.Fails)
	h.Add(uint64(r.Result.Failure) | uint64(r.Result.RequeueAfter)<<8)
	h.Bools(r.Result.Requeue, r.Result.HasPriority)
	h.Add(uint64(r.Result.Priority))
	h.Add(uint64(r.Read.Wait) | uint64(r.Read.RV)<<8)
	actor.HashAll(h, r.Read.UIDs)
}
