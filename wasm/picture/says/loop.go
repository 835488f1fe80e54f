package says

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
)

// loopSayings tell how the process loop pops.
var loopSayings = []saying{
	{id: "popWaits", fact: event.PopWaits, pc: actor.LoopPop, fn: fnPop},
	{id: "hasSyncedPopped", fact: event.HasSynced, pc: actor.LoopPop, alsoFrom: event.Popped, when: manyControllers, fn: "DeltaFIFO.Pop"},
	{id: "hasSyncedPopped", fact: event.HasSynced, pc: actor.LoopPop, alsoFrom: event.Popped, with: event.HandlerHasSynced, reason: "hasSyncedPoppedHandlers", fn: "DeltaFIFO.Pop"},
	{id: "hasSyncedPopped", fact: event.HasSynced, pc: actor.LoopPop, alsoFrom: event.Popped, with: event.InformerHasSynced, reason: "hasSyncedPoppedAtOnce", fn: "DeltaFIFO.Pop"},
	{id: "hasSyncedPopped", fact: event.HasSynced, pc: actor.LoopPop, alsoFrom: event.Popped, reason: "hasSyncedPopped", fn: "DeltaFIFO.Pop"},
	{id: "poppedReplacedAll", fact: event.Popped, pc: actor.LoopPop, delta: event.ReplacedAll, with: event.LockWaits, reason: "poppedWaits", fn: fnPop},
	{id: "poppedReplacedAll", fact: event.Popped, pc: actor.LoopPop, delta: event.ReplacedAll, reason: "poppedReplacedAll", fn: fnPop},
	{id: "poppedSyncAll", fact: event.Popped, pc: actor.LoopPop, delta: event.SyncAll, with: event.LockWaits, reason: "poppedWaits", fn: fnPop},
	{id: "poppedSyncAll", fact: event.Popped, pc: actor.LoopPop, delta: event.SyncAll, reason: "poppedSyncAll", fn: fnPop},
	{id: "poppedBookmark", fact: event.Popped, pc: actor.LoopPop, delta: event.Bookmark, fn: fnPop},
	{id: "poppedBatchRepeats", fact: event.Popped, pc: actor.LoopPop, when: popsRepeats, with: event.LockWaits, reason: "poppedWaits", fn: fnPop},
	{id: "poppedBatchRepeats", fact: event.Popped, pc: actor.LoopPop, with: event.LockReleased, when: popsRepeats, reason: "poppedUnlocked", fn: fnPop},
	{id: "poppedBatchRepeats", fact: event.Popped, pc: actor.LoopPop, when: popsRepeats, reason: "popped", fn: fnPop},
	{id: "poppedBatch", fact: event.Popped, pc: actor.LoopPop, when: isBatch, with: event.LockWaits, reason: "poppedWaits", fn: fnPop},
	{id: "poppedBatch", fact: event.Popped, pc: actor.LoopPop, with: event.LockReleased, when: isBatch, reason: "poppedUnlocked", fn: fnPop},
	{id: "poppedBatch", fact: event.Popped, pc: actor.LoopPop, when: isBatch, reason: "popped", fn: fnPop},
	{id: "poppedOne", fact: event.Popped, pc: actor.LoopPop, when: inOrder, with: event.LockWaits, reason: "poppedWaits", fn: fnPop},
	{id: "poppedOne", fact: event.Popped, pc: actor.LoopPop, with: event.LockReleased, when: inOrder, reason: "poppedUnlocked", fn: fnPop},
	{id: "poppedOne", fact: event.Popped, pc: actor.LoopPop, when: inOrder, reason: "popped", fn: fnPop},
	{id: "popped", fact: event.Popped, pc: actor.LoopPop, with: event.LockWaits, reason: "poppedWaits", fn: fnPop},
	{id: "popped", fact: event.Popped, pc: actor.LoopPop, reason: "popped", fn: fnPop},

	{id: "loopBlocks", fact: event.LockAcquired, pc: actor.LoopBlock, reason: "loopBlocks", fn: fnHandle},

	{id: "hasSyncedStopping", fact: event.HasSynced, pc: actor.LoopRelease, when: latchStaysOpen, fn: fnPop},
	{id: "hasSyncedProcessed", fact: event.HasSynced, pc: actor.LoopRelease, with: event.HandlerHasSynced, reason: "hasSyncedProcessedHandlers", fn: fnPop},
	{id: "hasSyncedProcessed", fact: event.HasSynced, pc: actor.LoopRelease, reason: "hasSyncedProcessed", fn: fnPop},
	{id: "informerHasSynced", fact: event.InformerHasSynced, pc: actor.LoopRelease, with: event.HandlerHasSynced, reason: "hasSyncedProcessedHandlers", fn: "sharedIndexInformer.HasSynced"},
	{id: "informerHasSynced", fact: event.InformerHasSynced, pc: actor.LoopRelease, reason: "hasSyncedProcessed", fn: "sharedIndexInformer.HasSynced"},
	{id: "popReturns", pc: actor.LoopRelease, without: event.LockWaits, fn: fnPop},
}

// latchStaysOpen holds if the goroutine that would say that the informer has synced has ended,
// because the stop channel is closed.
func latchStaysOpen(s *step, _ event.Event) bool {
	return s.x.Config().Profile.LatchedSync && !s.x.HasSynced()
}

// manyControllers holds if calls of Run have made several controllers. The informer asks only the newest
// whether it has synced, and all of them write to the store.
func manyControllers(s *step, _ event.Event) bool { return len(s.x.Servers(nil)) > 1 }

func isBatch(s *step, _ event.Event) bool { return s.count(event.Popped) > 1 }

// popsRepeats holds if a batch was popped in which a key comes more than once.
func popsRepeats(s *step, _ event.Event) bool {
	if !isBatch(s, event.Event{}) || !s.x.Config().Profile.RealFIFO.Repeats {
		return false
	}
	seen := map[object.Key]bool{}
	for _, e := range s.facts {
		if e.Kind == event.Popped {
			if seen[e.Key] && e.Key != 0 {
				return true
			}
			seen[e.Key] = true
		}
	}
	return false
}

func inOrder(s *step, _ event.Event) bool { return s.x.Config().Profile.InOrder }

// storeSayings tell what the process loop does to the indexer.
var storeSayings = []saying{
	{id: "processFailed", fact: event.ProcessFailed, pc: actor.LoopStore, reason: "processFailed", fn: fnProcess},
	{id: "storeWrittenLast", pc: actor.LoopStore, when: neverCached, reason: "neverCached", fn: "threadSafeMap.Transaction"},
	{id: "storeWrittenLast", pc: actor.LoopStore, when: repeatsToNobody, reason: "lastWritesNobody", fn: "threadSafeMap.Transaction"},
	{id: "storeWrittenLast", pc: actor.LoopStore, when: repeats, reason: "lastWrites", fn: "threadSafeMap.Transaction"},
	{id: "storeWritten", pc: actor.LoopStore, when: writesSeveralToNobody, reason: "storedFirstNobody", fn: "threadSafeMap.Transaction"},
	{id: "storeWritten", pc: actor.LoopStore, when: writesSeveral, reason: "storedFirst", fn: "threadSafeMap.Transaction"},
	{id: "storeReplaced", fact: event.StoreReplaced, pc: actor.LoopStore, reason: "storeReplaced", fn: "processReplacedAllInfo"},
	{id: "storeListed", fact: event.StoreListed, pc: actor.LoopStore, reason: "storeListed", fn: "threadSafeMap.List"},
	{id: "storeBookmarked", fact: event.StoreBookmarked, pc: actor.LoopStore, reason: "storeBookmarked", fn: "threadSafeMap.Bookmark"},
	{id: "storeAdded", fact: event.StoreAdded, pc: actor.LoopStore, when: noListener, reason: "storedFirstNobody", fn: "threadSafeMap.Add"},
	{id: "storeAdded", fact: event.StoreAdded, pc: actor.LoopStore, reason: "storedFirst", fn: "threadSafeMap.Add"},
	{id: "storeUpdatedSame", fact: event.StoreUpdated, pc: actor.LoopStore, when: sameVersion, fn: "threadSafeMap.Update"},
	{id: "storeUpdated", fact: event.StoreUpdated, pc: actor.LoopStore, when: noListener, reason: "storedFirstNobody", fn: "threadSafeMap.Update"},
	{id: "storeUpdated", fact: event.StoreUpdated, pc: actor.LoopStore, reason: "storedFirst", fn: "threadSafeMap.Update"},
	{id: "storeDeletedAbsent", fact: event.StoreDeleted, pc: actor.LoopStore, when: func(_ *step, e event.Event) bool { return e.Old == 0 }, fn: fnDelete},
	{id: "storeDeleted", fact: event.StoreDeleted, pc: actor.LoopStore, when: appliesTombstone, reason: "missing", fn: fnDelete},
	{id: "storeDeleted", fact: event.StoreDeleted, pc: actor.LoopStore, when: noListener, reason: "storedFirstNobody", fn: fnDelete},
	{id: "storeDeleted", fact: event.StoreDeleted, pc: actor.LoopStore, reason: "storedFirst", fn: fnDelete},
}

// written returns how many objects the step has written to the indexer one by one.
func (s *step) written() int {
	return s.count(event.StoreAdded) + s.count(event.StoreUpdated) + s.count(event.StoreDeleted)
}

// repeats holds if a key comes more than once in the batch that the process loop has in hand.
func repeats(s *step, _ event.Event) bool {
	if !s.x.Config().Profile.RealFIFO.Repeats {
		return false
	}
	seen := map[object.Key]bool{}
	deltas, _ := s.c.Popped()
	for i := range deltas {
		k := deltas[i].Key
		if k != 0 && seen[k] {
			return true
		}
		seen[k] = true
	}
	return false
}

// repeatsToNobody reports what repeats does, where no handler is told.
func repeatsToNobody(s *step, e event.Event) bool { return repeats(s, e) && noListener(s, e) }

// neverCached holds if the batch in hand creates an object that wasn't cached, and deletes it again.
func neverCached(s *step, e event.Event) bool {
	if !repeats(s, e) || noListener(s, e) {
		return false
	}
	deltas, _ := s.c.Popped()
	for _, e := range s.facts {
		if e.Kind == event.StoreDeleted && e.Old == 0 && slices.ContainsFunc(deltas, func(d fifo.Delta) bool { return d.Key == e.Key && d.Type != event.Deleted }) {
			return true
		}
	}
	return false
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
	{id: "distributedNoHandlers", fact: event.Distributed, without: event.ListenerAddCh, when: noListener, fn: fnDistribute},
	{id: "distributedUnheard", fact: event.Distributed, without: event.ListenerAddCh, when: unheard, reason: "distributedUnheard", fn: fnAdd},
	{id: "awaitsListeners", fact: event.LockReleased, role: actor.Loop, next: actor.LoopLock, reason: "awaitsListeners", fn: fnDistribute},
	{id: "initialUnheard", pc: actor.UserInitial, when: unheard, fn: fnAdd},
	{id: "listenersStarted", fact: event.ListenersStarted, fn: fnProcessor},
	{id: "distributedNobody", fact: event.Distributed, without: event.ListenerAddCh, cause: event.FromResync, reason: "resyncToNobody", fn: fnDistribute},
	{id: "distributedNobody", fact: event.Distributed, without: event.ListenerAddCh, reason: "sameToNobody", fn: fnDistribute},
	{id: "sentTombstone", fact: event.ListenerAddCh, when: sends, flags: event.Tombstone, reason: "missing", fn: fnAdd},
	{id: "sentSync", fact: event.ListenerAddCh, when: sends, flags: event.IsSync, cause: event.FromResync, reason: "sentResync", fn: fnAdd},
	{id: "sentSync", fact: event.ListenerAddCh, when: sends, flags: event.IsSync, cause: event.FromList, reason: "sentRelist", fn: fnAdd},
	{id: "sentSync", fact: event.ListenerAddCh, when: sends, flags: event.IsSync, reason: "sentSame", fn: fnAdd},
	{id: "sentToPending", fact: event.ListenerPending, when: sends, alsoFrom: event.ListenerAddCh, reason: "listenerPending", fn: fnAdd},
	{id: "sentToSlot", fact: event.ListenerSlot, when: sends, alsoFrom: event.ListenerAddCh, reason: "sentToSlot", fn: fnAdd},

	{id: "listenerNextCh", fact: event.ListenerNextCh, fn: fnPopNext},
	{id: "popOvertaken", pc: actor.PopNext, fn: fnPopNext},

	{id: "handlerCalledForever", fact: event.HandlerCalled, flags: event.Tombstone, when: neverReturns, reason: "missing", fn: fnHandler},
	{id: "handlerCalledForever", fact: event.HandlerCalled, when: neverReturns, fn: fnHandler},
	{id: "handlerCalledUpdatedResync", fact: event.HandlerCalled, flags: event.IsSync, when: sameVersion, cause: event.FromResync, reason: "handlerResync", fn: fnHandler},
	{id: "handlerCalledUpdatedResynced", fact: event.HandlerCalled, flags: event.IsSync, when: manyControllers, cause: event.FromResync, reason: "handlerResynced", fn: fnHandler},
	{id: "handlerCalledUpdatedResynced", fact: event.HandlerCalled, delta: event.Updated, cause: event.FromResync, fn: fnHandler},
	{id: "handlerCalledUpdatedSame", fact: event.HandlerCalled, flags: event.IsSync, cause: event.FromList, reason: "handlerRelist", fn: fnHandler},
	{id: "handlerCalledUpdatedSame", fact: event.HandlerCalled, flags: event.IsSync, reason: "handlerSame", fn: fnHandler},
	{id: "handlerCalledUpdated", fact: event.HandlerCalled, delta: event.Updated, cause: event.FromList, when: olderVersion, reason: "handlerListedOlder", fn: fnHandler},
	{id: "handlerCalledUpdated", fact: event.HandlerCalled, delta: event.Updated, cause: event.FromList, reason: "handlerListed", fn: fnHandler},
	{id: "handlerCalledUpdated", fact: event.HandlerCalled, delta: event.Updated, when: hasDuration, reason: "handlerTakes", fn: fnHandler},
	{id: "handlerCalledUpdated", fact: event.HandlerCalled, delta: event.Updated, fn: fnHandler},
	{id: "handlerCalledDeletedTombstone", fact: event.HandlerCalled, flags: event.Tombstone, reason: "missing", fn: fnHandler},
	{id: "handlerCalledDeleted", fact: event.HandlerCalled, delta: event.Deleted, when: hasDuration, reason: "handlerTakes", fn: fnHandler},
	{id: "handlerCalledDeleted", fact: event.HandlerCalled, delta: event.Deleted, fn: fnHandler},
	{id: "handlerCalledAdded", fact: event.HandlerCalled, cause: event.FromCache, reason: "handlerFromCache", fn: fnHandler},
	{id: "handlerCalledAdded", fact: event.HandlerCalled, when: hasDuration, reason: "handlerTakes", fn: fnHandler},
	{id: "handlerCalledAdded", fact: event.HandlerCalled, fn: fnHandler},
	{id: "tombstoneIgnored", fact: event.TombstoneIgnored, reason: "tombstoneIgnored", fn: "ResourceEventHandler.OnDelete"},
	{id: "handlerHasSynced", fact: event.HandlerHasSynced, pc: actor.RunReturn, reason: "handlerHasSynced", fn: fnHandler},
	{id: "handlerUnled", fact: event.HandlerUnled, reason: "handlerUnled", fn: fnHandler},
	{id: "handlerReturnedLast", fact: event.HandlerReturned, when: returns, fn: fnHandler},
	{id: "handlerReturned", fact: event.HandlerReturned, fn: fnHandler},
}

// olderVersion holds if the new object is older than the old one.
func olderVersion(s *step, e event.Event) bool {
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
