//go:build !js

package says

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

var outsideLaws = map[string]law{
	"why.serverGoesOn": func(m *moment) bool {
		return m.before.Simulated(m.x.Index()) == nil && m.after.Simulated(m.y.Index()) != nil
	},
	"step.objectWrittenAdded":   func(m *moment) bool { return m.command() && m.written() != 0 && m.e.Old == 0 },
	"step.objectWrittenUpdated": func(m *moment) bool { return m.command() && m.written() != 0 && m.e.Old != 0 },
	"step.objectWrittenDeleted": func(m *moment) bool { return m.command() && m.written() == 0 },
	"step.serverCompacted":      func(m *moment) bool { return m.number("rv") == m.after.Simulated(m.y.Index()).Storage.Compacted() },
	"step.serverRestarted": func(m *moment) bool {
		up := m.after.Now() + m.number("took")
		return m.command() && !m.refuses(up) && (m.number("took") == 0 || m.refuses(up-1))
	},
	"step.serverRestored":     func(m *moment) bool { return m.after.Revision(m.y.Index()) == m.number("rv") },
	"step.serverLagsAlways":   func(m *moment) bool { return m.lags(-1) },
	"step.serverLagsNo":       func(m *moment) bool { return m.lags(0) },
	"step.serverLags":         func(m *moment) bool { return m.number("took") > 0 && m.lags(m.number("took")) },
	"step.requestsFailAlways": func(m *moment) bool { return m.failing() > most },
	"step.requestsFailNo":     func(m *moment) bool { return m.failing() == 0 },
	"step.requestsFailOnce":   func(m *moment) bool { return m.failing() == 1 },
	"step.requestsFail":       func(m *moment) bool { return m.number("n") > 1 && m.failing() == m.number("n") },
	"step.watchCutNone":       func(m *moment) bool { return m.x.Server.State() != apiserver.Open },
	"step.watchCut":           func(m *moment) bool { return m.command() && m.watching() },
	"step.watchSilencedNone":  func(m *moment) bool { return m.x.Server.State() != apiserver.Open },
	"step.watchSilenced":      func(m *moment) bool { return m.command() && m.watching() },
	"step.stopRequested":      func(m *moment) bool { return m.command() && !m.past.stopped[m.y.Index()] && m.x.Crash() == nil },
	"step.stopRequestedAgain": func(m *moment) bool { return m.command() && m.past.stopped[m.y.Index()] && m.x.Crash() == nil },
	"step.stopRequestedDead":  func(m *moment) bool { return m.command() && m.x.Crash() != nil },
	"step.handlerRequested":   func(m *moment) bool { return len(m.y.Config().Handlers) == len(m.x.Config().Handlers)+1 },
	"step.removalRequestedMissing": func(m *moment) bool {
		a, b := m.listener()
		return a.Joined == b.Joined && !m.y.Config().Profile.Registrations
	},
	"step.removalRequested": func(m *moment) bool { return m.command() && m.y.Config().Profile.Registrations },
	"step.handlerPaced":     func(m *moment) bool { return m.y.Config().Handlers[m.e.Handler()].Duration == m.number("took") },
	"step.runRequestedRefused": func(m *moment) bool {
		return m.command() && m.before.Set.Len() == m.after.Set.Len() && m.y.Config().Profile.RunsOnce
	},
	"step.runRequested":   func(m *moment) bool { return m.command() && calls(m.after) == calls(m.before)+1 },
	"why.runRequested":    func(m *moment) bool { return !m.y.Config().Profile.RunsOnce },
	"step.handlerBlocks":  func(m *moment) bool { return m.handler().Duration == informer.Forever },
	"step.handlerPanics":  func(m *moment) bool { return m.handler().Panics && !m.handler().Blind },
	"step.handlerBlind":   func(m *moment) bool { return !m.handler().Panics && m.handler().Blind },
	"step.handlerAsserts": func(m *moment) bool { return m.handler().Panics && m.handler().Blind },
	"step.handlerMended":  func(m *moment) bool { return !m.handler().Panics && !m.handler().Blind },
	"step.reconcilesFailNo": func(m *moment) bool {
		return m.command() && m.y.Work.Failing.Remaining == 0 && m.x.Work.Failing.Remaining != 0
	},
	"step.reconcilesFailAlways":    func(m *moment) bool { return m.fails(-1) && m.e.Key == 0 },
	"step.reconcilesFailAlwaysKey": func(m *moment) bool { return m.fails(-1) && m.e.Key != 0 },
	"step.reconcilesFail":          func(m *moment) bool { return m.number("n") > 0 && m.fails(m.number("n")) && m.e.Key == 0 },
	"step.reconcilesFailKey":       func(m *moment) bool { return m.number("n") > 0 && m.fails(m.number("n")) && m.e.Key != 0 },
	"step.workPaused":              func(m *moment) bool { return !m.x.Work.Queue.Paused() && m.y.Work.Queue.Paused() },
	"why.workPaused": func(m *moment) bool {
		return m.y.Work.Queue.Paused() && m.x.Work.Queue.ProcessingLen() == m.y.Work.Queue.ProcessingLen()
	},
	"step.workResumed": func(m *moment) bool { return m.x.Work.Queue.Paused() && !m.y.Work.Queue.Paused() },
	"step.reconcileHangsNo": func(m *moment) bool {
		return m.command() && m.x.Work.Hangs(&m.before.Set) && !m.y.Work.Hangs(&m.after.Set)
	},
	"step.reconcileHangs":        func(m *moment) bool { return m.hangs(informer.Forever) && m.e.Key == 0 },
	"step.reconcileHangsKey":     func(m *moment) bool { return m.hangs(informer.Forever) && m.e.Key != 0 },
	"step.reconcileHangsFor":     func(m *moment) bool { return m.number("took") > 0 && m.hangs(m.number("took")) && m.e.Key == 0 },
	"step.reconcileHangsForKey":  func(m *moment) bool { return m.number("took") > 0 && m.hangs(m.number("took")) && m.e.Key != 0 },
	"step.indexRequestedRefused": func(m *moment) bool { return m.y.Indexer.Indices() == m.x.Indexer.Indices() },
	"step.indexRequested":        func(m *moment) bool { return m.y.Indexer.Indices() == m.x.Indexer.Indices()+1 },
	"step.keysRefused":           func(m *moment) bool { return m.y.Config().RefusesTombstones },
	"step.processKilled": func(m *moment) bool {
		return m.command() && m.y.Indexer.Len() == 0 && m.y.Queue.Depth() == 0 && m.y.Work.Queue.Len() == 0 && !m.y.HasSynced() && m.y.Crash() == nil
	},
	"step.nextDropped":    func(m *moment) bool { return m.d.Conn.Next() == apiserver.Drop },
	"step.nextDelayed":    func(m *moment) bool { return m.d.Conn.Next() == apiserver.Delay && m.number("took") == m.e.N },
	"step.nextDuplicated": func(m *moment) bool { return m.d.Conn.Next() == apiserver.Duplicate },
	"step.nextSpoilt": func(m *moment) bool {
		next := m.d.Conn.Next()
		return next == apiserver.LoseMeta && m.args["reason"].V == "noMeta" || next == apiserver.MixKind && m.args["reason"].V == "expectedType" ||
			next == apiserver.MixType && m.args["reason"].V == "unknownType" && m.d.Server.Retried()
	},
	"step.nextSpoiltType":      func(m *moment) bool { return m.d.Conn.Next() == apiserver.MixType && !m.d.Server.Retried() },
	"why.nextSpoiltType":       func(m *moment) bool { return m.d.Conn.Next() == apiserver.MixType && !m.d.Server.Retried() },
	"step.nextSwapped":         func(m *moment) bool { return m.d.Conn.Next() == apiserver.Swap },
	"step.initialWithheld":     func(m *moment) bool { return m.d.Conn.WithholdsInitialEnd() },
	"step.bookmarksDroppedNo":  func(m *moment) bool { return m.command() && m.d.Conn.DropsBookmarks() == 0 },
	"step.bookmarksDroppedAll": func(m *moment) bool { return m.command() && m.d.Conn.DropsBookmarks() == 1 },
	"step.bookmarksDropped":    func(m *moment) bool { return m.number("n") > 1 && m.d.Conn.DropsBookmarks() == m.number("n") },
	"step.bookmarkLost": func(m *moment) bool {
		return m.unseen() && m.c.Conn.DropsBookmarks() > 0 && m.rv() == m.text(m.e.RV()) && m.c.Server.State() == apiserver.Open
	},
	"why.bookmarkLost": func(m *moment) bool {
		return m.d.Reflector.RV() == m.c.Reflector.RV() && m.d.Server.State() == apiserver.Open
	},
	"step.watchEventFiltered": func(m *moment) bool {
		return m.unseen() && !m.c.Reflector.LastOptions().Shard.Matches(m.y.Config().Table, m.e.New) && m.y.Config().Profile.Sharded && m.c.Reflector.Events() == m.d.Reflector.Events()
	},
	"why.watchEventFiltered": func(m *moment) bool {
		return m.d.Reflector.RV() == m.c.Reflector.RV() && !m.d.Reflector.Streaming() && m.d.Server.State() == apiserver.Open
	},
	"why.watchEventFilteredStreaming": func(m *moment) bool { return m.d.Reflector.Streaming() && m.d.Server.State() == apiserver.Open },
	"why.listFiltered": func(m *moment) bool {
		_, was := m.c.Reflector.Decoded()
		_, is := m.d.Reflector.Decoded()
		server := m.after.Simulated(m.y.Index()).Config()
		return !m.d.Reflector.Streaming() && !m.c.Reflector.LastOptions().Shard.Empty() && (server.Classic || server.Shards == apiserver.IgnoresShards) &&
			m.number("of") >= 0 && is-was <= int64(m.d.Listed())
	},
	"step.watchEventLost": func(m *moment) bool { return m.unseen() && m.c.Conn.Next() == apiserver.Drop && m.d.Conn.Next() == 0 },
	"why.watchEventLost":  func(m *moment) bool { return m.c.Reflector.RV() == m.d.Reflector.RV() },
	"step.watchEventHeld": func(m *moment) bool {
		return m.unseen() && (m.c.Conn.Next() == apiserver.Delay || m.c.Conn.Next() == apiserver.Swap) && m.d.Conn.Next() == 0
	},
	"step.initialEndLost": func(m *moment) bool {
		return m.unseen() && m.c.Conn.WithholdsInitialEnd() && !m.d.Conn.WithholdsInitialEnd()
	},
	"why.initialEndLost":        func(m *moment) bool { return m.d.Reflector.Streaming() && !m.d.Queue.HasSynced() && m.grew() == 0 },
	"why.initialEndLostRelist":  func(m *moment) bool { return m.d.Reflector.Streaming() && m.d.Queue.HasSynced() && m.grew() == 0 },
	"step.handlerCalledForever": func(m *moment) bool { return m.calls() && m.forever() },
	"step.handlerPanicked":      func(m *moment) bool { return m.handler().Panics && m.y.Crash() != nil && m.dead() },
	"why.handlerPanicked":       func(m *moment) bool { return m.role() == actor.Run },
	"step.handlerUnled": func(m *moment) bool {
		return m.handler().IfLeader && m.x.Config().Elected && m.x.Work.Queue.Len() == m.y.Work.Queue.Len() && m.pc == actor.RunReturn
	},
	"why.handlerUnled": func(m *moment) bool {
		_, kept := m.y.Indexer.GetByKey(m.e.Key)
		return m.y.Started() && kept
	},
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
	"step.cacheWrittenOld": func(m *moment) bool { return m.writtenBack() && m.rolledBack() },
	"why.cacheWrittenOld": func(m *moment) bool {
		return m.command() && m.c.Queue.Counters() == m.d.Queue.Counters() && m.rolledBack()
	},
	"step.cacheWritten": func(m *moment) bool { return m.writtenBack() && !m.rolledBack() },
	"why.cacheWritten": func(m *moment) bool {
		return m.command() && m.c.Queue.Counters() == m.d.Queue.Counters() && !m.rolledBack()
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

// writtenBack holds if the store has a version that the API server has written, which no delta has brought.
func (m *moment) writtenBack() bool {
	_, is := m.cachedVersions()
	i := m.y.Index()
	return m.command() && is == m.e.New && (m.after.Object(i, m.e.Key) == is || slices.Contains(m.after.Simulated(i).Storage.Written(m.e.Key, nil), is))
}

// rolledBack holds if the store had a newer version of the told key before.
func (m *moment) rolledBack() bool {
	was, is := m.cachedVersions()
	before, _ := m.y.Config().Table.RVOf(was).Number()
	after, _ := m.y.Config().Table.RVOf(is).Number()
	return after < before
}

// server is the API server as it is after the step, for a client that has asked for nothing yet.
// What is done to it changes nothing in the run.
func (m *moment) server() *apiserver.Simulated {
	return m.after.Simulated(m.y.Index()).Dial().(*apiserver.Simulated)
}

// later is so much later that a server which is to come up has done so, in nanoseconds, and most
// is how many requests are tried.
const (
	later = int64(1_000_000_000_000_000)
	most  = 64
)

// failing is how many requests in a row fail later, at most one more than most.
func (m *moment) failing() (n int64) {
	for s := m.server(); n <= most; n++ {
		s.List(object.ListOptions{}, m.after.Now()+later)
		if s.Take().Answer != apiserver.ListFailed {
			break
		}
	}
	return n
}

// refuses reports whether the server refuses connections at a time.
func (m *moment) refuses(at int64) bool {
	s := m.server()
	s.Fail(apiserver.NoFailure, 0, 0)
	s.List(object.ListOptions{}, at)
	return s.Take().Failure == apiserver.Refused
}

// lags reports whether the watch cache has what is written later after so many nanoseconds and no
// earlier, or never with a number below 0. A server without a watch cache shows nothing of it.
func (m *moment) lags(by int64) bool {
	switch {
	case m.server().Config().Uncached:
		return m.command() && m.e.N == by
	case by < 0:
		return !m.caches(later)
	}
	return m.caches(by) && (by == 0 || !m.caches(by-1))
}

// caches reports whether the watch cache has an object that is written later, so many nanoseconds
// after that.
func (m *moment) caches(after int64) bool {
	s, t, at := m.server(), m.y.Config().Table, m.after.Now()+later
	s.Fail(apiserver.NoFailure, 0, 0)
	probe := object.Meta{Name: t.Sym("probe"), Labels: t.LabelSet([]object.Label{{Name: t.Sym("gold"), Value: t.Sym("yes")}})}
	s.Write(apiserver.Write{Verb: apiserver.Create, Object: probe}, s.Storage.Revision()+1, at)
	s.List(object.ListOptions{RV: t.RV("0")}, at+after)
	due, _ := s.Due()
	s.List(object.ListOptions{RV: t.RV("0")}, at+after-(due-at-after)) // is answered after so long
	return slices.ContainsFunc(s.Take().List, func(o object.Ref) bool { return t.Equals(t.Meta(o).Name, "probe") })
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

// calls is how many calls of Run have not begun.
func calls(w *world.World) (n int) {
	for id := range actor.ID(w.Set.Len()) {
		if st := w.Set.State(id); st.PC == actor.UserRun && st.Wait != actor.Stopped {
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
	return m.command() && m.y.Reconciles() && n != 0 && f.Remaining == n && f.Key == m.e.Key
}

// hangs holds if the next reconcile of the fact's key takes that much longer.
func (m *moment) hangs(longer int64) bool {
	h := m.y.Work.Hanging
	return m.command() && m.y.Reconciles() && h.Longer == longer && h.Key == m.e.Key
}

// unseen holds if the reflector has taken nothing in.
func (m *moment) unseen() bool {
	return m.c.Reflector.RV() == m.d.Reflector.RV() && m.c.Queue.Counters() == m.d.Queue.Counters() && m.x.Listed() == m.y.Listed()
}

// written is what the API server holds of the written object.
func (m *moment) written() int32 {
	return int32(m.after.Simulated(m.y.Index()).Storage.Get(m.e.Key))
}
