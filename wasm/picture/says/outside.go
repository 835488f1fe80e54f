package says

import (
	"errors"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
)

// endSayings tell what ends the process, the informer or a goroutine of the controller,
// whatever else the step did.
var endSayings = []saying{
	{id: "objectMutated", fact: event.ObjectMutated, reason: "objectMutated", fn: fnCompare},
	{id: "handlerPanicked", fact: event.HandlerPanicked, reason: "handlerPanicked", fn: "runtime.HandleCrash"},
	{id: "reconcilePanickedEnds", fact: event.ReconcilePanicked, when: crashed, reason: "reconcilePanickedEnds", fn: "runtime.HandleCrash"},
	{id: "crashed", when: closedTwice, reason: "crashed"},
	{id: "crashed", when: crashed},
	{id: "informerStartedStopped", fact: event.InformerStopped, pc: actor.UserRun, fn: fnRun},
	{id: "informerStopped", fact: event.InformerStopped, when: byActor, fn: fnRun},
	{id: "listenersStopped", fact: event.ListenerStopped, when: waitsForHandlers, reason: "listenersStopped", fn: "sharedProcessor.run"},
	{id: "loopReturns", pc: actor.LoopPop, when: returnsFirst, reason: "loopReturns", fn: fnLoop},
	{id: "loopReturns", pc: actor.LoopPop, when: returns, fn: fnLoop},
}

// byActor holds if no command was carried out.
func byActor(s *step, _ event.Event) bool { return s.w.Last.Actor != actor.Nobody }

func crashed(s *step, _ event.Event) bool {
	return s.x.Crash() != nil && byActor(s, event.Event{})
}

// closedTwice holds if the process has died of a channel that another call of Run has
// closed.
func closedTwice(s *step, e event.Event) bool {
	return errors.As(s.x.Crash(), new(informer.ChannelError)) && crashed(s, e)
}

// returnsFirst holds if the process loop returns, and the reflector has not yet.
func returnsFirst(s *step, e event.Event) bool {
	for id := range actor.ID(s.w.Set.Len()) {
		r := s.w.Set.Role(id)
		if r.Kind == actor.Reflector && r.Informer == s.role.Informer && r.Run == s.role.Run {
			return returns(s, e) && s.w.Set.State(id).Wait != actor.Stopped
		}
	}
	return false
}

// waitsForHandlers holds if both goroutines of the controller have returned, and Run waits
// for handlers that are in a call.
func waitsForHandlers(s *step, _ event.Event) bool { return s.x.Stopped() && s.pc != actor.UserAdd }

// outsideSayings tell what commands do. What a command brings about follows in the same
// step only where nobody else has to move for it.
var outsideSayings = []saying{
	{id: "objectWrittenAdded", fact: event.ObjectWritten, when: byCommand, delta: event.Added},
	{id: "objectWrittenUpdated", fact: event.ObjectWritten, when: byCommand, delta: event.Updated},
	{id: "objectWrittenDeleted", fact: event.ObjectWritten, when: byCommand, delta: event.Deleted},
	{id: "serverCompacted", fact: event.ServerCompacted},
	{id: "serverRestarted", fact: event.ServerRestarted},
	{id: "serverRestored", fact: event.ServerRestored},
	{id: "serverLagsAlways", fact: event.ServerLags, when: func(_ *step, e event.Event) bool { return e.Duration() < 0 }},
	{id: "serverLagsNo", fact: event.ServerLags, when: func(_ *step, e event.Event) bool { return e.Duration() == 0 }},
	{id: "serverLags", fact: event.ServerLags},
	{id: "requestsFailAlways", fact: event.RequestsFail, when: func(_ *step, e event.Event) bool { return e.Requests() < 0 }},
	{id: "requestsFailNo", fact: event.RequestsFail, when: func(_ *step, e event.Event) bool { return e.Requests() == 0 }},
	{id: "requestsFailOnce", fact: event.RequestsFail, when: func(_ *step, e event.Event) bool { return e.Requests() == 1 }},
	{id: "requestsFail", fact: event.RequestsFail},
	{id: "watchCutNone", fact: event.WatchCut, when: noWatch},
	{id: "watchCut", fact: event.WatchCut},
	{id: "watchSilencedNone", fact: event.WatchSilenced, when: noWatch},
	{id: "watchSilenced", fact: event.WatchSilenced},
	{id: "stopRequestedAgain", fact: event.StopRequested, cause: event.AlreadyStopped},
	{id: "stopRequestedDead", fact: event.StopRequested, cause: event.AlreadyDead},
	{id: "stopRequested", fact: event.StopRequested},
	{id: "handlerRequested", fact: event.HandlerRequested, fn: fnAddHandler},
	{id: "removalRequestedMissing", fact: event.RemovalRequested, when: func(s *step, _ event.Event) bool { return !s.x.Config().Profile.Registrations }},
	{id: "removalRequested", fact: event.RemovalRequested, fn: "sharedIndexInformer.RemoveEventHandler"},
	{id: "handlerPaced", fact: event.HandlerPaced},
	{id: "handlerBlocks", fact: event.HandlerBlocks},
	{id: "handlerPanics", fact: event.HandlerPanics},
	{id: "handlerBlind", fact: event.HandlerBlind},
	{id: "handlerAsserts", fact: event.HandlerAsserts},
	{id: "handlerMended", fact: event.HandlerMended},
	{id: "reconcilesFailNo", fact: event.ReconcilesFail, when: func(_ *step, e event.Event) bool { return e.Reconciles() == 0 }},
	{id: "reconcilesFailAlways", fact: event.ReconcilesFail, when: func(_ *step, e event.Event) bool { return e.Reconciles() < 0 && e.Key == 0 }},
	{id: "reconcilesFailAlwaysKey", fact: event.ReconcilesFail, when: func(_ *step, e event.Event) bool { return e.Reconciles() < 0 }},
	{id: "reconcilesFailKey", fact: event.ReconcilesFail, when: func(_ *step, e event.Event) bool { return e.Key != 0 }},
	{id: "reconcilesFail", fact: event.ReconcilesFail},
	{id: "workPaused", fact: event.WorkPaused, reason: "workPaused", fn: ",,,,,workqueue.Typed.Pause"},
	{id: "workResumed", fact: event.WorkResumed, fn: ",,,,,workqueue.Typed.Resume"},
	{id: "reconcileHangsNo", fact: event.ReconcileHangs, when: func(_ *step, e event.Event) bool { return e.Duration() == 0 }},
	{id: "reconcileHangs", fact: event.ReconcileHangs, when: func(_ *step, e event.Event) bool { return e.Duration() < 0 && e.Key == 0 }},
	{id: "reconcileHangsKey", fact: event.ReconcileHangs, when: func(_ *step, e event.Event) bool { return e.Duration() < 0 }},
	{id: "reconcileHangsFor", fact: event.ReconcileHangs, when: func(_ *step, e event.Event) bool { return e.Key == 0 }},
	{id: "reconcileHangsForKey", fact: event.ReconcileHangs},
	{id: "indexRequestedRefused", fact: event.IndexRequested, with: event.CallRefused, alsoFrom: event.CallRefused, fn: "sharedIndexInformer.AddIndexers"},
	{id: "indexRequested", fact: event.IndexRequested, fn: "sharedIndexInformer.AddIndexers"},
	{id: "keysRefused", fact: event.KeysRefused},
	{id: "processKilled", fact: event.ProcessKilled},
	{id: "nextDropped", fact: event.NextDropped},
	{id: "nextDelayed", fact: event.NextDelayed},
	{id: "nextDuplicated", fact: event.NextDuplicated},
	{id: "nextSwapped", fact: event.NextSwapped},
	{id: "nextSpoiltType", fact: event.NextSpoilt, when: refusesTypes, reason: "nextSpoiltType"},
	{id: "nextSpoilt", fact: event.NextSpoilt},
	{id: "initialWithheld", fact: event.InitialWithheld},
	{id: "bookmarksDroppedNo", fact: event.BookmarksDropped, when: func(_ *step, e event.Event) bool { return e.Interval() == 0 }},
	{id: "bookmarksDroppedAll", fact: event.BookmarksDropped, when: func(_ *step, e event.Event) bool { return e.Interval() == 1 }},
	{id: "bookmarksDropped", fact: event.BookmarksDropped},
	{id: "runRequestedRefused", fact: event.RunRequested, with: event.CallRefused, alsoFrom: event.CallRefused, fn: fnRun},
	{id: "runRequested", fact: event.RunRequested, reason: "runRequested", fn: fnRun},
	{id: "factoryStartedNone", fact: event.FactoryStarted, when: func(_ *step, e event.Event) bool { return e.Started() == 0 }, reason: "factoryStartedNone", fn: fnStart},
	{id: "factoryStarted", fact: event.FactoryStarted, reason: "factoryStarted", fn: fnStart},
	{id: "cacheWrittenOld", fact: event.CacheWritten, when: olderVersion, reason: "cacheWrittenOld", fn: "threadSafeMap.Update"},
	{id: "cacheWritten", fact: event.CacheWritten, reason: "cacheWritten", fn: "threadSafeMap.Update"},
	{id: "cacheMutated", fact: event.CacheMutated, reason: "cacheMutated"},
	{id: "timePasses", fact: event.TimePasses},
	{id: "timePassed", fact: event.TimePassed, without: event.WorkReady},
	{id: "stepsTakeNoTime", fact: event.StepsTakeNoTime},
}

// byCommand holds for what a command does, and no worker that writes back.
func byCommand(s *step, _ event.Event) bool { return s.w.Last.Actor == actor.Nobody }

// refusesTypes holds if the next event arrives with an unknown type, and a decoder below
// the reflector refuses it.
func refusesTypes(s *step, e event.Event) bool {
	return e.Skip() == event.SkipUnknownType && !s.x.Server.Retried()
}

func noWatch(s *step, _ event.Event) bool { return s.x.Server.State() != apiserver.Open }

// handSayings tell the calls of a program that uses one station alone.
var handSayings = []saying{
	{id: "hasSyncedRequeued", fact: event.HasSynced, byHand: true, with: event.Requeued, alsoFrom: event.Requeued, reason: "hasSyncedRequeued", fn: "DeltaFIFO.AddIfNotPresent"},
	{id: "hasSyncedByHand", fact: event.HasSynced, byHand: true, with: event.Popped, reason: "hasSyncedByHand", fn: fnPopOne},
	{id: "hasSyncedEmpty", fact: event.HasSynced, byHand: true, with: event.ReplaceEnded, reason: "hasSyncedEmpty", fn: fnReplace},
	{id: "hasSyncedIgnored", fact: event.HasSynced, byHand: true, with: event.DeleteIgnored, alsoFrom: event.DeleteIgnored, reason: "hasSyncedQueued", fn: "DeltaFIFO.Delete"},
	{id: "distributedByHand", fact: event.Distributed, byHand: true, reason: "distributedByHand", fn: fnDistribute},
	{id: "workReadySeveral", fact: event.WorkReady, byHand: true, when: func(s *step, _ event.Event) bool { return s.count(event.WorkReady) > 1 }, fn: fnWaiting},
	{id: "retried", fact: event.Requeued, byHand: true, without: event.Popped, reason: "requeued", fn: "DeltaFIFO.AddIfNotPresent"},
	{id: "retrySkipped", fact: event.RequeueSkipped, byHand: true, reason: "retrySkipped", fn: "DeltaFIFO.AddIfNotPresent"},
	{id: "requeued", fact: event.Requeued, byHand: true, reason: "requeued", fn: "DeltaFIFO.AddIfNotPresent"},
	{id: "poppedByHandOne", fact: event.Popped, byHand: true, when: inOrderKey, fn: "RealFIFO.Pop"},
	{id: "poppedByHandAll", fact: event.Popped, byHand: true, when: func(_ *step, e event.Event) bool { return e.Key == 0 }, fn: "RealFIFO.Pop"},
	{id: "poppedByHand", fact: event.Popped, byHand: true, reason: "poppedByHand", fn: "DeltaFIFO.Pop"},
	{id: "popWaitsByHand", fact: event.PopWaits, byHand: true, fn: fnPopOne},
	{id: "replacedByHandTombstone", fact: event.ReplaceEnded, byHand: true, when: anyTombstone, reason: "missing", fn: fnReplace},
	{id: "replacedByHand", fact: event.ReplaceEnded, byHand: true, fn: fnReplace},
	{id: "resyncedByHand", fact: event.Enqueued, byHand: true, delta: event.Sync, reason: "enqueuedSync", fn: fnResync},
	{id: "resyncedByHandAll", fact: event.Enqueued, byHand: true, delta: event.SyncAll, reason: "enqueuedSyncAll", fn: fnResync},
	{id: "syncSkipped", fact: event.SyncSkipped, byHand: true, when: isSynced, reason: "syncSkippedTwice", fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "syncSkipped", fact: event.SyncSkipped, byHand: true, when: cached, reason: "syncSkipped", fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "hasSyncedQueued", fact: event.HasSynced, byHand: true, with: event.Enqueued, alsoFrom: event.Enqueued, reason: "hasSyncedQueued", fn: fnQueue},
	{id: "hasSyncedRefused", fact: event.HasSynced, byHand: true, reason: "hasSyncedQueued", fn: fnQueue},
	{id: "deltaAppended", fact: event.DeltaAppended, byHand: true, reason: "deltaAppended", fn: "DeltaFIFO.queueActionLocked"},
	{id: "deltasDeduplicated", fact: event.DeltasDeduplicated, byHand: true, reason: "deltasDeduplicated", fn: "dedupDeltas"},
	{id: "deleteIgnored", fact: event.DeleteIgnored, byHand: true, reason: "deleteIgnored", fn: "DeltaFIFO.Delete"},
	{id: "enqueued", fact: event.Enqueued, byHand: true, fn: fnQueue},
	{id: "queueClosed", fact: event.QueueClosed, byHand: true, fn: "DeltaFIFO.Close,,,,,RealFIFO.Close"},

	{id: "workAdded", fact: event.WorkAdded, byHand: true, without: event.WorkReady, fn: fnWorkAdd},
	{id: "workDirty", fact: event.WorkDirty, byHand: true, without: event.WorkReady, reason: "workDirty", fn: fnWorkAdd},
	{id: "workDeferred", fact: event.WorkDeferred, byHand: true, without: event.WorkReady, reason: "workDeferred", fn: fnWorkAdd},
	{id: "workGotByHand", fact: event.WorkGot, byHand: true, fn: fnWorkGet},
	{id: "workGetPausedByHand", fact: event.WorkGetWaits, byHand: true, when: isPaused, reason: "workGetPaused", fn: fnWorkGet},
	{id: "workGetWaitsByHand", fact: event.WorkGetWaits, byHand: true, fn: fnWorkGet},
	{id: "workDoneByHandRequeued", fact: event.WorkRequeued, byHand: true, reason: "workRequeued", fn: fnWorkDone},
	{id: "workDoneByHand", fact: event.WorkDone, byHand: true, fn: fnWorkDone},
	{id: "workRateLimited", fact: event.WorkRateLimited, byHand: true, with: event.WorkDelayed, alsoFrom: event.WorkDelayed, fn: fnLimit},
	{id: "workRateLimitedKept", fact: event.WorkRateLimited, byHand: true, with: event.WorkDelayKept, alsoFrom: event.WorkDelayKept, fn: fnLimit},
	{id: "workRateLimitedShut", fact: event.WorkRateLimited, byHand: true, fn: fnLimit},
	{id: "workDelayed", fact: event.WorkDelayed, byHand: true, fn: fnDelay},
	{id: "workDelayKept", fact: event.WorkDelayKept, byHand: true, fn: fnDelay},
	{id: "workForgotten", fact: event.WorkForgotten, byHand: true, fn: "workqueue.rateLimitingType.Forget"},
	{id: "workShutDown", fact: event.WorkShutDown, byHand: true, fn: "workqueue.Type.ShutDown,,,,workqueue.Typed.ShutDown"},
	{id: "byHandNothing", byHand: true, when: func(s *step, _ event.Event) bool { return len(s.facts) == 0 }},
}

// inOrderKey holds for a delta of a RealFIFO that is about one key.
func inOrderKey(s *step, e event.Event) bool { return s.x.Config().Profile.InOrder && e.Key != 0 }

func anyTombstone(s *step, _ event.Event) bool { return s.tombstone().Kind != 0 }

// tombstone returns the first fact that queues a DeletedFinalStateUnknown.
func (s *step) tombstone() event.Event {
	for _, e := range s.facts {
		switch e.Kind {
		case event.Enqueued, event.DeltaAppended, event.DeltasDeduplicated:
			if e.Flags&event.Tombstone != 0 {
				return e
			}
		}
	}
	return event.Event{}
}
