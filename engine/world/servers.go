package world

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// What commands do to simulated servers. Several informers may have servers of one cluster.

// Simulated is the server of informer i, nil if that is not a simulated one.
func (w *World) Simulated(i int) *apiserver.Simulated {
	s, _ := w.Informers[i].Server.(*apiserver.Simulated)
	return s
}

// Held returns the objects that the server of informer i holds, or that its
// recording has come to, in the order of their keys.
func (w *World) Held(i int) []object.Ref {
	switch s := w.Informers[i].Server.(type) {
	case *apiserver.Simulated:
		return s.Storage.Objects(nil)
	case *apiserver.Playback:
		return s.Objects(nil, s.Pos())
	}
	return nil
}

// Revision is the cluster's, or the newest that the recording of informer i has
// told.
func (w *World) Revision(i int) int64 {
	switch s := w.Informers[i].Server.(type) {
	case *apiserver.Simulated:
		return s.Storage.Revision()
	case *apiserver.Playback:
		return s.Revision()
	}
	return 0
}

// goOn lets simulated servers take over from the recording of x, at the point that
// it has reached, for each informer that plays it. The function returned emits the fact.
func (w *World) goOn(x *informer.Informer) (tell func()) {
	n, least := 0, 0
	for _, other := range w.Informers {
		if other.Config().Versions == x.Config().Versions {
			least = max(least, other.Played())
		}
	}
	for _, other := range w.Informers {
		if other.Config().Versions == x.Config().Versions {
			n = max(n, other.GoOn(&w.Set, least))
		}
	}
	return func() { w.Log.Emit(event.Event{Kind: event.ServerGoesOn, N: int64(n)}) }
}

// simulated calls f for each connection to a simulated server, with the number of
// its informer, and lets the reflector look again.
func (w *World) simulated(f func(s *apiserver.Simulated, own int)) {
	for i, x := range w.Informers {
		if w.Simulated(i) == nil {
			continue
		}
		for _, server := range x.Servers(nil) {
			f(server.(*apiserver.Simulated), i)
		}
		x.Poll(&w.Set)
	}
}

// write creates, updates or deletes an object, for a command. Whoever updates one changes
// something that the machine doesn't read, too.
func (w *World) write(c *Command) {
	r := apiserver.Write{Verb: [...]apiserver.Verb{apiserver.Create, apiserver.Update, apiserver.Patch, apiserver.Delete}[c.Kind-Create], Object: c.Object, Anew: c.Kind == Update || c.Kind == Patch}
	if c.Kind == Delete {
		t := w.Informers[c.Informer].Config().Table
		r.Object = t.Meta(w.Simulated(c.Informer).Storage.Get(c.Object.Key))
		r.Object.UID, r.Object.RV = 0, 0 // no preconditions
		switch {
		case c.Foreground:
			r.Propagation = apiserver.Foreground
		case c.Orphan:
			r.Propagation = apiserver.Orphan
		}
	}
	put(w, c.Informer, r)
}

// put makes a write on every server of a resource, which is informer i's, and says
// what it came to. Servers of other resources get the new revision only.
func put(w *World, i int, r apiserver.Write) (answer registry.Answer) {
	own, now := w.Simulated(i), w.Set.Now
	rev := own.Storage.Revision() + 1
	if answer = own.Write(r, rev, now); !answer.Wrote() {
		return answer
	}
	w.simulated(func(s *apiserver.Simulated, _ int) {
		switch {
		case s == own:
		case s.Config().Versions != own.Config().Versions:
			s.Storage.Advance(rev, now)
		default:
			s.Write(r, rev, now)
		}
	})
	e := event.Event{Kind: event.ObjectWritten, Delta: event.Updated, N: rev}
	switch answer {
	case registry.Created:
		e.Delta = event.Added
	case registry.Gone:
		e.Delta = event.Deleted
	}
	e.Key, e.Old, e.New = own.Storage.LastWritten()
	w.Log.Emit(e)
	wakeCollector(w)
	return answer
}

// writeBack makes the write of a reconcile that has just ended.
func (w *World) writeBack(worker actor.Role) {
	x := w.Informers[worker.Informer]
	m, ok := x.Work.WriteBack(worker.Index, x.Config())
	if !ok {
		return
	}
	if c := (&Command{Kind: Update, Informer: int(worker.Informer), Object: m}); w.Can(c) {
		w.write(c)
		e := &w.Log.Events[len(w.Log.Events)-1]
		x.Work.HasWritten(e.Key, x.Config().Table.RVOf(e.New))
	}
}

// toServers carries out a command for the servers themselves: for the etcd of the
// whole cluster, or for the server of the command's informer.
func (w *World) toServers(c *Command) {
	own, now := w.Simulated(c.Informer), w.Set.Now
	w.simulated(func(s *apiserver.Simulated, i int) {
		switch {
		case c.Kind == Compact:
			s.Compact()
		case c.Kind == RestoreServer:
			s.Restore(c.N, now)
		case i != c.Informer:
		case c.Kind == RestartServer:
			s.Restart(now, c.N, c.Warm)
		case c.Kind == LagServer:
			s.Storage.Lag(c.N, now)
		case c.Kind == FailRequests:
			s.Fail(c.Failure, int(c.N), c.RetryAfter)
		case c.Kind == SilenceWatch:
			s.Silence(c.N, now)
		}
	})
	e := event.Event{Kind: event.WatchSilenced}
	switch c.Kind {
	case Compact:
		e = event.Event{Kind: event.ServerCompacted, N: own.Storage.Compacted()}
	case RestartServer:
		e = event.Event{Kind: event.ServerRestarted, N: c.N}
	case RestoreServer:
		e = event.Event{Kind: event.ServerRestored, N: c.N}
	case LagServer:
		e = event.Event{Kind: event.ServerLags, N: c.N}
	case FailRequests:
		e = event.Event{Kind: event.RequestsFail, Listener: int16(c.Failure), N: c.N}
	}
	w.Log.Emit(e)
}
