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
	{id: "objectMutated", of: event.ObjectMutated, why: "objectMutated", fn: fnCompare},
	{id: "handlerPanicked", of: event.HandlerPanicked, why: "handlerPanicked", fn: "runtime.HandleCrash"},
	{id: "reconcilePanickedEnds", of: event.ReconcilePanicked, when: crashed, why: "reconcilePanickedEnds", fn: "runtime.HandleCrash"},
	{id: "crashed", when: closedTwice, why: "crashed"},
	{id: "crashed", when: crashed},
	{id: "informerStartedStopped", of: event.InformerStopped, pc: actor.UserRun, fn: fnRun},
	{id: "informerStopped", of: event.InformerStopped, when: byActor, fn: fnRun},
	{id: "listenersStopped", of: event.ListenerStopped, when: waitsForHandlers, why: "listenersStopped", fn: "sharedProcessor.run"},
	{id: "loopReturns", pc: actor.LoopPop, when: returnsFirst, why: "loopReturns", fn: fnLoop},
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
	_, is := errors.AsType[informer.ChannelError](s.x.Crash())
	return is && crashed(s, e)
}

// returnsFirst holds if the process loop returns, and the reflector has not yet.
func returnsFirst(s *step, e event.Event) bool {
	for id := range actor.ID(s.w.Set.Len()) {
		r := s.w.Set.Role(id)
		if r.Kind == actor.Reflector && r.Informer == s.role.Informer && r.Again == s.role.Again {
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
	{id: "objectWrittenAdded", of: event.ObjectWritten, when: byCommand, delta: event.Added},
	{id: "objectWrittenUpdated", of: event.ObjectWritten, when: byCommand, delta: event.Updated},
	{id: "objectWrittenDeleted", of: event.ObjectWritten, when: byCommand, delta: event.Deleted},
	{id: "serverCompacted", of: event.ServerCompacted},
	{id: "serverRestarted", of: event.ServerRestarted},
	{id: "serverRestored", of: event.ServerRestored},
	{id: "serverLagsAlways", of: event.ServerLags, when: func(_ *step, e event.Event) bool { return e.Duration() < 0 }},
	{id: "serverLagsNo", of: event.ServerLags, when: func(_ *step, e event.Event) bool { return e.Duration() == 0 }},
	{id: "serverLags", of: event.ServerLags},
	{id: "requestsFailAlways", of: event.RequestsFail, when: func(_ *step, e event.Event) bool { return e.Requests() < 0 }},
	{id: "requestsFailNo", of: event.RequestsFail, when: func(_ *step, e event.Event) bool { return e.Requests() == 0 }},
	{id: "requestsFailOnce", of: event.RequestsFail, when: func(_ *step, e event.Event) bool { return e.Requests() == 1 }},
	{id: "requestsFail", of: event.RequestsFail},
	{id: "watchCutNone", of: event.WatchCut, when: noWatch},
	{id: "watchCut", of: event.WatchCut},
	{id: "watchSilencedNone", of: event.WatchSilenced, when: noWatch},
	{id: "watchSilenced", of: event.WatchSilenced},
	{id: "stopRequestedAgain", of: event.StopRequested, cause: event.AlreadyStopped},
	{id: "stopRequestedDead", of: event.StopRequested, cause: event.AlreadyDead},
	{id: "stopRequested", of: event.StopRequested},
	{id: "handlerRequested", of: event.HandlerRequested, fn: fnAddHandler},
	{id: "removalRequestedMissing", of: event.RemovalRequested, when: func(s *step, _ event.Event) bool { return !s.x.Config().Profile.Registrations }},
	{id: "removalRequested", of: event.RemovalRequested, fn: "sharedIndexInformer.RemoveEventHandler"},
	{id: "handlerPaced", of: event.HandlerPaced},
	{id: "handlerBlocks", of: event.HandlerBlocks},
	{id: "handlerPanics", of: event.HandlerPanics},
	{id: "handlerBlind", of: event.HandlerBlind},
	{id: "handlerAsserts", of: event.HandlerAsserts},
	{id: "handlerMended", of: event.HandlerMended},
	{id: "reconcilesFailNo", of: event.ReconcilesFail, when: func(_ *step, e event.Event) bool { return e.Reconciles() == 0 }},
	{id: "reconcilesFailAlways", of: event.ReconcilesFail, when: func(_ *step, e event.Event) bool { return e.Reconciles() < 0 && e.Key == 0 }},
	{id: "reconcilesFailAlwaysKey", of: event.ReconcilesFail, when: func(_ *step, e event.Event) bool { return e.Reconciles() < 0 }},
	{id: "reconcilesFailKey", of: event.ReconcilesFail, when: func(_ *step, e event.Event) bool { return e.Key != 0 }},
	{id: "reconcilesFail", of: event.ReconcilesFail},
	{id: "indexRequestedRefused", of: event.IndexRequested, also: event.CallRefused, with: event.CallRefused, fn: "sharedIndexInformer.AddIndexers"},
	{id: "indexRequested", of: event.IndexRequested, fn: "sharedIndexInformer.AddIndexers"},
	{id: "keysRefused", of: event.KeysRefused},
	{id: "processKilled", of: event.ProcessKilled},
	{id: "nextDropped", of: event.NextDropped},
	{id: "nextDelayed", of: event.NextDelayed},
	{id: "nextDuplicated", of: event.NextDuplicated},
	{id: "nextSwapped", of: event.NextSwapped},
	{id: "nextSpoiltType", of: event.NextSpoilt, when: refusesTypes, why: "nextSpoiltType"},
	{id: "nextSpoilt", of: event.NextSpoilt},
	{id: "initialWithheld", of: event.InitialWithheld},
	{id: "bookmarksDroppedNo", of: event.BookmarksDropped, when: func(_ *step, e event.Event) bool { return e.Every() == 0 }},
	{id: "bookmarksDroppedAll", of: event.BookmarksDropped, when: func(_ *step, e event.Event) bool { return e.Every() == 1 }},
	{id: "bookmarksDropped", of: event.BookmarksDropped},
	{id: "runRequestedRefused", of: event.RunRequested, also: event.CallRefused, with: event.CallRefused, fn: fnRun},
	{id: "runRequested", of: event.RunRequested, why: "runRequested", fn: fnRun},
	{id: "factoryStartedNone", of: event.FactoryStarted, when: func(_ *step, e event.Event) bool { return e.Started() == 0 }, why: "factoryStartedNone", fn: fnStart},
	{id: "factoryStarted", of: event.FactoryStarted, why: "factoryStarted", fn: fnStart},
	{id: "cacheMutated", of: event.CacheMutated, why: "cacheMutated"},
	{id: "timePasses", of: event.TimePasses},
	{id: "timePassed", of: event.TimePassed, not: event.WorkReady},
	{id: "stepsTakeNoTime", of: event.StepsTakeNoTime},
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
	{id: "hasSyncedRequeued", of: event.HasSynced, hand: true, also: event.Requeued, with: event.Requeued, why: "hasSyncedRequeued", fn: "DeltaFIFO.AddIfNotPresent"},
	{id: "hasSyncedByHand", of: event.HasSynced, hand: true, also: event.Popped, why: "hasSyncedByHand", fn: fnPopOne},
	{id: "hasSyncedEmpty", of: event.HasSynced, hand: true, also: event.ReplaceEnded, why: "hasSyncedEmpty", fn: fnReplace},
	{id: "hasSyncedIgnored", of: event.HasSynced, hand: true, also: event.DeleteIgnored, with: event.DeleteIgnored, why: "hasSyncedQueued", fn: "DeltaFIFO.Delete"},
	{id: "distributedByHand", of: event.Distributed, hand: true, why: "distributedByHand", fn: fnDistribute},
	{id: "workReadySeveral", of: event.WorkReady, hand: true, when: func(s *step, _ event.Event) bool { return s.count(event.WorkReady) > 1 }, fn: fnWaiting},
	{id: "retried", of: event.Requeued, hand: true, not: event.Popped, why: "requeued", fn: "DeltaFIFO.AddIfNotPresent"},
	{id: "retrySkipped", of: event.RequeueSkipped, hand: true, why: "retrySkipped", fn: "DeltaFIFO.AddIfNotPresent"},
	{id: "requeued", of: event.Requeued, hand: true, why: "requeued", fn: "DeltaFIFO.AddIfNotPresent"},
	{id: "poppedByHandOne", of: event.Popped, hand: true, when: inOrderKey, fn: "RealFIFO.Pop"},
	{id: "poppedByHandAll", of: event.Popped, hand: true, when: func(_ *step, e event.Event) bool { return e.Key == 0 }, fn: "RealFIFO.Pop"},
	{id: "poppedByHand", of: event.Popped, hand: true, why: "poppedByHand", fn: "DeltaFIFO.Pop"},
	{id: "popWaitsByHand", of: event.PopWaits, hand: true, fn: fnPopOne},
	{id: "replacedByHandTombstone", of: event.ReplaceEnded, hand: true, when: anyTombstone, why: "missing", fn: fnReplace},
	{id: "replacedByHand", of: event.ReplaceEnded, hand: true, fn: fnReplace},
	{id: "resyncedByHand", of: event.Enqueued, hand: true, delta: event.Sync, why: "enqueuedSync", fn: fnResync},
	{id: "resyncedByHandAll", of: event.Enqueued, hand: true, delta: event.SyncAll, why: "enqueuedSyncAll", fn: fnResync},
	{id: "syncSkipped", of: event.SyncSkipped, hand: true, when: isSynced, why: "syncSkippedTwice", fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "syncSkipped", of: event.SyncSkipped, hand: true, when: isHeld, why: "syncSkipped", fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "hasSyncedQueued", of: event.HasSynced, hand: true, also: event.Enqueued, with: event.Enqueued, why: "hasSyncedQueued", fn: fnQueue},
	{id: "hasSyncedRefused", of: event.HasSynced, hand: true, why: "hasSyncedQueued", fn: fnQueue},
	{id: "deltaAppended", of: event.DeltaAppended, hand: true, why: "deltaAppended", fn: "DeltaFIFO.queueActionLocked"},
	{id: "deltasDeduplicated", of: event.DeltasDeduplicated, hand: true, why: "deltasDeduplicated", fn: "dedupDeltas"},
	{id: "deleteIgnored", of: event.DeleteIgnored, hand: true, why: "deleteIgnored", fn: "DeltaFIFO.Delete"},
	{id: "enqueued", of: event.Enqueued, hand: true, fn: fnQueue},
	{id: "queueClosed", of: event.QueueClosed, hand: true, fn: "DeltaFIFO.Close,,,,,RealFIFO.Close"},

	{id: "workAdded", of: event.WorkAdded, hand: true, not: event.WorkReady, fn: fnWorkAdd},
	{id: "workDirty", of: event.WorkDirty, hand: true, not: event.WorkReady, why: "workDirty", fn: fnWorkAdd},
	{id: "workDeferred", of: event.WorkDeferred, hand: true, not: event.WorkReady, why: "workDeferred", fn: fnWorkAdd},
	{id: "workGotByHand", of: event.WorkGot, hand: true, fn: fnWorkGet},
	{id: "workGetWaitsByHand", of: event.WorkGetWaits, hand: true, fn: fnWorkGet},
	{id: "workDoneByHandRequeued", of: event.WorkRequeued, hand: true, why: "workRequeued", fn: fnWorkDone},
	{id: "workDoneByHand", of: event.WorkDone, hand: true, fn: fnWorkDone},
	{id: "workRateLimited", of: event.WorkRateLimited, hand: true, also: event.WorkDelayed, with: event.WorkDelayed, fn: fnLimit},
	{id: "workRateLimitedKept", of: event.WorkRateLimited, hand: true, also: event.WorkDelayKept, with: event.WorkDelayKept, fn: fnLimit},
	{id: "workRateLimitedShut", of: event.WorkRateLimited, hand: true, fn: fnLimit},
	{id: "workDelayed", of: event.WorkDelayed, hand: true, fn: fnDelay},
	{id: "workDelayKept", of: event.WorkDelayKept, hand: true, fn: fnDelay},
	{id: "workForgotten", of: event.WorkForgotten, hand: true, fn: "workqueue.rateLimitingType.Forget"},
	{id: "workShutDown", of: event.WorkShutDown, hand: true, fn: "workqueue.Type.ShutDown,,,,workqueue.Typed.ShutDown"},
	{id: "byHandNothing", hand: true, when: func(s *step, _ event.Event) bool { return len(s.facts) == 0 }},
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
