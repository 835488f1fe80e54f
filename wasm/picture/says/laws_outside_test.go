package says

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
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
	"step.stopRequested":        func(m *moment) bool { return m.command() && !m.past.stopped[m.y.Index()] && m.x.Crash() == nil },
	"step.stopRequestedAgain":   func(m *moment) bool { return m.command() && m.past.stopped[m.y.Index()] && m.x.Crash() == nil },
	"step.stopRequestedDead":    func(m *moment) bool { return m.command() && m.x.Crash() != nil },
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
	"step.runRequested":            func(m *moment) bool { return living(m.after) > living(m.before) },
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
	"step.nextDropped":    func(m *moment) bool { return m.d.Way.Next() == apiserver.Drop },
	"step.nextDelayed":    func(m *moment) bool { return m.d.Way.Next() == apiserver.Delay && m.number("took") == m.e.N },
	"step.nextDuplicated": func(m *moment) bool { return m.d.Way.Next() == apiserver.Duplicate },
	"step.nextSpoilt": func(m *moment) bool {
		next := m.d.Way.Next()
		return next == apiserver.LoseMeta && m.args["reason"].V == "noMeta" || next == apiserver.MixKind && m.args["reason"].V == "expectedType" ||
			next == apiserver.MixType && m.args["reason"].V == "unknownType" && m.d.Server.Retried()
	},
	"step.nextSpoiltType":  func(m *moment) bool { return m.d.Way.Next() == apiserver.MixType && !m.d.Server.Retried() },
	"why.nextSpoiltType":   func(m *moment) bool { return m.d.Way.Next() == apiserver.MixType && !m.d.Server.Retried() },
	"step.nextSwapped":     func(m *moment) bool { return m.d.Way.Next() == apiserver.Swap },
	"step.initialWithheld": func(m *moment) bool { return m.d.Way.Withholds() },
	"step.watchEventLost":  func(m *moment) bool { return m.unseen() && m.c.Way.Next() == apiserver.Drop && m.d.Way.Next() == 0 },
	"why.watchEventLost":   func(m *moment) bool { return m.c.Reflector.RV() == m.d.Reflector.RV() },
	"step.watchEventHeld": func(m *moment) bool {
		return m.unseen() && (m.c.Way.Next() == apiserver.Delay || m.c.Way.Next() == apiserver.Swap) && m.d.Way.Next() == 0
	},
	"step.initialEndLost":       func(m *moment) bool { return m.unseen() && m.c.Way.Withholds() && !m.d.Way.Withholds() },
	"why.initialEndLost":        func(m *moment) bool { return m.d.Reflector.Streaming() && !m.d.Queue.HasSynced() && m.grew() == 0 },
	"why.initialEndLostRelist":  func(m *moment) bool { return m.d.Reflector.Streaming() && m.d.Queue.HasSynced() && m.grew() == 0 },
	"step.handlerCalledForever": func(m *moment) bool { return m.calls() && m.forever() },
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
		return m.command() && m.number("n") == int64(waiting(m.before)) && m.number("n") > 0 && waiting(m.after) == 0
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
		return waiting(m.before) == 0 && slices.ContainsFunc(m.after.Informers, func(x *informer.Informer) bool { return x.Config().Factory && x.Started() })
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

// living is how many goroutines have not returned.
func living(w *world.World) (n int) {
	for id := range actor.ID(w.Set.Len()) {
		if w.Set.State(id).Wait != actor.Stopped {
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
