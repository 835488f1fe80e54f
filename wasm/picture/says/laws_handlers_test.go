//go:build !js

package says

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/world"
)

var userLaws = map[string]law{
	"step.informerStartedStopped": func(m *moment) bool { return m.pc == actor.UserRun && m.y.Queue.Closed() },
	"step.informerStartedAgain":   func(m *moment) bool { return len(m.y.Servers(nil)) == len(m.x.Servers(nil))+1 },
	"why.informerStartedAgain": func(m *moment) bool {
		return m.y.Config().Profile.Name == world.Classic.Name && len(m.y.Servers(nil)) == len(m.x.Servers(nil))+1
	},
	"step.informerStarted": func(m *moment) bool { return m.started() },
	"why.informerStarted":  func(m *moment) bool { return m.started() },
	"step.callRefused":     func(m *moment) bool { _, b := m.listener(); return !b.Joined && m.y.Stopped() },
	"step.listenerAdded": func(m *moment) bool {
		a, b := m.listener()
		return !a.Joined && b.Joined && m.y.Locks[actor.BlockDeltas].Holder() == m.id
	},
	"why.listenerAdded":         func(m *moment) bool { return m.y.Indexer.Len() > 0 && m.goesOn(actor.UserInitial) },
	"why.listenerAddedEmpty":    func(m *moment) bool { return m.y.Indexer.Len() == 0 },
	"step.listenerRemoved":      func(m *moment) bool { return m.removes() && m.undelivered() == 0 },
	"step.listenerRemovedLoses": func(m *moment) bool { return m.removes() && m.undelivered() == m.number("n") && m.number("n") > 0 },
	"step.initialToSlot":        func(m *moment) bool { return m.sent() && m.initial() },
	"step.initialToPending":     func(m *moment) bool { _, b := m.listener(); return m.initial() && int64(b.Pending()) == m.number("n") },
	"why.initial":               func(m *moment) bool { return m.role() == actor.User && m.y.Locks[actor.BlockDeltas].Holder() == m.id },
	"step.handlerHasSynced":     func(m *moment) bool { a, b := m.listener(); return !a.Synced && b.Synced },
	"why.handlerHasSyncedAtOnce": func(m *moment) bool {
		_, b := m.listener()
		return m.role() == actor.User && b.Initial == 0 && m.y.Queue.HasSynced()
	},
	"step.callReturns": func(m *moment) bool {
		return m.x.Locks[actor.BlockDeltas].Holder() == m.id && m.y.Locks[actor.BlockDeltas].Holder() != m.id
	},
	"why.callReturns": func(m *moment) bool {
		_, _, _, loop := m.y.Actors()
		return m.role() == actor.User && m.x.Locks[actor.BlockDeltas].Holder() == m.id && m.after.Set.State(loop).Wait != actor.Stopped
	},
	"step.removesNothing": func(m *moment) bool {
		return m.role() == actor.User && m.y.Locks[actor.BlockDeltas].Holder() == m.id && m.joined(m.before) == m.joined(m.after)
	},
	"step.addsNothing": func(m *moment) bool {
		return m.x.Stopped() && m.joined(m.before) == m.joined(m.after) && m.y.Locks[actor.BlockDeltas].Holder() != m.id
	},
}

// started holds if the process loop of the first call of Run begins.
func (m *moment) started() bool {
	_, _, _, loop := m.y.Actors()
	return m.before.Set.State(loop).Wait == actor.Stopped && m.after.Set.State(loop).Wait != actor.Stopped
}

// joined is how many listeners there are.
func (m *moment) joined(w *world.World) int {
	n := 0
	for i := range w.Informers[m.y.Index()].Processor.Listeners {
		if w.Informers[m.y.Index()].Processor.Listeners[i].Joined {
			n++
		}
	}
	return n
}

// silent is how many listeners there are whose goroutines don't run.
func (m *moment) silent(w *world.World) int {
	n := 0
	for i := range w.Informers[m.y.Index()].Processor.Listeners {
		l := &w.Informers[m.y.Index()].Processor.Listeners[i]
		if l.Joined && w.Set.State(l.PairAt(0).Pop).Wait == actor.Stopped {
			n++
		}
	}
	return n
}

// initial holds if the cache holds the object that a late handler is sent.
func (m *moment) initial() bool {
	_, is := m.cachedVersions()
	return is != 0 && m.role() == actor.User
}

// sent holds if the told listener has taken one more notification.
func (m *moment) sent() bool {
	a, b := m.listener()
	return b.Received == a.Received+1
}

var listenerLaws = map[string]law{
	"step.distributedNobody":     func(m *moment) bool { return m.notificationsTaken() == 0 && !m.syncing() && m.joined(m.after) > 0 },
	"why.sameToNobody":           func(m *moment) bool { return m.sameVersion() && !m.syncing() && m.delta() != event.Sync },
	"why.resyncToNobody":         func(m *moment) bool { return m.delta() == event.Sync && !m.syncing() },
	"step.distributedNoHandlers": func(m *moment) bool { return m.notificationsTaken() == 0 && m.joined(m.after) == 0 },
	"step.distributedUnheard": func(m *moment) bool {
		return m.role() == actor.Loop && m.notificationsTaken() == 0 && m.is.Wait == actor.OnSend && m.silent(m.after) == m.joined(m.after)
	},
	"why.distributedUnheard": func(m *moment) bool {
		return m.is.Wait == actor.OnSend && m.y.Locks[actor.ListenersLock].Holder() == m.id && m.y.Locks[actor.BlockDeltas].Holder() == m.id
	},
	"step.awaitsListeners": func(m *moment) bool {
		return m.role() == actor.Loop && m.is.Wait == actor.OnCond && m.silent(m.after) == m.joined(m.after) && m.joined(m.after) > 0
	},
	"why.awaitsListeners": func(m *moment) bool {
		return m.is.Wait == actor.OnCond && m.goesOn(actor.LoopLock) && m.y.Locks[actor.ListenersLock].Holder() == actor.Nobody
	},
	"step.initialUnheard": func(m *moment) bool {
		return m.role() == actor.User && m.is.Wait == actor.OnSend && m.silent(m.after) == m.joined(m.after)
	},
	"step.listenersStarted": func(m *moment) bool {
		return m.role() == actor.Processor && m.silent(m.after) == 0 && m.silent(m.before) == m.joined(m.after) && int64(m.joined(m.after)) == m.number("n")
	},
	"step.sentTombstone": func(m *moment) bool { return m.sent() && m.e.New == 0 },
	"step.sentSync":      func(m *moment) bool { return m.sent() && m.updates() && m.listenerAfter().Syncing },
	"why.sentResync":     func(m *moment) bool { return m.listenerAfter().Syncing && m.updates() && m.delta() == event.Sync },
	"why.sentRelist":     func(m *moment) bool { return m.listenerAfter().Syncing && m.updates() && m.delta() == event.Replaced },
	"why.sentSame": func(m *moment) bool {
		return m.listenerAfter().Syncing && m.updates() && (m.delta() == event.Updated || m.delta() == event.Added)
	},
	"step.sentToPending": func(m *moment) bool {
		a, b := m.listener()
		return m.role() == actor.Loop && m.sent() && b.Pending() == a.Pending()+1 && int64(b.Pending()) == m.number("n")
	},
	"why.listenerPending": func(m *moment) bool { return m.role() == actor.Loop && m.listenerAfter().Pending() > 0 },
	"step.sentToSlot": func(m *moment) bool {
		a, b := m.listener()
		return m.role() == actor.Loop && m.sent() && a.Pending() == b.Pending()
	},

	"why.sentToSlot": func(m *moment) bool { return m.role() == actor.Loop && m.is.Wait == actor.Ready },
	"step.listenerNextCh": func(m *moment) bool {
		_, b := m.listener()
		for j := range b.Pairs() {
			if n := b.PairAt(j).InHand; n.Key == m.e.Key && n.New == m.e.New {
				return true
			}
		}
		return false
	},
	"step.popOvertaken": func(m *moment) bool {
		return m.role() == actor.Pop && len(m.y.Servers(nil)) > 1 && m.is.Wait == actor.OnSend
	},

	"step.handlerCalledUpdatedResync":   func(m *moment) bool { return m.called() && m.sameVersion() && m.sentAs(event.Sync) },
	"step.handlerCalledUpdatedResynced": func(m *moment) bool { return m.called() && m.updates() && !m.sameVersion() && m.sentAs(event.Sync) },
	"why.handlerResynced": func(m *moment) bool {
		return len(m.y.Servers(nil)) > 1 && m.updates() && !m.sameVersion() && m.sentAs(event.Sync)
	},
	"why.handlerResync":                  func(m *moment) bool { return m.sameVersion() && m.sentAs(event.Sync) },
	"step.handlerCalledUpdatedSame":      func(m *moment) bool { return m.called() && m.unchanged() && !m.sentAs(event.Sync) },
	"why.handlerRelist":                  func(m *moment) bool { return m.unchanged() && m.sentAs(event.Replaced) },
	"why.handlerSame":                    func(m *moment) bool { return m.unchanged() && (m.sentAs(event.Updated) || m.sentAs(event.Added)) },
	"step.handlerCalledUpdated":          func(m *moment) bool { return m.called() && m.updates() && !m.unchanged() && !m.sentAs(event.Sync) },
	"why.handlerListed":                  func(m *moment) bool { return m.listed() && !m.older() },
	"why.handlerListedOlder":             func(m *moment) bool { return m.listed() && m.older() },
	"step.handlerCalledDeletedTombstone": func(m *moment) bool { return m.called() && m.e.New == 0 && m.sentAs(tombstone) },
	"step.handlerCalledDeleted":          func(m *moment) bool { return m.called() && m.e.New == 0 && !m.sentAs(tombstone) },
	"step.handlerCalledAdded":            func(m *moment) bool { return m.called() && m.e.Old == 0 && m.e.Delta == event.Added },
	"why.handlerFromCache": func(m *moment) bool {
		marked := m.e.Flags&event.IsInInitialList != 0 // before v0.27 there is no such mark
		return m.e.Old == 0 && marked == m.y.Config().Profile.InitialList && m.sentAs(fromCache)
	},
	"why.handlerTakes": func(m *moment) bool {
		return m.is.Wait == actor.OnCall && m.number("took") == m.after.Set.ReadyAt(m.id)-m.after.Now()
	},
	"why.handlerHasSynced": func(m *moment) bool {
		return m.role() == actor.Run && m.listenerAfter().Upstream && m.listenerAfter().Initial == 0
	},
	"step.handlerReturnedLast": func(m *moment) bool { return m.role() == actor.Run && m.stopping() },
	"step.handlerReturned": func(m *moment) bool {
		return m.role() == actor.Run && m.is.PC == actor.RunReceive || m.goesOn(actor.RunCall)
	},
}

// notificationsTaken is how many notifications all listeners have taken in the step.
func (m *moment) notificationsTaken() (n int64) {
	for i := range m.y.Processor.Listeners {
		n += m.y.Processor.Listeners[i].Received - m.x.Processor.Listeners[i].Received
	}
	return n
}

// sameVersion holds if old and new have one version.
func (m *moment) sameVersion() bool {
	t := m.y.Config().Table
	return m.e.Old != 0 && m.e.New != 0 && t.RVOf(m.e.Old) == t.RVOf(m.e.New)
}

// originOf is what the notification is made of that a listener takes.
func (m *moment) originOf(e event.Event) event.Delta {
	switch {
	case m.role() == actor.User:
		return fromCache
	case m.role() != actor.Loop:
		return event.None // by hand
	}
	d := m.deltaOf(e.Key)
	if e.New == 0 && (d == event.Replaced || m.wraps(e.Key)) {
		return tombstone
	}
	return d
}

// sentAs holds if the notification with which the handler is called was made of a delta of the type.
func (m *moment) sentAs(d event.Delta) bool {
	made := m.past.sent[delivery{m.y.Index(), m.e.Handler(), m.e.Old, m.e.New}]
	if m.listenerAfter().Pairs() > 1 { // two calls of Run: one run overtakes another, and only the fact can tell
		return m.e.Cause == causeOf(d, m.e)
	}
	return len(made) > 0 && made[0] == d
}

// causeOf is where a notification comes from that was made of a delta of the type.
func causeOf(d event.Delta, e event.Event) event.Cause {
	switch d {
	case event.Sync:
		return event.FromResync
	case event.Replaced:
		return event.FromList
	case tombstone:
		if e.Flags&event.Tombstone == 0 {
			return event.NoCause
		}
		return event.FromList
	case fromCache:
		return event.FromCache
	}
	return event.FromWatch
}

// wraps holds if the key's delta in the process loop's hands holds a DeletedFinalStateUnknown.
func (m *moment) wraps(k object.Key) bool {
	deltas, at := m.c.Popped()
	if m.y.Config().Profile.Batch && m.inOrder() {
		return slices.ContainsFunc(deltas, func(d fifo.Delta) bool { return d.Key == k && d.Tomb > 0 })
	}
	return deltas[at].Tomb > 0
}

// listed holds if the handler is called with another version, which a list has brought.
func (m *moment) listed() bool {
	return m.called() && m.updates() && !m.sameVersion() && m.sentAs(event.Replaced)
}

func (m *moment) updates() bool { return m.e.Old != 0 && m.e.New != 0 }

// unchanged holds if only listeners marked as syncing get the update, because its version is the old one.
func (m *moment) unchanged() bool {
	return m.sameVersion() && !m.y.Distributes() && (m.y.Config().Profile.SyncByRV || m.sentAs(event.Replaced))
}

// listenerAfter is the listener that the fact is about, after the step.
func (m *moment) listenerAfter() *processor.Listener { _, b := m.listener(); return b }

// removes holds if the listener leaves.
func (m *moment) removes() bool { a, b := m.listener(); return a.Joined && b.Removed && !b.Joined }

// undelivered is how many notifications the listener had taken before the step, and not handed to run.
func (m *moment) undelivered() int64 {
	a, _ := m.listener()
	n := int64(a.Pending())
	for j := range a.Pairs() {
		if a.PairAt(j).Slot.Type != 0 {
			n++
		}
	}
	return n
}

// older holds if the new object has a smaller resourceVersion than the old one.
func (m *moment) older() bool {
	t := m.y.Config().Table
	was, _ := t.RVOf(m.e.Old).Number()
	is, ok := t.RVOf(m.e.New).Number()
	return ok && is < was
}

// delta is the type of the delta that the process loop makes the told notification of.
func (m *moment) delta() event.Delta { return m.deltaOf(m.e.Key) }

// deltaOf is the type of the delta that the process loop makes notifications of. A batch
// has several, of different keys.
func (m *moment) deltaOf(k object.Key) event.Delta {
	deltas, at := m.c.Popped()
	for _, d := range deltas {
		if m.y.Config().Profile.Batch && m.inOrder() && d.Key == k {
			return plainDelta(d.Type)
		}
	}
	return plainDelta(deltas[at].Type)
}

// plainDelta is the type that a delta of a whole list stands for.
func plainDelta(d event.Delta) event.Delta {
	switch d {
	case event.ReplacedAll:
		return event.Replaced
	case event.SyncAll:
		return event.Sync
	}
	return d
}

// called holds if the handler is called, and returns some time.
func (m *moment) called() bool { return m.calls() && !m.forever() }

func (m *moment) calls() bool {
	a, b := m.listener()
	return b.Calls == a.Calls+1 && m.role() == actor.Run
}

func (m *moment) forever() bool {
	return m.is.Wait == actor.OnCall && m.after.Set.ReadyAt(m.id) == actor.Never
}
