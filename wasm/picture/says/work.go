package says

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/processor"
)

// workSayings tell what the workqueue and the workers do.
var workSayings = []saying{
	{id: "workReadyDirty", fact: event.WorkReady, with: event.WorkDirty, reason: "workDirty", fn: fnWaiting},
	{id: "workReadyDeferred", fact: event.WorkReady, with: event.WorkDeferred, reason: "workDeferred", fn: fnWaiting},
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
	{id: "workDoneLimitedRequeued", fact: event.WorkRequeued, pc: actor.WorkerDone, with: event.WorkRateLimited, alsoFrom: event.WorkDone, reason: "workRequeued", fn: fnWorkDone},
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

// prioritySayings tell what a controller's priority queue does.
var prioritySayings = []saying{
	{id: "keyBufferedOld", fact: event.WorkBuffered, pc: actor.RunEnqueue, when: judgedByAge, reason: "keyBufferedOld"},
	{id: "keyBufferedLow", fact: event.WorkBuffered, pc: actor.RunEnqueue, when: func(_ *step, e event.Event) bool { return e.Priority() < 0 }, reason: "keyBufferedLow"},
	{id: "keyBuffered", fact: event.WorkBuffered, pc: actor.RunEnqueue},
	{id: "keyFiltered", pc: actor.RunEnqueue, when: filtered, reason: "keyFiltered"},
	{id: "keyUnnamed", pc: actor.RunEnqueue, when: func(s *step, _ event.Event) bool { return len(s.facts) == 0 && s.feed().Label != "" }},

	{id: "priorityGot", fact: event.WorkGot, pc: actor.PriorityReady},
	{id: "priorityWaited", fact: event.WorkReady, pc: actor.PriorityWaiting, alsoFrom: event.WorkQueued, when: byPriority, reason: "priorityWaited"},
	{id: "priorityWaited", fact: event.WorkReady, pc: actor.PriorityWaiting, alsoFrom: event.WorkQueued, reason: "priorityPutOff"},
	{id: "priorityRaised", fact: event.WorkRaised, when: byPriority, reason: "priorityRaised"},
	{id: "priorityRaised", fact: event.WorkRaised},
	{id: "prioritySooner", fact: event.WorkReady, when: notDelayed, reason: "priorityPutOff"},
	{id: "priorityLimited", fact: event.WorkRateLimited, pc: actor.PriorityAdd, with: event.WorkDelayed, alsoFrom: event.WorkDelayed, reason: "priorityLimited"},
	{id: "priorityLimitedReady", fact: event.WorkRateLimited, pc: actor.PriorityAdd, with: event.WorkKept, reason: "priorityLimitedReady"},
	{id: "priorityDelayed", fact: event.WorkDelayed, pc: actor.PriorityAdd},
	{id: "priorityKept", fact: event.WorkKept},
	{id: "priorityQueued", fact: event.WorkQueued},
	{id: "priorityNothing", role: actor.AddBuffer, when: silent},
	{id: "priorityNothing", role: actor.ReadyItems, when: silent},

	{id: "priorityGets", pc: actor.WorkerGet, next: actor.WorkerReceive},
	{id: "priorityHandsBack", fact: event.WorkBuffered, pc: actor.WorkerDone, alsoFrom: event.WorkUnlocked},
	{id: "workGivenUp", fact: event.WorkDone, pc: actor.WorkerDone, without: event.WorkForgotten, when: notRetried, reason: "workGivenUp"},
	{id: "workGivenUp", fact: event.WorkUnlocked, without: event.WorkForgotten, reason: "workGivenUp"},
	{id: "priorityDone", fact: event.WorkUnlocked},
	{id: "programFails", pc: actor.WorkerProgram, next: actor.WorkerReconciled, when: fails},
	{id: "programPrioritises", pc: actor.WorkerProgram, next: actor.WorkerProgram, when: silent, reason: "programPrioritises"},
}

// judgedByAge holds if the handler has given a low priority to an object because it is old.
func judgedByAge(s *step, e event.Event) bool {
	parents := s.w.Informers[s.feed().Informer]
	return e.Priority() < 0 && parents.Work.Controller.Config().JudgesByAge && s.x.HandlerNotification(s.role).Type == processor.Add
}

// byPriority holds if delays don't order the keys of the queue that are ready.
func byPriority(s *step, _ event.Event) bool {
	return s.x.Work.Priority.Queue.Order() == priorityqueue.ByPriority
}

// notDelayed holds if a key that was ready already isn't put off any more.
func notDelayed(s *step, _ event.Event) bool {
	return s.x.Work.Priority != nil && s.pc != actor.PriorityWaiting
}

// feed returns how the handler of the step feeds a controller.
func (s *step) feed() *informer.Feed { return s.x.Config().Handlers[s.role.Index].Feeds }

// filtered holds if a predicate has kept the handler from its key.
func filtered(s *step, _ event.Event) bool {
	return len(s.facts) == 0 && !s.feed().Predicate.Passes(s.x.Config().Table, s.x.HandlerNotification(s.role))
}

// fails holds if the program ends with an error that it makes itself.
func fails(s *step, _ event.Event) bool {
	return len(s.facts) == 0 && s.x.Work.Controller.Runs[s.role.Index].Result.Failure != controller.NoError
}

// notRetried holds if the key isn't added again, and its failures stay.
func notRetried(s *step, _ event.Event) bool { return !s.has(event.WorkRateLimited) }
