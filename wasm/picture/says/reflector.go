package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
)

// userSayings tell what Run, AddEventHandler and RemoveEventHandler do.
var userSayings = []saying{
	{id: "informerStartedAgain", fact: event.InformerStarted, when: func(s *step, _ event.Event) bool { return s.role.Run > 0 }, reason: "informerStartedAgain", fn: fnRun},
	{id: "informerStartedStopped", fact: event.InformerStarted, when: func(s *step, _ event.Event) bool { return s.x.Queue.Closed() }, fn: fnRun}, // and it will return
	{id: "informerStarted", fact: event.InformerStarted, reason: "informerStarted", fn: fnRun},
	{id: "callRefused", fact: event.CallRefused, pc: actor.UserAdd, fn: fnAddHandler},
	{id: "listenerAdded", fact: event.ListenerAdded, pc: actor.UserAdd, next: actor.UserInitial, reason: "listenerAdded", fn: fnAddHandler},
	{id: "listenerAdded", fact: event.ListenerAdded, pc: actor.UserAdd, reason: "listenerAddedEmpty", fn: fnAddHandler},
	{id: "listenerRemovedLoses", fact: event.ListenerStopped, pc: actor.UserAdd, when: func(_ *step, e event.Event) bool { return e.Discarded() > 0 }, fn: "sharedIndexInformer.RemoveEventHandler"},
	{id: "listenerRemoved", fact: event.ListenerStopped, pc: actor.UserAdd, fn: "sharedIndexInformer.RemoveEventHandler"},
	{id: "initialToSlot", fact: event.ListenerSlot, pc: actor.UserInitial, reason: "initial", fn: fnAdd},
	{id: "initialToPending", fact: event.ListenerPending, pc: actor.UserInitial, reason: "initial", fn: fnAdd},
	{id: "handlerHasSynced", fact: event.HandlerHasSynced, pc: actor.UserReleases, reason: "handlerHasSyncedAtOnce", fn: fnAddHandler},
	{id: "callReturns", fact: event.LockReleased, pc: actor.UserReleases, when: loopRuns, reason: "callReturns", fn: "sync.Mutex.Unlock"},
	{id: "callReturns", fact: event.LockReleased, pc: actor.UserReleases, fn: "sync.Mutex.Unlock"},
	{id: "removesNothing", pc: actor.UserAdd, next: actor.UserReleases, fn: "sharedIndexInformer.RemoveEventHandler"},
	{id: "addsNothing", pc: actor.UserAdd, without: event.LockWaits, fn: fnAddHandler},
}

// loopRuns holds if the process loop has not returned.
func loopRuns(s *step, _ event.Event) bool {
	_, _, _, loop := s.x.Actors()
	return s.w.Set.State(loop).Wait != actor.Stopped
}

// reflectorSayings tell how the reflector lists, and how it goes on after a back-off.
var reflectorSayings = []saying{
	{id: "reflectorReturns", when: reflectorReturns, fn: "Reflector.ListAndWatch"},

	{id: "listRequestedPage", fact: event.ListRequested, pc: actor.ReflectorList, when: func(s *step, _ event.Event) bool { return s.c.Reflector.LastOptions().Continue != 0 }, fn: fnPage},
	{id: "listRequestedWhole", fact: event.ListRequested, pc: actor.ReflectorList, when: func(s *step, _ event.Event) bool { return s.c.Reflector.ListComplete() }, reason: "listRequestedWhole", fn: fnPage},
	{id: "listRequestedNewest", fact: event.ListRequested, pc: actor.ReflectorList, when: func(_ *step, e event.Event) bool { return e.RV() == 0 }, reason: "listRequestedNewest", fn: fnList},
	{id: "listRequested", fact: event.ListRequested, pc: actor.ReflectorList, when: isZero, reason: "listRequestedAny", fn: fnList},
	{id: "listRequested", fact: event.ListRequested, pc: actor.ReflectorList, when: serverBehind, reason: "listRequestedBehind", fn: fnList},
	{id: "listRequested", fact: event.ListRequested, pc: actor.ReflectorList, reason: "listRequested", fn: fnList},

	{id: "requestFailed", fact: event.RequestFailed, alsoFrom: event.RequestWaits, reason: "requestFailed", fn: fnRequest},
	{id: "requestRetried", fact: event.RequestRetried, fn: fnRequest},

	{id: "listFailedAgain", fact: event.ListFailed, next: actor.ReflectorList, reason: "listFailedAgain", fn: fnList},
	{id: "listFailed", fact: event.ListFailed, alsoFrom: event.BackoffStarted, reason: "listFailed", fn: fnList},
	{id: "listPageReceived", fact: event.ListPageReceived, with: event.ListFiltered, reason: "listFiltered", fn: fnPage},
	{id: "listPageReceived", fact: event.ListPageReceived, fn: fnPage},
	{id: "listReceivedStreamed", fact: event.ListReceived, pc: actor.ReflectorRV, reason: "listReceivedStreamed", fn: fnStream},
	{id: "listReceived", fact: event.ListReceived, with: event.ListFiltered, reason: "listFiltered", fn: fnList},
	{id: "listReceived", fact: event.ListReceived, when: converted, reason: "listConverted", fn: fnList},
	{id: "listReceived", fact: event.ListReceived, fn: fnList},

	{id: "backoffEndedLists", fact: event.BackoffEnded, next: actor.ReflectorList, reason: "backoffEnded", fn: fnBackoff},
	{id: "backoffEndedWatches", fact: event.BackoffEnded, pc: actor.ReflectorBackoff, reason: "backoffEnded", fn: fnBackoff},
	{id: "backoffEndedWatches", fact: event.BackoffEnded, when: streaming, reason: "backoffEnded", fn: fnStream},
	{id: "backoffEndedWatches", fact: event.BackoffEnded, reason: "backoffEnded", fn: fnWatch},
}

// reflectorReturns holds if the reflector has ended because of a stop.
func reflectorReturns(s *step, _ event.Event) bool {
	return s.role.Kind == actor.Reflector && byActor(s, event.Event{}) && s.next.Wait == actor.Stopped
}

// isZero holds for the resourceVersion "0".
func isZero(s *step, e event.Event) bool { return s.x.Config().Table.RVText(e.RV()) == "0" }

// watchSayings tell how the reflector watches.
var watchSayings = []saying{
	{id: "watchRequestedStreamingFrom", fact: event.WatchRequested, when: func(_ *step, e event.Event) bool { return e.Flags&event.Streaming != 0 && e.RV() != 0 }, reason: "watchRequestedStreaming", fn: fnStream},
	{id: "watchRequestedStreaming", fact: event.WatchRequested, flags: event.Streaming, reason: "watchRequestedStreaming", fn: fnStream},
	{id: "watchRequested", fact: event.WatchRequested, when: func(s *step, e event.Event) bool { return e.RV() == 0 || isZero(s, e) }, reason: "watchRequestedAny", fn: fnWatch},
	{id: "watchRequested", fact: event.WatchRequested, when: serverBehind, reason: "watchRequestedBehind", fn: fnWatch},
	{id: "watchRequested", fact: event.WatchRequested, reason: "watchRequested", fn: fnWatch},

	{id: "watchLeft", fact: event.WatchLeft, reason: "watchLeft", fn: fnReplace},
	{id: "watchFailedAgain", fact: event.WatchFailed, next: actor.ReflectorWatch, reason: "watchFailedAgain", fn: fnStream},
	{id: "watchListFellBack", fact: event.WatchFailed, with: event.WatchListFellBack, reason: "watchListFellBack", fn: fnStream},
	{id: "watchFailed", fact: event.WatchFailed, next: actor.ReflectorRewatch, alsoFrom: event.BackoffStarted, reason: "watchFailedWaits", fn: fnWatch},
	{id: "watchFailed", fact: event.WatchFailed, alsoFrom: event.BackoffStarted, reason: "watchFailed", fn: fnWatch},

	{id: "veryShortWatch", fact: event.VeryShortWatch, with: event.WatchListFellBack, reason: "veryShortWatchFellBack", fn: fnReceive},
	{id: "veryShortWatchStreamed", fact: event.VeryShortWatch, when: streamed, alsoFrom: event.BackoffStarted, reason: "veryShortWatch", fn: fnReceive},
	{id: "veryShortWatch", fact: event.VeryShortWatch, alsoFrom: event.BackoffStarted, reason: "veryShortWatch", fn: fnReceive},
	{id: "watchNeverBegan", fact: event.WatchClosed, cause: event.EmptyWatch, reason: "watchNeverBegan", fn: fnRequest},
	{id: "watchClosedResync", fact: event.WatchClosed, cause: event.ResyncFailed, alsoFrom: event.BackoffStarted, reason: "watchClosedResync", fn: fnWatch},
	{id: "watchBroke", fact: event.WatchClosed, cause: event.Broken, when: streaming, reason: "watchClosedStreaming", fn: fnReceive},
	{id: "watchBrokeStreamed", fact: event.WatchClosed, cause: event.Broken, when: streamed, reason: "watchBroke", fn: fnReceive},
	{id: "watchBroke", fact: event.WatchClosed, cause: event.Broken, reason: "watchBroke", fn: fnReceive},
	{id: "watchTooSlow", fact: event.WatchClosed, cause: event.TooSlow, when: streaming, reason: "watchClosedStreaming", fn: fnReceive},
	{id: "watchTooSlowStreamed", fact: event.WatchClosed, cause: event.TooSlow, when: streamed, reason: "watchTooSlow", fn: fnReceive},
	{id: "watchTooSlow", fact: event.WatchClosed, cause: event.TooSlow, reason: "watchTooSlow", fn: fnReceive},
	{id: "watchClosed", fact: event.WatchClosed, when: streaming, reason: "watchClosedStreaming", fn: fnReceive},
	{id: "watchClosedStreamed", fact: event.WatchClosed, cause: event.TimeUp, when: streamed, reason: "watchTimeUp", fn: fnReceive},
	{id: "watchClosedStreamed", fact: event.WatchClosed, when: streamed, reason: "watchClosed", fn: fnReceive},
	{id: "watchClosed", fact: event.WatchClosed, cause: event.TimeUp, reason: "watchTimeUp", fn: fnReceive},
	{id: "watchClosed", fact: event.WatchClosed, reason: "watchClosed", fn: fnReceive},
	{id: "watchOpenedStreaming", fact: event.WatchOpened, when: converted, reason: "streamConverted", fn: fnStream},
	{id: "watchOpenedStreaming", fact: event.WatchOpened, when: streaming, fn: fnStream},
	{id: "watchOpened", fact: event.WatchOpened, fn: fnWatch},

	{id: "watchConnectionLost", fact: event.WatchErrorReceived, cause: event.Undecodable, when: connectionLost, next: actor.ReflectorWatch, reason: "watchErrorRetried", fn: fnReceive},
	{id: "watchConnectionLost", fact: event.WatchErrorReceived, cause: event.Undecodable, when: connectionLost, with: event.WatchListFellBack, reason: "watchListFellBack", fn: fnReceive},
	{id: "watchConnectionLost", fact: event.WatchErrorReceived, cause: event.Undecodable, when: connectionLost, alsoFrom: event.BackoffStarted, reason: "watchError", fn: fnReceive},
	{id: "watchUndecodable", fact: event.WatchErrorReceived, cause: event.Undecodable, next: actor.ReflectorWatch, reason: "watchErrorRetried", fn: fnReceive},
	{id: "watchUndecodable", fact: event.WatchErrorReceived, cause: event.Undecodable, with: event.WatchListFellBack, reason: "watchListFellBack", fn: fnReceive},
	{id: "watchUndecodable", fact: event.WatchErrorReceived, cause: event.Undecodable, alsoFrom: event.BackoffStarted, reason: "watchError", fn: fnReceive},
	{id: "watchListedAnew", fact: event.WatchErrorReceived, cause: event.Assumed, reason: "watchListedAnew", fn: fnReceive},
	{id: "watchErrorReceived", fact: event.WatchErrorReceived, when: streaming, next: actor.ReflectorWatch, reason: "watchFailedAgain", fn: fnReceive},
	{id: "watchErrorReceived", fact: event.WatchErrorReceived, next: actor.ReflectorWatch, reason: "watchErrorRetried", fn: fnReceive},
	{id: "watchErrorReceived", fact: event.WatchErrorReceived, with: event.WatchListFellBack, reason: "watchListFellBack", fn: fnReceive},
	{id: "watchErrorReceived", fact: event.WatchErrorReceived, next: actor.ReflectorRewatch, alsoFrom: event.BackoffStarted, reason: "watchFailedWaits", fn: fnReceive},
	{id: "watchErrorReceived", fact: event.WatchErrorReceived, when: expired, alsoFrom: event.BackoffStarted, reason: "watchExpired", fn: fnReceive},
	{id: "watchErrorReceived", fact: event.WatchErrorReceived, alsoFrom: event.BackoffStarted, reason: "watchError", fn: fnReceive},

	{id: "watchEventLost", fact: event.WatchEventLost, reason: "watchEventLost", fn: fnReceive},
	{id: "watchEventHeld", fact: event.WatchEventHeld, fn: fnReceive},
	{id: "initialEndLost", fact: event.InitialEndLost, when: streamsAgain, reason: "initialEndLostRelist", fn: fnReceive},
	{id: "initialEndLost", fact: event.InitialEndLost, when: streaming, reason: "initialEndLost", fn: fnReceive},
	{id: "initialEndLost", fact: event.InitialEndLost, fn: fnReceive},
	{id: "bookmarkLost", fact: event.BookmarkLost, reason: "bookmarkLost", fn: fnReceive},
	{id: "watchEventFiltered", fact: event.WatchEventFiltered, when: streaming, reason: "watchEventFilteredStreaming", fn: fnReceive},
	{id: "watchEventFiltered", fact: event.WatchEventFiltered, reason: "watchEventFiltered", fn: fnReceive},
	{id: "watchEventSkipped", fact: event.WatchEventSkipped, when: streaming, reason: "watchEventSkippedStreaming", fn: fnReceive},
	{id: "watchEventSkipped", fact: event.WatchEventSkipped, when: movesOn, reason: "watchEventSkippedPassed", fn: fnReceive},
	{id: "watchEventSkipped", fact: event.WatchEventSkipped, reason: "watchEventSkipped", fn: fnReceive},
	{id: "initialEventsEnd", fact: event.WatchEventReceived, flags: event.Streaming, reason: "initialEventsEnd", fn: fnReceive},
	{id: "watchEventReceivedBookmark", fact: event.WatchEventReceived, delta: event.Bookmark, reason: "bookmark", fn: fnReceive},
	{id: "watchEventReceived", fact: event.WatchEventReceived, fn: fnReceive},
	{id: "listStreamedDeleted", fact: event.ListStreamed, delta: event.Deleted, reason: "listStreamed", fn: fnReceive},
	{id: "listStreamed", fact: event.ListStreamed, reason: "listStreamed", fn: fnReceive},
	{id: "resourceVersionSet", fact: event.ResourceVersionSet, pc: actor.ReflectorRV, reason: "resourceVersionSet", fn: "Reflector.setLastSyncResourceVersion"},
	{id: "resourceVersionStays", pc: actor.ReflectorRV, reason: "resourceVersionStays", fn: fnReceive},
}

// streaming holds while a streaming list is under way.
func streaming(s *step, _ event.Event) bool { return s.c.Reflector.Streaming() }

// converted holds if the recording has a list of the other kind than the one that was asked for.
func converted(s *step, _ event.Event) bool { return s.c.Server.View(0, 0).Converted }

// streamed holds if the watch has brought a streaming list before.
func streamed(s *step, _ event.Event) bool {
	return s.c.Reflector.LastOptions().SendInitialEvents && !s.c.Reflector.Streaming()
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

// serverBehind holds if the server has not come as far as the resourceVersion of the request.
func serverBehind(s *step, e event.Event) bool {
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
	{id: "replaceLocks", fact: event.LockAcquired, pc: actor.ReflectorReplace, reason: "replaceLocks", fn: fnReplace},
	{id: "hasSyncedEmpty", fact: event.HasSynced, pc: actor.ReflectorReplaces, with: event.HandlerHasSynced, reason: "hasSyncedEmptyHandlers", fn: fnReplace},
	{id: "hasSyncedEmpty", fact: event.HasSynced, pc: actor.ReflectorReplaces, reason: "hasSyncedEmpty", fn: fnReplace},
	{id: "replaceFails", fact: event.LockReleased, pc: actor.ReflectorReplaces, alsoFrom: event.BackoffStarted, reason: "replaceFails", fn: fnReplace},
	{id: "enqueuedTombstone", fact: event.Enqueued, pc: actor.ReflectorReplaces, flags: event.Tombstone, reason: "missing", fn: fnReplace},
	{id: "deltaAppendedTombstone", fact: event.DeltaAppended, pc: actor.ReflectorReplaces, flags: event.Tombstone, reason: "missing", fn: fnReplace},
	{id: "deltasDeduplicatedTombstone", fact: event.DeltasDeduplicated, pc: actor.ReflectorReplaces, flags: event.Tombstone, reason: "missing", fn: "dedupDeltas"},
	{id: "deltasDeduplicated", fact: event.DeltasDeduplicated, pc: actor.ReflectorReplaces, reason: "deltasDeduplicated", fn: "dedupDeltas"},
	{id: "enqueuedReplacedAll", fact: event.Enqueued, pc: actor.ReflectorReplaces, delta: event.ReplacedAll, alsoFrom: event.ReplaceStarted, reason: "enqueuedReplacedAll", fn: "RealFIFO.addReplaceToItemsLocked"},
	{id: "deltaAppendedListed", fact: event.DeltaAppended, pc: actor.ReflectorReplaces, reason: "deltaAppended", fn: fnQueue},
	{id: "enqueuedListed", fact: event.Enqueued, pc: actor.ReflectorReplaces, fn: fnQueue},
	{id: "replacesNothing", fact: event.ReplaceEnded, pc: actor.ReflectorReplaces, fn: fnReplace},
	{id: "replaceStarted", fact: event.ReplaceStarted, pc: actor.ReflectorReplaces, fn: fnReplace},
	{id: "replaceDone", fact: event.LockReleased, pc: actor.ReflectorReplaced, next: actor.ReflectorReceive, alsoFrom: event.ResourceVersionSet, reason: "replaceDoneStreaming", fn: fnStream},
	{id: "replaceDone", fact: event.LockReleased, pc: actor.ReflectorReplaced, alsoFrom: event.ResourceVersionSet, reason: "replaceDone", fn: fnList},

	{id: "hasSyncedQueued", fact: event.HasSynced, pc: actor.ReflectorEnqueue, with: event.Enqueued, alsoFrom: event.Enqueued, reason: "hasSyncedQueued", fn: fnQueue},
	{id: "deltaAppended", fact: event.DeltaAppended, pc: actor.ReflectorEnqueue, reason: "deltaAppended", fn: fnQueue},
	{id: "deltasDeduplicated", fact: event.DeltasDeduplicated, pc: actor.ReflectorEnqueue, reason: "deltasDeduplicated", fn: "dedupDeltas"},
	{id: "deleteIgnored", fact: event.DeleteIgnored, pc: actor.ReflectorEnqueue, reason: "deleteIgnored", fn: "DeltaFIFO.Delete"},
	{id: "enqueuedBookmark", fact: event.Enqueued, pc: actor.ReflectorEnqueue, delta: event.Bookmark, fn: "RealFIFO.Bookmark"},
	{id: "enqueued", fact: event.Enqueued, pc: actor.ReflectorEnqueue, fn: fnQueue},
}

// resyncSayings tell what the resync goroutine does.
var resyncSayings = []saying{
	{id: "resyncNotDue", fact: event.ResyncNotDue, when: nobodyResyncs, reason: "resyncNotDueNone", fn: fnDue},
	{id: "resyncNotDue", fact: event.ResyncNotDue, reason: "resyncNotDue", fn: fnDue},
	{id: "resyncFired", fact: event.ResyncFired, reason: "resyncFired", fn: fnDue},
	{id: "resyncLocks", fact: event.LockAcquired, pc: actor.ResyncStart, when: atomic, reason: "resyncLocksAtomic", fn: fnResync},
	{id: "resyncLocks", fact: event.LockAcquired, pc: actor.ResyncStart, reason: "resyncLocks", fn: fnResync},
	{id: "resyncGaveUp", fact: event.ResyncGaveUp, reason: "resyncGaveUp", fn: fnResync},
	{id: "enqueuedSyncAll", fact: event.Enqueued, pc: actor.ResyncKey, delta: event.SyncAll, reason: "enqueuedSyncAll", fn: "RealFIFO.addResyncToItemsLocked"},
	{id: "enqueuedSync", fact: event.Enqueued, pc: actor.ResyncKey, reason: "enqueuedSync", fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "syncSkipped", fact: event.SyncSkipped, pc: actor.ResyncKey, when: isSynced, reason: "syncSkippedTwice", fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "syncSkipped", fact: event.SyncSkipped, pc: actor.ResyncKey, when: cached, reason: "syncSkipped", fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "syncSkippedGone", fact: event.SyncSkipped, pc: actor.ResyncKey, fn: "DeltaFIFO.syncKeyLocked,,,,,RealFIFO.Resync"},
	{id: "resyncsNothing", fact: event.LockReleased, pc: actor.ResyncKey, fn: fnResync},
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
	for at := q.Depth() - 1; at >= 0 && cached(s, e); at-- {
		if k, _ := q.Row(at); k == e.Key {
			deltas := q.RowDeltas(at, nil)
			return deltas[len(deltas)-1].Type == event.Sync
		}
	}
	return false
}

// cached holds if the cache holds the object that a resync skips.
func cached(_ *step, e event.Event) bool { return e.New != 0 }
