package driver

import (
	"errors"
	"fmt"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/metrics"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// infFamily plays inf.*: a whole shared informer and the API server that it
// talks to. Micro-steps take no time, because what is printed are states in
// which nothing can move.
type infFamily struct {
	d *driver

	transforms bool // the version can transform here

	s        store
	server   *script
	cfg      *world.Config
	h        *history.History
	w        *world.World // its furthest point
	x        *informer.Informer
	handlers []*listener // by the number of the informer's listener
	m        *metrics.Observer
	errors   int   // given to utilruntime.HandleError since the last operation
	waited   int64 // by waitCall, ms
	panicked bool
	twice    bool // Run was called again
}

// forEver is how long a blocked handler takes, in nanoseconds.
const forEver = int64(1) << 60

func (f *infFamily) run(verb string, l *line, out output) {
	if verb == "new" {
		f.open(l, out)
		f.print(out)
		return
	}
	if !f.ready() {
		out["err"] = "no informer"
		return
	}
	switch verb {
	case "metrics":
		f.metrics(out)
	case "addHandler":
		f.addHandler(l, out)
	case "removeHandler":
		f.removeHandler(l, out)
	case "start", "run2":
		if !f.started() {
			f.w.Set.Schedule(f.user(), actor.UserRun)
		} else {
			f.x.RunAgain(&f.w.Set, nil)
			f.twice = true
		}
	case "stop":
		f.stop()
	case "list", "watch", "events", "watchClose":
		f.answer(verb, l, out)
	case "stopAtWork":
		f.stopAtWork(l, out)
	case "eventsAtWork":
		f.eventsAtWork(l, out)
	case "release":
		f.release(l.ID, int64(max(l.N, 1)))
		f.settle(f.w.Now())
		for _, h := range f.handlers {
			h.credits = 0
		}
	case "unblock":
		f.release(l.ID, forEver)
	case "waitCall":
		f.waitCall(l.Ms)
		out["jitteredMs"] = f.waited
	case "lister":
		out["ret"] = f.s.selected(l.Asked.NS, l.Asked.Sel)
	case "addIndexers":
		f.addIndexers(l, out)
	case "mutate":
		f.s.mutate(l.Asked.Value, l.L)
	default:
		out["err"] = "unknown operation"
	}
	f.settle(f.w.Now())
	f.print(out)
}

func (f *infFamily) ready() bool { return f.w != nil }

func (f *infFamily) advance(by int64, out output) {
	f.settle(f.w.Now() + by)
	f.print(out)
}

// profile returns the client-go that the driver is to be.
func (f *infFamily) profile() world.Profile {
	p := f.d.profile
	gates := []string{"WatchListClient"}
	if p.InOrder {
		gates = append(gates, "InOrderInformers", "AtomicFIFO", "UnlockWhileProcessingFIFO", "InOrderInformersBatchProcess")
	}
	for _, name := range gates {
		if on, set := f.d.gates[name]; set {
			p, _ = p.WithGate(name, on)
		}
	}
	return p
}

func (f *infFamily) open(l *line, out output) {
	o := newObjects("")
	c := informer.Config{Name: "informer", Profile: f.profile(), Table: o.t, Indexers: o.indexers(l.Indexers), Transform: o.transform(l.Xform)}
	if !f.transforms && c.Transform != nil {
		out["err"] = "unsupported"
		c.Transform = nil
	}
	if l.ResyncMs != nil {
		c.Resync = *l.ResyncMs * 1e6
	}
	c.Shard = shardOf(l.Shard)
	f.server = &script{t: o.t}
	c.Server = f.server.Dial()
	f.cfg = &world.Config{Costs: new(actor.Costs), Informers: []informer.Config{c}}
	h, err := history.NewPassing(f.cfg)
	if err != nil {
		panic(err) // an empty store takes any indexers
	}
	w := h.Front()
	f.h = h
	f.m = metrics.NewObserver(w)
	f.w, f.x, f.handlers, f.errors, f.panicked, f.twice = w, w.Informers[0], nil, 0, false, false
	o.read = f.x.Indexer.Read
	f.s = store{o, f.x.Indexer}
	w.Set.Stop(f.user()) // until start
}

// shardOf reads KEY:INDEX/TOTAL.
func shardOf(text string) (s object.Shard) {
	key, value, _ := strings.Cut(text, ":")
	if key == object.ShardByNamespace.String() {
		s.Key = object.ShardByNamespace
	}
	fmt.Sscanf(value, "%d/%d", &s.Index, &s.Total)
	return s
}

func (f *infFamily) user() actor.ID {
	user, _, _, _ := f.x.Actors()
	return user
}

func (f *infFamily) started() bool {
	_, reflector, _, _ := f.x.Actors()
	return f.x.Stopped() || f.w.Set.State(reflector).PC != actor.None || f.w.Set.State(reflector).Wait != actor.Stopped
}

// answer does what the API server is told to. It reports whether somebody waits for that.
func (f *infFamily) answer(verb string, l *line, out output) (answered bool) {
	pending, name := apiserver.Open, "open watch"
	switch verb {
	case "list":
		pending, name = apiserver.Listing, "pending list"
	case "watch":
		pending, name = apiserver.Opening, "pending watch"
	}
	n := 0
	if pending == apiserver.Open {
		n = l.N
	}
	server := f.server.connectionIn(pending, n)
	if server == nil {
		out["err"] = "no " + name
		return false
	}
	switch verb {
	case "list":
		a := apiserver.Answer{Answer: apiserver.Listed, List: f.s.list(l.Items), Continue: f.s.t.Sym(l.Cont)}
		switch l.Shard {
		case "":
		case "same":
			a.ShardInfo = apiserver.SameShard
		default:
			a.ShardInfo = apiserver.AnotherShard
		}
		if a.RV = f.s.t.RV(l.RV); l.Err != "" {
			a = failed(apiserver.ListFailed, l.Err)
		}
		server.answer(a)
	case "watch":
		a := apiserver.Answer{Answer: apiserver.Opened}
		if l.Err != "" {
			a = failed(apiserver.OpenFailed, l.Err)
		}
		server.answer(a)
	case "watchClose":
		server.answer(apiserver.Answer{Answer: apiserver.Closed})
	default:
		for i := range l.Events {
			server.answer(f.s.event(&l.Events[i]))
		}
	}
	f.x.Poll(&f.w.Set)
	return true
}

// metrics prints the informer's metrics, which there are from v0.36 on.
func (f *infFamily) metrics(out output) {
	if !f.cfg.Informers[0].Profile.LatchedSync {
		out["unsupported"] = true
		return
	}
	m := &f.m.Informers[0]
	has := output{"queuedItems": int64(0)}
	if m.Queue {
		has["queuedItems"] = m.QueuedItems
	}
	// Otherwise chance decides. The last object written is the last of a map, unless all are written at once. A
	// version that is no number leaves the metric at an earlier one, and which that is depends on the batches.
	_, number := metrics.ParseRV(f.s.t.RVText(f.x.Indexer.LastStoreSyncResourceVersion()))
	if m.Store && number && f.d.gate("InOrderInformers") && f.d.gate("AtomicFIFO") {
		has["storeResourceVersion"] = m.StoreResourceVersion
	}
	// How many batches there are depends on when the process loop comes.
	if !f.d.gate("InOrderInformersBatchProcess") {
		has["processingLatency.count"] = int64(0)
		if m.Queue {
			has["processingLatency.count"] = m.ProcessingLatency.Count
		}
	}
	out["metrics"] = has
}

func (f *infFamily) addIndexers(l *line, out output) {
	switch err := f.x.AddIndexers(f.s.indexers(l.Indexers), nil); {
	case errors.Is(err, informer.ErrStopped):
		out["err"] = "Stopped"
	case errors.Is(err, informer.ErrStarted):
		out["err"] = "AlreadyStarted"
	default:
		out.fail(err)
	}
}

// settle runs all that can run up to the time until.
func (f *infFamily) settle(until int64) {
	for {
		next, at := f.w.Set.Earliest()
		if at > until {
			break
		}
		f.h.Choose(next)
		f.look()
	}
	f.w.Set.Now = max(f.w.Now(), until)
}

// waitCall lets time pass until the informer asks the server for something, and
// looks every 50 ms.
func (f *infFamily) waitCall(ms int64) {
	for f.waited = 0; f.waited < ms && len(f.server.awaiting()) == 0; {
		by := min(50, ms-f.waited)
		f.settle(f.w.Now() + by*1e6)
		f.waited += by
	}
}

// look takes down what the last step or command has done.
func (f *infFamily) look() {
	f.m.Look(f.w)
	for _, e := range f.w.Log.Events {
		switch e.Kind {
		case event.WatchErrorHandled, event.WatchEventSkipped:
			if e.Flags&event.Silent == 0 {
				f.errors++
			}
		case event.ListReceived:
			// Of a streaming list it is the temporary store, a map.
			snapshot := f.x.Reflector.LastOptions().SendInitialEvents
			for _, h := range f.handlers {
				h.snapshot = h.snapshot || snapshot
			}
		case event.HandlerCalled:
			l := &f.x.Processor.Listeners[e.Handler()]
			f.handlers[e.Handler()].begin(e.Actor, f.describe(l.PairAt(int(f.w.Set.Role(e.Actor).Pair)).InHand))
		case event.HandlerReturned:
			f.handlers[e.Handler()].end(e.Actor)
		case event.ListenerStopped:
			f.handlers[e.Handler()].lost = int64(f.x.Processor.Listeners[e.Handler()].Lost)
		}
	}
	f.w.Log.Reset()
	f.panicked = f.panicked || f.x.Crash() != nil
}

func (f *infFamily) print(out output) {
	if f.panicked {
		out["panic"] = "unable to calculate an index entry"
		var closed informer.ChannelError
		if errors.As(f.x.Crash(), &closed) {
			out["panic"] = closed.Error()
		}
	}
	if f.errors > 0 {
		out["handledErrors"] = f.errors
	}
	if len(f.server.calls) > 0 {
		out["calls"] = f.server.calls
	}
	f.errors, f.server.calls = 0, nil
	out["awaiting"] = f.server.awaiting()
	out["hasSynced"] = f.x.HasSynced()
	out["lastSyncRV"] = f.s.t.RVText(f.x.LastSyncResourceVersion())
	out["store"] = f.s.state(f.d.storeRV())
	if len(f.handlers) == 0 {
		return
	}
	handlers := output{}
	for i, h := range f.handlers {
		l := &f.x.Processor.Listeners[i]
		state := output{"notified": h.take(!f.d.profile.RunsOnce && f.twice), "pending": int64(l.Pending()) + h.lost}
		if n := len(h.hands); n > 0 {
			state["inHandler"] = h.hands[n-1].text
		}
		if f.d.profile.InitialList {
			state["synced"] = l.Synced
		}
		handlers[h.id] = state
	}
	out["handlers"] = handlers
}

// Operations that go on while the process loop is at work: it is held where it writes the first object to the indexer.

// indexes reports whether the process loop calls an index function for the delta at which it is. It calls none to delete
// an object that isn't stored.
func (f *infFamily) indexes() bool {
	deltas, at := f.x.Popped()
	if deltas[at].Type == event.Deleted {
		_, stored := f.x.Indexer.GetByKey(deltas[at].Key)
		return stored
	}
	return deltas[at].Type != event.Bookmark
}

// holdLoop lets the process loop come there, and all others go as far as they can. It reports whether the loop is there.
func (f *infFamily) holdLoop() bool {
	_, _, _, loop := f.x.Actors()
	for {
		if f.w.Set.State(loop).PC == actor.LoopStore && f.indexes() {
			f.settleBut(loop)
			return true
		}
		next, at := f.w.Set.Earliest()
		if at > f.w.Now() {
			return false
		}
		f.h.Choose(next)
		f.look()
	}
}

// settleBut runs all that can run now, without one actor.
func (f *infFamily) settleBut(held actor.ID) {
	for {
		next := actor.Nobody
		for id := range actor.ID(f.w.Set.Len()) {
			if id != held && f.w.Set.ReadyAt(id) <= f.w.Now() && (next == actor.Nobody || f.w.Set.ReadyAt(id) < f.w.Set.ReadyAt(next)) {
				next = id
			}
		}
		if next == actor.Nobody {
			return
		}
		f.h.Choose(next)
		f.look()
	}
}

// stop closes the stop channel.
func (f *infFamily) stop() {
	f.h.Do(world.Command{Kind: world.StopInformer})
	f.look()
}

// stopAtWork answers a list, and stops the informer while the process loop is at work on the first object. Handlers hear
// of all that the loop does then, because it is the slowest. It prints what HasSynced says before the stop, where nobody
// waits for the queue's lock to be told.
func (f *infFamily) stopAtWork(l *line, out output) {
	if !f.answer("list", l, out) {
		return
	}
	if len(l.Items) == 0 || !f.holdLoop() { // no index function is called
		f.settle(f.w.Now())
	} else if f.cfg.Informers[0].Profile.LatchedSync {
		out["working"] = f.synced()
	}
	f.stop()
	_, _, _, loop := f.x.Actors()
	for f.settleBut(loop); f.w.Set.ReadyAt(loop) <= f.w.Now(); f.settleBut(loop) {
		f.h.Choose(loop)
		f.look()
	}
}

// synced returns what HasSynced says, of the informer and of each handler.
func (f *infFamily) synced() (said []bool) {
	said = append(said, f.x.HasSynced())
	for i := range f.handlers {
		said = append(said, f.x.Processor.Listeners[i].Synced)
	}
	return said
}

// eventsAtWork sends an event, and the others while the process loop is at work on it. It prints how far the reflector
// came meanwhile.
func (f *infFamily) eventsAtWork(l *line, out output) {
	begin, rest := *l, *l
	begin.Events, rest.Events = l.Events[:1], l.Events[1:]
	if !f.answer("events", &begin, out) {
		return
	}
	held := f.holdLoop()
	f.answer("events", &rest, out)
	if held {
		_, _, _, loop := f.x.Actors()
		f.settleBut(loop)
		out["ahead"] = f.s.t.RVText(f.x.LastSyncResourceVersion())
	}
}
