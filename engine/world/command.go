package world

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// Command is something that the outside world does to the machine, beyond what
// the recording says.
type Command struct {
	After    int64 // it is done when so many steps have been made
	Kind     CommandKind
	Informer int
	Handler  informer.Handler // of AddHandler
	Listener int              // of RemoveHandler: its number

	Object  object.Meta       // of Create and Update: the content; of Delete and MutateCached: Key
	Failure apiserver.Failure // of FailRequests
	N       int64             // nanoseconds, a revision, a number of requests
	Warm    int64             // of RestartServer, ns
}

// CommandKind says what a Command does.
type CommandKind uint8

const (
	BreakWatch    CommandKind = iota + 1 // cuts the connection of the open watch
	StopInformer                         // closes the stop channel
	AddHandler                           // AddEventHandler with Handler
	RemoveHandler                        // RemoveEventHandler of Listener
	RunAgain                             // another call of Run, with the same stop channel
	MutateCached                         // somebody writes to the cached object of Object.Key: its labels are Object.Labels now

	// The others are for simulated servers. What is written by one informer's
	// server is the next revision of the cluster, of which there is one.
	Create        // Object
	Update        // Object
	Delete        // Object.Key
	Compact       // etcd forgets what was before the present revision
	RestartServer // it is down for N, and its watch cache begins Warm later
	RestoreServer // etcd comes back from a backup made at revision N
	LagServer     // its watch cache gets changes N later, not at all if N is less than 0
	FailRequests  // the next N requests fail with Failure, all if N is less than 0
	SilenceWatch  // the open watch's connection is half-open from now on
	PassTime      // the clock moves on to N, past which nobody has been asleep
)

// Do carries the command out, whatever its After. Its facts are in w.Log, and
// stay there beside those of the step that follows. It reports false if there
// was nothing to do: a Create of what is there, an Update or Delete of what is
// not, a server that is none to command, a RunAgain where there was no Run or
// are too many.
func (w *World) Do(c Command) bool {
	if !w.carry {
		w.Log.Reset()
		w.carry = true
	}
	w.Log.Actor = actor.Nobody
	x := w.Informers[c.Informer]
	switch c.Kind {
	case BreakWatch:
		x.Break(&w.Set)
	case StopInformer:
		x.Stop(&w.Set, &w.Log)
	case AddHandler:
		x.AddHandler(&w.Set, c.Handler)
	case RemoveHandler:
		x.RemoveHandler(&w.Set, c.Listener, &w.Log)
	case RunAgain:
		return x.RunAgain(&w.Set, &w.Log)
	case MutateCached:
		return mutate(x, c.Object)
	case PassTime:
		w.Set.Now = max(w.Set.Now, c.N)
	default:
		return w.command(c)
	}
	return true
}

// mutate changes a cached object in place, behind the indexer's back.
func mutate(x *informer.Informer, to object.Meta) bool {
	t := x.Config().Table
	old, ok := x.Indexer.GetByKey(to.Key)
	if !ok {
		return false
	}
	m := t.Meta(old)
	m.Labels = to.Labels
	if s, ok := x.Server.(*apiserver.Simulated); ok {
		rev, _ := m.RV.Number()
		x.Indexer.Mutate(old, s.Config().Versions.At(m, int64(rev)))
	} else {
		x.Indexer.Mutate(old, t.Add(m))
	}
	return true
}

// Simulated is the server of informer i, nil if that is not a simulated one.
func (w *World) Simulated(i int) *apiserver.Simulated {
	s, _ := w.Informers[i].Server.(*apiserver.Simulated)
	return s
}

// command does something to every simulated server that serves the same
// resource as the informer's; compaction and restoring are the whole cluster's.
func (w *World) command(c Command) bool {
	own := w.Simulated(c.Informer)
	if own == nil {
		return false
	}
	now, done := w.Set.Now, false
	rev := own.Revision() + 1
	for i, x := range w.Informers {
		if w.Simulated(i) == nil {
			continue
		}
		for _, server := range x.Servers(nil) {
			if on(server.(*apiserver.Simulated), c, own, i == c.Informer, rev, now) {
				done = true
			}
		}
		x.Poll(&w.Set)
	}
	if !done || c.Kind > Delete {
		return done
	}
	for _, x := range w.Informers {
		for _, server := range x.Servers(nil) {
			if s, ok := server.(*apiserver.Simulated); ok && s.Revision() < rev {
				s.Advance(rev, now)
			}
		}
	}
	return true
}

// on does c to one connection's server, if that is meant: own is the server of
// the command's informer, and theirs tells whether s is one of that as well.
func on(s *apiserver.Simulated, c Command, own *apiserver.Simulated, theirs bool, rev, now int64) bool {
	switch c.Kind {
	case Compact:
		s.Compact()
	case RestoreServer:
		s.Restore(c.N, now)
	case Create, Update, Delete:
		return s.Config().Versions == own.Config().Versions && write(s, c, rev, now)
	default:
		if theirs {
			fault(s, c, now)
		}
		return theirs
	}
	return true
}

// writeBack does to the server what a reconcile that has just ended wants done.
func (w *World) writeBack(worker actor.Role) {
	if m, ok := w.Informers[worker.Informer].WriteBack(worker.Index); ok {
		w.command(Command{Kind: Update, Informer: int(worker.Informer), Object: m})
	}
}

func write(s *apiserver.Simulated, c Command, rev, now int64) bool {
	switch c.Kind {
	case Create:
		return s.Create(c.Object, rev, now)
	case Update:
		return s.Update(c.Object, rev, now)
	}
	return s.Delete(c.Object.Key, rev, now)
}

func fault(s *apiserver.Simulated, c Command, now int64) {
	switch c.Kind {
	case RestartServer:
		s.Restart(now, c.N, c.Warm)
	case LagServer:
		s.Lag(c.N, now)
	case FailRequests:
		s.Fail(c.Failure, int(c.N))
	case SilenceWatch:
		s.Silence()
	}
}
