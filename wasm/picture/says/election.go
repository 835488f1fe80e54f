package says

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/manager"
)

// electionSayings tell how several processes elect a leader.
var electionSayings = []saying{
	{id: "replicaKilledForever", fact: event.ReplicaKilled, when: func(_ *step, e event.Event) bool { return e.Duration() < 0 }},
	{id: "replicaKilled", fact: event.ReplicaKilled},
	{id: "replicaPaused", fact: event.ReplicaPaused},
	{id: "replicaStopped", fact: event.ReplicaStopped},
	{id: "replicaResharded", fact: event.ReplicaResharded, reason: "replicaResharded"},
	{id: "replicaCut", fact: event.ReplicaCut},
	{id: "replicaJoined", fact: event.ReplicaJoined},
	{id: "replicaStartedShard", fact: event.ReplicaStarted, when: func(s *step, _ event.Event) bool { return s.w.Election.Sharded }},
	{id: "replicaStartedWarm", fact: event.ReplicaStarted, when: warms},
	{id: "replicaStarted", fact: event.ReplicaStarted},
	{id: "leadershipLostRuns", fact: event.LeadershipLost, when: func(s *step, _ event.Event) bool { return s.processAlive() && s.replica().Phase == election.Acquiring }, reason: "leadershipLostGoesOn"},
	{id: "leadershipLostReturns", fact: event.LeadershipLost, when: func(s *step, _ event.Event) bool { return s.processAlive() }, reason: "leadershipLostGoesOn"},
	{id: "leadershipLost", fact: event.LeadershipLost, reason: "leadershipLost"},
	{id: "leadershipGainedAgain", fact: event.LeadershipGained, when: func(s *step, _ event.Event) bool { return s.replica().Terms > 1 }},
	{id: "leadershipGainedWarm", fact: event.LeadershipGained, when: func(s *step, _ event.Event) bool {
		return s.ofProcess(func(x *informer.Informer) bool { return x.Work.Controller != nil && x.Work.Controller.Started })
	}, reason: "leadershipGainedWarm"},
	{id: "leadershipGainedWarming", fact: event.LeadershipGained, when: warms},
	{id: "leadershipGained", fact: event.LeadershipGained, reason: "leadershipGained"},
	{id: "leaseTaken", fact: event.LeaseWritten, delta: event.Added},
	{id: "leaseReleased", fact: event.LeaseWritten, delta: event.Deleted, when: readBefore, reason: "leaseReleased"},
	{id: "leaseReleased", fact: event.LeaseWritten, delta: event.Deleted},
	{id: "leaseRenewed", fact: event.LeaseWritten},
	{id: "leaseRefused", fact: event.LeaseRefused},
	{id: "leaseUnreached", fact: event.Unreached, role: actor.Elector, when: leadsOn, reason: "leaseUnreached"},
	{id: "leaseUnreached", fact: event.Unreached, role: actor.Elector},
	{id: "requestUnreached", fact: event.Unreached},
	{id: "replicaEnded", fact: event.ProcessKilled, when: func(s *step, _ event.Event) bool { return s.role.Kind == actor.Elector }},
	{id: "leaseHeld", fact: event.LeaseHeld, reason: "leaseHeld"},
	{id: "electorWakes", pc: actor.ElectorWake},
	{id: "leaseAsked", pc: actor.ElectorTry},
	{id: "leaseAnswered", pc: actor.ElectorAnswer},
}

// readBefore holds if the process has read the Lease before it gives it back, whoever has it by then.
func readBefore(s *step, _ event.Event) bool {
	return s.x.Config().Profile.Election.ReleaseReads
}

// leadsOn holds if the process leads and goes on trying to renew its lease.
func leadsOn(s *step, _ event.Event) bool {
	r := s.replica()
	return r.Leads && !r.Releasing()
}

// processAlive reports whether the step's process runs after the step.
func (s *step) processAlive() bool { return s.w.Alive(s.w.Replica(s.x.Index())) }

func (s *step) replica() *manager.Replica {
	return &s.w.Election.Replicas[s.w.Replica(s.x.Index())]
}

// warms holds if the process has a controller that warms up.
func warms(s *step, _ event.Event) bool {
	return s.ofProcess(func(x *informer.Informer) bool { return x.Config().Warm })
}

// ofProcess reports whether something holds for an informer of the step's process.
func (s *step) ofProcess(is func(x *informer.Informer) bool) bool {
	return slices.ContainsFunc(s.w.Informers, func(x *informer.Informer) bool {
		return s.w.Replica(x.Index()) == s.w.Replica(s.x.Index()) && is(x)
	})
}
