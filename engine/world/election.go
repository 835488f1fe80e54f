package world

import (
	"slices"

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

// Election is several processes of one program. The process that holds the Lease works. The
// informers of a process run when it leads, or from its beginning on if they feed a controller
// that warms up. A process that has led ends when it doesn't lead
// any more, and begins again with everything empty.
type Election struct {
	Lease    election.Lease // on the API server
	Replicas []Replica
}

// Replica is one of the processes.
type Replica struct {
	election.Elector
	Paused    int64 // until when it doesn't move
	Cut       bool  // none of its requests reaches the API server
	Processes int   // how many there have been, this one included

	id     actor.ID
	answer election.Answer // to the request under way, which the server has answered already
}

// ElectionOf returns the election of a world, nil if there is none.
func ElectionOf(w *World) *Election { return w.election }

// ReplicaOf is the number of the process that an informer belongs to.
func ReplicaOf(w *World, informer int) int {
	if w.Set.Apart == 0 {
		return 0
	}
	return informer / int(w.Set.Apart)
}

// Alive reports whether a process runs.
func (e *Election) Alive(replica int, w *World) bool {
	st := w.Set.State(e.Replicas[replica].id)
	return st.Wait != actor.Stopped && st.PC != actor.ElectorStart
}

// Leads reports whether a process runs, and takes itself for the leader. A panic ends the elector, too,
// and leaves it as it was.
func (e *Election) Leads(replica int, w *World) bool {
	return e.Replicas[replica].Leads && e.Alive(replica, w)
}

// eachOf calls f for each informer of a process.
func eachOf(w *World, replica int, f func(x *informer.Informer)) {
	per := int(w.Set.Apart)
	for _, x := range w.Informers[replica*per : (replica+1)*per] {
		f(x)
	}
}

// Warmed reports whether an informer's controller has warmed up, and its workers start when the
// process leads.
func Warmed(w *World, x *informer.Informer) bool {
	return x.Work.Controller != nil && w.Set.State(x.Work.Workers[0].ID).PC == actor.WorkerElected
}

func newElection(cfg *Config, s *actor.Set) *Election {
	if cfg.Replicas == 0 {
		return nil
	}
	s.Apart = int16(len(cfg.Informers) / cfg.Replicas)
	of := *cfg.Election
	of.Gates = cfg.Informers[0].Profile.Election
	e := &Election{Replicas: make([]Replica, cfg.Replicas)}
	for i := range e.Replicas {
		r := &e.Replicas[i]
		r.Elector = election.Run(&of, 0)
		r.id = s.For(actor.Role{Kind: actor.Elector, Informer: int16(i) * s.Apart})
		s.Sleep(r.id, actor.ElectorStart, actor.OnTimer, s.Now+int64(i)*startApart)
	}
	return e
}

func (e *Election) clone() *Election {
	if e == nil {
		return nil
	}
	return &Election{e.Lease, slices.Clone(e.Replicas)}
}

func (e *Election) hash(h *actor.Hash, now int64) {
	if e == nil {
		return
	}
	e.Lease.Hash(h, now)
	for i := range e.Replicas {
		r := &e.Replicas[i]
		r.Hash(h, now)
		h.Due(r.Paused, now)
		h.Bools(r.Cut)
		h.Add(uint64(r.answer.Result))
	}
}

// elect is a step of an elector.
func elect(w *World, id actor.ID, pc actor.PC, role actor.Role) {
	n := ReplicaOf(w, int(role.Informer))
	r := &w.election.Replicas[n]
	draw := w.Set.Rand.Float
	switch now := w.Set.Now; pc {
	case actor.ElectorStart:
		r.Processes++
		r.Elector = r.Anew(election.Identity(r.Processes*len(w.election.Replicas) + n))
		w.Log.Emit(event.Event{Kind: event.ReplicaStarted})
		eachOf(w, n, func(x *informer.Informer) {
			if x.Config().Warm {
				x.Start(&w.Set)
			}
		})
		w.Set.Go(id, actor.ElectorTry)
	case actor.ElectorWake:
		advance(w, n, func() election.Request { return r.Wake(now) })
	case actor.ElectorTry:
		advance(w, n, func() election.Request { return r.Try(now, draw) })
	default:
		answered(w, r)
		advance(w, n, func() election.Request { return r.Answer(r.answer, now, draw) })
	}
}

// answered tells of a write that the server has refused.
func answered(w *World, r *Replica) {
	if r.answer.Result == election.Conflict || r.answer.Result == election.AlreadyExists {
		w.Log.Emit(event.Event{Kind: event.LeaseRefused, N: 409})
	}
}

// advance lets an elector go on, and does what comes of it.
func advance(w *World, n int, turn func() election.Request) {
	r, s := &w.election.Replicas[n], &w.Set
	led, asked := r.Leads, r.Phase == election.Asks
	q := turn()
	if r.Leads && !led {
		w.Log.Emit(event.Event{Kind: event.LeadershipGained})
		eachOf(w, n, func(x *informer.Informer) {
			if !x.Start(s) && Warmed(w, x) {
				startWorkers(s, &x.Work)
			}
		})
	}
	switch r.Phase {
	case election.Waits:
		if left := r.Expires() - s.Now; asked && r.answer.Result == election.OK && !r.Leads && !r.IsLeader() {
			w.Log.Emit(event.Event{Kind: event.LeaseHeld, N: left})
		}
		s.Sleep(r.id, actor.ElectorWake, actor.OnTimer, r.Wakes)
	case election.Tries:
		s.Go(r.id, actor.ElectorTry)
	case election.Asks:
		send(w, r, q)
	default:
		if led {
			w.Log.Emit(event.Event{Kind: event.LeadershipLost})
		}
		exit(w, n, restartAfter)
	}
}

// send lets the server answer a request at once. The answer takes its time. A write gets
// the next revision of the cluster.
func send(w *World, r *Replica, q election.Request) {
	w.Set.Sleep(r.id, actor.ElectorAnswer, actor.OnCall, min(w.Set.Now+roundTrip, r.Deadline()))
	if r.Cut {
		r.answer = election.Answer{Result: election.Failed}
		w.Log.Add(event.Unreached)
		return
	}
	revision := int64(0)
	w.simulated(func(s *apiserver.Simulated, _ int) { revision = max(revision, s.Storage.Revision()) })
	holder, now := w.election.Lease.Holder, w.Set.Now
	r.answer = w.election.Lease.Serve(q, revision+1)
	if q.Verb != election.Get && r.answer.Result == election.OK {
		w.simulated(func(s *apiserver.Simulated, _ int) { s.Storage.Advance(revision+1, now) })
		e := event.Event{Kind: event.LeaseWritten, Delta: event.Updated, N: revision + 1}
		switch {
		case q.Record.Holder == 0:
			e.Delta = event.Deleted
		case q.Record.Holder != holder:
			e.Delta = event.Added
		}
		w.Log.Emit(e)
	}
}

// exit ends the process of a replica, and begins it anew after some time, or never if that is
// negative.
func exit(w *World, n int, after int64) {
	r, per := &w.election.Replicas[n], int(w.Set.Apart)
	w.Log.Emit(event.Event{Kind: event.ProcessKilled})
	begin(w, n*per, (n+1)*per)
	r.Elector, r.Paused = r.Anew(0), 0
	if after >= 0 {
		w.Set.Sleep(r.id, actor.ElectorStart, actor.OnTimer, actor.After(w.Set.Now, after))
	}
}

// holdUp keeps a paused process from moving, whoever wakes it.
func holdUp(w *World) {
	for i := range w.election.Replicas {
		until := w.election.Replicas[i].Paused
		if until <= w.Set.Now {
			continue
		}
		for id := range actor.ID(w.Set.Len()) {
			if role := w.Set.Role(id); role.Kind != actor.Collector && ReplicaOf(w, int(role.Informer)) == i {
				w.Set.Delay(id, until)
			}
		}
	}
}

// canReplica reports whether a command for a replica has an effect.
func canReplica(w *World, c *Command) bool {
	if w.election == nil {
		return false
	}
	n := ReplicaOf(w, c.Informer)
	alive := w.election.Alive(n, w)
	switch c.Kind {
	case KillReplica:
		return c.N >= 0 || w.Set.State(w.election.Replicas[n].id).Wait != actor.Stopped
	case PauseReplica:
		return alive && c.N > 0
	}
	r := &w.election.Replicas[n]
	switch c.Kind {
	case CutReplica:
		return !r.Cut && w.Informers[c.Informer].Config().WritesBack == nil
	case JoinReplica:
		return r.Cut
	}
	return alive && r.Paused <= w.Set.Now && !r.Cancelled()
}

// disturbReplica kills, pauses or stops a replica, or cuts its network or joins it again. A
// process that is stopped doesn't reconcile any more, and may give the lease back before it ends.
func disturbReplica(w *World, c *Command) {
	n := ReplicaOf(w, c.Informer)
	r := &w.election.Replicas[n]
	switch c.Kind {
	case KillReplica:
		w.Log.Emit(event.Event{Kind: event.ReplicaKilled, N: c.N})
		exit(w, n, c.N)
	case PauseReplica:
		w.Log.Emit(event.Event{Kind: event.ReplicaPaused, N: c.N})
		r.Paused = actor.After(w.Set.Now, c.N)
	case CutReplica:
		w.Log.Add(event.ReplicaCut)
		cut(w, n, apiserver.Refused, -1)
	case JoinReplica:
		w.Log.Add(event.ReplicaJoined)
		cut(w, n, apiserver.NoFailure, 0)
	default:
		w.Log.Emit(event.Event{Kind: event.ReplicaStopped})
		w.Set.Kill(int16(c.Informer))
		advance(w, n, func() election.Request { return r.Cancel(w.Set.Now, w.Set.Rand.Float) })
	}
}

// cut lets the next requests of a replica fail, all if there are less than 0, and ends its
// watches. An answer that is on its way still arrives.
func cut(w *World, n int, f apiserver.Failure, requests int) {
	w.election.Replicas[n].Cut = requests < 0
	w.simulated(func(s *apiserver.Simulated, own int) {
		if ReplicaOf(w, own) == n {
			s.Fail(f, requests, 0)
			if requests < 0 {
				w.Informers[own].Break(&w.Set)
			}
		}
	})
}

// unreachable reports whether requests of the process of an informer don't reach the API server.
func unreachable(w *World, informer int) bool {
	return w.election != nil && w.election.Replicas[ReplicaOf(w, informer)].Cut
}

// settled reports whether one replica leads and holds the Lease, and the others know it; or
// whether all that run are cut off, and none of them leads.
func (e *Election) settled(w *World) bool {
	leads, cut, candidates := false, 0, 0
	for i := range e.Replicas {
		r := &e.Replicas[i]
		st := w.Set.State(r.id)
		switch {
		case st.Wait == actor.Stopped:
		case st.PC != actor.ElectorWake || r.Paused > w.Set.Now:
			return false
		case r.Leads && (r.Cut || r.ID != e.Lease.Holder):
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

// electionRests reports whether nothing but renewals comes: a leader holds the lease, and
// nobody else moves.
func electionRests(w *World) bool {
	if !w.election.settled(w) {
		return false
	}
	for id := range actor.ID(w.Set.Len()) {
		if w.Set.Role(id).Kind == actor.Elector || w.Set.At(id) == actor.Never {
			continue
		}
		if w.Set.State(id).PC == actor.WorkerStart {
			if !asksInVain(w, id) {
				return false
			}
		} else if !w.Idle(id) {
			return false
		}
	}
	return true
}
