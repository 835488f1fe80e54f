package manager

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
)

// restartAfter is how long a process that has ended needs to begin again, in nanoseconds.
const restartAfter = 1_000_000_000

// startApart is how much later each process begins than the one before, in nanoseconds.
const startApart = 500_000_000

// Replica returns the number of the process that an informer belongs to.
func (m *Manager) Replica(informer int) int {
	if m.Set.Apart == 0 {
		return 0
	}
	return informer / int(m.Set.Apart)
}

// Alive reports whether a process runs. It may do so after its elector has ended.
func (m *Manager) Alive(replica int) bool {
	st := m.Set.State(m.Election.Replicas[replica].id)
	return st.Wait != actor.Stopped && st.PC != actor.ElectorStart
}

// Leads reports whether a process runs, and takes itself for the leader. A panic ends the elector's goroutine, too,
// and leaves the elector as it was.
func (m *Manager) Leads(replica int) bool {
	return m.Election.Replicas[replica].Leads && m.Alive(replica)
}

func (m *Manager) eachInformerOf(replica int, f func(x *informer.Informer)) {
	per := int(m.Set.Apart)
	for _, x := range m.Informers[replica*per : (replica+1)*per] {
		f(x)
	}
}

// Warmed reports whether an informer's controller has warmed up, and its workers start when the
// process leads.
func (m *Manager) Warmed(x *informer.Informer) bool {
	return x.Work.Controller != nil && m.Set.State(x.Work.Workers[0].ID).PC == actor.WorkerElected
}

// Elect gives each of so many processes the informers. The processes elect a leader. Where cfg is nil they elect none, and each
// process that has a shard begins.
func (d Driver) Elect(replicas int, cfg *election.Config) {
	d.Set.Apart = int16(len(d.Informers) / replicas)
	var config election.Config
	if cfg != nil {
		config = *cfg
	}
	config.Gates = d.Informers[0].Config().Profile.Election
	d.Election = &Election{Replicas: make([]Replica, replicas), Sharded: cfg == nil}
	for i := range d.Election.Replicas {
		r := &d.Election.Replicas[i]
		r.Elector = election.Run(&config, 0)
		r.id = d.Set.ActorOf(actor.Role{Kind: actor.Elector, Informer: int16(i) * d.Set.Apart})
		if d.Election.Sharded && d.Shard(i).Empty() {
			d.Set.Stop(r.id)
			continue
		}
		d.Set.Sleep(r.id, actor.ElectorStart, actor.OnTimer, d.Set.Now+int64(i)*startApart)
	}
}

// elect makes a step of an elector.
func (d Driver) elect(id actor.ID, pc actor.PC, role actor.Role) {
	n := d.Replica(int(role.Informer))
	r := &d.Election.Replicas[n]
	draw := d.Set.Rand.Float
	switch now := d.Set.Now; pc {
	case actor.ElectorStart:
		r.Processes++
		r.Elector = r.Restarted(election.Identity(r.Processes*len(d.Election.Replicas) + n))
		d.Log.Emit(event.Event{Kind: event.ReplicaStarted})
		d.eachInformerOf(n, func(x *informer.Informer) {
			if x.Config().Warm || d.Election.Sharded {
				x.Start(&d.Set)
			}
		})
		if d.Election.Sharded {
			d.Set.Block(id, actor.ElectorWake, actor.OnReceive, 0) // until the process ends
			return
		}
		d.Set.Schedule(id, actor.ElectorTry)
	case actor.ElectorWake:
		d.advance(n, func() election.Request { return r.Wake(now) })
	case actor.ElectorTry:
		d.advance(n, func() election.Request { return r.Try(now, draw) })
	default:
		if r.answer.Result == election.Conflict || r.answer.Result == election.AlreadyExists {
			d.Log.Emit(event.Event{Kind: event.LeaseRefused, N: 409})
		}
		d.advance(n, func() election.Request { return r.Answer(r.answer, now, draw) })
	}
}

// advance lets an elector go on, and does what comes of it.
func (d Driver) advance(n int, turn func() election.Request) {
	r, s := &d.Election.Replicas[n], &d.Set
	led, asked := r.Leads, r.Phase == election.Requesting
	q := turn()
	d.eachInformerOf(n, func(x *informer.Informer) { x.Leader = r.IsLeader() })
	if r.Leads && !led {
		d.Log.Emit(event.Event{Kind: event.LeadershipGained})
		r.Terms++
		d.eachInformerOf(n, func(x *informer.Informer) {
			if !x.Start(s) && d.Warmed(x) {
				startWorkers(s, &x.Work)
			}
		})
	}
	switch r.Phase {
	case election.Waiting:
		if left := r.Expires() - s.Now; asked && r.answer.Result == election.OK && !r.Leads && !r.IsLeader() {
			d.Log.Emit(event.Event{Kind: event.LeaseHeld, N: left})
		}
		s.Sleep(r.id, actor.ElectorWake, actor.OnTimer, r.Wakes)
	case election.Acquiring:
		s.Schedule(r.id, actor.ElectorTry)
	case election.Requesting:
		d.send(r, q)
	default:
		if led {
			d.Log.Emit(event.Event{Kind: event.LeadershipLost})
		}
		switch {
		case r.Cancelled() || r.OnStopped() == election.Exits:
			d.exit(n, restartAfter)
		case r.OnStopped() == election.RunsAgain:
			r.Elector = r.Rerun()
			s.Schedule(r.id, actor.ElectorTry)
			d.eachInformerOf(n, func(x *informer.Informer) { x.Leader = false })
		default:
			s.Block(r.id, actor.None, actor.OnReceive, 0)
		}
	}
}

// send lets the server answer a request at once. The answer takes its time. A write gets
// the next revision of the cluster.
func (d Driver) send(r *Replica, q election.Request) {
	d.Set.Sleep(r.id, actor.ElectorAnswer, actor.OnCall, min(d.Set.Now+roundTrip, r.Deadline()))
	if r.Cut {
		r.answer = election.Answer{Result: election.Failed}
		d.Log.Add(event.Unreached)
		return
	}
	revision := int64(0)
	d.EachSimulated(func(s *apiserver.Simulated, _ int) { revision = max(revision, s.Storage.Revision()) })
	holder, now := d.Election.Lease.Holder, d.Set.Now
	r.answer = d.Election.Lease.Serve(q, revision+1)
	if q.Verb != election.Get && r.answer.Result == election.OK {
		d.EachSimulated(func(s *apiserver.Simulated, _ int) { s.Storage.Advance(revision+1, now) })
		e := event.Event{Kind: event.LeaseWritten, Delta: event.Updated, N: revision + 1}
		switch {
		case q.Record.Holder == 0:
			e.Delta = event.Deleted
		case q.Record.Holder != holder:
			e.Delta = event.Added
		}
		d.Log.Emit(e)
	}
}

// exit ends the process of a replica, and begins it anew after some time, or never if that is
// negative.
func (d Driver) exit(n int, after int64) {
	r, per := &d.Election.Replicas[n], int(d.Set.Apart)
	d.Log.Emit(event.Event{Kind: event.ProcessKilled})
	d.Restart(n*per, (n+1)*per)
	r.Elector, r.Paused, r.Terms = r.Restarted(0), 0, 0
	if after >= 0 {
		d.Set.Sleep(r.id, actor.ElectorStart, actor.OnTimer, actor.After(d.Set.Now, after))
	}
}

// HoldUp keeps a paused process from moving, whoever wakes it.
func (d Driver) HoldUp() {
	for i := range d.Election.Replicas {
		until := d.Election.Replicas[i].Paused
		if until <= d.Set.Now {
			continue
		}
		for id := range actor.ID(d.Set.Len()) {
			if role := d.Set.Role(id); role.Kind != actor.Collector && d.Replica(int(role.Informer)) == i {
				d.Set.Delay(id, until)
			}
		}
	}
}

// fail lets the next requests of a replica fail, all if there are less than 0, and ends its
// watches. An answer that is on its way still arrives.
func (d Driver) fail(n int, f apiserver.Failure, requests int) {
	d.Election.Replicas[n].Cut = requests < 0
	d.EachSimulated(func(s *apiserver.Simulated, informer int) {
		if d.Replica(informer) == n {
			s.Fail(f, requests, 0)
			if requests < 0 {
				d.Informers[informer].Break(&d.Set)
			}
		}
	})
}

// Unreachable reports whether requests of the process of an informer don't reach the API server.
func (m *Manager) Unreachable(informer int) bool {
	return m.Election != nil && m.Election.Replicas[m.Replica(informer)].Cut
}

// Settled reports whether one replica leads and holds the Lease, and the others know it; or
// whether all that run are cut off, and none of them leads.
func (m *Manager) Settled() bool {
	if m.Election.Sharded {
		return false
	}
	leads, cut, candidates := false, 0, 0
	for i := range m.Election.Replicas {
		r := &m.Election.Replicas[i]
		st := m.Set.State(r.id)
		switch {
		case st.Wait == actor.Stopped || r.Phase == election.Returned:
		case st.PC != actor.ElectorWake || r.Paused > m.Set.Now:
			return false
		case r.Leads && (r.Cut || r.ID != m.Election.Lease.Holder):
			return false
		case r.Leads:
			leads = true
		case r.Cut:
			cut++
		default:
			candidates++
		}
	}
	return leads || cut > 0 && candidates == 0
}

// Restart ends the process of some informers, and makes them anew.
func (d Driver) Restart(from, to int) {
	d.Set.Kill(int16(from))
	for i := from; i < to; i++ {
		d.Informers[i] = informer.Restart(&d.Set, d.Informers[i])
	}
}

// CanKill reports whether killing a replica has an effect: with a negative time it never begins
// again.
func (m *Manager) CanKill(replica int, after int64) bool {
	if m.Election.Sharded && m.Shard(replica).Empty() {
		return false // there is no such process yet
	}
	return after >= 0 || m.Set.State(m.Election.Replicas[replica].id).Wait != actor.Stopped
}

// Kill ends the process of a replica without notice. It begins again some time later, ns, or
// never if that is negative.
func (d Driver) Kill(replica int, after int64) {
	d.Log.Emit(event.Event{Kind: event.ReplicaKilled, N: after})
	d.exit(replica, after)
}

// CanPause reports whether pausing a replica has an effect.
func (m *Manager) CanPause(replica int, ns int64) bool { return m.Alive(replica) && ns > 0 }

// Pause keeps the process of a replica from moving for some nanoseconds.
func (d Driver) Pause(replica int, ns int64) {
	d.Log.Emit(event.Event{Kind: event.ReplicaPaused, N: ns})
	d.Election.Replicas[replica].Paused = actor.After(d.Set.Now, ns)
}

// CanStop reports whether stopping a replica has an effect.
func (m *Manager) CanStop(replica int) bool {
	r := &m.Election.Replicas[replica]
	return m.Alive(replica) && r.Paused <= m.Set.Now && !r.Cancelled()
}

// Stop asks the process of a replica to end. It doesn't reconcile any more, may give the lease
// back before it ends, and begins again.
func (d Driver) Stop(replica int) {
	r := &d.Election.Replicas[replica]
	d.Log.Emit(event.Event{Kind: event.ReplicaStopped})
	if d.Election.Sharded {
		d.exit(replica, restartAfter)
		return
	}
	d.Set.Kill(int16(replica) * d.Set.Apart)
	d.advance(replica, func() election.Request { return r.Cancel(d.Set.Now, d.Set.Rand.Float) })
}

// Cut keeps each further request of a replica from the API server, and ends its watches. An
// answer that is on its way still arrives.
func (d Driver) Cut(replica int) {
	d.Log.Add(event.ReplicaCut)
	d.fail(replica, apiserver.Refused, -1)
}

// Join ends a Cut.
func (d Driver) Join(replica int) {
	d.Log.Add(event.ReplicaJoined)
	d.fail(replica, apiserver.NoFailure, 0)
}
