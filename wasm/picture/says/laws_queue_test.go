//go:build !js

package says

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
)

var queueLaws = map[string]law{
	"step.replaceLocks": func(m *moment) bool {
		return m.was.PC == actor.ReflectorReplace && m.unlocks.Holder() == m.id && m.d.Listed() == m.c.Listed()
	},
	"why.replaceLocks":    func(m *moment) bool { return m.goesOn(actor.ReflectorReplaces) },
	"step.hasSyncedEmpty": func(m *moment) bool { return m.flips() && m.d.Listed() == 0 && m.d.Queue.Depth() == 0 && m.replaces() },
	"why.hasSyncedEmpty": func(m *moment) bool {
		return m.flips() && m.d.Queue.InitialPopulationCount() == 0 && m.replaces() && !m.fact(event.HandlerHasSynced)
	},
	"why.hasSyncedEmptyHandlers": func(m *moment) bool {
		return m.flips() && m.d.Queue.InitialPopulationCount() == 0 && m.replaces() && m.fact(event.InformerHasSynced) && m.flipped()
	},
	"step.replaceFails": func(m *moment) bool {
		left := m.d.Server.State() == apiserver.Open && m.x.OpenWatches(m.before.Now()) == m.y.OpenWatches(m.after.Now()) // a watch that nobody reads
		return m.was.PC == actor.ReflectorReplaces && m.fifo.Holder() == m.id && m.unlocks.Holder() != m.id && m.d.Listed() == 0 && !left
	},
	"why.replaceFails": func(m *moment) bool { return m.goesOn(actor.ReflectorBackoff) || m.goesOn(actor.ReflectorList) },

	"step.enqueuedTombstone":           func(m *moment) bool { return m.grew() == 1 && m.was.PC == actor.ReflectorReplaces && m.tomb() },
	"step.deltaAppendedTombstone":      func(m *moment) bool { return m.appended() && m.was.PC == actor.ReflectorReplaces && m.tomb() },
	"step.deltasDeduplicatedTombstone": func(m *moment) bool { _, tomb, _ := m.newest(); return m.grew() == 0 && tomb },
	"why.missing":                      (*moment).unknownDeletion,
	"step.deltasDeduplicated": func(m *moment) bool {
		d, tomb, _ := m.newest()
		return m.grew() == 0 && d == event.Deleted && !tomb && m.d.Queue.Counters().Deduped > m.c.Queue.Counters().Deduped
	},
	"why.deltasDeduplicated": func(m *moment) bool { return m.d.Queue.Counters().Deduped > m.c.Queue.Counters().Deduped && !m.tomb() },
	"step.enqueuedReplacedAll": func(m *moment) bool {
		return m.grew() == 1 && int64(m.d.Listed()) == m.number("n") && m.atomic()
	},
	"why.enqueuedReplacedAll": func(m *moment) bool {
		return m.was.PC == actor.ReflectorReplaces && m.atomic()
	},
	"step.deltaAppendedListed": func(m *moment) bool { return m.appended() && m.e.Delta == event.Replaced },
	"step.enqueuedListed":      func(m *moment) bool { return m.grew() == 1 && m.queues(event.Replaced) && m.unlocks.Holder() == m.id },
	"step.replacesNothing":     func(m *moment) bool { return m.grew() == 0 && m.d.Listed() == 0 && m.goesOn(actor.ReflectorReplaced) },
	"step.replaceStarted":      func(m *moment) bool { return m.grew() == 0 && int64(m.d.Listed()) == m.number("n") && m.d.Listed() > 0 },
	"step.replaceDone": func(m *moment) bool {
		return m.was.PC == actor.ReflectorReplaced && m.fifo.Holder() == m.id && m.unlocks.Holder() != m.id && m.text(m.d.Reflector.RV()) == m.rv()
	},
	"why.replaceDoneStreaming": func(m *moment) bool { return m.is.Wait == actor.OnServer && m.was.PC == actor.ReflectorReplaced },
	"why.replaceDone":          func(m *moment) bool { return m.goesOn(actor.ReflectorWatch) },

	"step.hasSyncedQueued": func(m *moment) bool {
		return !m.c.Queue.Populated() && m.d.Queue.Populated() && m.grew() == 1 && (m.command() || m.flips())
	},
	"why.hasSyncedQueued": func(m *moment) bool {
		return (m.was.PC == actor.ReflectorEnqueue || m.hand() && m.pops() <= 0) && !m.replaces() && !m.c.Queue.Populated() && m.d.Queue.InitialPopulationCount() == 0
	},
	"step.deltaAppended": func(m *moment) bool { return m.appended() && (m.was.PC == actor.ReflectorEnqueue || m.hand()) },
	"why.deltaAppended": func(m *moment) bool {
		return m.d.Queue.Find(m.e.Key) >= 0 && m.c.Queue.Find(m.e.Key) == m.d.Queue.Find(m.e.Key) && m.grew() == 0 && !m.tomb()
	},
	"step.deleteIgnored": func(m *moment) bool {
		was, is := m.cachedVersions()
		return was == 0 && is == 0 && m.c.Queue.Find(m.e.Key) < 0 && m.grew() == 0 || m.knowsNothing()
	},
	"why.deleteIgnored":     func(m *moment) bool { return m.d.Queue.Counters().Ignored > m.c.Queue.Counters().Ignored },
	"step.enqueuedBookmark": func(m *moment) bool { return m.grew() == 1 && m.queues(event.Bookmark) },
	"step.enqueued": func(m *moment) bool {
		typ, _, _ := m.newest()
		return m.grew() == 1 && typ == m.e.Delta && m.e.Key != 0 && (m.was.PC == actor.ReflectorEnqueue || m.hand() && typ != event.Sync)
	},
}

// knowsNothing holds for a queue that is used alone without knownObjects.
func (m *moment) knowsNothing() bool { return m.command() && m.grew() == 0 }

// atomic holds where a list is one delta, and a resync is.
func (m *moment) atomic() bool { return m.inOrder() && m.y.Config().Profile.RealFIFO.Atomic }

func (m *moment) inOrder() bool { return m.y.Config().Profile.InOrder }

// flipped holds if HasSynced becomes true for the registrations of all handlers that the
// sentence names, and for no other. None of them has a call of the initial list to come.
func (m *moment) flipped() bool {
	var names []string
	for i := range m.y.Processor.Listeners {
		b := &m.y.Processor.Listeners[i]
		if was := i < len(m.x.Processor.Listeners) && m.x.Processor.Listeners[i].Synced; was || !b.Synced {
			continue
		}
		if b.Initial > 0 {
			return false
		}
		names = append(names, m.y.Config().Handlers[i].Name)
	}
	return m.args["listeners"].V == strings.Join(names, ", ") && len(names) > 0
}

// flips holds if the queue's HasSynced becomes true.
func (m *moment) flips() bool { return !m.c.Queue.HasSynced() && m.d.Queue.HasSynced() }

// unknownDeletion holds if what the sentence is about is a DeletedFinalStateUnknown, of a key that a
// list lacked, in this step or before.
func (m *moment) unknownDeletion() bool {
	missed := m.past.missing[m.y.Index()][m.e.Key]
	switch m.pc {
	case actor.None:
		return m.wrapped(m.args["key"].V)
	case actor.ReflectorReplaces:
		return m.missing() && m.tomb()
	case actor.LoopStore:
		return missed && m.wraps(m.e.Key)
	case actor.LoopLock, actor.LoopDistribute:
		return missed && m.originOf(m.e) == tombstone
	}
	return missed && m.sentAs(tombstone)
}

// tomb holds if the delta queued last for the told key holds a DeletedFinalStateUnknown.
func (m *moment) tomb() bool { _, is, _ := m.newest(); return is }

// queues holds if the delta queued last for the told key is of the type.
func (m *moment) queues(d event.Delta) bool { typ, _, _ := m.newest(); return typ == d }

// wrapped holds if the delta queued last for a key holds a DeletedFinalStateUnknown.
func (m *moment) wrapped(key string) bool {
	t, q := m.y.Config().Table, m.d.Queue
	for i := range q.Depth() {
		k, _ := q.Row(i)
		if deltas := q.RowDeltas(i, nil); t.KeyText(k) == key && deltas[len(deltas)-1].Tomb > 0 {
			return true
		}
	}
	return false
}

// wrapsMore holds if the step has queued a DeletedFinalStateUnknown as the newest delta of a key.
func (m *moment) wrapsMore() bool {
	for i := range m.d.Queue.Depth() {
		deltas := m.d.Queue.RowDeltas(i, nil)
		if deltas[len(deltas)-1].Tomb == 0 {
			continue
		}
		k, _ := m.d.Queue.Row(i)
		at := m.c.Queue.Find(k)
		merged := slices.ContainsFunc(m.facts, func(e event.Event) bool { return e.Kind == event.DeltasDeduplicated && e.Key == k })
		if m.inOrder() && i >= m.c.Queue.Depth() || !m.inOrder() && at < 0 || merged {
			return true
		}
		if was := m.c.Queue.RowDeltas(max(at, 0), nil); !m.inOrder() && (len(was) < len(deltas) || was[len(was)-1].Tomb == 0) {
			return true
		}
	}
	return false
}

// replaces holds if the step is one of Replace.
func (m *moment) replaces() bool {
	return m.was.PC == actor.ReflectorReplaces || m.fact(event.ReplaceEnded)
}

// processed holds if HasSynced becomes true because the first list has been processed.
func (m *moment) processed() bool {
	return m.was.PC == actor.LoopRelease && (m.flips() || !m.x.HasSynced() && m.y.HasSynced()) && m.d.Queue.InitialPopulationCount() == 0
}

// popped holds if the process loop has one delta in hand, of the type.
func (m *moment) popped(d event.Delta) bool {
	deltas, _ := m.d.Popped()
	return len(deltas) == 1 && deltas[0].Type == d
}

// hasSingleDeltas holds if the process loop has deltas of single keys in hand.
func (m *moment) hasSingleDeltas() bool {
	deltas, _ := m.d.Popped()
	return len(deltas) > 0 && deltas[0].Key != 0
}

var resyncLaws = map[string]law{
	"step.resyncNotDue":     func(m *moment) bool { return m.role() == actor.Resync && !m.due() },
	"why.resyncNotDue":      func(m *moment) bool { return m.resyncs() && !m.due() && !m.syncing() },
	"why.resyncNotDueNone":  func(m *moment) bool { return !m.resyncs() && !m.syncing() },
	"step.resyncFired":      func(m *moment) bool { return m.due() && m.syncing() && m.goesOn(actor.ResyncStart) },
	"why.resyncFired":       func(m *moment) bool { return m.goesOn(actor.ResyncStart) },
	"step.resyncLocks":      func(m *moment) bool { return m.unlocks.Holder() == m.id && m.role() == actor.Resync },
	"why.resyncLocks":       func(m *moment) bool { return m.goesOn(actor.ResyncKey) && !m.atomic() },
	"why.resyncLocksAtomic": func(m *moment) bool { return m.goesOn(actor.ResyncKey) && m.atomic() },
	"step.resyncGaveUp":     func(m *moment) bool { return m.stopping() && m.unlocks.Holder() != m.id },
	"why.resyncGaveUp":      func(m *moment) bool { return m.stopping() },
	"step.enqueuedSyncAll":  func(m *moment) bool { return m.grew() == 1 && m.queues(event.SyncAll) && m.role() == actor.Resync },
	"why.enqueuedSyncAll":   func(m *moment) bool { return m.grew() == 1 && m.queues(event.SyncAll) },
	"step.enqueuedSync": func(m *moment) bool {
		was, _ := m.cachedVersions()
		return m.grew() == 1 && m.queues(event.Sync) && was != 0 && m.role() == actor.Resync
	},
	"why.enqueuedSync": func(m *moment) bool {
		was, is := m.cachedVersions()
		return was == is && (was != 0 || m.command()) && m.grew() >= 1 && m.queues(event.Sync)
	},
	"step.syncSkipped": func(m *moment) bool {
		was, _ := m.cachedVersions()
		return m.grew() == 0 && was != 0 && m.c.Queue.Find(m.e.Key) >= 0
	},
	"why.syncSkipped": func(m *moment) bool {
		typ, _, _ := m.newest()
		return m.c.Queue.Find(m.e.Key) >= 0 && typ != event.Sync
	},
	"why.syncSkippedTwice": func(m *moment) bool {
		typ, _, _ := m.newest()
		return m.c.Queue.Find(m.e.Key) >= 0 && typ == event.Sync
	},
	"step.syncSkippedGone": func(m *moment) bool {
		was, _ := m.cachedVersions()
		return m.grew() == 0 && was == 0
	},
	"step.resyncsNothing": func(m *moment) bool {
		return m.role() == actor.Resync && m.grew() == 0 && m.y.Indexer.Len() == 0 && m.unlocks.Holder() != m.id
	},
}

// due holds if a listener was to get a resync by now.
func (m *moment) due() bool {
	for i := range m.x.Processor.Listeners {
		if l := &m.x.Processor.Listeners[i]; l.Joined && l.Resync != 0 && m.after.Now() >= l.NextResync {
			return true
		}
	}
	return false
}

// resyncs holds if a listener has a resync period.
func (m *moment) resyncs() bool {
	for i := range m.y.Processor.Listeners {
		if l := &m.y.Processor.Listeners[i]; l.Joined && l.Resync != 0 {
			return true
		}
	}
	return false
}

// syncing holds if a listener takes part in the resync.
func (m *moment) syncing() bool {
	for i := range m.y.Processor.Listeners {
		if l := &m.y.Processor.Listeners[i]; l.Joined && l.Syncing {
			return true
		}
	}
	return false
}

// syncsAtPop reports whether the informer says that it has synced while the last object of a DeltaFIFO's first list is
// not stored.
func (m *moment) syncsAtPop() bool {
	deltas, _ := m.d.Popped()
	at, stored := m.y.Indexer.GetByKey(deltas[0].Key)
	return !m.inOrder() && m.was.PC == actor.LoopPop && m.unlocks.Holder() == m.id && !m.x.HasSynced() && m.y.HasSynced() &&
		(!stored || at != deltas[len(deltas)-1].Obj)
}

var loopLaws = map[string]law{
	"step.popWaits": func(m *moment) bool { return m.c.Queue.Depth() == 0 && m.is.Wait == actor.OnCond },
	"step.hasSyncedPopped": func(m *moment) bool {
		return m.role() == actor.Loop && m.flips() && m.pops() == 1 && m.c.Queue.InitialPopulationCount() == 1
	},
	"why.hasSyncedPopped": func(m *moment) bool {
		return !m.inOrder() && m.role() == actor.Loop && m.unlocks.Holder() == m.id && !m.y.HasSynced() && len(m.y.Servers(nil)) == 1
	},
	"why.hasSyncedPoppedAtOnce":   func(m *moment) bool { return m.syncsAtPop() && !m.fact(event.HandlerHasSynced) },
	"why.hasSyncedPoppedHandlers": func(m *moment) bool { return m.syncsAtPop() && m.flipped() },
	"step.poppedReplacedAll":      func(m *moment) bool { d, _ := m.d.Popped(); return m.pops() == 1 && d[0].Type == event.ReplacedAll },
	"step.poppedSyncAll":          func(m *moment) bool { d, _ := m.d.Popped(); return m.pops() == 1 && d[0].Type == event.SyncAll },
	"step.poppedBookmark":         func(m *moment) bool { d, _ := m.d.Popped(); return m.pops() == 1 && d[0].Type == event.Bookmark },
	"step.poppedBatch": func(m *moment) bool {
		seen := map[int32]bool{}
		deltas, _ := m.d.Popped()
		for _, d := range deltas {
			if seen[int32(d.Key)] && d.Key != 0 {
				return false
			}
			seen[int32(d.Key)] = true
		}
		return m.pops() > 1 && int64(len(deltas)) == m.number("n") && m.y.Config().Profile.Batch
	},
	"step.poppedBatchRepeats": func(m *moment) bool {
		deltas, _ := m.d.Popped()
		return int64(-m.grew()) == m.number("n") && m.mostOfOneKey(deltas) > 1
	},
	"step.poppedOne": func(m *moment) bool {
		d, _ := m.d.Popped()
		return m.inOrder() && m.pops() == 1 && len(d) == 1 && d[0].Key == m.e.Key && d[0].Type == m.e.Delta && m.e.Key != 0
	},
	"step.popped": func(m *moment) bool {
		d, _ := m.d.Popped()
		k, _ := m.c.Queue.Row(0)
		return !m.inOrder() && m.pops() == 1 && k == m.e.Key && int64(len(d)) == m.number("n")
	},
	"why.poppedWaits":       func(m *moment) bool { return m.waits() },
	"why.poppedReplacedAll": func(m *moment) bool { return m.goesOn(actor.LoopStore) && m.popped(event.ReplacedAll) },
	"why.poppedSyncAll":     func(m *moment) bool { return m.goesOn(actor.LoopStore) && m.popped(event.SyncAll) },
	"why.poppedUnlocked": func(m *moment) bool {
		return m.unlocks.Holder() != m.id && m.goesOn(actor.LoopStore) && m.hasSingleDeltas()
	},
	"why.popped": func(m *moment) bool {
		return m.unlocks.Holder() == m.id && m.goesOn(actor.LoopStore) && m.hasSingleDeltas()
	},

	"step.loopBlocks": func(m *moment) bool {
		return m.was.PC == actor.LoopBlock && m.y.Locks[actor.BlockDeltas].Holder() == m.id && m.x.Locks[actor.BlockDeltas].Holder() != m.id
	},
	"why.loopBlocks": func(m *moment) bool { return m.goesOn(actor.LoopStore) },
	"step.hasSyncedStopping": func(m *moment) bool {
		return m.inOrder() && m.was.PC == actor.LoopRelease && m.flips() && m.y.Config().Profile.LatchedSync && !m.y.HasSynced()
	},
	"step.hasSyncedProcessed": func(m *moment) bool {
		return m.inOrder() && m.was.PC == actor.LoopRelease && m.flips() && (m.y.HasSynced() || len(m.y.Servers(nil)) > 1)
	},
	"why.hasSyncedProcessed":         func(m *moment) bool { return m.processed() && !m.fact(event.HandlerHasSynced) },
	"why.hasSyncedProcessedHandlers": func(m *moment) bool { return m.processed() && m.flipped() },
	"step.informerHasSynced":         func(m *moment) bool { return !m.x.HasSynced() && m.y.HasSynced() },
	"step.popReturns": func(m *moment) bool {
		return m.goesOn(actor.LoopPop) && m.y.Locks[actor.BlockDeltas].Holder() != m.id && m.unlocks.Holder() != m.id
	},
}

// pops is by how many rows the queue has shrunk: keys, or deltas of a RealFIFO.
func (m *moment) pops() int { return -m.grew() }

// mostOfOneKey is how many deltas the key has that has most of them.
func (m *moment) mostOfOneKey(deltas []fifo.Delta) (most int) {
	counts := map[object.Key]int{}
	for _, d := range deltas {
		if d.Key != 0 {
			counts[d.Key]++
			most = max(most, counts[d.Key])
		}
	}
	return most
}

// lastWrites holds if the step has written a batch in which a key comes again, and the cache has what the last delta of
// each key left.
func (m *moment) lastWrites() bool {
	deltas, _ := m.c.Popped()
	last := map[object.Key]fifo.Delta{}
	for _, d := range deltas {
		last[d.Key] = d
	}
	for k, d := range last {
		if r, ok := m.y.Indexer.GetByKey(k); k != 0 && (ok != (d.Type != event.Deleted) || ok && r != d.Obj) {
			return false
		}
	}
	return m.was.PC == actor.LoopStore && m.mostOfOneKey(deltas) > 1
}

// neverCached holds if an object of the batch that the step has written was cached neither before nor after.
func (m *moment) neverCached() bool {
	deltas, _ := m.c.Popped()
	return m.was.PC == actor.LoopStore && slices.ContainsFunc(deltas, func(d fifo.Delta) bool {
		_, was := m.x.Indexer.GetByKey(d.Key)
		_, is := m.y.Indexer.GetByKey(d.Key)
		return d.Key != 0 && d.Type != event.Deleted && !was && !is
	})
}

// storesFirst holds if the cache has what handlers are to hear of, each delta of it.
func (m *moment) storesFirst() bool {
	deltas, _ := m.c.Popped()
	return m.d.Remaining() > 0 && !m.fact(event.Distributed) && !m.wraps(m.e.Key) && (!m.inOrder() || m.mostOfOneKey(deltas) < 2)
}

var storeLaws = map[string]law{
	"step.storeWrittenLast": func(m *moment) bool {
		deltas, _ := m.c.Popped()
		return m.lastWrites() && int64(len(deltas)) == m.number("total") && m.number("n") < m.number("total")
	},
	"why.neverCached":      func(m *moment) bool { return m.joined(m.after) > 0 && m.neverCached() },
	"why.lastWrites":       func(m *moment) bool { return m.lastWrites() && m.joined(m.after) > 0 && !m.neverCached() },
	"why.lastWritesNobody": func(m *moment) bool { return m.lastWrites() && m.joined(m.after) == 0 },
	"step.processFailed":   func(m *moment) bool { was, is := m.cachedVersions(); return m.was.PC == actor.LoopStore && was == is },
	"why.processFailed": func(m *moment) bool {
		was, is := m.cachedVersions()
		return m.role() == actor.Loop && was == is && m.grew() == 0 && !m.fact(event.Requeued)
	},
	"step.storeWritten": func(m *moment) bool {
		d, _ := m.c.Popped()
		return int64(len(d)) >= m.number("n") && m.number("n") > 1 && m.mostOfOneKey(d) == 1
	},
	"step.storeReplaced": func(m *moment) bool {
		return m.number("n") >= int64(m.y.Indexer.Len()) && m.atomic()
	},
	"why.storeReplaced": func(m *moment) bool { d, _ := m.c.Popped(); return len(d) == 1 },
	"step.storeListed": func(m *moment) bool {
		return int64(m.y.Indexer.Len()) == m.number("n") && m.d.Remaining() == m.y.Indexer.Len()
	},
	"why.storedFirst": func(m *moment) bool {
		return m.storesFirst() && m.joined(m.after) > 0
	},
	"why.storedFirstNobody": func(m *moment) bool {
		return m.storesFirst() && m.joined(m.after) == 0
	},
	"why.storeListed": func(m *moment) bool {
		d, at := m.c.Popped()
		return d[at].Type == event.SyncAll
	},
	"step.storeBookmarked": func(m *moment) bool {
		return m.y.Config().Profile.RealFIFO.EmitBookmark && m.x.Indexer.Len() == m.y.Indexer.Len()
	},
	"why.storeBookmarked": func(m *moment) bool { return m.was.PC == actor.LoopStore && m.d.Remaining() == 0 },
	"step.storeAdded":     func(m *moment) bool { was, is := m.cachedVersions(); return was == 0 && is == m.e.New && is != 0 },
	"step.storeUpdatedSame": func(m *moment) bool {
		was, is := m.cachedVersions()
		t := m.y.Config().Table
		return m.was.PC == actor.LoopStore && was != 0 && is != 0 && t.RVOf(was) == t.RVOf(is)
	},
	"step.storeUpdated": func(m *moment) bool {
		was, is := m.cachedVersions()
		return was == m.e.Old && is == m.e.New && was != 0 && is != 0 && !m.sameVersion() && m.text(m.y.Config().Table.RVOf(is)) == m.rv()
	},
	"step.storeDeletedAbsent": func(m *moment) bool { was, is := m.cachedVersions(); return was == 0 && is == 0 },
	"step.storeDeleted":       func(m *moment) bool { was, is := m.cachedVersions(); return was != 0 && is == 0 },
}
