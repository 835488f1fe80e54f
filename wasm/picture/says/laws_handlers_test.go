package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

var userLaws = map[string]law{
	"step.informerStartedStopped": func(m *moment) bool { return m.role() == actor.User && m.y.Queue.Closed() },
	"step.informerStartedAgain":   func(m *moment) bool { return len(m.y.Servers(nil)) == len(m.x.Servers(nil))+1 },
	"why.informerStartedAgain":    func(m *moment) bool { return m.y.Config().Profile.Name == world.Classic.Name },
	"step.informerStarted":        func(m *moment) bool { return m.started() },
	"why.informerStarted":         func(m *moment) bool { return m.started() },
	"step.callRefused":            func(m *moment) bool { _, b := m.listener(); return !b.Joined && m.y.Stopped() },
	"step.listenerAdded": func(m *moment) bool {
		a, b := m.listener()
		return !a.Joined && b.Joined && m.y.Locks[actor.BlockDeltas].Holder() == m.id
	},
	"why.listenerAdded":         func(m *moment) bool { return m.y.Indexer.Len() > 0 && m.goesOn(actor.UserInitial) },
	"why.listenerAddedEmpty":    func(m *moment) bool { return m.y.Indexer.Len() == 0 },
	"step.listenerRemoved":      func(m *moment) bool { a, b := m.listener(); return a.Joined && b.Removed && a.Pending() == 0 },
	"step.listenerRemovedLoses": func(m *moment) bool { a, b := m.listener(); return a.Joined && b.Removed && m.number("n") > 0 },
	"step.initialToSlot":        func(m *moment) bool { return m.sent() && m.initial() },
	"step.initialToPending":     func(m *moment) bool { _, b := m.listener(); return m.initial() && int64(b.Pending()) == m.number("n") },
	"why.initial":               func(m *moment) bool { return m.y.Locks[actor.BlockDeltas].Holder() == m.id },
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
		return m.x.Locks[actor.BlockDeltas].Holder() == m.id && m.after.Set.State(loop).Wait != actor.Stopped
	},
	"step.removesNothing": func(m *moment) bool {
		return m.role() == actor.User && m.y.Locks[actor.BlockDeltas].Holder() == m.id && m.joined(m.before) == m.joined(m.after)
	},
	"step.addsNothing": func(m *moment) bool { return m.x.Stopped() && m.joined(m.before) == m.joined(m.after) },
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

// initial holds if the cache holds the object that a late handler is sent.
func (m *moment) initial() bool {
	_, is := m.holds()
	return is != 0 && m.role() == actor.User
}

// sent holds if the told listener has taken one more notification.
func (m *moment) sent() bool {
	a, b := m.listener()
	return b.Taken == a.Taken+1
}

var listenerLaws = map[string]law{
	"step.distributedNobody": func(m *moment) bool {
		return m.taken() == 0 && !m.syncing() && m.joined(m.after) > 0 || m.taken() == 0 && m.joined(m.after) == 0
	},
	"why.sameToNobody":           func(m *moment) bool { return m.same() && !m.syncing() },
	"why.resyncToNobody":         func(m *moment) bool { return m.delta() == event.Sync && !m.syncing() },
	"step.distributedNoHandlers": func(m *moment) bool { return m.taken() == 0 && m.joined(m.after) == 0 },
	"step.sentTombstone":         func(m *moment) bool { return m.sent() && m.e.New == 0 },
	"step.sentSync":              func(m *moment) bool { a, _ := m.listener(); return m.sent() && a.Syncing },
	"why.sentResync":             func(m *moment) bool { a, _ := m.listener(); return a.Syncing && m.delta() == event.Sync },
	"why.sentRelist":             func(m *moment) bool { a, _ := m.listener(); return a.Syncing && m.delta() == event.Replaced },
	"why.sentSame": func(m *moment) bool {
		a, _ := m.listener()
		return a.Syncing && (m.delta() == event.Updated || m.delta() == event.Added)
	},
	"step.sentToPending": func(m *moment) bool {
		a, b := m.listener()
		return m.sent() && b.Pending() == a.Pending()+1 && int64(b.Pending()) == m.number("n")
	},
	"why.listenerPending": func(m *moment) bool { _, b := m.listener(); return b.Pending() > 0 },
	"step.sentToSlot":     func(m *moment) bool { a, b := m.listener(); return m.sent() && a.Pending() == b.Pending() },

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

	"step.handlerCalledUpdatedResync":    func(m *moment) bool { return m.called() && m.same() },
	"step.handlerCalledUpdatedResynced":  func(m *moment) bool { return m.called() && !m.same() && m.e.Old != 0 },
	"why.handlerResynced":                func(m *moment) bool { return len(m.y.Servers(nil)) > 1 && m.e.Cause == event.FromResync },
	"why.handlerResync":                  func(m *moment) bool { return m.same() && m.e.Cause == event.FromResync },
	"step.handlerCalledUpdatedSame":      func(m *moment) bool { return m.called() && m.same() },
	"why.handlerRelist":                  func(m *moment) bool { return m.same() && m.e.Cause == event.FromList },
	"why.handlerSame":                    func(m *moment) bool { return m.same() && m.e.Cause == event.FromWatch },
	"step.handlerCalledUpdated":          func(m *moment) bool { return m.called() && m.e.Old != 0 && m.e.New != 0 },
	"why.handlerListed":                  func(m *moment) bool { return m.listed() && !m.older() },
	"why.handlerListedOlder":             func(m *moment) bool { return m.listed() && m.older() },
	"step.handlerCalledDeletedTombstone": func(m *moment) bool { return m.called() && m.e.New == 0 },
	"step.handlerCalledDeleted":          func(m *moment) bool { return m.called() && m.e.New == 0 },
	"step.handlerCalledAdded":            func(m *moment) bool { return m.called() && m.e.Old == 0 },
	"why.handlerFromCache": func(m *moment) bool {
		_, b := m.listener()
		marked := m.e.Flags&event.IsInInitialList != 0 // v0.22 has no such mark
		return marked == m.y.Config().Profile.InitialList && m.e.Delta == event.Added && b.Made > 0
	},
	"why.handlerTakes": func(m *moment) bool {
		return m.is.Wait == actor.OnCall && m.number("took") == m.after.Set.At(m.id)-m.after.Now()
	},
	"why.handlerHasSynced":     func(m *moment) bool { _, b := m.listener(); return b.Upstream && b.Initial == 0 },
	"step.handlerReturnedLast": func(m *moment) bool { return m.role() == actor.Run && m.stopping() },
	"step.handlerReturned": func(m *moment) bool {
		return m.role() == actor.Run && m.is.PC == actor.RunReceive || m.goesOn(actor.RunCall)
	},
}

// taken is how many notifications all listeners have taken in the step.
func (m *moment) taken() (n int64) {
	for i := range m.y.Processor.Listeners {
		n += m.y.Processor.Listeners[i].Taken - m.x.Processor.Listeners[i].Taken
	}
	return n
}

// same holds if old and new have one version.
func (m *moment) same() bool {
	t := m.y.Config().Table
	return m.e.Old != 0 && m.e.New != 0 && t.RVOf(m.e.Old) == t.RVOf(m.e.New)
}

// sentOf is the type of the delta of which the notification was made with which the
// listener is called.
func (m *moment) sentOf() event.Delta {
	return m.past.sent[delivery{m.y.Index(), m.e.Handler(), m.e.Old, m.e.New}]
}

// listed holds if the handler is called with another version, which a list has brought.
func (m *moment) listed() bool {
	return m.called() && m.e.Old != 0 && m.e.New != 0 && !m.same() && m.sentOf() == event.Replaced
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
		if m.y.Config().Profile.Batch && d.Key == k {
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

func (m *moment) called() bool {
	a, b := m.listener()
	return b.Calls == a.Calls+1 && m.role() == actor.Run
}
