package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
)

// userSayings tell what Run, AddEventHandler and RemoveEventHandler do.
var userSayings = []saying{
	{id: "informerStartedAgain", of: event.InformerStarted, when: func(s *step, _ event.Event) bool { return s.role.Again > 0 }, why: "informerStartedAgain", fn: fnRun},
	{id: "informerStartedStopped", of: event.InformerStarted, when: func(s *step, _ event.Event) bool { return s.x.Queue.Closed() }, fn: fnRun}, // and it will return
	{id: "informerStarted", of: event.InformerStarted, why: "informerStarted", fn: fnRun},
	{id: "callRefused", of: event.CallRefused, pc: actor.UserAdd, fn: fnAddHandler},
	{id: "listenerAdded", of: event.ListenerAdded, pc: actor.UserAdd, next: actor.UserInitial, why: "listenerAdded", fn: fnAddHandler},
	{id: "listenerAdded", of: event.ListenerAdded, pc: actor.UserAdd, why: "listenerAddedEmpty", fn: fnAddHandler},
	{id: "listenerRemovedLoses", of: event.ListenerStopped, pc: actor.UserAdd, when: func(_ *step, e event.Event) bool { return e.Lost() > 0 }, fn: "sharedIndexInformer.RemoveEventHandler"},
	{id: "listenerRemoved", of: event.ListenerStopped, pc: actor.UserAdd, fn: "sharedIndexInformer.RemoveEventHandler"},
	{id: "initialToSlot", of: event.ListenerSlot, pc: actor.UserInitial, why: "initial", fn: fnAdd},
	{id: "initialToPending", of: event.ListenerPending, pc: actor.UserInitial, why: "initial", fn: fnAdd},
	{id: "handlerHasSynced", of: event.HandlerHasSynced, pc: actor.UserReleases, why: "handlerHasSyncedAtOnce", fn: fnAddHandler},
	{id: "callReturns", of: event.LockReleased, pc: actor.UserReleases, when: loopRuns, why: "callReturns", fn: "sync.Mutex.Unlock"},
	{id: "callReturns", of: event.LockReleased, pc: actor.UserReleases, fn: "sync.Mutex.Unlock"},
	{id: "removesNothing", pc: actor.UserAdd, next: actor.UserReleases, fn: "sharedIndexInformer.RemoveEventHandler"},
	{id: "addsNothing", pc: actor.UserAdd, not: event.LockWaits, fn: fnAddHandler},
}

// loopRuns holds if the process loop has not returned.
func loopRuns(s *step, _ event.Event) bool {
	_, _, _, loop := s.x.Actors()
	return s.w.Set.State(loop).Wait != actor.Stopped
}

// reflectorSayings tell how the reflector lists, and how it goes on after a back-off.
var reflectorSayings = []saying{
	{id: "reflectorReturns", when: reflectorReturns, fn: "Reflector.ListAndWatch"},

	{id: "listRequestedPage", of: event.ListRequested, pc: actor.ReflectorList, when: func(s *step, _ event.Event) bool { return s.c.Reflector.Asked().Continue != 0 }, fn: fnPage},
	{id: "listRequestedWhole", of: event.ListRequested, pc: actor.ReflectorList, when: func(s *step, _ event.Event) bool { return s.c.Reflector.Whole() }, why: "listRequestedWhole", fn: fnPage},
	{id: "listRequestedNewest", of: event.ListRequested, pc: actor.ReflectorList, when: func(_ *step, e event.Event) bool { return e.RV() == 0 }, why: "listRequestedNewest", fn: fnList},
	{id: "listRequested", of: event.ListRequested, pc: actor.ReflectorList, when: isZero, why: "listRequestedAny", fn: fnList},
	{id: "listRequested", of: event.ListRequested, pc: actor.ReflectorList, when: behind, why: "listRequestedBehind", fn: fnList},
	{id: "listRequested", of: event.ListRequested, pc: actor.ReflectorList, why: "listRequested", fn: fnList},

	{id: "requestFailed", of: event.RequestFailed, with: event.RequestWaits, why: "requestFailed", fn: fnRequest},
	{id: "requestRetried", of: event.RequestRetried, fn: fnRequest},

	{id: "listFailedAgain", of: event.ListFailed, next: actor.ReflectorList, why: "listFailedAgain", fn: fnList},
	{id: "listFailed", of: event.ListFailed, with: event.BackoffStarted, why: "listFailed", fn: fnList},
	{id: "listPageReceived", of: event.ListPageReceived, fn: fnPage},
	{id: "listReceivedStreamed", of: event.ListReceived, pc: actor.ReflectorRV, why: "listReceivedStreamed", fn: fnStream},
	{id: "listReceived", of: event.ListReceived, when: converted, why: "listConverted", fn: fnList},
	{id: "listReceived", of: event.ListReceived, fn: fnList},

	{id: "backoffEndedLists", of: event.BackoffEnded, next: actor.ReflectorList, why: "backoffEnded", fn: fnBackoff},
	{id: "backoffEndedWatches", of: event.BackoffEnded, pc: actor.ReflectorBackoff, why: "backoffEnded", fn: fnBackoff},
	{id: "backoffEndedWatches", of: event.BackoffEnded, when: streaming, why: "backoffEnded", fn: fnStream},
	{id: "backoffEndedWatches", of: event.BackoffEnded, why: "backoffEnded", fn: fnWatch},
}

// reflectorReturns holds if the reflector has ended because of a stop.
func reflectorReturns(s *step, _ event.Event) bool {
	return s.role.Kind == actor.Reflector && byActor(s, event.Event{}) && s.next.Wait == actor.Stopped
}

// isZero holds for the resourceVersion "0".
func isZero(s *step, e event.Event) bool { return s.x.Config().Table.RVText(e.RV()) == "0" }

// watchSayings tell how the reflector watches.
var watchSayings = []saying{
	{id: "watchRequestedStreamingFrom", of: event.WatchRequested, when: func(_ *step, e event.Event) bool { return e.Flags&event.Streaming != 0 && e.RV() != 0 }, why: "watchRequestedStreaming", fn: fnStream},
	{id: "watchRequestedStreaming", of: event.WatchRequested, flags: event.Streaming, why: "watchRequestedStreaming", fn: fnStream},
	{id: "watchRequested", of: event.WatchRequested, when: func(s *step, e event.Event) bool { return e.RV() == 0 || isZero(s, e) }, why: "watchRequestedAny", fn: fnWatch},
	{id: "watchRequested", of: event.WatchRequested, when: behind, why: "watchRequestedBehind", fn: fnWatch},
	{id: "watchRequested", of: event.WatchRequested, why: "watchRequested", fn: fnWatch},

	{id: "watchFailedAgain", of: event.WatchFailed, next: actor.ReflectorWatch, why: "watchFailedAgain", fn: fnStream},
	{id: "watchListFellBack", of: event.WatchFailed, also: event.WatchListFellBack, why: "watchListFellBack", fn: fnStream},
	{id: "watchFailed", of: event.WatchFailed, next: actor.ReflectorRewatch, with: event.BackoffStarted, why: "watchFailedWaits", fn: fnWatch},
	{id: "watchFailed", of: event.WatchFailed, with: event.BackoffStarted, why: "watchFailed", fn: fnWatch},

	{id: "veryShortWatch", of: event.VeryShortWatch, also: event.WatchListFellBack, why: "veryShortWatchFellBack", fn: fnReceive},
	{id: "veryShortWatchStreamed", of: event.VeryShortWatch, when: streamed, with: event.BackoffStarted, why: "veryShortWatch", fn: fnReceive},
	{id: "veryShortWatch", of: event.VeryShortWatch, with: event.BackoffStarted, why: "veryShortWatch", fn: fnReceive},
	{id: "watchNeverBegan", of: event.WatchClosed, cause: event.NeverBegan, why: "watchNeverBegan", fn: fnRequest},
	{id: "watchClosedResync", of: event.WatchClosed, cause: event.ResyncFailed, with: event.BackoffStarted, why: "watchClosedResync", fn: fnWatch},
	{id: "watchBroke", of: event.WatchClosed, cause: event.Broken, when: streaming, why: "watchClosedStreaming", fn: fnReceive},
	{id: "watchBrokeStreamed", of: event.WatchClosed, cause: event.Broken, when: streamed, why: "watchBroke", fn: fnReceive},
	{id: "watchBroke", of: event.WatchClosed, cause: event.Broken, why: "watchBroke", fn: fnReceive},
	{id: "watchTooSlow", of: event.WatchClosed, cause: event.TooSlow, when: streaming, why: "watchClosedStreaming", fn: fnReceive},
	{id: "watchTooSlowStreamed", of: event.WatchClosed, cause: event.TooSlow, when: streamed, why: "watchTooSlow", fn: fnReceive},
	{id: "watchTooSlow", of: event.WatchClosed, cause: event.TooSlow, why: "watchTooSlow", fn: fnReceive},
	{id: "watchClosed", of: event.WatchClosed, when: streaming, why: "watchClosedStreaming", fn: fnReceive},
	{id: "watchClosedStreamed", of: event.WatchClosed, cause: event.TimeUp, when: streamed, why: "watchTimeUp", fn: fnReceive},
	{id: "watchClosedStreamed", of: event.WatchClosed, when: streamed, why: "watchClosed", fn: fnReceive},
	{id: "watchClosed", of: event.WatchClosed, cause: event.TimeUp, why: "watchTimeUp", fn: fnReceive},
	{id: "watchClosed", of: event.WatchClosed, why: "watchClosed", fn: fnReceive},
	{id: "watchOpenedStreaming", of: event.WatchOpened, when: converted, why: "streamConverted", fn: fnStream},
	{id: "watchOpenedStreaming", of: event.WatchOpened, when: streaming, fn: fnStream},
	{id: "watchOpened", of: event.WatchOpened, fn: fnWatch},

	{id: "watchConnectionLost", of: event.WatchErrorReceived, cause: event.Undecodable, when: connectionLost, next: actor.ReflectorWatch, why: "watchErrorRetried", fn: fnReceive},
	{id: "watchConnectionLost", of: event.WatchErrorReceived, cause: event.Undecodable, when: connectionLost, also: event.WatchListFellBack, why: "watchListFellBack", fn: fnReceive},
	{id: "watchConnectionLost", of: event.WatchErrorReceived, cause: event.Undecodable, when: connectionLost, with: event.BackoffStarted, why: "watchError", fn: fnReceive},
	{id: "watchUndecodable", of: event.WatchErrorReceived, cause: event.Undecodable, next: actor.ReflectorWatch, why: "watchErrorRetried", fn: fnReceive},
	{id: "watchUndecodable", of: event.WatchErrorReceived, cause: event.Undecodable, also: event.WatchListFellBack, why: "watchListFellBack", fn: fnReceive},
	{id: "watchUndecodable", of: event.WatchErrorReceived, cause: event.Undecodable, with: event.BackoffStarted, why: "watchError", fn: fnReceive},
	{id: "watchListedAnew", of: event.WatchErrorReceived, cause: event.Assumed, why: "watchListedAnew", fn: fnReceive},
	{id: "watchErrorReceived", of: event.WatchErrorReceived, when: streaming, next: actor.ReflectorWatch, why: "watchFailedAgain", fn: fnReceive},
	{id: "watchErrorReceived", of: event.WatchErrorReceived, next: actor.ReflectorWatch, why: "watchErrorRetried", fn: fnReceive},
	{id: "watchErrorReceived", of: event.WatchErrorReceived, also: event.WatchListFellBack, why: "watchListFellBack", fn: fnReceive},
	{id: "watchErrorReceived", of: event.WatchErrorReceived, next: actor.ReflectorRewatch, with: event.BackoffStarted, why: "watchFailedWaits", fn: fnReceive},
	{id: "watchErrorReceived", of: event.WatchErrorReceived, when: expired, with: event.BackoffStarted, why: "watchExpired", fn: fnReceive},
	{id: "watchErrorReceived", of: event.WatchErrorReceived, with: event.BackoffStarted, why: "watchError", fn: fnReceive},

	{id: "watchEventLost", of: event.WatchEventLost, why: "watchEventLost", fn: fnReceive},
	{id: "watchEventHeld", of: event.WatchEventHeld, fn: fnReceive},
	{id: "initialEndLost", of: event.InitialEndLost, when: streamsAgain, why: "initialEndLostRelist", fn: fnReceive},
	{id: "initialEndLost", of: event.InitialEndLost, when: streaming, why: "initialEndLost", fn: fnReceive},
	{id: "initialEndLost", of: event.InitialEndLost, fn: fnReceive},
	{id: "bookmarkLost", of: event.BookmarkLost, why: "bookmarkLost", fn: fnReceive},
	{id: "watchEventSkipped", of: event.WatchEventSkipped, when: streaming, why: "watchEventSkippedStreaming", fn: fnReceive},
	{id: "watchEventSkipped", of: event.WatchEventSkipped, when: movesOn, why: "watchEventSkippedPassed", fn: fnReceive},
	{id: "watchEventSkipped", of: event.WatchEventSkipped, why: "watchEventSkipped", fn: fnReceive},
	{id: "initialEventsEnd", of: event.WatchEventReceived, flags: event.Streaming, why: "initialEventsEnd", fn: fnReceive},
	{id: "watchEventReceivedBookmark", of: event.WatchEventReceived, delta: event.Bookmark, why: "bookmark", fn: fnReceive},
	{id: "watchEventReceived", of: event.WatchEventReceived, fn: fnReceive},
	{id: "listStreamedDeleted", of: event.ListStreamed, delta: event.Deleted, why: "listStreamed", fn: fnReceive},
	{id: "listStreamed", of: event.ListStreamed, why: "listStreamed", fn: fnReceive},
	{id: "resourceVersionSet", of: event.ResourceVersionSet, pc: actor.ReflectorRV, why: "resourceVersionSet", fn: "Reflector.setLastSyncResourceVersion"},
	{id: "resourceVersionStays", pc: actor.ReflectorRV, why: "resourceVersionStays", fn: fnReceive},
}

// streaming holds while a streaming list is under way.
func streaming(s *step, _ event.Event) bool { return s.c.Reflector.Streaming() }

// converted holds if the recording has a list of the other kind than the one that was asked for.
func converted(s *step, _ event.Event) bool { return s.c.Server.View(0, 0).Converted }

// streamed holds if the watch has brought a streaming list before.
func streamed(s *step, _ event.Event) bool {
	return s.c.Reflector.Asked().SendInitialEvents && !s.c.Reflector.Streaming()
}

// streamsAgain holds while a streaming list is under way that is not the first list.
func streamsAgain(s *step, e event.Event) bool { return streaming(s, e) && s.c.Queue.HasSynced() }

// movesOn holds if the reflector is going to note the resourceVersion of the event.
func movesOn(s *step, _ event.Event) bool {
	return s.next.PC == actor.ReflectorRV && s.c.Reflector.Propagates()
}

// connectionLost holds if the watch ended because the HTTP/2 connection did.
func connectionLost(_ *step, e event.Event) bool {
	return apiserver.Failure(e.Failure()) == apiserver.ConnectionLost
}

// behind holds if the server has not come as far as the resourceVersion of the request.
func behind(s *step, e event.Event) bool {
	at, simulated := s.revision()
	n, number := e.RV().Number()
	return simulated && number && at < int64(n)
}

// revision returns how far the simulated server of the acting goroutine is. It reports false
// for a recording, whose server may be further than it tells.
func (s *step) revision() (int64, bool) {
	server, ok := s.c.Server.(*apiserver.Simulated)
	if !ok {
		return 0, false
	}
	return server.Storage.Revision(), true
}

// expired holds if the reflector has been told that its resourceVersion is too old.
func expired(s *step, _ event.Event) bool {
	f := s.c.Reflector.LastFailure()
	return f.Expired || f.Gone
}

// replaceSayings tell how a list gets into the queue.
var replaceSayings = []saying{
	{id: "replaceLocks", of: event.LockAcquired, pc: actor.ReflectorReplace, why: "replaceLocks", fn: fnReplace},
	{id: "hasSyncedEmpty", of: event.HasSynced, pc: actor.ReflectorReplaces, also: event.HandlerHasSynced, why: "hasSyncedEmptyHandlers", fn: fnReplace},
	{id: "hasSyncedEmpty", of: event.HasSynced, pc: actor.ReflectorReplaces, why: "hasSyncedEmpty", fn: fnReplace},
	{id: "replaceFails", of: event.LockReleased, pc: actor.ReflectorReplaces, with: event.BackoffStarted, why: "replaceFails", fn: fnReplace},
	{id: "enqueuedTombstone", of: event.Enqueued, pc: actor.ReflectorReplaces, flags: event.Tombstone, why: "missing", fn: fnReplace},
	{id: "deltaAppendedTombstone", of: event.DeltaAppended, pc: actor.ReflectorReplaces, flags: event.Tombstone, why: "missing", fn: fnReplace},
	{id: "deltasDeduplicatedTombstone", of: event.DeltasDeduplicated, pc: actor.ReflectorReplaces, flags: event.Tombstone, why: "missing", fn: "dedupDeltas"},
	{id: "deltasDeduplicated", of: event.DeltasDeduplicated, pc: actor.ReflectorReplaces, why: "deltasDeduplicated", fn: "dedupDeltas"},
	{id: "enqueuedReplacedAll", of: event.Enqueued, pc: actor.ReflectorReplaces, delta: event.ReplacedAll, with: event.ReplaceStarted, why: "enqueuedReplacedAll", fn: "RealFIFO.addReplaceToItemsLocked"},
	{id: "deltaAppendedListed", of: event.DeltaAppended, pc: actor.ReflectorReplaces, why: "deltaAppended", fn: fnQueue},
	{id: "enqueuedListed", of: event.Enqueued, pc: actor.ReflectorReplaces, fn: fnQueue},
	{id: "replacesNothing", of: event.ReplaceEnded, pc: actor.ReflectorReplaces, fn: fnReplace},
	{id: "replaceStarted", of: event.ReplaceStarted, pc: actor.ReflectorReplaces, fn: fnReplace},
	{id: "replaceDone", of: event.LockReleased, pc: actor.ReflectorReplaced, next: actor.ReflectorReceive, with: event.ResourceVersionSet, why: "replaceDoneStreaming", fn: fnStream},
	{id: "replaceDone", of: event.LockReleased, pc: actor.ReflectorReplaced, with: event.ResourceVersionSet, why: "replaceDone", fn: fnList},

	{id: "hasSyncedQueued", of: event.HasSynced, pc: actor.ReflectorEnqueue, also: event.Enqueued, with: event.Enqueued, why: "hasSyncedQueued", fn: fnQueue},
	{id: "deltaAppended", of: event.DeltaAppended, pc: actor.ReflectorEnqueue, why: "deltaAppended", fn: fnQueue},
	{id: "deltasDeduplicated", of: event.DeltasDeduplicated, pc: actor.ReflectorEnqueue, why: "deltasDeduplicated", fn: "dedupDeltas"},
	{id: "deleteIgnored", of: event.DeleteIgnored, pc: actor.ReflectorEnqueue, why: "deleteIgnored", fn: "DeltaFIFO.Delete"},
	{id: "enqueuedBookmark", of: event.Enqueued, pc: actor.ReflectorEnqueue, delta: event.Bookmark, fn: "RealFIFO.Bookmark"},
	{id: "enqueued", of: event.Enqueued, pc: actor.ReflectorEnqueue, fn: fnQueue},
}

// resyncSayings tell what the resync goroutine does.
var resyncSayings = []saying{
	{id: "resyncNotDue", of: event.ResyncNotDue, when: nobodyResyncs, why: "resyncNotDueNone", fn: fnDue},
	{id: "resyncNotDue", of: event.ResyncNotDue, why: "resyncNotDue", fn: fnDue},
	{id: "resyncFired", of: event.ResyncFired, why: "resyncFired", fn: fnDue},
	{id: "resyncLocks", of: event.LockAcquired, pc: actor.ResyncStart, when: atomic, why: "resyncLocksAtomic", fn: fnResync},
	{id: "resyncLocks", of: event.LockAcquired, pc: actor.ResyncStart, why: "resyncLocks", fn: fnResync},
	{id: "resyncGaveUp", of: event.ResyncGaveUp, why: "resyncGaveUp", fn: fnResync},
	{id: "enqueuedSyncAll", of: event.Enqueued, pc: actor.ResyncKey, delta: event.SyncAll, why: "enqueuedSyncAll", fn: "RealFIFO.addResyncToItemsLocked"},
	{id: "enqueuedSync", of: event.Enqueued, pc: actor.ResyncKey, why: "enqueuedSync", fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "syncSkipped", of: event.SyncSkipped, pc: actor.ResyncKey, when: isSynced, why: "syncSkippedTwice", fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "syncSkipped", of: event.SyncSkipped, pc: actor.ResyncKey, when: isHeld, why: "syncSkipped", fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "syncSkippedGone", of: event.SyncSkipped, pc: actor.ResyncKey, fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "resyncsNothing", of: event.LockReleased, pc: actor.ResyncKey, fn: fnResync},
}

// nobodyResyncs holds if no listener has a resync period.
func nobodyResyncs(s *step, _ event.Event) bool {
	for i := range s.x.Processor.Listeners {
		if l := &s.x.Processor.Listeners[i]; l.Joined && l.Resync != 0 {
			return false
		}
	}
	return true
}

// atomic holds where a resync is one delta.
func atomic(s *step, _ event.Event) bool {
	p := &s.x.Config().Profile
	return p.InOrder && p.RealFIFO.Atomic
}

// isSynced holds if the newest of what is queued of the key that a resync skips is a Sync.
func isSynced(s *step, e event.Event) bool {
	q := s.c.Queue
	for at := q.Depth() - 1; at >= 0 && isHeld(s, e); at-- {
		if k, _ := q.Row(at); k == e.Key {
			deltas := q.RowDeltas(at, nil)
			return deltas[len(deltas)-1].Type == event.Sync
		}
	}
	return false
}

// isHeld holds if the cache holds the object that a resync skips.
func isHeld(_ *step, e event.Event) bool { return e.New != 0 }
