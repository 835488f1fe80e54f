package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/event"
)

// controllerSayings tell what a controller's handlers do, and what its workers do in its
// program.
var controllerSayings = []saying{
	{id: "keyEnqueued", of: event.WorkAdded, pc: actor.RunEnqueue, why: "keyEnqueued"},
	{id: "keyEnqueuedDirty", of: event.WorkDirty, pc: actor.RunEnqueue},
	{id: "keyEnqueuedDeferred", of: event.WorkDeferred, pc: actor.RunEnqueue},
	{id: "keyEnqueuedNone", pc: actor.RunEnqueue, when: silent},

	{id: "cachesAwaited", of: event.CachesAwaited, why: "cachesAwaited", fn: fnSync},
	{id: "cachesSynced", of: event.CachesSynced, fn: fnSync},
	{id: "cacheStale", of: event.CacheStale, why: "cacheStale"},
	{id: "readWaits", of: event.ReadWaits, why: "readWaits"},
	{id: "expectationsUnmet", of: event.ExpectationsUnmet, why: "expectationsUnmet"},
	{id: "reconcileLive", of: event.ReconcileStarted, pc: actor.WorkerProgram, when: guarded(guard.Live)},
	{id: "reconcileMutation", of: event.ReconcileStarted, pc: actor.WorkerProgram, when: guarded(guard.Mutation)},
	{id: "childrenReadOld", of: event.ChildrenRead, when: old, why: "childrenReadOld"},
	{id: "childrenRead", of: event.ChildrenRead},
	{id: "expectationsSet", of: event.ExpectationsSet, with: event.ObjectWritten, why: "expectationsSet"},
	{id: "programAdds", of: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Added},
	{id: "programUpdates", of: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Updated},
	{id: "programDeletes", of: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Deleted},
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
func owned(s *step, e event.Event) bool {
	t := s.x.Config().Table
	return apiserver.Field(t, t.LabelSetOf(e.New), apiserver.Owner) == ""
}

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
