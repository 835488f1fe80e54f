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

// Command is something that the outside world does to the machine, in addition to
// the recording. It is a step of the run, whose actor is actor.Nobody.
type Command struct {
	Kind     CommandKind
	Informer int
	Handler  informer.Handler // of AddHandler
	Listener int              // of the commands for a handler: its number
	Index    string           // of AddIndex: the label by whose values it files

	Object             object.Meta       // of Create and Update: the content; of Patch: what it changes; of Delete, MutateCached, FailReconciles and the Work commands: Key
	Failure            apiserver.Failure // of FailRequests
	Foreground, Orphan bool              // of Delete: the propagation policy; Background if neither

	N    int64 // nanoseconds, a revision, a number of requests or of reconciles
	Warm int64 // of RestartServer, ns

	RetryAfter apiserver.RetryAfter // of FailRequests: the header of answers with a code

	Refs []object.Ref // of the Queue commands; after MutateCached: the version that it made
}

// CommandKind says what a Command does.
type CommandKind uint8

const (
	BreakWatch         CommandKind = iota + 1 // cuts the connection of the open watch
	StopInformer                              // closes the stop channel
	AddHandler                                // AddEventHandler with Handler
	RemoveHandler                             // RemoveEventHandler of Listener
	PaceHandler                               // from now on the calls of Listener take N, which may be informer.Forever
	PanicHandler                              // from now on the calls of Listener panic
	BlindHandler                              // from now on Listener doesn't know tombstones: its type assertion fails. If Handler.Panics is set, it panics then
	MendHandler                               // Listener doesn't panic any more, and knows tombstones
	FailReconciles                            // the next N reconciles of Object.Key that end fail, all if N is negative; 0 is any key. It takes the place of the one before
	AddIndex                                  // AddIndexers with an index by the label Index
	RefuseTombstones                          // from now on the store's key function fails for tombstones
	KillProcess                               // the process ends without any notice, and the same program starts again: see World.restart
	KillReplica                               // the same for the process of Informer, which starts N later, or never if N is negative
	PauseReplica                              // that process doesn't move for N
	StopReplica                               // that process is asked to end, and starts again
	CutReplica                                // nothing goes between that process and the API server any more
	JoinReplica                               // something does again
	DropEvent                                 // the next watch event that tells of a change is lost
	DelayEvent                                // it comes N later
	DuplicateEvent                            // it comes twice
	SwapEvents                                // it comes behind the one after it
	SpoilMeta                                 // it comes without metadata
	SpoilKind                                 // its object is of another kind
	SpoilType                                 // its type is not known
	WithholdInitialEnd                        // the next bookmark that ends initial events is lost
	RunAgain                                  // another call of Run, with the same stop channel
	StartFactory                              // SharedInformerFactory.Start: Run of each of the factory's informers for which it hasn't been called
	MutateCached                              // somebody writes to the cached object of Object.Key: its labels are Object.Labels now
	PassTime                                  // time passes until N. What is due until then happens, even a timer that changes nothing
	TakeNoTime                                // from now on steps take no time, as in Explore: only waiting does

	// These are for simulated servers. A write gets the next revision of the
	// cluster, which all servers share. A server that is played back is
	// simulated from then on.
	Create        // Object
	Update        // Object
	Patch         // Object: its labels and fields are written, those that are empty are removed, and all others stay
	Delete        // Object.Key
	Compact       // etcd forgets the revisions before the present one
	RestartServer // it is down for N, and its watch cache begins Warm later
	RestoreServer // etcd comes back from a backup made at revision N
	LagServer     // its watch cache gets changes N later, and never if N is negative
	FailRequests  // the next N requests fail with Failure, all if N is negative
	SilenceWatch  // the open watch's connection is half-open from now on; the client finds out after N, when HTTP/2's ping fails if N is 0, and never if N is negative

	// These are the calls of a program that uses one station alone, by hand. No
	// actor moves then.
	QueueAdd      // Refs[0]
	QueueUpdate   // Refs[0]
	QueueDelete   // Refs[0]
	QueueReplace  // Refs, at resourceVersion N
	QueueResync   //
	QueueClose    //
	QueueUnknown  // knownObjects is nil from now on; only a DeltaFIFO can be without
	QueuePop      // Pop, with a process function that writes the deltas to the indexer
	QueuePopFails // Pop, with a process function that fails: AddIfNotPresent puts the deltas back
	QueuePopErrs  // Pop, with a process function that returns another error: nothing is put back
	QueueRetry    // AddIfNotPresent of what was popped last, as processLoop calls it with RetryOnError
	WorkAdd       // Object.Key, as in all that follow
	WorkAddAfter  // N
	WorkAddRateLimited
	WorkGet
	WorkDone
	WorkForget
	WorkWait // N nanoseconds pass
	WorkShutDown
	WorkShutDownWithDrain

	// These are calls of distribute by a program that uses a sharedProcessor alone.
	// Its listeners move then, and nobody else.
	NotifyAdd    // Refs[0]
	NotifyUpdate // Refs[0] takes the place of Refs[1]
	NotifyDelete // Refs[0]
)

// Simulates reports whether a server that is played back is simulated from this
// command on, because no recording can answer it.
func (k CommandKind) Simulates() bool { return k >= Create && k < QueueAdd }

// OnConnection reports whether the command can be done to the connection between a server and
// its client, whoever they are.
func (k CommandKind) OnConnection() bool {
	switch k {
	case BreakWatch, SilenceWatch, DropEvent, DelayEvent, DuplicateEvent, SwapEvents, SpoilKind, SpoilType, WithholdInitialEnd, LagServer, FailRequests:
		return true
	}
	return false
}

// ByHand reports whether the command is a call on one station alone.
func (k CommandKind) ByHand() bool { return k >= QueueAdd }

// ForAll reports whether the command is for the whole program, or for all servers.
func (k CommandKind) ForAll() bool {
	switch k {
	case KillProcess, PassTime, TakeNoTime, Create, Update, Delete, Compact, RestoreServer:
		return true
	}
	return false
}

// ForHandler reports whether the command is for the handler Listener.
func (k CommandKind) ForHandler() bool {
	switch k {
	case RemoveHandler, PaceHandler, PanicHandler, BlindHandler, MendHandler:
		return true
	}
	return false
}

// do carries c out, as one step. It reports false, and nothing has changed, if
// there is nothing to do.
func (w *World) do(c *Command) bool {
	if !w.Can(c) {
		return false
	}
	w.Log.Reset()
	w.Log.Actor = actor.Nobody
	w.Returned = Returned{}
	w.Last = Step{Actor: actor.Nobody, Informer: int16(c.Informer), Finished: true}
	w.carryOut(c)
	if c.Kind.disturbs() {
		for _, x := range w.Informers {
			x.Work.Disturb(&w.Set)
		}
	}
	if w.election != nil {
		holdUp(w)
	}
	w.steps++
	return true
}

// disturbs reports whether a command changes what a recorded controller would have seen.
func (k CommandKind) disturbs() bool {
	switch k {
	case PassTime, TakeNoTime, AddIndex, AddHandler, RemoveHandler:
		return false
	}
	return true
}

// Can reports whether c has an effect. A Create needs an object that is not there,
// and an Update, a Patch or a Delete one that is; a Patch can't give it a second controller. A RunAgain needs a Run before it, and
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
	switch c.Kind {
	case BreakWatch, StopInformer, AddHandler, TakeNoTime, AddIndex, DropEvent, DuplicateEvent, SwapEvents, SpoilMeta, SpoilKind, SpoilType:
		return true
	case KillProcess:
		return !w.hands && w.election == nil
	case RestoreServer:
		return w.election == nil // its backup has no Lease
	case PassTime:
		return !w.hands
	case KillReplica, PauseReplica, StopReplica, CutReplica, JoinReplica:
		return canReplica(w, c)
	case FailRequests:
		return !unreachable(w, c.Informer) // no request gets to the server
	case DelayEvent:
		return c.N >= 0
	case WithholdInitialEnd:
		return x.Config().Profile.Reflector.StreamingList
	case RefuseTombstones:
		return !x.Config().RefusesTombstones
	case RemoveHandler, PanicHandler, BlindHandler, MendHandler:
		return c.Listener >= 0 && c.Listener < len(x.Config().Handlers)
	case PaceHandler:
		return c.Listener >= 0 && c.Listener < len(x.Config().Handlers) && c.N >= informer.Forever
	case FailReconciles:
		f := &x.Work.Failing
		return !w.hands && x.Reconciles() && x.Config().Recorded == nil && (c.N != 0 || f.Left != 0 && (c.Object.Key == 0 || c.Object.Key == f.Key))
	case RunAgain:
		return x.CanRunAgain()
	case StartFactory:
		return w.hasFactory()
	case MutateCached:
		_, ok := x.Indexer.GetByKey(c.Object.Key)
		return ok
	case Create:
		s := w.Simulated(c.Informer)
		return !holds(x, x.Config().Table.MakeKey(c.Object)) && (s == nil || !s.Storage.Full())
	case Update:
		return holds(x, x.Config().Table.MakeKey(c.Object))
	case Patch:
		o := Existing(w, c.Informer, c.Object)
		return o != 0 && !apiserver.SecondOwner(x.Config().Table, o, c.Object.Labels)
	case Delete:
		return holds(x, c.Object.Key) && !ending(x, c.Object.Key)
	case QueueAdd, QueueUpdate, QueueDelete:
		return caller{w, x}.calls() && len(c.Refs) == 1
	case QueueUnknown:
		_, ok := x.Queue.(*fifo.DeltaFIFO)
		return caller{w, x}.calls() && ok
	case QueueRetry:
		_, ok := x.Queue.(*fifo.DeltaFIFO)
		return caller{w, x}.calls() && ok && len(w.popped) > 0
	case NotifyAdd, NotifyDelete:
		return caller{w, x}.notifies() && len(c.Refs) == 1
	case NotifyUpdate:
		return caller{w, x}.notifies() && len(c.Refs) == 2
	}
	if c.Kind.ByHand() {
		return caller{w, x}.calls() && c.Kind <= WorkShutDownWithDrain
	}
	return c.Kind != 0
}

// hasFactory reports whether there is a factory, in a process that lives.
func (w *World) hasFactory() bool {
	of := false
	for _, x := range w.Informers {
		if x.Crash() != nil {
			return false
		}
		of = of || x.Config().Factory
	}
	return of && !w.hands
}

// ending reports whether the server of x has been asked already to delete an object, and
// waits for its finalizers.
func ending(x *informer.Informer, k object.Key) bool {
	s, ok := x.Server.(*apiserver.Simulated)
	t := x.Config().Table
	return ok && apiserver.Field(t, t.LabelSetOf(s.Storage.Get(k)), apiserver.Deletion) != ""
}

// Existing is what the server of informer i has under the name of an object, or 0.
func Existing(w *World, i int, o object.Meta) object.Ref {
	x := w.Informers[i]
	return held(x, x.Config().Table.MakeKey(o))
}

// held is what the server of x has under a key, or 0.
func held(x *informer.Informer, k object.Key) object.Ref {
	switch s := x.Server.(type) {
	case *apiserver.Simulated:
		return s.Storage.Get(k)
	case *apiserver.Playback:
		return s.Get(k)
	}
	return 0
}

// holds reports whether the server of x holds an object.
func holds(x *informer.Informer, k object.Key) bool { return held(x, k) != 0 }

func (w *World) carryOut(c *Command) {
	x, s, log := w.Informers[c.Informer], &w.Set, &w.Log
	if c.Kind.Simulates() && w.Simulated(c.Informer) == nil {
		defer w.goOn(x)()
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
		w.alter(x, c)
	case FailReconciles:
		x.Work.Fail(c.Object.Key, c.N)
		log.Emit(event.Event{Kind: event.ReconcilesFail, Key: x.Work.Failing.Key, N: x.Work.Failing.Left})
	case AddIndex:
		log.Emit(event.Event{Kind: event.IndexRequested})
		t := x.Config().Table
		x.AddIndexers([]indexer.Named{{Name: c.Index, Func: indexer.LabelIndexFunc(t.Sym(c.Index))}}, log)
	case RefuseTombstones:
		log.Emit(event.Event{Kind: event.KeysRefused})
		x.RefuseTombstones()
	case KillProcess:
		log.Emit(event.Event{Kind: event.ProcessKilled})
		w.restart()
	case KillReplica, PauseReplica, StopReplica, CutReplica, JoinReplica:
		disturbReplica(w, c)
	case DropEvent, DelayEvent, DuplicateEvent, SwapEvents, SpoilMeta, SpoilKind, SpoilType, WithholdInitialEnd:
		w.tamper(x, c)
	case RunAgain:
		log.Emit(event.Event{Kind: event.RunRequested})
		x.RunAgain(s, log)
	case StartFactory:
		n := 0
		for _, x := range w.Informers {
			if x.Start(s) {
				n++
			}
		}
		log.Emit(event.Event{Kind: event.FactoryStarted, N: int64(n)})
	case MutateCached:
		mutate(x, c, log)
	case PassTime:
		w.horizon = max(c.N, s.Now)
		log.Emit(event.Event{Kind: event.TimePasses, N: w.horizon})
	case TakeNoTime:
		w.takeNoTime()
		log.Emit(event.Event{Kind: event.StepsTakeNoTime})
	case Create, Update, Patch, Delete:
		w.write(c)
	default:
		if c.Kind.ByHand() {
			caller{w, x}.call(c)
		} else {
			w.toServers(c)
		}
	}
}

// timePassed is the step that reaches the horizon of a PassTime.
func (w *World) timePassed() {
	w.Log.Reset()
	w.Log.Actor = actor.Nobody
	w.Set.Now, w.horizon = max(w.Set.Now, w.horizon), 0
	w.Log.Emit(event.Event{Kind: event.TimePassed, N: w.Set.Now})
	w.Last = Step{Actor: actor.Nobody, Finished: true}
	w.steps++
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

// Usage is what all informers together cost.
func (w *World) Usage() (u informer.Usage) {
	for _, x := range w.Informers {
		x.AddUsage(&u)
	}
	return u
}
