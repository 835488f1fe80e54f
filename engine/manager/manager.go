// Package manager runs controllers over informers, as controller-runtime's manager and
// kube-controller-manager do: it starts their workers when the caches have synced, hands keys to
// reconcilers that read, write and claim, calls the handlers that feed their queues, elects a leader among
// several processes (client-go's leaderelection), and collects garbage.
//
// A Manager is plain data. Its methods only read it, except for [Manager.CopyFrom]. A [Driver] changes
// it, at the request of package world: [Driver.Step] moves one actor, and the other methods are commands
// from outside. For some commands there is a method such as [Manager.CanKill], which says whether it has
// an effect. Times are nanoseconds of the world's clock.
package manager

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// Manager is what controllers, their informers and the API servers are at some moment. It is
// plain data. Only a Driver changes it.
type Manager struct {
	Set       actor.Set
	Informers []*informer.Informer

	// Log holds the facts of the last step. It is not part of the state.
	Log event.Log

	Election *Election // nil for none

	collector actor.ID // the garbage collector, if collects isn't 0
	collects  int64    // how long after a write it looks, ns
}

// Driver is a Manager with the right to change it. It belongs to the driver of a world.
type Driver struct{ *Manager }

// Election is several processes of one program. Where they are Sharded, each of them works, and its informers run from
// its beginning on. Otherwise the process that holds the Lease works. The
// informers of a process run when it leads, or from its beginning on if they feed a controller
// that warms up. A process that has led ends when it doesn't lead
// any more, and begins again with everything empty, unless its program goes on: see election.OnStopped.
type Election struct {
	Lease    election.Lease // on the API server
	Replicas []Replica
	Sharded  bool
}

// Replica is one of the processes.
type Replica struct {
	election.Elector
	Paused    int64 // until when it doesn't move
	Cut       bool  // none of its requests reaches the API server
	Processes int   // how many there have been, this one included
	Terms     int   // how often this process has begun to lead

	id     actor.ID
	answer election.Answer // to the request under way, which the server has answered already
}

func (e *Election) clone() *Election {
	if e == nil {
		return nil
	}
	return &Election{e.Lease, slices.Clone(e.Replicas), e.Sharded}
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

// roundTrip is how long a request of a reconcile and its answer take, in nanoseconds. The
// server writes at once, so that the watch event may come before the answer.
const roundTrip = 1_000_000

func startWorkers(s *actor.Set, work *informer.Work) {
	work.Controller.Started = true
	work.StartWorkers(s)
}

// CopyFrom makes m equal to src, reusing m's memory.
func (m *Manager) CopyFrom(src *Manager) {
	m.Set.CopyFrom(&src.Set)
	for len(m.Informers) < len(src.Informers) {
		m.Informers = append(m.Informers, new(informer.Informer))
	}
	m.Informers = m.Informers[:len(src.Informers)]
	for i, x := range src.Informers {
		m.Informers[i].CopyFrom(x)
	}
	m.Election = src.Election.clone()
	m.collector, m.collects = src.collector, src.collects
	m.Log.Events = append(m.Log.Events[:0], src.Log.Events...)
}

// Hash adds the state to h.
func (m *Manager) Hash(h *actor.Hash) {
	m.Set.Hash(h)
	m.Election.hash(h, m.Set.Now)
	for _, x := range m.Informers {
		x.Hash(h, &m.Set)
	}
}

// Simulated returns the server of informer i, nil if that is not a simulated one.
func (m *Manager) Simulated(i int) *apiserver.Simulated {
	s, _ := m.Informers[i].Server.(*apiserver.Simulated)
	return s
}

// Objects returns the objects that the server of informer i holds, or that its
// recording has come to, in the order of their keys.
func (m *Manager) Objects(i int) []object.Ref {
	switch s := m.Informers[i].Server.(type) {
	case *apiserver.Simulated:
		return s.Storage.Objects(nil)
	case *apiserver.Playback:
		return s.Objects(nil, s.Pos())
	}
	return nil
}

// Revision returns the cluster's revision, or the newest that the recording of informer i has
// told.
func (m *Manager) Revision(i int) int64 {
	switch s := m.Informers[i].Server.(type) {
	case *apiserver.Simulated:
		return s.Storage.Revision()
	case *apiserver.Playback:
		return s.Revision()
	}
	return 0
}

// Object returns what the server of informer i has under a key, or 0.
func (m *Manager) Object(i int, k object.Key) object.Ref {
	switch s := m.Informers[i].Server.(type) {
	case *apiserver.Simulated:
		return s.Storage.Get(k)
	case *apiserver.Playback:
		return s.Get(k)
	}
	return 0
}

// EachSimulated calls f for each connection to a simulated server, with the number of
// its informer, and lets the reflector look again.
func (d Driver) EachSimulated(f func(s *apiserver.Simulated, informer int)) {
	for i, x := range d.Informers {
		if d.Simulated(i) == nil {
			continue
		}
		for _, server := range x.Servers(nil) {
			f(server.(*apiserver.Simulated), i)
		}
		x.Poll(&d.Set)
	}
}

// Write makes a write on every server of a resource, which is informer i's, and says
// what it came to. Servers of other resources get the new revision only.
func (d Driver) Write(i int, r apiserver.Write) (answer registry.Answer) {
	server, now := d.Simulated(i), d.Set.Now
	rev := server.Storage.Revision() + 1
	if answer = server.Write(r, rev, now); !answer.Wrote() {
		return answer
	}
	d.EachSimulated(func(s *apiserver.Simulated, _ int) {
		switch {
		case s == server:
		case s.Config().Versions != server.Config().Versions:
			s.Storage.Advance(rev, now)
		default:
			s.Write(r, rev, now)
		}
	})
	e := event.Event{Kind: event.ObjectWritten, Delta: event.Updated, N: rev}
	switch answer {
	case registry.Created:
		e.Delta = event.Added
	case registry.Removed:
		e.Delta = event.Deleted
	}
	e.Key, e.Old, e.New = server.Storage.LastWritten()
	d.Log.Emit(e)
	d.wakeCollector()
	return answer
}

// wakeCollector makes the collector look some time after a write.
func (d Driver) wakeCollector() {
	if d.collects == 0 {
		return
	}
	if id := d.collector; d.Set.State(id).Wait != actor.OnTimer {
		d.Set.Sleep(id, actor.CollectorLook, actor.OnTimer, d.Set.Now+d.collects)
	}
}

// WriteBack makes the write of a reconcile that has just ended.
func (d Driver) WriteBack(worker actor.Role) {
	x := d.Informers[worker.Informer]
	m, ok := x.Work.WriteBack(worker.Index, x.Config())
	if !ok {
		return
	}
	if d.Object(int(worker.Informer), x.Config().Table.MakeKey(m)) != 0 {
		d.Write(int(worker.Informer), apiserver.Write{Verb: apiserver.Update, Object: m, NewVersion: true})
		x.Work.WroteRV = x.Config().Table.RVOf(d.Log.Events[len(d.Log.Events)-1].New)
	}
}

// Step moves an actor of the controllers: a handler that feeds a queue, a worker,
// the garbage collector, or an elector. It returns the informer that the step was about, and
// whether the actor has finished what it was doing.
func (d Driver) Step(id actor.ID, pc actor.PC, role actor.Role) (about int16, finished bool) {
	switch {
	case pc == actor.RunEnqueue:
		d.handle(id, role)
		return role.Informer, false
	case pc == actor.WorkerStart:
		d.awaitCaches(id, role)
	case pc == actor.CollectorLook:
		return d.collect(id, role), true
	case pc >= actor.ElectorStart:
		d.elect(id, pc, role)
	default:
		d.runProgram(role)
		return role.Informer, false
	}
	return role.Informer, true
}

// PartOf returns the number of the informer that has the objects of a key's namespace, where informer i is a part of a cache
// of several namespaces. It returns i if no part has them, if i is an informer by itself, and if i is less than 0.
func (m *Manager) PartOf(i int, k object.Key) int {
	if i < 0 || m.Informers[i].Config().Parts == 0 {
		return i
	}
	cfg := m.Informers[i].Config()
	namespace, _, _ := strings.Cut(cfg.Table.KeyText(k), "/")
	for part := i - cfg.Part; part < i-cfg.Part+cfg.Parts; part++ {
		if cfg.Table.Text(m.Informers[part].Config().Namespace) == namespace {
			return part
		}
	}
	return i
}

// Shard returns the shard of a process, which each of its informers has.
func (m *Manager) Shard(replica int) object.Shard {
	return m.Informers[replica*int(m.Set.Apart)].Config().Shard
}

// CanReshard reports whether a process can be given another shard.
func (m *Manager) CanReshard(s object.Shard, after int64) bool {
	return m.Election.Sharded && !s.Empty() && after >= 0
}

// Reshard asks the process of a replica to end. It begins again some time later, ns, with another shard: a selector can't
// be set once an informer has started.
func (d Driver) Reshard(replica int, s object.Shard, after int64) {
	d.eachInformerOf(replica, func(x *informer.Informer) { x.Reshard(s) })
	d.Log.Emit(event.Event{Kind: event.ReplicaResharded, N: after})
	d.exit(replica, after)
}

// Holders returns how many informers of informer i's resource hold an object, in all processes that run.
func (m *Manager) Holders(i int, k object.Key) (n int) {
	for j, x := range m.Informers {
		if _, has := x.Indexer.GetByKey(k); has && x.Config().Table == m.Informers[i].Config().Table && m.runs(j) {
			n++
		}
	}
	return n
}

// Workers returns how many workers of the controllers of informer i's resource have a key in hand, in all processes that
// run.
func (m *Manager) Workers(i int, k object.Key) (n int) {
	for j, x := range m.Informers {
		if x.Config().Table != m.Informers[i].Config().Table || !m.runs(j) {
			continue
		}
		for w := range x.Work.Workers {
			if x.Work.Workers[w].Key == k && k != 0 {
				n++
			}
		}
	}
	return n
}

func (m *Manager) runs(informer int) bool {
	return m.Informers[informer].Crash() == nil && (m.Election == nil || m.Alive(m.Replica(informer)))
}
