package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/controller/replicaset"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// controllerSayings tell what a controller's handlers do, and what its workers do in its
// program.
var controllerSayings = []saying{
	{id: "keysEnqueued", of: event.WorkAdded, pc: actor.RunEnqueue, when: func(s *step, _ event.Event) bool { return s.count(event.WorkAdded) > 1 }},
	{id: "keyEnqueued", of: event.WorkAdded, pc: actor.RunEnqueue, why: "keyEnqueued"},
	{id: "keyEnqueuedDirty", of: event.WorkDirty, pc: actor.RunEnqueue},
	{id: "keyEnqueuedDeferred", of: event.WorkDeferred, pc: actor.RunEnqueue},
	{id: "keyEnqueuedNone", pc: actor.RunEnqueue, when: silent},

	{id: "cachesAwaited", of: event.CachesAwaited, why: "cachesAwaited", fn: fnSync},
	{id: "cachesSyncedWarm", of: event.CachesSynced, when: func(s *step, _ event.Event) bool { return !s.x.Work.Controller.Started }, fn: fnSync},
	{id: "cachesSynced", of: event.CachesSynced, fn: fnSync},
	{id: "cacheStale", of: event.CacheStale, why: "cacheStale"},
	{id: "readWaits", of: event.ReadWaits, why: "readWaits"},
	{id: "expectationsUnmet", of: event.ExpectationsUnmet, why: "expectationsUnmet"},
	{id: "reconcileLive", of: event.ReconcileStarted, pc: actor.WorkerProgram, when: guarded(guard.Live)},
	{id: "reconcileMutation", of: event.ReconcileStarted, pc: actor.WorkerProgram, when: guarded(guard.Mutation)},
	{id: "childrenReadOld", of: event.ChildrenRead, when: old, why: "childrenReadOld"},
	{id: "childrenRead", of: event.ChildrenRead},
	{id: "expectationsSetRefused", of: event.ExpectationsSet, also: event.WriteAnswered, with: event.WriteAnswered},
	{id: "expectationsSet", of: event.ExpectationsSet, with: event.ObjectWritten, why: "expectationsSet"},
	{id: "ownerReadGone", of: event.OwnerRead, when: func(_ *step, e event.Event) bool { return e.New == 0 }},
	{id: "ownerRead", of: event.OwnerRead, when: func(s *step, _ event.Event) bool { return s.run().Rechecked == replicaset.MayAdopt }, why: "ownerRead"},
	{id: "ownerReadDeleted", of: event.OwnerRead, when: func(s *step, e event.Event) bool {
		t := s.x.Config().Table
		return t.Meta(e.New).UID == t.Meta(s.run().Obj).UID
	}},
	{id: "ownerReadOther", of: event.OwnerRead},
	{id: "programAdopts", of: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Updated, when: func(s *step, e event.Event) bool { return s.owner(e.Old) == "" && s.owner(e.New) != "" }},
	{id: "programReleases", of: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Updated, when: func(s *step, e event.Event) bool { return s.owner(e.Old) != "" && s.owner(e.New) == "" }},
	{id: "programAddsInBatch", of: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Added, when: func(s *step, _ event.Event) bool { return s.run().Batch.Size > 0 }, why: "slowStart"},
	{id: "createsSkipped", of: event.CreatesSkipped, when: func(s *step, _ event.Event) bool { return s.x.Work.Controller.Guard.Expects() }, why: "createsSkipped"},
	{id: "createsSkipped", of: event.CreatesSkipped},
	{id: "programAdds", of: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Added},
	{id: "programUpdates", of: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Updated},
	{id: "programDeletes", of: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Deleted},
	{id: "reconcilePanicked", of: event.ReconcilePanicked, why: "reconcilePanicked", fn: "Reconcile"},
	{id: "writeAnswered", of: event.WriteAnswered},
	{id: "outsideAcquired", of: event.OutsideChanged, delta: event.Added},
	{id: "outsideReleased", of: event.OutsideChanged, when: deleting, why: "outsideReleased"},
	{id: "outsideReleased", of: event.OutsideChanged},
	{id: "collectorFinishes", of: event.ObjectWritten, pc: actor.CollectorLook, delta: event.Deleted, when: finalized},
	{id: "collectorDeletes", of: event.ObjectWritten, pc: actor.CollectorLook, delta: event.Deleted, why: "collectorDeletes"},
	{id: "collectorDrops", of: event.ObjectWritten, pc: actor.CollectorLook, when: finalized},
	{id: "collectorOrphans", of: event.ObjectWritten, pc: actor.CollectorLook, when: owned},
	{id: "collectorMarks", of: event.ObjectWritten, pc: actor.CollectorLook},
	{id: "collectorNothing", pc: actor.CollectorLook},
	{id: "programEnds", pc: actor.WorkerProgram, next: actor.WorkerReconciled, when: silent},
}

// finalized holds if the collector has taken its own finalizer from an object.
func finalized(s *step, e event.Event) bool {
	t := s.w.Informers[s.w.Last.Informer].Config().Table
	return apiserver.HasFinalizer(t, e.Old, apiserver.OrphanFinalizer) || apiserver.HasFinalizer(t, e.Old, apiserver.ForegroundFinalizer)
}

// owned holds if an object has lost its owner.
func owned(s *step, e event.Event) bool { return s.owner(e.New) == "" }

// owner returns the owner of an object, "" for none.
func (s *step) owner(o object.Ref) string {
	t := s.x.Config().Table
	return apiserver.Field(t, t.LabelSetOf(o), apiserver.Owner)
}

// run returns where the worker of the step stands in its program.
func (s *step) run() *reconciler.Run { return &s.x.Work.Controller.Runs[s.role.Index] }

func silent(s *step, _ event.Event) bool { return len(s.facts) == 0 }

// guarded holds if the controller has that guard.
func guarded(k guard.Kind) func(*step, event.Event) bool {
	return func(s *step, _ event.Event) bool { return s.x.Work.Controller.Guard.Kind == k }
}

// deleting holds if the object of the reconcile is being deleted.
func deleting(s *step, e event.Event) bool {
	t := s.x.Config().Table
	return apiserver.Field(t, t.LabelSetOf(s.x.Work.Controller.Runs[e.Worker()].Obj), apiserver.Deletion) != ""
}

// old holds if what a worker has read last is not what the server had.
func old(s *step, e event.Event) bool {
	reads := s.x.Work.Controller.Runs[e.Worker()].Reads
	return reads[len(reads)-1].Items != reads[len(reads)-1].There
}
