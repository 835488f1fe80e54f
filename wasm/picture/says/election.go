package says

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
)

// electionSayings tell how several processes elect a leader.
var electionSayings = []saying{
	{id: "replicaKilledForever", of: event.ReplicaKilled, when: func(_ *step, e event.Event) bool { return e.Duration() < 0 }},
	{id: "replicaKilled", of: event.ReplicaKilled},
	{id: "replicaPaused", of: event.ReplicaPaused},
	{id: "replicaStopped", of: event.ReplicaStopped},
	{id: "replicaCut", of: event.ReplicaCut},
	{id: "replicaJoined", of: event.ReplicaJoined},
	{id: "replicaStartedWarm", of: event.ReplicaStarted, when: warms},
	{id: "replicaStarted", of: event.ReplicaStarted},
	{id: "leadershipLost", of: event.LeadershipLost, why: "leadershipLost"},
	{id: "leadershipGainedWarm", of: event.LeadershipGained, when: func(s *step, _ event.Event) bool {
		return s.ofProcess(func(x *informer.Informer) bool { return x.Work.Controller != nil && x.Work.Controller.Started })
	}, why: "leadershipGainedWarm"},
	{id: "leadershipGainedWarming", of: event.LeadershipGained, when: warms},
	{id: "leadershipGained", of: event.LeadershipGained, why: "leadershipGained"},
	{id: "leaseTaken", of: event.LeaseWritten, delta: event.Added},
	{id: "leaseReleased", of: event.LeaseWritten, delta: event.Deleted, when: readBefore, why: "leaseReleased"},
	{id: "leaseReleased", of: event.LeaseWritten, delta: event.Deleted},
	{id: "leaseRenewed", of: event.LeaseWritten},
	{id: "leaseRefused", of: event.LeaseRefused},
	{id: "leaseUnreached", of: event.Unreached, role: actor.Elector, when: leadsOn, why: "leaseUnreached"},
	{id: "leaseUnreached", of: event.Unreached, role: actor.Elector},
	{id: "requestUnreached", of: event.Unreached},
	{id: "replicaEnded", of: event.ProcessKilled, when: func(s *step, _ event.Event) bool { return s.role.Kind == actor.Elector }},
	{id: "leaseHeld", of: event.LeaseHeld, why: "leaseHeld"},
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
	r := &s.w.Election.Replicas[s.w.Replica(s.x.Index())]
	return r.Leads && !r.GivesBack()
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
