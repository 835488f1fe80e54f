package says

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
)

// workSayings tell what the workqueue and the workers do.
var workSayings = []saying{
	{id: "workReadyDirty", of: event.WorkReady, also: event.WorkDirty, why: "workDirty", fn: fnWaiting},
	{id: "workReadyDeferred", of: event.WorkReady, also: event.WorkDeferred, why: "workDeferred", fn: fnWaiting},
	{id: "workReadyShut", of: event.WorkReady, not: event.WorkAdded, fn: fnWaiting},
	{id: "workReady", of: event.WorkReady, fn: fnWaiting},
	{id: "workDelayed", of: event.WorkDelayed, pc: actor.DelayingFire, fn: fnWaiting},
	{id: "workDelayKept", of: event.WorkDelayKept, pc: actor.DelayingFire, fn: fnWaiting},

	{id: "workAdded", of: event.WorkAdded, pc: actor.RunWork, why: "workAdded", fn: fnWorkAdd},
	{id: "workDirty", of: event.WorkDirty, pc: actor.RunWork, why: "workDirty", fn: fnWorkAdd},
	{id: "workDeferred", of: event.WorkDeferred, pc: actor.RunWork, why: "workDeferred", fn: fnWorkAdd},
	{id: "workNotAdded", pc: actor.RunWork, fn: fnWorkAdd},

	{id: "workGot", of: event.WorkGot, fn: fnWorkGet},
	{id: "workGetWaits", of: event.WorkGetWaits, fn: fnWorkGet},
	{id: "reconcileStartedGone", of: event.ReconcileStarted, when: func(_ *step, e event.Event) bool { return e.New == 0 }, why: "reconcileStartedGone", fn: "Reconcile"},
	{id: "reconcileStarted", of: event.ReconcileStarted, why: "reconcileStarted", fn: "Reconcile"},
	{id: "reconcileEndedWrites", of: event.ObjectWritten, pc: actor.WorkerReconciled, when: unwatched, with: event.ReconcileEnded, why: "reconcileEndedWritesUnwatched", fn: "Reconcile"},
	{id: "reconcileEndedWrites", of: event.ObjectWritten, pc: actor.WorkerReconciled, with: event.ReconcileEnded, why: "reconcileEndedWrites", fn: "Reconcile"},
	{id: "reconcileEnded", of: event.ReconcileEnded, fn: "Reconcile"},
	{id: "reconcileFailed", of: event.ReconcileFailed, fn: "Reconcile"},
	{id: "workDoneLimitedRequeued", of: event.WorkRequeued, pc: actor.WorkerDone, also: event.WorkRateLimited, with: event.WorkDone, why: "workRequeued", fn: fnWorkDone},
	{id: "workDoneRequeued", of: event.WorkRequeued, pc: actor.WorkerDone, with: event.WorkDone, why: "workRequeued", fn: fnWorkDone},
	{id: "workDoneLimited", of: event.WorkRateLimited, pc: actor.WorkerDone, with: event.WorkDone, why: "workDoneLimited", fn: fnLimit},
	{id: "workDone", of: event.WorkDone, pc: actor.WorkerDone, fn: fnWorkDone},
}

// unwatched holds if none of the informer's reflectors has a watch open.
func unwatched(s *step, _ event.Event) bool {
	return !slices.ContainsFunc(s.x.Servers(nil), func(server apiserver.Server) bool { return server.State() == apiserver.Open })
}

// otherSayings tell what may happen to several goroutines, and what changes nothing.
var otherSayings = []saying{
	{id: "lockWaitsReflector", of: event.LockWaits, pc: actor.ReflectorReplace, why: "lockWaits", fn: "sync.RWMutex.Lock"},
	{id: "lockWaitsReflector", of: event.LockWaits, role: actor.Reflector, why: "lockWaitsReflector", fn: "sync.RWMutex.Lock"},
	{id: "lockWaitsResync", of: event.LockWaits, role: actor.Resync, why: "lockWaits", fn: "sync.RWMutex.Lock"},
	{id: "lockWaitsLoop", of: event.LockWaits, role: actor.Loop, when: mutex, why: "lockWaitsLoop", fn: "sync.Mutex.Lock"},
	{id: "lockWaitsLoop", of: event.LockWaits, role: actor.Loop, when: distributes, why: "lockWaitsLoop", fn: "sync.RWMutex.RLock"},
	{id: "lockWaitsLoop", of: event.LockWaits, role: actor.Loop, why: "lockWaitsLoop", fn: "sync.RWMutex.Lock"},
	{id: "lockWaitsProcessor", of: event.LockWaits, role: actor.Processor, why: "lockWaitsProcessor", fn: "sync.RWMutex.RLock"},
	{id: "lockWaitsUser", of: event.LockWaits, when: mutex, why: "lockWaits", fn: "sync.Mutex.Lock"},
	{id: "lockWaitsUser", of: event.LockWaits, why: "lockWaits", fn: "sync.RWMutex.Lock"},
	{id: "detectorCompares", pc: actor.DetectorCompare, why: "detectorCompares", fn: fnCompare},
}

// mutex holds if the lock is the one that is no read-write lock.
func mutex(_ *step, e event.Event) bool { return actor.LockID(e.Lock()) == actor.BlockDeltas }

func distributes(s *step, _ event.Event) bool {
	return s.pc == actor.LoopLock || s.pc == actor.LoopDistribute
}
