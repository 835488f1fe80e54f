//go:build !js

package says

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/manager"
	"github.com/informerscope/informerscope/engine/world"
)

var electionLaws = map[string]law{
	"step.replicaKilled": func(m *moment) bool {
		return m.command() && m.emptied() && m.elector(m.after).NextStep(m) == m.after.Now()+m.number("took")
	},
	"step.replicaKilledForever": func(m *moment) bool {
		return m.command() && m.emptied() && m.elector(m.after).NextStep(m) == actor.Never
	},
	"step.replicaPaused": func(m *moment) bool {
		r := m.elector(m.after)
		return m.command() && r.Paused == m.after.Now()+m.number("took") && r.NextStep(m) >= r.Paused
	},
	"step.replicaStopped": func(m *moment) bool { return m.command() && m.idle() },
	"step.replicaResharded": func(m *moment) bool {
		return m.command() && m.emptied() && m.elector(m.after).NextStep(m) == m.after.Now()+m.number("took") && m.ofShard()
	},
	"why.replicaResharded": func(m *moment) bool {
		return m.after.Election.Sharded && !slices.ContainsFunc(m.process(m.after), func(x *informer.Informer) bool { return x.Started() })
	},
	"step.replicaStartedShard": func(m *moment) bool {
		return m.elector(m.after).Processes == m.elector(m.before).Processes+1 && m.starts(func(*informer.Informer) bool { return true }) && m.ofShard()
	},
	"step.replicaCut": func(m *moment) bool {
		return m.command() && !m.elector(m.before).Cut && m.elector(m.after).Cut && m.failing() > most && m.breaks()
	},
	"step.replicaJoined": func(m *moment) bool {
		return m.command() && m.elector(m.before).Cut && !m.elector(m.after).Cut && m.failing() == 0
	},
	"step.leaseUnreached": func(m *moment) bool {
		return m.role() == actor.Elector && m.elector(m.after).Phase == election.Requesting && m.elector(m.after).Cut && m.before.Election.Lease == m.after.Election.Lease
	},
	"why.leaseUnreached": func(m *moment) bool {
		r := m.elector(m.after)
		return r.Leads && m.y.Started() && m.after.Now() < r.Deadline() && r.NextStep(m) <= r.Deadline() && !r.Releasing()
	},
	"step.requestUnreached": func(m *moment) bool {
		return m.pc == actor.WorkerProgram && m.elector(m.after).Cut && m.after.Revision(0) == m.before.Revision(0) && m.e.Key == m.y.Work.Workers[m.after.Set.Role(m.id).Index].Key
	},
	"step.replicaStarted": func(m *moment) bool {
		r := m.elector(m.after)
		return r.Processes == m.elector(m.before).Processes+1 && r.Phase == election.Acquiring && !r.IsLeader() && m.idle()
	},
	"step.replicaStartedWarm": func(m *moment) bool {
		return m.elector(m.after).Processes == m.elector(m.before).Processes+1 && !m.elector(m.after).IsLeader() && m.starts(func(x *informer.Informer) bool { return x.Config().Warm }) &&
			slices.ContainsFunc(m.process(m.after), func(x *informer.Informer) bool { return x.Config().Warm })
	},
	"step.leadershipGainedAgain": func(m *moment) bool {
		return m.gains() && m.elector(m.before).Processes == m.elector(m.after).Processes && m.elector(m.before).Terms > 0 && m.nothingStarts()
	},
	"step.leadershipGainedWarm": func(m *moment) bool {
		return m.gains() && m.workersBegin()
	},
	"why.leadershipGainedWarm": func(m *moment) bool {
		return slices.ContainsFunc(m.process(m.before), func(x *informer.Informer) bool {
			return x.Work.Controller != nil && x.Config().Warm && x.HasSynced() && x.Work.Controller.Guard.Kind != guard.Live && len(x.Work.Controller.Guard.Expectations.Keys(nil)) == 0
		})
	},
	"step.leadershipGainedWarming": func(m *moment) bool {
		return m.gains() && m.elector(m.before).Terms == 0 && m.starts(func(*informer.Informer) bool { return true }) && m.ran() && !m.workersBegin()
	},
	"step.leadershipGained": func(m *moment) bool {
		return m.gains() && m.y.Started() && !m.ran()
	},
	"why.leadershipGained": func(m *moment) bool { return !m.x.Started() && m.y.Indexer.Len() == 0 && m.y.Work.Queue.Len() == 0 },
	"step.leadershipLostReturns": func(m *moment) bool {
		return m.losesAndGoesOn() && m.elector(m.after).Phase == election.Returned && m.elector(m.after).NextStep(m) == actor.Never
	},
	"step.leadershipLostRuns": func(m *moment) bool {
		r := m.elector(m.after)
		return m.losesAndGoesOn() && r.Phase == election.Acquiring && r.NextStep(m) >= m.after.Now() && r.ID == m.elector(m.before).ID && !r.IsLeader()
	},
	"why.leadershipLostGoesOn": func(m *moment) bool {
		return m.nothingStarts() && m.y.Indexer.Len() == m.x.Indexer.Len() && m.y.Work.Queue.Len() == m.x.Work.Queue.Len()
	},
	"step.leadershipLost": func(m *moment) bool { return m.elector(m.before).Leads && !m.elector(m.after).Leads && m.emptied() },
	"why.leadershipLost":  func(m *moment) bool { return !m.y.Started() },
	"step.leaseTaken": func(m *moment) bool {
		a, b := m.before.Election.Lease, m.after.Election.Lease
		return b.Holder == m.elector(m.after).ID && a.Holder != b.Holder && b.RV == m.number("rv")
	},
	"step.leaseReleased": func(m *moment) bool {
		return m.after.Election.Lease.Holder == 0 && m.elector(m.after).Releasing()
	},
	"why.leaseReleased": func(m *moment) bool {
		return m.elector(m.before).IsLeader() && m.x.Config().Profile.Election.ReleaseReads
	},
	"step.leaseRenewed": func(m *moment) bool {
		a, b := m.before.Election.Lease, m.after.Election.Lease
		return a.Holder == b.Holder && b.Holder == m.elector(m.after).ID && a.Renews < b.Renews && a.Transitions == b.Transitions && b.RV > a.RV && b.RV == m.number("rv")
	},
	"step.leaseRefused": func(m *moment) bool {
		return m.before.Election.Lease == m.after.Election.Lease && m.args["reason"].V == "409"
	},
	"step.replicaEnded": func(m *moment) bool {
		return m.elector(m.before).Cancelled() && !m.elector(m.before).Leads && m.emptied()
	},
	"step.leaseHeld": func(m *moment) bool {
		r := m.elector(m.after)
		return !r.Leads && r.Phase == election.Waiting && r.Expires()-m.after.Now() == m.number("took") && r.ID != m.after.Election.Lease.Holder
	},
	"why.leaseHeld": func(m *moment) bool {
		_, since := m.elector(m.after).Observed()
		return since <= m.after.Now()
	},
	"step.electorWakes": func(m *moment) bool { return m.elector(m.before).Phase == election.Waiting && len(m.facts) == 0 },
	"step.leaseAsked":   func(m *moment) bool { return m.elector(m.after).Phase == election.Requesting && len(m.facts) == 0 },
	"step.leaseAnswered": func(m *moment) bool {
		return m.elector(m.before).Phase == election.Requesting && m.before.Election.Lease == m.after.Election.Lease
	},
}

// gains holds if the process leads with the step.
func (m *moment) gains() bool { return m.elector(m.after).Leads && !m.elector(m.before).Leads }

// nothingStarts holds if the same informers and workers of the step's process run after it as before.
func (m *moment) nothingStarts() bool {
	for i, x := range m.process(m.after) {
		if x.Started() != m.process(m.before)[i].Started() {
			return false
		}
	}
	return !m.workersBegin()
}

// losesAndGoesOn holds if the process doesn't lead any more since the step, and goes on.
func (m *moment) losesAndGoesOn() bool {
	r := m.elector(m.after)
	return m.elector(m.before).Leads && !r.Leads && r.Processes == m.elector(m.before).Processes && m.after.Alive(m.after.Replica(m.y.Index()))
}

// process has the informers of the step's process in one of its worlds.
func (m *moment) process(w *world.World) (all []*informer.Informer) {
	for _, x := range w.Informers {
		if w.Replica(x.Index()) == w.Replica(m.y.Index()) {
			all = append(all, x)
		}
	}
	return all
}

// starts holds if after the step just those informers of its process run that should.
func (m *moment) starts(should func(x *informer.Informer) bool) bool {
	return !slices.ContainsFunc(m.process(m.after), func(x *informer.Informer) bool { return x.Started() != should(x) })
}

// ran holds if an informer of the step's process was started before the step.
func (m *moment) ran() bool {
	return slices.ContainsFunc(m.process(m.before), func(x *informer.Informer) bool { return x.Started() })
}

// workersBegin holds if a worker of the step's process goes to its queue with the step.
func (m *moment) workersBegin() bool {
	for _, x := range m.process(m.after) {
		for _, o := range x.Work.Workers {
			if m.after.Set.State(o.ID).PC == actor.WorkerGet && m.before.Set.State(o.ID).PC != actor.WorkerGet {
				return true
			}
		}
	}
	return false
}

// breaks holds if the watch isn't open any more, or ends at once.
func (m *moment) breaks() bool {
	at, _ := m.y.Server.Due()
	return m.y.Server.State() != apiserver.Open || at <= m.after.Now()
}

// replica is the process of the step in one of its worlds.
type replica struct {
	*manager.Replica
	w *world.World
}

func (m *moment) elector(w *world.World) replica {
	return replica{&w.Election.Replicas[w.Replica(m.y.Index())], w}
}

// NextStep is when the elector makes its next step.
func (r replica) NextStep(m *moment) int64 {
	for id := range actor.ID(r.w.Set.Len()) {
		if role := r.w.Set.Role(id); role.Kind == actor.Elector && r.w.Replica(int(role.Informer)) == r.w.Replica(m.y.Index()) {
			return r.w.Set.ReadyAt(id)
		}
	}
	return -1
}

// emptied holds if the process of the step has ended, and nothing of it is left.
func (m *moment) emptied() bool {
	return m.y.Indexer.Len() == 0 && m.y.Queue.Depth() == 0 && m.y.Work.Queue.Len() == 0 && !m.elector(m.after).Leads && m.idle()
}

// idle holds if no goroutine of the process moves, except its elector.
func (m *moment) idle() bool {
	for id := range actor.ID(m.after.Set.Len()) {
		role := m.after.Set.Role(id)
		if role.Kind != actor.Elector && role.Kind != actor.Collector && m.after.Set.SameProcess(role.Informer, int16(m.y.Index())) && m.after.Set.ReadyAt(id) != actor.Never {
			return false
		}
	}
	return true
}

// dead holds if no goroutine of the process of the step can move.
func (m *moment) dead() bool {
	for _, id := range m.after.Ready(nil) {
		if m.after.Set.SameProcess(m.after.Set.Role(id).Informer, int16(m.y.Index())) {
			return false
		}
	}
	return true
}

// ofShard holds if each informer of the process has the shard that the sentence names.
func (m *moment) ofShard() bool {
	return m.after.Election.Sharded && !slices.ContainsFunc(m.process(m.after), func(x *informer.Informer) bool { return x.Config().Shard.Name() != m.args["shard"].V })
}
