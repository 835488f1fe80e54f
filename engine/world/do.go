package world

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// Can reports whether c has an effect. A Create needs that the object is not there,
// and an Update, a Patch or a Delete that it is. A Patch can't give it a second controller. A RunAgain needs a Run before it, and
// can't be made too often. A call by hand needs a machine in which no actor has
// moved, or a processor that is used alone.
func (w *World) Can(c *Command) bool {
	if c.Informer < 0 || c.Informer >= len(w.Informers) {
		return false
	}
	x := w.Informers[c.Informer]
	if x.Distributes() && (c.Kind == StopInformer || c.Kind == RunAgain || c.Kind == RemoveHandler || c.Kind == KillProcess) {
		return false // the program has no informer
	}
	if c.Kind.ForHandler() && (c.Listener < 0 || c.Listener >= len(x.Config().Handlers)) {
		return false
	}
	switch c.Kind {
	case KillProcess:
		return !w.hands && w.Election == nil
	case RestoreServer:
		return w.Election == nil || w.Election.Sharded // its backup has no Lease
	case PassTime:
		return !w.hands
	case KillReplica, PauseReplica, StopReplica, CutReplica, JoinReplica, Reshard:
		return w.canDisturb(c)
	case FailRequests:
		return !w.Unreachable(c.Informer) // no request gets to the server
	case WithholdInitialEnd:
		return x.Config().Profile.Reflector.StreamingList
	case RefuseTombstones:
		return !x.Config().RefusesTombstones
	case PaceHandler:
		return c.N >= informer.Forever
	case FailReconciles:
		f := &x.Work.Failing
		return !w.hands && x.Reconciles() && x.Config().Recorded == nil && (c.N != 0 || f.Remaining != 0 && (c.Object.Key == 0 || c.Object.Key == f.Key))
	case HangReconcile:
		return !w.hands && x.Reconciles() && x.Config().Recorded == nil && (c.N != 0 || x.Work.Hangs(&w.Set))
	case PauseWork, ResumeWork:
		return (x.Reconciles() || w.callable(x)) && x.CanPause(c.Kind == PauseWork)
	case RunAgain:
		return x.CanRunAgain()
	case StartFactory:
		return w.hasFactory()
	case WriteBack:
		return w.answered(c) != 0
	case MutateCached:
		_, ok := x.Indexer.GetByKey(c.Object.Key)
		return ok
	case Create:
		s := w.Simulated(c.Informer)
		return w.Object(c.Informer, x.Config().Table.MakeKey(c.Object)) == 0 && (s == nil || !s.Storage.Full())
	case Update:
		return w.Object(c.Informer, x.Config().Table.MakeKey(c.Object)) != 0
	case Patch:
		o := w.Object(c.Informer, x.Config().Table.MakeKey(c.Object))
		return o != 0 && !apiserver.SecondOwner(x.Config().Table, o, c.Object.Labels)
	case Delete:
		return w.Object(c.Informer, c.Object.Key) != 0 && !w.deleting(c.Informer, c.Object.Key)
	case QueueAdd, QueueUpdate, QueueDelete:
		return w.callable(x) && len(c.Refs) == 1
	case QueueUnknown:
		_, ok := x.Queue.(*fifo.DeltaFIFO)
		return w.callable(x) && ok
	case QueueRetry:
		_, ok := x.Queue.(*fifo.DeltaFIFO)
		return w.callable(x) && ok && len(w.popped) > 0
	case NotifyAdd, NotifyDelete:
		return w.distributable(x) && len(c.Refs) == 1
	case NotifyUpdate:
		return w.distributable(x) && len(c.Refs) == 2
	}
	if c.Kind.ByHand() {
		return w.callable(x)
	}
	return c.Kind != 0 && (c.Kind.Tamper() == 0 || c.N >= 0)
}

// deleting reports whether the server of informer i has been asked already to delete an object,
// and waits for its finalizers.
func (w *World) deleting(i int, k object.Key) bool {
	t, s := w.Informers[i].Config().Table, w.Simulated(i)
	return s != nil && t.FieldOf(s.Storage.Get(k), apiserver.Deletion) != ""
}

// hasFactory reports whether there is a factory, in a process that lives.
func (w *World) hasFactory() bool {
	found := false
	for _, x := range w.Informers {
		if x.Crash() != nil {
			return false
		}
		found = found || x.Config().Factory
	}
	return found && !w.hands
}

// canDisturb reports whether a command for a replica has an effect.
func (w *World) canDisturb(c *Command) bool {
	if w.Election == nil {
		return false
	}
	n := w.Replica(c.Informer)
	switch c.Kind {
	case KillReplica:
		return w.CanKill(n, c.N)
	case PauseReplica:
		return w.CanPause(n, c.N)
	case StopReplica:
		return w.CanStop(n)
	case Reshard:
		return w.CanReshard(c.Shard, c.N)
	case CutReplica:
		return !w.Election.Replicas[n].Cut && w.Informers[c.Informer].Config().WritesBack == nil
	}
	return w.Election.Replicas[n].Cut // JoinReplica
}

// Do carries c out, as one step. It reports false, and nothing has changed, if
// there is nothing to do.
func (d *Driver) Do(c *Command) bool {
	if !d.Can(c) {
		return false
	}
	d.Log.Reset()
	d.Log.Actor = actor.Nobody
	d.Returned = Returned{}
	d.Last = Step{Actor: actor.Nobody, Informer: int16(c.Informer), Finished: true}
	d.carryOut(c)
	if !c.Kind.has(harmless) {
		for _, x := range d.Informers {
			x.Work.Disturb(&d.Set)
		}
	}
	if d.Election != nil {
		d.controllers().HoldUp()
	}
	d.steps++
	return true
}

func (d *Driver) carryOut(c *Command) {
	x, s, log := d.Informers[c.Informer], &d.Set, &d.Log
	if c.Kind.Simulates() && d.Simulated(c.Informer) == nil {
		defer d.continueSimulated(x)()
	}
	switch c.Kind {
	case BreakWatch:
		log.Emit(event.Event{Kind: event.WatchCut})
		x.Break(s)
	case StopInformer:
		x.Stop(s, log)
	case AddHandler:
		log.Emit(event.Event{Kind: event.HandlerRequested, Listener: int16(len(x.Config().Handlers))})
		x.AddHandler(s, c.Handler)
	case RemoveHandler:
		log.Emit(event.Event{Kind: event.RemovalRequested, Listener: int16(c.Listener)})
		x.RemoveHandler(s, c.Listener, log)
	case PaceHandler, PanicHandler, BlindHandler, MendHandler:
		d.alter(x, c)
	case FailReconciles:
		x.Work.Fail(c.Object.Key, c.N)
		log.Emit(event.Event{Kind: event.ReconcilesFail, Key: x.Work.Failing.Key, N: x.Work.Failing.Remaining})
	case HangReconcile:
		x.Work.Hang(s, c.Object.Key, c.N)
		log.Emit(event.Event{Kind: event.ReconcileHangs, Key: c.Object.Key, N: x.Work.Hanging.Longer})
	case PauseWork:
		x.Work.Queue.Pause(log)
	case ResumeWork:
		x.Work.Resume(s, log)
	case AddIndex:
		log.Emit(event.Event{Kind: event.IndexRequested})
		t := x.Config().Table
		x.AddIndexers([]indexer.Named{{Name: c.Index, Func: indexer.LabelIndexFunc(t.Sym(c.Index))}}, log)
	case RefuseTombstones:
		log.Emit(event.Event{Kind: event.KeysRefused})
		x.RefuseTombstones()
	case KillProcess:
		log.Emit(event.Event{Kind: event.ProcessKilled})
		d.restart()
	case KillReplica, PauseReplica, StopReplica, CutReplica, JoinReplica, Reshard:
		d.disturb(c)
	case RunAgain:
		log.Emit(event.Event{Kind: event.RunRequested})
		x.RunAgain(s, log)
	case StartFactory:
		n := 0
		for _, x := range d.Informers {
			if x.Start(s) {
				n++
			}
		}
		log.Emit(event.Event{Kind: event.FactoryStarted, N: int64(n)})
	case WriteBack:
		o := d.answered(c)
		old, _ := x.Indexer.GetByKey(c.Object.Key)
		log.Emit(event.Event{Kind: event.CacheWritten, Key: c.Object.Key, Old: old, New: o})
		x.Indexer.Update(o, &event.Log{}) // the fact above tells of it
	case MutateCached:
		mutate(x, c, log)
	case PassTime:
		d.horizon = max(c.N, s.Now)
		log.Emit(event.Event{Kind: event.TimePasses, N: d.horizon})
	case TakeNoTime:
		d.TakeNoTime()
		log.Emit(event.Event{Kind: event.StepsTakeNoTime})
	case Create, Update, Patch, Delete:
		d.write(c)
	default:
		switch {
		case c.Kind.Tamper() != 0:
			d.tamper(x, c)
		case c.Kind.ByHand():
			caller{d, x}.call(c)
		default:
			d.toServers(c)
		}
	}
}

// alter makes a handler slower, faster, or wrong.
func (d *Driver) alter(x *informer.Informer, c *Command) {
	e := event.Event{Kind: event.HandlerMended, Listener: int16(c.Listener)}
	switch {
	case c.Kind == PaceHandler && c.N == informer.Forever:
		e.Kind = event.HandlerBlocks
	case c.Kind == PaceHandler:
		e = event.Event{Kind: event.HandlerPaced, Listener: int16(c.Listener), N: c.N}
	case c.Kind == PanicHandler:
		e.Kind = event.HandlerPanics
	case c.Kind == BlindHandler && c.Handler.Panics:
		e.Kind = event.HandlerAsserts
	case c.Kind == BlindHandler:
		e.Kind = event.HandlerBlind
	}
	d.Log.Emit(e)
	if c.Kind == PaceHandler {
		x.PaceHandler(&d.Set, c.Listener, c.N)
		return
	}
	blind := c.Kind == BlindHandler
	x.SpoilHandler(c.Listener, blind, c.Kind == PanicHandler || blind && c.Handler.Panics)
}

// tamper does something to the watch events that are on their way to x.
func (d *Driver) tamper(x *informer.Informer, c *Command) {
	row := &kinds[c.Kind]
	e := row.fact
	if e.Kind.Has(event.Duration | event.Counts) {
		e.N = c.N
	}
	d.Log.Emit(e)
	x.Tamper(row.tamper, c.N)
}

// restart ends the process, as kill -9 or a panic does, and starts the same
// program again: all informers anew, with empty caches, queues and workqueues. The
// server and the clock go on. A handler that had been added by then is added
// before Run, and a handler that had been removed is not. A handler that is still to be added
// or removed keeps its time.
func (d *Driver) restart() {
	d.controllers().Restart(0, len(d.Informers))
	d.horizon = 0
}

// disturb kills, pauses or stops a replica, or cuts its network or joins it again.
func (d *Driver) disturb(c *Command) {
	n, replicas := d.Replica(c.Informer), d.controllers()
	switch c.Kind {
	case KillReplica:
		replicas.Kill(n, c.N)
	case PauseReplica:
		replicas.Pause(n, c.N)
	case StopReplica:
		replicas.Stop(n)
	case CutReplica:
		replicas.Cut(n)
	case JoinReplica:
		replicas.Join(n)
	case Reshard:
		replicas.Reshard(n, c.Shard, c.N)
	}
}

// answered returns the version that a program has from the answer of a Get or of its own write, which a WriteBack writes into
// the store: the version of revision N, or the version that lives. It is 0 where the server has none, and for a revision of a recording.
func (w *World) answered(c *Command) object.Ref {
	s, t := w.Simulated(c.Informer), w.Informers[c.Informer].Config().Table
	switch {
	case c.N == 0:
		return w.Object(c.Informer, c.Object.Key)
	case s == nil:
		return 0
	}
	for _, o := range s.Storage.Written(c.Object.Key, nil) {
		if t.RVOf(o) == object.NumberRV(uint64(c.N)) {
			return o
		}
	}
	return 0
}

// mutate changes a cached object in place, without telling the indices. It makes
// the new version once, however often the run is played again.
func mutate(x *informer.Informer, c *Command, log *event.Log) {
	t := x.Config().Table
	old, _ := x.Indexer.GetByKey(c.Object.Key)
	if c.Refs == nil {
		m := t.Meta(old)
		m.Labels = c.Object.Labels
		c.Refs = []object.Ref{t.Add(m)}
	}
	x.Indexer.Mutate(old, c.Refs[0])
	log.Emit(event.Event{Kind: event.CacheMutated, Key: c.Object.Key, Old: old, New: c.Refs[0]})
}

// continueSimulated lets simulated servers take over from the recording of x, at the point that
// it has reached, for each informer that plays it. The function returned emits the fact.
func (d *Driver) continueSimulated(x *informer.Informer) (tell func()) {
	n, least := 0, 0
	for _, other := range d.Informers {
		if other.Config().Versions == x.Config().Versions {
			least = max(least, other.Played())
		}
	}
	for _, other := range d.Informers {
		if other.Config().Versions == x.Config().Versions {
			n = max(n, other.ContinueSimulated(&d.Set, least))
		}
	}
	return func() { d.Log.Emit(event.Event{Kind: event.ServerGoesOn, N: int64(n)}) }
}

// write creates, updates or deletes an object, for a command. Whoever updates one changes
// something that the machine doesn't read, too.
func (d *Driver) write(c *Command) {
	r := apiserver.Write{Object: c.Object}
	switch c.Kind {
	case Create:
		r.Verb = apiserver.Create
	case Update:
		r.Verb, r.NewVersion = apiserver.Update, true
	case Patch:
		r.Verb, r.NewVersion = apiserver.Patch, true
	case Delete:
		r.Verb = apiserver.Delete
		t := d.Informers[c.Informer].Config().Table
		r.Object = t.Meta(d.Simulated(c.Informer).Storage.Get(c.Object.Key))
		r.Object.UID, r.Object.RV = 0, 0 // no preconditions
		switch {
		case c.Foreground:
			r.Propagation = apiserver.Foreground
		case c.Orphan:
			r.Propagation = apiserver.Orphan
		}
	}
	d.controllers().Write(c.Informer, r)
}

// toServers carries out a command for the servers themselves: for the etcd of the
// whole cluster, or for the server of the command's informer.
func (d *Driver) toServers(c *Command) {
	server, now := d.Simulated(c.Informer), d.Set.Now
	d.controllers().EachSimulated(func(s *apiserver.Simulated, i int) {
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
		e = event.Event{Kind: event.ServerCompacted, N: server.Storage.Compacted()}
	case RestartServer:
		e = event.Event{Kind: event.ServerRestarted, N: c.N}
	case RestoreServer:
		e = event.Event{Kind: event.ServerRestored, N: c.N}
	case LagServer:
		e = event.Event{Kind: event.ServerLags, N: c.N}
	case FailRequests:
		e = event.Event{Kind: event.RequestsFail, Listener: int16(c.Failure), N: c.N}
	}
	d.Log.Emit(e)
}
