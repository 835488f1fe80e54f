package picture

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

var outsideLaws = map[string]law{
	"why.serverGoesOn": func(m *moment) bool {
		return m.before.Simulated(m.x.Index()) == nil && m.after.Simulated(m.y.Index()) != nil
	},
	"step.objectWrittenAdded":   func(m *moment) bool { return m.command() && m.written() != 0 && m.e.Old == 0 },
	"step.objectWrittenUpdated": func(m *moment) bool { return m.command() && m.written() != 0 && m.e.Old != 0 },
	"step.objectWrittenDeleted": func(m *moment) bool { return m.command() && m.written() == 0 },
	"step.serverCompacted":      func(m *moment) bool { return m.number("rv") == m.after.Simulated(m.y.Index()).Compacted() },
	"step.serverRestarted":      func(m *moment) bool { return m.command() && m.number("took") >= 0 },
	"step.serverRestored":       func(m *moment) bool { return m.after.Revision(m.y.Index()) == m.number("rv") },
	"step.serverLagsAlways":     func(m *moment) bool { return m.e.N < 0 },
	"step.serverLagsNo":         func(m *moment) bool { return m.command() && m.e.N == 0 },
	"step.serverLags":           func(m *moment) bool { return m.e.N > 0 && m.number("took") == m.e.N },
	"step.requestsFailAlways":   func(m *moment) bool { return m.e.N < 0 },
	"step.requestsFailNo":       func(m *moment) bool { return m.command() && m.e.N == 0 },
	"step.requestsFailOnce":     func(m *moment) bool { return m.e.N == 1 },
	"step.requestsFail":         func(m *moment) bool { return m.e.N > 1 && m.number("n") == m.e.N },
	"step.watchCutNone":         func(m *moment) bool { return m.x.Server.State() != apiserver.Open },
	"step.watchCut":             func(m *moment) bool { return m.command() && m.watching() },
	"step.watchSilencedNone":    func(m *moment) bool { return m.x.Server.State() != apiserver.Open },
	"step.watchSilenced":        func(m *moment) bool { return m.command() && m.watching() },
	"step.stopRequested":        func(m *moment) bool { return m.command() },
	"step.handlerRequested":     func(m *moment) bool { return len(m.y.Config().Handlers) == len(m.x.Config().Handlers)+1 },
	"step.removalRequestedMissing": func(m *moment) bool {
		a, b := m.listener()
		return a.Joined == b.Joined && !m.y.Config().Profile.Registrations
	},
	"step.removalRequested": func(m *moment) bool { return m.command() && m.y.Config().Profile.Registrations },
	"step.handlerPaced":     func(m *moment) bool { return m.y.Config().Handlers[m.e.Handler()].Takes == m.number("took") },
	"step.runRequestedRefused": func(m *moment) bool {
		return m.command() && m.before.Set.Len() == m.after.Set.Len() && m.y.Config().Profile.RunsOnce
	},
	"step.runRequested":            func(m *moment) bool { return m.after.Set.Len() > m.before.Set.Len() },
	"why.runRequested":             func(m *moment) bool { return !m.y.Config().Profile.RunsOnce },
	"step.handlerBlocks":           func(m *moment) bool { return m.handler().Takes == informer.Forever },
	"step.handlerPanics":           func(m *moment) bool { return m.handler().Panics && !m.handler().Blind },
	"step.handlerBlind":            func(m *moment) bool { return !m.handler().Panics && m.handler().Blind },
	"step.handlerAsserts":          func(m *moment) bool { return m.handler().Panics && m.handler().Blind },
	"step.handlerMended":           func(m *moment) bool { return !m.handler().Panics && !m.handler().Blind },
	"step.reconcilesFailNo":        func(m *moment) bool { return m.command() && m.y.Work.Failing.Left == 0 && m.x.Work.Failing.Left != 0 },
	"step.reconcilesFailAlways":    func(m *moment) bool { return m.fails(-1) && m.e.Key == 0 },
	"step.reconcilesFailAlwaysKey": func(m *moment) bool { return m.fails(-1) && m.e.Key != 0 },
	"step.reconcilesFail":          func(m *moment) bool { return m.fails(m.number("n")) && m.e.Key == 0 },
	"step.reconcilesFailKey":       func(m *moment) bool { return m.fails(m.number("n")) && m.e.Key != 0 },
	"step.indexRequestedRefused":   func(m *moment) bool { return m.y.Indexer.Indices() == m.x.Indexer.Indices() },
	"step.indexRequested":          func(m *moment) bool { return m.y.Indexer.Indices() == m.x.Indexer.Indices()+1 },
	"step.keysRefused":             func(m *moment) bool { return m.y.Config().RefusesTombstones },
	"step.processKilled": func(m *moment) bool {
		return m.y.Indexer.Len() == 0 && m.y.Queue.Depth() == 0 && m.y.Work.Queue.Len() == 0 && !m.y.HasSynced() && m.y.Crash() == nil
	},
	"step.nextDropped":     func(m *moment) bool { return m.d.Way.Next() == apiserver.Drop },
	"step.nextDelayed":     func(m *moment) bool { return m.d.Way.Next() == apiserver.Delay && m.number("took") == m.e.N },
	"step.nextDuplicated":  func(m *moment) bool { return m.d.Way.Next() == apiserver.Duplicate },
	"step.nextSpoilt":      func(m *moment) bool { return m.d.Way.Next() >= apiserver.LoseMeta && m.args["reason"].V != "" },
	"step.nextSwapped":     func(m *moment) bool { return m.d.Way.Next() == apiserver.Swap },
	"step.initialWithheld": func(m *moment) bool { return m.d.Way.Withholds() },
	"step.watchEventLost":  func(m *moment) bool { return m.unseen() && m.c.Way.Next() == apiserver.Drop && m.d.Way.Next() == 0 },
	"why.watchEventLost":   func(m *moment) bool { return m.c.Reflector.RV() == m.d.Reflector.RV() },
	"step.watchEventHeld": func(m *moment) bool {
		return m.unseen() && (m.c.Way.Next() == apiserver.Delay || m.c.Way.Next() == apiserver.Swap) && m.d.Way.Next() == 0
	},
	"step.initialEndLost":       func(m *moment) bool { return m.unseen() && m.c.Way.Withholds() && !m.d.Way.Withholds() },
	"why.initialEndLost":        func(m *moment) bool { return m.d.Reflector.Streaming() },
	"step.handlerCalledForever": func(m *moment) bool { return m.is.Wait == actor.OnCall && m.after.Set.At(m.id) == actor.Never },
	"step.handlerPanicked":      func(m *moment) bool { return m.handler().Panics && m.y.Crash() != nil && len(m.after.Ready(nil)) == 0 },
	"why.handlerPanicked":       func(m *moment) bool { return m.role() == actor.Run },
	"step.tombstoneIgnored": func(m *moment) bool {
		return m.handler().Blind && m.x.Work.Queue.Len() == m.y.Work.Queue.Len() && m.pc == actor.RunReturn
	},
	"why.tombstoneIgnored": func(m *moment) bool {
		_, kept := m.y.Indexer.GetByKey(m.e.Key)
		return !kept || m.past.missing[m.y.Index()][m.e.Key]
	},
	"step.factoryStarted": func(m *moment) bool {
		return m.command() && m.number("n") == int64(waiting(m.before)) && waiting(m.after) == 0
	},
	"why.factoryStarted": func(m *moment) bool {
		for _, x := range m.after.Informers {
			if user, _, _, _ := x.Actors(); m.after.Set.State(user) != m.before.Set.State(user) && m.after.Set.State(user).PC != actor.UserRun {
				return false
			}
		}
		return waiting(m.before) > 0
	},
	"step.factoryStartedNone": func(m *moment) bool { return m.command() && waiting(m.before) == 0 },
	"why.factoryStartedNone": func(m *moment) bool {
		return slices.ContainsFunc(m.after.Informers, func(x *informer.Informer) bool { return x.Config().Factory && x.Started() })
	},
	"step.cacheMutated": func(m *moment) bool {
		r, ok := m.y.Indexer.GetByKey(m.e.Key)
		return ok && m.y.Indexer.Read(r) == m.e.New
	},
	"why.cacheMutated": func(m *moment) bool {
		return m.command() && m.e.Old != m.e.New && m.c.Queue.Counters() == m.d.Queue.Counters()
	},
	"step.timePasses": func(m *moment) bool { return m.command() && m.after.Horizon() == m.number("until") },
	"step.timePassed": func(m *moment) bool {
		return m.command() && m.after.Now() == m.number("until") && m.after.Horizon() == 0
	},
	"step.stepsTakeNoTime": func(m *moment) bool { return m.after.Set.Costs == actor.Costs{} },
}

// waiting is how many informers wait for their factory's Start.
func waiting(w *world.World) (n int) {
	for _, x := range w.Informers {
		if !x.Started() {
			n++
		}
	}
	return n
}

// handler is the one that the fact is about.
func (m *moment) handler() *informer.Handler { return &m.y.Config().Handlers[m.e.Handler()] }

// fails holds if the next n reconciles fail that end with the fact's key.
func (m *moment) fails(n int64) bool {
	f := m.y.Work.Failing
	return m.command() && m.y.Reconciles() && n != 0 && f.Left == n && f.Key == m.e.Key
}

// unseen holds if the reflector has taken nothing in.
func (m *moment) unseen() bool {
	return m.c.Reflector.RV() == m.d.Reflector.RV() && m.c.Queue.Counters() == m.d.Queue.Counters() && m.x.Listed() == m.y.Listed()
}

// written is what the API server holds of the written object.
func (m *moment) written() int32 {
	return int32(m.after.Simulated(m.y.Index()).Get(m.e.Key))
}

var handLaws = map[string]law{
	"step.hasSyncedRequeued": func(m *moment) bool { return m.hand() && m.flips() && m.grew() == 0 },
	"why.hasSyncedRequeued":  func(m *moment) bool { return m.d.Queue.Find(m.e.Key) >= 0 || m.d.Queue.Depth() > 0 },
	"step.hasSyncedByHand":   func(m *moment) bool { return m.hand() && m.flips() && m.pops() == 1 },
	"why.hasSyncedByHand":    func(m *moment) bool { return m.flips() && m.d.Queue.InitialPopulationCount() == 0 },
	"step.hasSyncedRefused":  func(m *moment) bool { return m.hand() && m.flips() && m.grew() == 0 && m.after.Returned.Err != nil },
	"step.hasSyncedIgnored":  func(m *moment) bool { return m.hand() && m.flips() && m.grew() == 0 },
	"step.distributedByHand": func(m *moment) bool {
		for i := range m.y.Processor.Listeners {
			if a, b := &m.x.Processor.Listeners[i], &m.y.Processor.Listeners[i]; b.Joined && b.Taken != a.Taken+1 {
				return false
			}
		}
		return m.command() && m.y.Distributes()
	},
	"why.distributedByHand": func(m *moment) bool {
		for i := range m.y.Processor.Listeners {
			if l := &m.y.Processor.Listeners[i]; l.Joined && l.Pairs() != 1 {
				return false
			}
		}
		return true
	},
	"step.workReadySeveral": func(m *moment) bool {
		return m.hand() && m.number("n") > 1 && int64(m.x.Work.Queue.WaitingLen()) >= m.number("n")
	},
	"step.retried": func(m *moment) bool {
		return m.hand() && m.added() == m.number("n") && m.d.Queue.Find(m.e.Key) == m.d.Queue.Depth()-1 && m.c.Queue.Find(m.e.Key) < 0
	},
	"step.retrySkipped": func(m *moment) bool { return m.hand() && m.added() == 0 },
	"why.retrySkipped":  func(m *moment) bool { return m.c.Queue.Find(m.e.Key) >= 0 },
	"step.requeued": func(m *moment) bool {
		return m.hand() && m.grew() == 0 && m.d.Queue.Find(m.e.Key) == m.d.Queue.Depth()-1
	},
	"why.requeued":                 func(m *moment) bool { return m.d.Queue.Find(m.e.Key) >= 0 },
	"step.poppedByHandOne":         func(m *moment) bool { return m.hand() && m.pops() == 1 && m.inOrder() && m.e.Key != 0 },
	"step.poppedByHandAll":         func(m *moment) bool { return m.hand() && m.pops() == 1 && m.e.Key == 0 },
	"step.poppedByHand":            func(m *moment) bool { return m.hand() && m.pops() == 1 && !m.inOrder() },
	"why.poppedByHand":             func(m *moment) bool { return m.hand() && m.c.Queue.Find(m.e.Key) == 0 && m.d.Queue.Find(m.e.Key) < 0 },
	"step.popWaitsByHand":          func(m *moment) bool { return m.hand() && m.c.Queue.Depth() == 0 && m.grew() == 0 },
	"step.replacedByHandTombstone": func(m *moment) bool { return m.hand() && m.added() == m.number("n") },
	"step.replacedByHand":          func(m *moment) bool { return m.hand() && m.added() == m.number("n") },
	"step.resyncedByHand":          func(m *moment) bool { return m.hand() && m.grew() > 0 },
	"step.resyncedByHandAll":       func(m *moment) bool { return m.hand() && m.grew() == 1 },
	"step.byHandNothing":           func(m *moment) bool { return m.hand() && m.grew() == 0 },
	"step.queueClosed":             func(m *moment) bool { return m.hand() && m.y.Queue.Closed() },

	"step.workGotByHand":          func(m *moment) bool { return m.hand() && m.y.Work.Queue.IsProcessing(m.e.Key) },
	"step.workGetWaitsByHand":     func(m *moment) bool { return m.hand() && m.x.Work.Queue.Len() == 0 },
	"step.workDoneByHandRequeued": func(m *moment) bool { return m.hand() && m.requeued() },
	"step.workDoneByHand":         func(m *moment) bool { return m.hand() && !m.y.Work.Queue.IsProcessing(m.e.Key) && !m.requeued() },
	"step.workRateLimited": func(m *moment) bool {
		return m.limited() && int64(m.y.Work.Queue.NumRequeues(m.e.Key)) == m.number("n")
	},
	"step.workRateLimitedKept": func(m *moment) bool {
		return m.limited() && int64(m.y.Work.Queue.NumRequeues(m.e.Key)) == m.number("n")
	},
	"step.workForgotten": func(m *moment) bool {
		return m.hand() && m.y.Work.Queue.NumRequeues(m.e.Key) == 0 && m.work(0) && m.grew() == 0
	},
	"step.workShutDown": func(m *moment) bool { return !m.x.Work.Queue.ShuttingDown() && m.y.Work.Queue.ShuttingDown() },
}

func (m *moment) hand() bool { return m.command() && m.after.ByHand() }

// limited holds if the rate limiter has counted the told key once more.
func (m *moment) limited() bool {
	return m.y.Work.Queue.NumRequeues(m.e.Key) == m.x.Work.Queue.NumRequeues(m.e.Key)+1
}

// added is how many deltas went to the queue, including those that were merged.
func (m *moment) added() int64 { return m.d.Queue.Counters().In - m.c.Queue.Counters().In }

// requeued holds if the workqueue got the key again.
func (m *moment) requeued() bool {
	return m.y.Work.Queue.Len() == m.x.Work.Queue.Len()+1 && m.y.Work.Queue.At(m.y.Work.Queue.Len()-1) == m.e.Key && !m.y.Work.Queue.IsProcessing(m.e.Key)
}

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
	"why.handlerListed":                  func(m *moment) bool { return m.e.Old != 0 && m.e.New != 0 && m.e.Flags&event.IsSync == 0 },
	"step.handlerCalledDeletedTombstone": func(m *moment) bool { return m.called() && m.e.New == 0 },
	"step.handlerCalledDeleted":          func(m *moment) bool { return m.called() && m.e.New == 0 },
	"step.handlerCalledAdded":            func(m *moment) bool { return m.called() && m.e.Old == 0 },
	"why.handlerFromCache": func(m *moment) bool {
		_, b := m.listener()
		return m.e.Flags&event.IsInInitialList != 0 && b.Made > 0
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

// delta is the type of the delta that the process loop makes notifications of. A batch
// has several, of different keys.
func (m *moment) delta() event.Delta {
	deltas, at := m.c.Popped()
	for _, d := range deltas {
		if m.y.Config().Profile.Batch && d.Key == m.e.Key {
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

var workLaws = map[string]law{
	"step.workReadyDirty":    func(m *moment) bool { return m.work(0) && m.y.Work.Queue.IsDirty(m.e.Key) },
	"step.workReadyDeferred": func(m *moment) bool { return m.work(0) && m.y.Work.Queue.IsProcessing(m.e.Key) },
	"step.workReady":         func(m *moment) bool { return m.y.Work.Queue.Len() > m.x.Work.Queue.Len() },
	"step.workDelayed":       func(m *moment) bool { return m.y.Work.Queue.WaitingLen() > 0 },
	"step.workDelayKept": func(m *moment) bool {
		return (m.hand() || m.role() == actor.Delaying) && m.y.Work.Queue.WaitingLen() == m.x.Work.Queue.WaitingLen()
	},
	"step.workAdded": func(m *moment) bool { return m.work(1) && int64(m.y.Work.Queue.Len()) == m.number("n") },
	"why.workAdded":  func(m *moment) bool { return m.y.Work.Queue.IsDirty(m.e.Key) },
	"step.workDirty": func(m *moment) bool { return m.work(0) && m.x.Work.Queue.IsDirty(m.e.Key) },
	"why.workDirty":  func(m *moment) bool { return m.x.Work.Queue.IsDirty(m.e.Key) },
	"step.workDeferred": func(m *moment) bool {
		return m.work(0) && m.y.Work.Queue.IsProcessing(m.e.Key) && m.y.Work.Queue.IsDirty(m.e.Key) && !m.x.Work.Queue.IsDirty(m.e.Key)
	},
	"why.workDeferred":          func(m *moment) bool { return m.y.Work.Queue.IsProcessing(m.e.Key) },
	"step.workGot":              func(m *moment) bool { return m.work(-1) && m.y.Work.Workers[m.e.Worker()].Key == m.e.Key },
	"step.workGetWaits":         func(m *moment) bool { return m.x.Work.Queue.Len() == 0 && m.is.Wait == actor.OnCond },
	"step.reconcileStartedGone": func(m *moment) bool { _, is := m.holds(); return is == 0 },
	"why.reconcileStartedGone":  func(m *moment) bool { return m.y.Work.Workers[m.e.Worker()].Obj == 0 },
	"step.reconcileStarted":     func(m *moment) bool { _, is := m.holds(); return is == m.y.Work.Workers[m.e.Worker()].Obj && is != 0 },
	"why.reconcileStarted":      func(m *moment) bool { return m.y.Work.Workers[m.e.Worker()].Obj != 0 },
	"step.reconcileEndedWrites": func(m *moment) bool { return m.role() == actor.Worker && m.after.Revision(0) > m.before.Revision(0) },
	"why.reconcileEndedWrites":  func(m *moment) bool { return m.role() == actor.Worker && m.after.Simulated(m.y.Index()) != nil },
	"step.reconcileEnded": func(m *moment) bool {
		f := m.x.Work.Failing
		return !m.y.Work.Workers[m.e.Worker()].Failed && (f.Left == 0 || f.Key != 0 && f.Key != m.e.Key)
	},
	"step.reconcileFailed": func(m *moment) bool {
		was, is := m.x.Work.Failing, m.y.Work.Failing
		counts := was.Left > 0 && (was.Key == 0 || was.Key == m.e.Key)
		return m.y.Work.Workers[m.e.Worker()].Failed && (is.Left == was.Left-1) == counts
	},
	"step.workDoneLimitedRequeued": func(m *moment) bool {
		return m.requeued() && m.y.Work.Queue.NumRequeues(m.e.Key) > m.x.Work.Queue.NumRequeues(m.e.Key)
	},
	"step.workDoneRequeued": func(m *moment) bool { return m.requeued() && m.y.Work.Queue.NumRequeues(m.e.Key) == 0 },
	"why.workRequeued":      (*moment).requeued,
	"step.workDoneLimited": func(m *moment) bool {
		return m.limited() && int64(m.y.Work.Queue.NumRequeues(m.e.Key)) == m.number("n") && !m.y.Work.Queue.IsProcessing(m.e.Key)
	},
	"why.workDoneLimited": func(m *moment) bool { return m.limited() },
	"step.workDone": func(m *moment) bool {
		return m.x.Work.Queue.IsProcessing(m.e.Key) && !m.y.Work.Queue.IsProcessing(m.e.Key) && m.y.Work.Queue.NumRequeues(m.e.Key) == 0 && m.work(0)
	},
}

// work holds if the workqueue has become longer by n.
func (m *moment) work(n int) bool { return m.y.Work.Queue.Len() == m.x.Work.Queue.Len()+n }

var lockLaws = map[string]law{
	"step.lockWaitsReflector": func(m *moment) bool { return m.waits() && m.role() == actor.Reflector },
	"step.lockWaitsResync":    func(m *moment) bool { return m.waits() && m.role() == actor.Resync },
	"step.lockWaitsLoop":      func(m *moment) bool { return m.waits() && m.role() == actor.Loop },
	"step.lockWaitsUser":      func(m *moment) bool { return m.waits() && m.role() == actor.User },
	"why.lockWaitsReflector":  func(m *moment) bool { return m.waits() && m.d.Server.State() == apiserver.Open && m.grew() == 0 },
	"why.lockWaits":           (*moment).waits,
	"why.lockWaitsLoop":       (*moment).waits,
	"step.detectorCompares": func(m *moment) bool {
		return m.role() == actor.Detector && m.y.Crash() == nil && m.is.Wait == actor.OnTimer
	},
	"why.detectorCompares": func(m *moment) bool { return m.after.Set.At(m.id)-m.after.Now() == second },
}

// waits holds if the goroutine waits for the lock that the sentence names, and
// the goroutine that the sentence names holds it.
func (m *moment) waits() bool {
	if m.is.Wait != actor.OnLock || actor.LockID(m.is.On).String() != m.args["lock"].V {
		return false
	}
	holder := m.y.Locks[m.is.On].Holder()
	if actor.LockID(m.is.On) == actor.FIFOLock {
		holder = m.unlocks.Holder()
	}
	if holder == actor.Nobody || holder == m.id {
		return false
	}
	kind := m.after.Set.Role(holder).Kind
	switch who := m.args["holder"].V; who {
	case "run":
		return m.after.Set.State(holder).Wait == actor.Stopped
	case "other":
		return kind == m.role()
	default:
		return who == kind.String()
	}
}
