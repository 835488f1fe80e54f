package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

// loopSayings tell how the process loop pops.
var loopSayings = []saying{
	{id: "popWaits", of: event.PopWaits, pc: actor.LoopPop, fn: fnPop},
	{id: "hasSyncedPopped", of: event.HasSynced, pc: actor.LoopPop, with: event.Popped, when: several, fn: "DeltaFIFO.Pop"},
	{id: "hasSyncedPopped", of: event.HasSynced, pc: actor.LoopPop, with: event.Popped, also: event.HandlerHasSynced, why: "hasSyncedPoppedHandlers", fn: "DeltaFIFO.Pop"},
	{id: "hasSyncedPopped", of: event.HasSynced, pc: actor.LoopPop, with: event.Popped, also: event.InformerHasSynced, why: "hasSyncedPoppedAtOnce", fn: "DeltaFIFO.Pop"},
	{id: "hasSyncedPopped", of: event.HasSynced, pc: actor.LoopPop, with: event.Popped, why: "hasSyncedPopped", fn: "DeltaFIFO.Pop"},
	{id: "poppedReplacedAll", of: event.Popped, pc: actor.LoopPop, delta: event.ReplacedAll, also: event.LockWaits, why: "poppedWaits", fn: fnPop},
	{id: "poppedReplacedAll", of: event.Popped, pc: actor.LoopPop, delta: event.ReplacedAll, why: "poppedReplacedAll", fn: fnPop},
	{id: "poppedSyncAll", of: event.Popped, pc: actor.LoopPop, delta: event.SyncAll, also: event.LockWaits, why: "poppedWaits", fn: fnPop},
	{id: "poppedSyncAll", of: event.Popped, pc: actor.LoopPop, delta: event.SyncAll, why: "poppedSyncAll", fn: fnPop},
	{id: "poppedBookmark", of: event.Popped, pc: actor.LoopPop, delta: event.Bookmark, fn: fnPop},
	{id: "poppedBatch", of: event.Popped, pc: actor.LoopPop, when: isBatch, also: event.LockWaits, why: "poppedWaits", fn: fnPop},
	{id: "poppedBatch", of: event.Popped, pc: actor.LoopPop, also: event.LockReleased, when: isBatch, why: "poppedUnlocked", fn: fnPop},
	{id: "poppedBatch", of: event.Popped, pc: actor.LoopPop, when: isBatch, why: "popped", fn: fnPop},
	{id: "poppedOne", of: event.Popped, pc: actor.LoopPop, when: inOrder, also: event.LockWaits, why: "poppedWaits", fn: fnPop},
	{id: "poppedOne", of: event.Popped, pc: actor.LoopPop, also: event.LockReleased, when: inOrder, why: "poppedUnlocked", fn: fnPop},
	{id: "poppedOne", of: event.Popped, pc: actor.LoopPop, when: inOrder, why: "popped", fn: fnPop},
	{id: "popped", of: event.Popped, pc: actor.LoopPop, also: event.LockWaits, why: "poppedWaits", fn: fnPop},
	{id: "popped", of: event.Popped, pc: actor.LoopPop, why: "popped", fn: fnPop},

	{id: "loopBlocks", of: event.LockAcquired, pc: actor.LoopBlock, why: "loopBlocks", fn: fnHandle},

	{id: "hasSyncedStopping", of: event.HasSynced, pc: actor.LoopRelease, when: latchStaysOpen, fn: fnPop},
	{id: "hasSyncedProcessed", of: event.HasSynced, pc: actor.LoopRelease, also: event.HandlerHasSynced, why: "hasSyncedProcessedHandlers", fn: fnPop},
	{id: "hasSyncedProcessed", of: event.HasSynced, pc: actor.LoopRelease, why: "hasSyncedProcessed", fn: fnPop},
	{id: "informerHasSynced", of: event.InformerHasSynced, pc: actor.LoopRelease, also: event.HandlerHasSynced, why: "hasSyncedProcessedHandlers", fn: "sharedIndexInformer.HasSynced"},
	{id: "informerHasSynced", of: event.InformerHasSynced, pc: actor.LoopRelease, why: "hasSyncedProcessed", fn: "sharedIndexInformer.HasSynced"},
	{id: "popReturns", pc: actor.LoopRelease, not: event.LockWaits, fn: fnPop},
}

// latchStaysOpen holds if the goroutine that would say that the informer has synced has ended,
// because the stop channel is closed.
func latchStaysOpen(s *step, _ event.Event) bool {
	return s.x.Config().Profile.LatchedSync && !s.x.HasSynced()
}

// several holds if calls of Run have made several controllers. The informer asks only the newest
// whether it has synced.
func several(s *step, _ event.Event) bool { return len(s.x.Servers(nil)) > 1 }

func isBatch(s *step, _ event.Event) bool { return s.count(event.Popped) > 1 }

func inOrder(s *step, _ event.Event) bool { return s.x.Config().Profile.InOrder }

// storeSayings tell what the process loop does to the indexer.
var storeSayings = []saying{
	{id: "processFailed", of: event.ProcessFailed, pc: actor.LoopStore, why: "processFailed", fn: fnProcess},
	{id: "storeWritten", pc: actor.LoopStore, when: writesSeveralToNobody, why: "storedFirstNobody", fn: "threadSafeMap.Transaction"},
	{id: "storeWritten", pc: actor.LoopStore, when: writesSeveral, why: "storedFirst", fn: "threadSafeMap.Transaction"},
	{id: "storeReplaced", of: event.StoreReplaced, pc: actor.LoopStore, why: "storeReplaced", fn: "processReplacedAllInfo"},
	{id: "storeListed", of: event.StoreListed, pc: actor.LoopStore, why: "storeListed", fn: "threadSafeMap.List"},
	{id: "storeBookmarked", of: event.StoreBookmarked, pc: actor.LoopStore, why: "storeBookmarked", fn: "threadSafeMap.Bookmark"},
	{id: "storeAdded", of: event.StoreAdded, pc: actor.LoopStore, when: noListener, why: "storedFirstNobody", fn: "threadSafeMap.Add"},
	{id: "storeAdded", of: event.StoreAdded, pc: actor.LoopStore, why: "storedFirst", fn: "threadSafeMap.Add"},
	{id: "storeUpdatedSame", of: event.StoreUpdated, pc: actor.LoopStore, when: sameVersion, fn: "threadSafeMap.Update"},
	{id: "storeUpdated", of: event.StoreUpdated, pc: actor.LoopStore, when: noListener, why: "storedFirstNobody", fn: "threadSafeMap.Update"},
	{id: "storeUpdated", of: event.StoreUpdated, pc: actor.LoopStore, why: "storedFirst", fn: "threadSafeMap.Update"},
	{id: "storeDeletedAbsent", of: event.StoreDeleted, pc: actor.LoopStore, when: func(_ *step, e event.Event) bool { return e.Old == 0 }, fn: fnDelete},
	{id: "storeDeleted", of: event.StoreDeleted, pc: actor.LoopStore, when: appliesTombstone, why: "missing", fn: fnDelete},
	{id: "storeDeleted", of: event.StoreDeleted, pc: actor.LoopStore, when: noListener, why: "storedFirstNobody", fn: fnDelete},
	{id: "storeDeleted", of: event.StoreDeleted, pc: actor.LoopStore, why: "storedFirst", fn: fnDelete},
}

// written returns how many objects the step has written to the indexer one by one.
func (s *step) written() int {
	return s.count(event.StoreAdded) + s.count(event.StoreUpdated) + s.count(event.StoreDeleted)
}

func writesSeveral(s *step, _ event.Event) bool { return s.written() > 1 }

func writesSeveralToNobody(s *step, e event.Event) bool {
	return writesSeveral(s, e) && noListener(s, e)
}

// noListener holds if nobody is told of what changes.
func noListener(s *step, _ event.Event) bool {
	for i := range s.x.Processor.Listeners {
		if s.x.Processor.Listeners[i].Joined {
			return false
		}
	}
	return true
}

// sameVersion holds if the old and the new object have the same resourceVersion.
func sameVersion(s *step, e event.Event) bool {
	t := s.x.Config().Table
	return t.RVOf(e.Old) == t.RVOf(e.New)
}

// appliesTombstone holds if what the process loop has in hand is a tombstone.
func appliesTombstone(s *step, _ event.Event) bool {
	deltas, at := s.c.Popped()
	return at < len(deltas) && deltas[at].Tomb > 0
}

// unheard holds if the goroutine waits for somebody who receives.
func unheard(s *step, _ event.Event) bool { return s.next.Wait == actor.OnSend }

// listenerSayings tell how notifications get to the handlers.
var listenerSayings = []saying{
	{id: "distributedNoHandlers", of: event.Distributed, not: event.ListenerAddCh, when: noListener, fn: fnDistribute},
	{id: "distributedUnheard", of: event.Distributed, not: event.ListenerAddCh, when: unheard, why: "distributedUnheard", fn: fnAdd},
	{id: "awaitsListeners", of: event.LockReleased, role: actor.Loop, next: actor.LoopLock, why: "awaitsListeners", fn: fnDistribute},
	{id: "initialUnheard", pc: actor.UserInitial, when: unheard, fn: fnAdd},
	{id: "listenersStarted", of: event.ListenersStarted, fn: fnProcessor},
	{id: "distributedNobody", of: event.Distributed, not: event.ListenerAddCh, cause: event.FromResync, why: "resyncToNobody", fn: fnDistribute},
	{id: "distributedNobody", of: event.Distributed, not: event.ListenerAddCh, why: "sameToNobody", fn: fnDistribute},
	{id: "sentTombstone", of: event.ListenerAddCh, when: sends, flags: event.Tombstone, why: "missing", fn: fnAdd},
	{id: "sentSync", of: event.ListenerAddCh, when: sends, flags: event.IsSync, cause: event.FromResync, why: "sentResync", fn: fnAdd},
	{id: "sentSync", of: event.ListenerAddCh, when: sends, flags: event.IsSync, cause: event.FromList, why: "sentRelist", fn: fnAdd},
	{id: "sentSync", of: event.ListenerAddCh, when: sends, flags: event.IsSync, why: "sentSame", fn: fnAdd},
	{id: "sentToPending", of: event.ListenerPending, when: sends, with: event.ListenerAddCh, why: "listenerPending", fn: fnAdd},
	{id: "sentToSlot", of: event.ListenerSlot, when: sends, with: event.ListenerAddCh, why: "sentToSlot", fn: fnAdd},

	{id: "listenerNextCh", of: event.ListenerNextCh, fn: fnPopNext},
	{id: "popOvertaken", pc: actor.PopNext, fn: fnPopNext},

	{id: "handlerCalledForever", of: event.HandlerCalled, flags: event.Tombstone, when: neverReturns, why: "missing", fn: fnHandler},
	{id: "handlerCalledForever", of: event.HandlerCalled, when: neverReturns, fn: fnHandler},
	{id: "handlerCalledUpdatedResync", of: event.HandlerCalled, flags: event.IsSync, when: sameVersion, cause: event.FromResync, why: "handlerResync", fn: fnHandler},
	{id: "handlerCalledUpdatedResynced", of: event.HandlerCalled, flags: event.IsSync, cause: event.FromResync, why: "handlerResynced", fn: fnHandler},
	{id: "handlerCalledUpdatedSame", of: event.HandlerCalled, flags: event.IsSync, cause: event.FromList, why: "handlerRelist", fn: fnHandler},
	{id: "handlerCalledUpdatedSame", of: event.HandlerCalled, flags: event.IsSync, why: "handlerSame", fn: fnHandler},
	{id: "handlerCalledUpdated", of: event.HandlerCalled, delta: event.Updated, cause: event.FromList, when: goesBack, why: "handlerListedOlder", fn: fnHandler},
	{id: "handlerCalledUpdated", of: event.HandlerCalled, delta: event.Updated, cause: event.FromList, why: "handlerListed", fn: fnHandler},
	{id: "handlerCalledUpdated", of: event.HandlerCalled, delta: event.Updated, when: hasDuration, why: "handlerTakes", fn: fnHandler},
	{id: "handlerCalledUpdated", of: event.HandlerCalled, delta: event.Updated, fn: fnHandler},
	{id: "handlerCalledDeletedTombstone", of: event.HandlerCalled, flags: event.Tombstone, why: "missing", fn: fnHandler},
	{id: "handlerCalledDeleted", of: event.HandlerCalled, delta: event.Deleted, when: hasDuration, why: "handlerTakes", fn: fnHandler},
	{id: "handlerCalledDeleted", of: event.HandlerCalled, delta: event.Deleted, fn: fnHandler},
	{id: "handlerCalledAdded", of: event.HandlerCalled, cause: event.FromCache, why: "handlerFromCache", fn: fnHandler},
	{id: "handlerCalledAdded", of: event.HandlerCalled, when: hasDuration, why: "handlerTakes", fn: fnHandler},
	{id: "handlerCalledAdded", of: event.HandlerCalled, fn: fnHandler},
	{id: "tombstoneIgnored", of: event.TombstoneIgnored, why: "tombstoneIgnored", fn: "ResourceEventHandler.OnDelete"},
	{id: "handlerHasSynced", of: event.HandlerHasSynced, pc: actor.RunReturn, why: "handlerHasSynced", fn: fnHandler},
	{id: "handlerReturnedLast", of: event.HandlerReturned, when: returns, fn: fnHandler},
	{id: "handlerReturned", of: event.HandlerReturned, fn: fnHandler},
}

// goesBack holds if the new object is older than the old one.
func goesBack(s *step, e event.Event) bool {
	t := s.x.Config().Table
	was, ok := t.RVOf(e.Old).Number()
	is, too := t.RVOf(e.New).Number()
	return ok && too && is < was
}

// sends holds in the process loop's hands: it sends to addCh.
func sends(s *step, _ event.Event) bool {
	return s.pc == actor.LoopLock || s.pc == actor.LoopDistribute
}

func neverReturns(_ *step, e event.Event) bool { return e.Duration() < 0 }

func hasDuration(_ *step, e event.Event) bool { return e.Duration() > 0 }
