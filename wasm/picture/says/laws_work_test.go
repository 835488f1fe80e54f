//go:build !js

package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/replay/feed/runtest"
)

var workLaws = map[string]law{
	"step.workReadyDirty": func(m *moment) bool { return m.ready() && m.accepts() && m.work(0) && m.x.Work.Queue.IsDirty(m.e.Key) },
	"step.workReadyDeferred": func(m *moment) bool {
		return m.ready() && m.accepts() && m.work(0) && m.y.Work.Queue.IsProcessing(m.e.Key) && !m.x.Work.Queue.IsDirty(m.e.Key)
	},
	"step.workNotAdded":  func(m *moment) bool { return len(m.facts) == 0 && m.x.Work.Queue.ShuttingDown() },
	"step.workReadyShut": func(m *moment) bool { return m.ready() && m.work(0) && m.x.Work.Queue.ShuttingDown() },
	"step.workReady":     func(m *moment) bool { return m.ready() && m.work(1) },
	"step.workDelayed":   func(m *moment) bool { return !m.acts() && m.y.Work.Queue.WaitingLen() > 0 },
	"step.workDelayKept": func(m *moment) bool {
		return (m.hand() || m.role() == actor.Delaying) && m.y.Work.Queue.WaitingLen() == m.x.Work.Queue.WaitingLen()
	},
	"step.workAdded": func(m *moment) bool {
		return !m.acts() && m.pc != actor.RunEnqueue && m.work(1) && int64(m.y.Work.Queue.Len()) == m.number("n")
	},
	"why.workAdded": func(m *moment) bool {
		return (m.role() == actor.Run && m.pc != actor.RunEnqueue || m.acts()) && m.y.Work.Queue.IsDirty(m.e.Key)
	},
	"step.workDirty": func(m *moment) bool {
		return !m.acts() && m.pc != actor.RunEnqueue && m.work(0) && m.x.Work.Queue.IsDirty(m.e.Key)
	},
	"why.workDirty": func(m *moment) bool { return m.x.Work.Queue.IsDirty(m.e.Key) },
	"step.workDeferred": func(m *moment) bool {
		return !m.acts() && m.pc != actor.RunEnqueue && m.work(0) && m.y.Work.Queue.IsProcessing(m.e.Key) && m.y.Work.Queue.IsDirty(m.e.Key) && !m.x.Work.Queue.IsDirty(m.e.Key)
	},
	"why.workDeferred": func(m *moment) bool { return m.y.Work.Queue.IsProcessing(m.e.Key) && !m.x.Work.Queue.IsDirty(m.e.Key) },
	"step.workGot":     func(m *moment) bool { return !m.acts() && m.work(-1) && m.y.Work.Workers[m.e.Worker()].Key == m.e.Key },
	"step.workGetWaits": func(m *moment) bool {
		return m.x.Work.Queue.Len() == 0 && !m.x.Work.Queue.Paused() && m.is.Wait == actor.OnCond
	},
	"step.workGetPaused":           func(m *moment) bool { return m.x.Work.Queue.Paused() && m.is.Wait == actor.OnCond },
	"step.reconcileStartedForever": func(m *moment) bool { return m.worksForever() && m.y.Work.Workers[m.e.Worker()].Key == m.e.Key },
	"why.reconcileStartedForever":  func(m *moment) bool { return m.worksForever() && m.y.Work.Hangs(&m.after.Set) },
	"step.reconcileStartedGone":    func(m *moment) bool { _, is := m.cachedVersions(); return is == 0 && !m.acts() && !m.worksForever() },
	"why.reconcileStartedGone": func(m *moment) bool {
		return !m.configuredElsewhere() && m.y.Work.Workers[m.e.Worker()].Obj == 0 && !m.worksForever()
	},
	"step.reconcileStarted": func(m *moment) bool {
		_, is := m.cachedVersions()
		return !m.configuredElsewhere() && is == m.y.Work.Workers[m.e.Worker()].Obj && is != 0 && m.cached() && !m.acts() && !m.worksForever()
	},
	"why.reconcileStarted": func(m *moment) bool {
		return !m.configuredElsewhere() && m.y.Work.Workers[m.e.Worker()].Obj != 0 && !m.worksForever()
	},
	"step.reconcileEndedWrites": func(m *moment) bool {
		return m.pc == actor.WorkerReconciled && m.after.Revision(0) > m.before.Revision(0)
	},
	"why.reconcileEndedWrites": func(m *moment) bool {
		return m.pc == actor.WorkerReconciled && m.after.Simulated(m.y.Index()) != nil && m.watches()
	},
	"why.reconcileEndedWritesUnwatched": func(m *moment) bool {
		return m.pc == actor.WorkerReconciled && m.after.Simulated(m.y.Index()) != nil && !m.watches()
	},
	"step.reconcileEnded": func(m *moment) bool {
		f := m.x.Work.Failing
		return !m.acts() && !m.y.Work.Workers[m.e.Worker()].Failed && (f.Remaining == 0 || f.Key != 0 && f.Key != m.e.Key)
	},
	"step.reconcileFailed": func(m *moment) bool {
		was, is := m.x.Work.Failing, m.y.Work.Failing
		counts := was.Remaining > 0 && (was.Key == 0 || was.Key == m.e.Key)
		return !m.acts() && m.y.Work.Workers[m.e.Worker()].Failed && (is.Remaining == was.Remaining-1) == counts
	},
	"step.workDoneLimitedRequeued": func(m *moment) bool {
		return m.requeued() && m.y.Work.Queue.NumRequeues(m.e.Key) > m.x.Work.Queue.NumRequeues(m.e.Key)
	},
	"step.workDoneRequeued": func(m *moment) bool {
		return m.role() == actor.Worker && m.requeued() && m.y.Work.Queue.NumRequeues(m.e.Key) == 0
	},
	"why.workGetPaused": func(m *moment) bool { return m.x.Work.Queue.Paused() && m.y.Work.Queue.Paused() },
	"why.workRequeued":  (*moment).requeued,
	"step.workDoneLimited": func(m *moment) bool {
		return m.role() == actor.Worker && m.limited() && int64(m.y.Work.Queue.NumRequeues(m.e.Key)) == m.number("n") && !m.y.Work.Queue.IsProcessing(m.e.Key)
	},
	"why.workDoneLimited": func(m *moment) bool { return m.limited() },
	"step.workDone": func(m *moment) bool {
		return m.role() == actor.Worker && m.x.Work.Queue.IsProcessing(m.e.Key) && !m.y.Work.Queue.IsProcessing(m.e.Key) && m.y.Work.Queue.NumRequeues(m.e.Key) == 0 && m.work(0)
	},
}

// cached holds if reconciles read the cache itself.
func (m *moment) cached() bool {
	c := m.controller()
	return c == nil || c.Guard.Kind != guard.Live && c.Guard.Kind != guard.Mutation
}

// watches holds if a watch of the informer is open.
func (m *moment) watches() bool {
	for _, server := range m.y.Servers(nil) {
		if server.State() == apiserver.Open {
			return true
		}
	}
	return false
}

// accepts holds if the workqueue takes keys.
func (m *moment) accepts() bool { return !m.x.Work.Queue.ShuttingDown() }

// ready holds if the delay of one key is over.
func (m *moment) ready() bool {
	n := 0
	for _, e := range m.facts {
		if e.Kind == event.WorkReady {
			n++
		}
	}
	return n == 1
}

// work holds if the workqueue has become longer by n.
func (m *moment) work(n int) bool { return m.y.Work.Queue.Len() == m.x.Work.Queue.Len()+n }

var lockLaws = map[string]law{
	"step.lockWaitsReflector": func(m *moment) bool { return m.waits() && m.role() == actor.Reflector },
	"step.lockWaitsResync":    func(m *moment) bool { return m.waits() && m.role() == actor.Resync },
	"step.lockWaitsLoop":      func(m *moment) bool { return m.waits() && m.role() == actor.Loop },
	"step.lockWaitsUser":      func(m *moment) bool { return m.waits() && m.role() == actor.User },
	"step.lockWaitsProcessor": func(m *moment) bool { return m.waits() && m.role() == actor.Processor },
	"why.lockWaitsProcessor": func(m *moment) bool {
		_, _, resync, _ := m.y.Actors()
		st := m.after.Set.State(resync)
		return m.role() == actor.Processor && st.Wait == actor.OnLock && st.Target == int16(actor.ListenersLock) && m.after.Set.State(m.id).Wait == actor.OnLock
	},
	"why.lockWaitsReflector": func(m *moment) bool {
		return m.waits() && m.pc == actor.ReflectorEnqueue && m.d.Server.State() == apiserver.Open && m.grew() == 0
	},
	"why.lockWaits": func(m *moment) bool {
		return m.waits() && m.role() != actor.Loop && m.role() != actor.Processor && (m.role() != actor.Reflector || m.pc == actor.ReflectorReplace)
	},
	"why.lockWaitsLoop": func(m *moment) bool { return m.waits() && m.role() == actor.Loop },
	"step.detectorCompares": func(m *moment) bool {
		return m.role() == actor.Detector && m.y.Crash() == nil && m.is.Wait == actor.OnTimer
	},
	"why.detectorCompares": func(m *moment) bool { return m.after.Set.ReadyAt(m.id)-m.after.Now() == runtest.Second },
}

// waits holds if the goroutine waits for the lock that the sentence names, and
// the goroutine that the sentence names holds it.
func (m *moment) waits() bool {
	if m.is.Wait != actor.OnLock || actor.LockID(m.is.Target).String() != m.args["lock"].V {
		return false
	}
	holder := m.y.Locks[m.is.Target].Holder()
	if actor.LockID(m.is.Target) == actor.FIFOLock {
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

// worksForever holds if the worker that the fact is about doesn't return.
func (m *moment) worksForever() bool {
	id := m.y.Work.Workers[m.e.Worker()].ID
	return m.after.Set.State(id).Wait == actor.OnCall && m.after.Set.ReadyAt(id) == actor.Never
}
