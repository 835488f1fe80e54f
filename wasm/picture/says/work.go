package says

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
)

// workSayings tell what the workqueue and the workers do.
var workSayings = []saying{
	{id: "workReadyDirty", fact: event.WorkReady, also: event.WorkDirty, reason: "workDirty", fn: fnWaiting},
	{id: "workReadyDeferred", fact: event.WorkReady, also: event.WorkDeferred, reason: "workDeferred", fn: fnWaiting},
	{id: "workReadyShut", fact: event.WorkReady, without: event.WorkAdded, fn: fnWaiting},
	{id: "workReady", fact: event.WorkReady, fn: fnWaiting},
	{id: "workDelayed", fact: event.WorkDelayed, pc: actor.DelayingFire, fn: fnWaiting},
	{id: "workDelayKept", fact: event.WorkDelayKept, pc: actor.DelayingFire, fn: fnWaiting},

	{id: "workAdded", fact: event.WorkAdded, pc: actor.RunWork, reason: "workAdded", fn: fnWorkAdd},
	{id: "workDirty", fact: event.WorkDirty, pc: actor.RunWork, reason: "workDirty", fn: fnWorkAdd},
	{id: "workDeferred", fact: event.WorkDeferred, pc: actor.RunWork, reason: "workDeferred", fn: fnWorkAdd},
	{id: "workNotAdded", pc: actor.RunWork, fn: fnWorkAdd},

	{id: "workGot", fact: event.WorkGot, fn: fnWorkGet},
	{id: "workGetPaused", fact: event.WorkGetWaits, when: isPaused, reason: "workGetPaused", fn: fnWorkGet},
	{id: "workGetWaits", fact: event.WorkGetWaits, fn: fnWorkGet},
	{id: "reconcileStartedForever", fact: event.ReconcileStarted, role: actor.Worker, when: func(_ *step, e event.Event) bool { return e.Duration() < 0 }, reason: "reconcileStartedForever", fn: "Reconcile"},
	{id: "reconcileStartedGone", fact: event.ReconcileStarted, when: func(_ *step, e event.Event) bool { return e.New == 0 }, reason: "reconcileStartedGone", fn: "Reconcile"},
	{id: "reconcileStarted", fact: event.ReconcileStarted, reason: "reconcileStarted", fn: "Reconcile"},
	{id: "reconcileEndedWrites", fact: event.ObjectWritten, pc: actor.WorkerReconciled, when: unwatched, alsoFrom: event.ReconcileEnded, reason: "reconcileEndedWritesUnwatched", fn: "Reconcile"},
	{id: "reconcileEndedWrites", fact: event.ObjectWritten, pc: actor.WorkerReconciled, alsoFrom: event.ReconcileEnded, reason: "reconcileEndedWrites", fn: "Reconcile"},
	{id: "reconcileEnded", fact: event.ReconcileEnded, fn: "Reconcile"},
	{id: "reconcileFailed", fact: event.ReconcileFailed, fn: "Reconcile"},
	{id: "workDoneLimitedRequeued", fact: event.WorkRequeued, pc: actor.WorkerDone, also: event.WorkRateLimited, alsoFrom: event.WorkDone, reason: "workRequeued", fn: fnWorkDone},
	{id: "workDoneRequeued", fact: event.WorkRequeued, pc: actor.WorkerDone, alsoFrom: event.WorkDone, reason: "workRequeued", fn: fnWorkDone},
	{id: "workDoneLimited", fact: event.WorkRateLimited, pc: actor.WorkerDone, alsoFrom: event.WorkDone, reason: "workDoneLimited", fn: fnLimit},
	{id: "workDone", fact: event.WorkDone, pc: actor.WorkerDone, fn: fnWorkDone},
}

// unwatched holds if none of the informer's reflectors has a watch open.
func unwatched(s *step, _ event.Event) bool {
	return !slices.ContainsFunc(s.x.Servers(nil), func(server apiserver.Server) bool { return server.State() == apiserver.Open })
}

// otherSayings tell what may happen to several goroutines, and what changes nothing.
var otherSayings = []saying{
	{id: "lockWaitsReflector", fact: event.LockWaits, pc: actor.ReflectorReplace, reason: "lockWaits", fn: "sync.RWMutex.Lock"},
	{id: "lockWaitsReflector", fact: event.LockWaits, role: actor.Reflector, reason: "lockWaitsReflector", fn: "sync.RWMutex.Lock"},
	{id: "lockWaitsResync", fact: event.LockWaits, role: actor.Resync, reason: "lockWaits", fn: "sync.RWMutex.Lock"},
	{id: "lockWaitsLoop", fact: event.LockWaits, role: actor.Loop, when: mutex, reason: "lockWaitsLoop", fn: "sync.Mutex.Lock"},
	{id: "lockWaitsLoop", fact: event.LockWaits, role: actor.Loop, when: distributes, reason: "lockWaitsLoop", fn: "sync.RWMutex.RLock"},
	{id: "lockWaitsLoop", fact: event.LockWaits, role: actor.Loop, reason: "lockWaitsLoop", fn: "sync.RWMutex.Lock"},
	{id: "lockWaitsProcessor", fact: event.LockWaits, role: actor.Processor, reason: "lockWaitsProcessor", fn: "sync.RWMutex.RLock"},
	{id: "lockWaitsUser", fact: event.LockWaits, when: mutex, reason: "lockWaits", fn: "sync.Mutex.Lock"},
	{id: "lockWaitsUser", fact: event.LockWaits, reason: "lockWaits", fn: "sync.RWMutex.Lock"},
	{id: "detectorCompares", pc: actor.DetectorCompare, reason: "detectorCompares", fn: fnCompare},
}

// mutex holds if the lock is the one that is no read-write lock.
func mutex(_ *step, e event.Event) bool { return actor.LockID(e.Lock()) == actor.BlockDeltas }

func distributes(s *step, _ event.Event) bool {
	return s.pc == actor.LoopLock || s.pc == actor.LoopDistribute
}

// isPaused holds where the workqueue is paused.
func isPaused(s *step, _ event.Event) bool { return s.x.Work.Queue.Paused() }
