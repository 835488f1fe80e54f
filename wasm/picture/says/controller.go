package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/controller/replicaset"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// controllerSayings tell what a controller's handlers do, and what its workers do in its
// program.
var controllerSayings = []saying{
	{id: "keysEnqueued", fact: event.WorkAdded, pc: actor.RunEnqueue, when: func(s *step, _ event.Event) bool { return s.count(event.WorkAdded) > 1 }},
	{id: "keyEnqueued", fact: event.WorkAdded, pc: actor.RunEnqueue, reason: "keyEnqueued"},
	{id: "keyEnqueuedDirty", fact: event.WorkDirty, pc: actor.RunEnqueue},
	{id: "keyEnqueuedDeferred", fact: event.WorkDeferred, pc: actor.RunEnqueue},
	{id: "keyEnqueuedSame", pc: actor.RunEnqueue, when: func(s *step, e event.Event) bool { return silent(s, e) && s.handedOwner() != "" && s.handedSame() }},
	{id: "keyEnqueuedGone", pc: actor.RunEnqueue, when: func(s *step, e event.Event) bool { return silent(s, e) && s.handedOwner() != "" }},
	{id: "keyEnqueuedNone", pc: actor.RunEnqueue, when: silent},

	{id: "cachesAwaited", fact: event.CachesAwaited, reason: "cachesAwaited", fn: fnSync},
	{id: "cachesSyncedWarm", fact: event.CachesSynced, when: func(s *step, _ event.Event) bool { return !s.x.Work.Controller.Started }, fn: fnSync},
	{id: "cachesSynced", fact: event.CachesSynced, fn: fnSync},
	{id: "cacheStale", fact: event.CacheStale, reason: "cacheStale"},
	{id: "readWaits", fact: event.ReadWaits, reason: "readWaits"},
	{id: "expectationsUnmet", fact: event.ExpectationsUnmet, reason: "expectationsUnmet"},
	{id: "reconcileElsewhereGone", fact: event.ReconcileStarted, pc: actor.WorkerProgram, when: func(s *step, e event.Event) bool { return s.elsewhere() && e.New == 0 }, reason: "reconcileElsewhere"},
	{id: "reconcileElsewhere", fact: event.ReconcileStarted, pc: actor.WorkerProgram, when: func(s *step, _ event.Event) bool { return s.elsewhere() }, reason: "reconcileElsewhere"},
	{id: "reconcileLive", fact: event.ReconcileStarted, pc: actor.WorkerProgram, when: guarded(guard.Live)},
	{id: "reconcileMutation", fact: event.ReconcileStarted, pc: actor.WorkerProgram, when: guarded(guard.Mutation)},
	{id: "childrenReadOld", fact: event.ChildrenRead, when: old, reason: "childrenReadOld"},
	{id: "childrenRead", fact: event.ChildrenRead},
	{id: "expectationsSetRefused", fact: event.ExpectationsSet, with: event.WriteAnswered, alsoFrom: event.WriteAnswered},
	{id: "expectationsSet", fact: event.ExpectationsSet, alsoFrom: event.ObjectWritten, reason: "expectationsSet"},
	{id: "ownerReadGone", fact: event.OwnerRead, when: func(_ *step, e event.Event) bool { return e.New == 0 }},
	{id: "ownerRead", fact: event.OwnerRead, when: func(s *step, _ event.Event) bool { return s.run().Rechecked == replicaset.MayAdopt }, reason: "ownerRead"},
	{id: "ownerReadDeleted", fact: event.OwnerRead, when: func(s *step, e event.Event) bool {
		t := s.x.Config().Table
		return t.Meta(e.New).UID == t.Meta(s.run().Obj).UID
	}},
	{id: "ownerReadOther", fact: event.OwnerRead},
	{id: "programAdopts", fact: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Updated, when: func(s *step, e event.Event) bool { return s.owner(e.Old) == "" && s.owner(e.New) != "" }},
	{id: "programReleases", fact: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Updated, when: func(s *step, e event.Event) bool { return s.owner(e.Old) != "" && s.owner(e.New) == "" }},
	{id: "programAddsInBatch", fact: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Added, when: func(s *step, _ event.Event) bool { return s.run().Batch.Size > 0 }, reason: "slowStart"},
	{id: "createsSkipped", fact: event.CreatesSkipped, when: func(s *step, e event.Event) bool {
		_, expected := s.x.Work.Controller.Guard.Expectations.GetExpectations(e.Key) // the handler of a deletion has dropped them
		return s.x.Work.Controller.Guard.Expects() && expected
	}, reason: "createsSkipped"},
	{id: "createsSkipped", fact: event.CreatesSkipped},
	{id: "programAdds", fact: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Added},
	{id: "programUpdates", fact: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Updated},
	{id: "programDeletes", fact: event.ObjectWritten, pc: actor.WorkerProgram, delta: event.Deleted},
	{id: "reconcilePanicked", fact: event.ReconcilePanicked, reason: "reconcilePanicked", fn: "Reconcile"},
	{id: "writeAnswered", fact: event.WriteAnswered},
	{id: "outsideAcquired", fact: event.OutsideChanged, delta: event.Added},
	{id: "outsideReleased", fact: event.OutsideChanged, when: deleting, reason: "outsideReleased"},
	{id: "outsideReleased", fact: event.OutsideChanged},
	{id: "collectorFinishes", fact: event.ObjectWritten, pc: actor.CollectorLook, delta: event.Deleted, when: finalized},
	{id: "collectorDeletes", fact: event.ObjectWritten, pc: actor.CollectorLook, delta: event.Deleted, reason: "collectorDeletes"},
	{id: "collectorDrops", fact: event.ObjectWritten, pc: actor.CollectorLook, when: finalized},
	{id: "collectorOrphans", fact: event.ObjectWritten, pc: actor.CollectorLook, when: owned},
	{id: "collectorMarks", fact: event.ObjectWritten, pc: actor.CollectorLook},
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
	return t.FieldOf(o, apiserver.Owner)
}

// handedOwner returns the owner of the object that the handler was called with, "" for none.
func (s *step) handedOwner() string {
	n := s.x.HandlerNotification(s.role)
	return s.owner(max(n.New, n.Old))
}

// handedSame holds if the handler was called with an object that hasn't changed, as in a resync.
func (s *step) handedSame() bool {
	n, t := s.x.HandlerNotification(s.role), s.x.Config().Table
	return n.Type == processor.Update && t.RVOf(n.Old) == t.RVOf(n.New)
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
	return t.FieldOf(s.x.Work.Controller.Runs[e.Worker()].Obj, apiserver.Deletion) != ""
}

// old holds if what a worker has read last is not what the server had.
func old(s *step, e event.Event) bool {
	reads := s.x.Work.Controller.Runs[e.Worker()].Reads
	return reads[len(reads)-1].Items != reads[len(reads)-1].Actual
}

// elsewhere holds if the step's controller reads its objects from the cache of another informer.
func (s *step) elsewhere() bool { return s.x.Work.Controller.Config().Reads > 0 }

// recordedSayings tell what a recorded controller does. What it did is recorded, and what comes of
// that in the workqueue and in the cache is the engine's: the sentences keep the two apart.
var recordedSayings = []saying{
	{id: "recordedLimited", fact: event.WorkDelayed, pc: actor.RecordedAct, with: event.WorkRateLimited, alsoFrom: event.WorkRateLimited, fn: fnLimit},
	{id: "recordedLimitedKept", fact: event.WorkDelayKept, pc: actor.RecordedAct, with: event.WorkRateLimited, alsoFrom: event.WorkRateLimited, fn: fnLimit},
	{id: "recordedLimitedNow", fact: event.WorkRateLimited, pc: actor.RecordedAct, fn: fnLimit},
	{id: "recordedDelayed", fact: event.WorkDelayed, pc: actor.RecordedAct, fn: fnDelay},
	{id: "recordedDelayKept", fact: event.WorkDelayKept, pc: actor.RecordedAct, fn: fnDelay},
	{id: "recordedAdded", fact: event.WorkAdded, pc: actor.RecordedAct, reason: "workAdded", fn: fnWorkAdd},
	{id: "recordedDirty", fact: event.WorkDirty, pc: actor.RecordedAct, reason: "workDirty", fn: fnWorkAdd},
	{id: "recordedDeferred", fact: event.WorkDeferred, pc: actor.RecordedAct, reason: "workDeferred", fn: fnWorkAdd},

	{id: "recordedOvertook", fact: event.WorkOvertook, reason: "recordedOvertook", fn: fnWorkGet},
	{id: "recordedMissing", fact: event.WorkMissing, reason: "recordedMissing", fn: fnWorkGet},
	{id: "recordedGot", fact: event.WorkGot, pc: actor.RecordedAct, fn: fnWorkGet},
	{id: "recordedBeganGone", fact: event.ReconcileStarted, pc: actor.RecordedAct, when: func(_ *step, e event.Event) bool { return e.New == 0 }, fn: "Reconcile"},
	{id: "recordedBegan", fact: event.ReconcileStarted, pc: actor.RecordedAct, fn: "Reconcile"},
	{id: "recordedWrites", fact: event.WriteSent, reason: "recordedWrites"},
	{id: "recordedUnanswered", fact: event.WriteReturned, when: func(_ *step, e event.Event) bool { return e.Code() == 0 }, reason: "recordedUnanswered"},
	{id: "recordedAccepted", fact: event.WriteReturned, when: func(_ *step, e event.Event) bool { return e.Code() < 300 }},
	{id: "recordedRefused", fact: event.WriteReturned},
	{id: "recordedEnded", fact: event.ReconcileEnded, pc: actor.RecordedAct, fn: "Reconcile"},
	{id: "recordedFailed", fact: event.ReconcileFailed, pc: actor.RecordedAct, fn: "Reconcile"},
	{id: "recordedRequeued", fact: event.WorkRequeued, pc: actor.RecordedAct, reason: "workRequeued", fn: fnWorkDone},
	{id: "recordedDone", fact: event.WorkDone, pc: actor.RecordedAct, fn: fnWorkDone},
	{id: "recordedForgot", fact: event.WorkForgotten, pc: actor.RecordedAct},
	{id: "recordedShut", fact: event.WorkShutDown, pc: actor.RecordedAct},
	{id: "recordedIgnored", pc: actor.RecordedAct, when: silent},
}
