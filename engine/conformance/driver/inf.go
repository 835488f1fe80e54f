package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/world"
)

// infFamily plays inf.*: a whole shared informer and the API server that it
// talks to. Micro-steps take no time, because what is printed are states in
// which nothing can move.
type infFamily struct {
	d        *driver
	s        store
	server   *manual
	cfg      *world.Config
	w        *world.World
	x        *informer.Informer
	handlers []*listener // by the number of the informer's listener
	errors   int         // given to utilruntime.HandleError since the last operation
	waited   int64       // by waitCall, ms
	panicked bool
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
	case "addHandler":
		f.addHandler(l, out)
	case "removeHandler":
		f.removeHandler(l, out)
	case "start":
		if !f.started() {
			f.w.Set.Go(f.user(), actor.UserRun)
		}
	case "run2":
		f.x.RunAgain(nil)
	case "stop":
		f.w.Do(world.Command{Kind: world.StopInformer})
		f.look()
	case "list", "watch", "events", "watchClose":
		f.answer(verb, l, out)
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
		out["ret"] = f.s.selected(l.NS, l.Sel)
	case "addIndexers":
		f.addIndexers(l, out)
	case "mutate":
		f.s.mutate(l.Value, l.L)
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

// profile is the client-go that the driver is to be.
func (f *infFamily) profile() world.Profile {
	if f.d.classic {
		return world.Classic
	}
	p := world.Current
	for _, name := range []string{"InOrderInformers", "AtomicFIFO", "UnlockWhileProcessingFIFO", "InOrderInformersBatchProcess", "WatchListClient"} {
		if on, set := f.d.gates[name]; set {
			p, _ = world.Gate(p, name, on)
		}
	}
	return p
}

func (f *infFamily) open(l *line, out output) {
	o := newObjects("")
	c := informer.Config{Name: "informer", Profile: f.profile(), Table: o.t, Indexers: o.indexers(l.Indexers), Transform: o.transform(l.Xform)}
	if f.d.classic && c.Transform != nil {
		out["err"] = "unsupported"
		c.Transform = nil
	}
	if l.ResyncMs != nil {
		c.Resync = *l.ResyncMs * 1e6
	}
	f.server = &manual{t: o.t, classic: f.d.classic}
	c.Server = f.server
	f.cfg = &world.Config{Costs: new(actor.Costs), Informers: []informer.Config{c}}
	w, err := world.New(f.cfg)
	if err != nil {
		panic(err) // an empty store takes any indexers
	}
	f.w, f.x, f.handlers, f.errors, f.panicked = w, w.Informers[0], nil, 0, false
	o.read = f.x.Indexer.Read
	f.s = store{o, f.x.Indexer}
	w.Set.Stop(f.user()) // until start
}

func (f *infFamily) user() actor.ID {
	user, _, _, _ := f.x.Actors()
	return user
}

func (f *infFamily) started() bool {
	_, reflector, _, _ := f.x.Actors()
	return f.x.Stopped() || f.w.Set.State(reflector).PC != actor.None || f.w.Set.State(reflector).Wait != actor.Stopped
}

// answer does what the API server is told to.
func (f *infFamily) answer(verb string, l *line, out output) {
	pending, name := apiserver.Open, "open watch"
	switch verb {
	case "list":
		pending, name = apiserver.Listing, "pending list"
	case "watch":
		pending, name = apiserver.Opening, "pending watch"
	}
	if f.server.state != pending {
		out["err"] = "no " + name
		return
	}
	switch verb {
	case "list":
		a := apiserver.Answer{Answer: apiserver.Listed, List: f.s.list(l.Items), Continue: f.s.t.Sym(l.Cont)}
		if a.RV = f.s.t.RV(l.RV); l.Err != "" {
			a = failed(apiserver.ListFailed, l.Err)
		}
		f.server.answer(a)
	case "watch":
		a := apiserver.Answer{Answer: apiserver.Opened}
		if l.Err != "" {
			a = failed(apiserver.OpenFailed, l.Err)
		}
		f.server.answer(a)
	case "watchClose":
		f.server.answer(apiserver.Answer{Answer: apiserver.Closed})
	default:
		for i := range l.Events {
			f.server.answer(f.s.event(&l.Events[i]))
		}
	}
	f.x.Poll(&f.w.Set)
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
		next, best := actor.Nobody, until+1
		for id, at := range f.w.Set.Times() {
			if at < best {
				next, best = actor.ID(id), at
			}
		}
		if next == actor.Nobody {
			break
		}
		f.w.Step(next)
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
	for _, e := range f.w.Log.Events {
		switch e.Kind {
		case event.WatchErrorHandled, event.WatchEventSkipped:
			f.errors++
		case event.ListReceived:
			// Of a streaming list it is the temporary store, a map.
			snapshot := f.x.Reflector.Asked().SendInitialEvents
			for _, h := range f.handlers {
				h.snapshot = h.snapshot || snapshot
			}
		case event.HandlerCalled:
			f.handlers[e.Listener].hand = f.say(f.x.Processor.Listeners[e.Listener].InHand)
		case event.HandlerReturned:
			h := f.handlers[e.Listener]
			h.notified, h.hand = append(h.notified, h.hand), notified{}
		case event.ListenerStopped:
			f.handlers[e.Listener].lost = int64(f.x.Processor.Listeners[e.Listener].Lost)
		}
	}
	f.w.Log.Reset()
	f.panicked = f.panicked || f.x.Crash() != nil
}

func (f *infFamily) print(out output) {
	if f.panicked {
		out["panic"] = "unable to calculate an index entry"
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
	out["lastSyncRV"] = f.s.t.RVText(f.x.Reflector.RV())
	out["store"] = f.s.state(f.d.gate("InOrderInformers"))
	if len(f.handlers) == 0 {
		return
	}
	handlers := output{}
	for i, h := range f.handlers {
		l := &f.x.Processor.Listeners[i]
		state := output{"notified": h.take(), "pending": int64(l.Pending()) + h.lost}
		if h.hand.text != "" {
			state["inHandler"] = h.hand.text
		}
		if !f.d.classic {
			state["synced"] = l.Synced
		}
		handlers[h.id] = state
	}
	out["handlers"] = handlers
}

// say writes a notification down.
func (f *infFamily) say(n processor.Notification) notified {
	text := f.s.text
	switch {
	case n.Type == processor.Add && n.Initial && f.d.classic:
		return notified{"add " + text(n.New), initialAdd}
	case n.Type == processor.Add && n.Initial:
		return notified{"add(initial) " + text(n.New), initialAdd}
	case n.Type == processor.Add:
		return notified{"add " + text(n.New), change}
	case n.Type == processor.Update && n.Old == n.New:
		return notified{"resync " + text(n.New), resync}
	case n.Type == processor.Update:
		return notified{"update " + text(n.Old) + " -> " + text(n.New), change}
	case n.Tomb:
		return notified{"delete " + f.s.itemText(fifo.Tombstone(n.Key, n.Old)), tombstone}
	}
	return notified{"delete " + text(n.Old), deletion}
}

// listener is a handler and what it was told since the last operation.
type listener struct {
	id       string
	block    bool
	credits  int64 // calls that may return though it blocks
	hand     notified
	lost     int64 // pendingNotifications when it was stopped: there they stay
	notified []notified
	snapshot bool // among them is what came of a streaming list
}

type notified struct {
	text string
	kind kind
}

type kind uint8

const (
	deletion   kind = iota
	change          // add or update
	initialAdd      // of the first list or, in v0.22, of a late handler
	resync
	tombstone
)

// take returns what the handler was told. What comes out of a Go map is sorted.
func (h *listener) take() []string {
	for from := 0; from < len(h.notified); {
		to, k := from+1, h.notified[from].kind
		for to < len(h.notified) && h.notified[to].kind == k {
			to++
		}
		if k > change || k == change && h.snapshot {
			slices.SortFunc(h.notified[from:to], func(a, b notified) int { return strings.Compare(a.text, b.text) })
		}
		from = to
	}
	out := []string{}
	for _, n := range h.notified {
		out = append(out, n.text)
	}
	h.notified, h.snapshot = nil, false
	return out
}

func (f *infFamily) addHandler(l *line, out output) {
	if f.x.Stopped() {
		out["err"] = "Stopped"
		return
	}
	h := &listener{id: l.ID, block: l.Block}
	cfg := informer.Handler{Name: l.ID, Resync: f.x.Config().Resync}
	if l.ResyncMs != nil {
		cfg.Resync = *l.ResyncMs * 1e6
	}
	cfg.Took = func(int) int64 {
		switch {
		case !h.block:
			return 0
		case h.credits > 0:
			h.credits--
			return 0
		}
		return forEver
	}
	f.handlers = append(f.handlers, h)
	f.w.Do(world.Command{Kind: world.AddHandler, Handler: cfg})
	f.look()
}

func (f *infFamily) removeHandler(l *line, out output) {
	if f.d.classic {
		out["unsupported"] = true
		return
	}
	for i, h := range f.handlers {
		if h.id == l.ID {
			f.w.Do(world.Command{Kind: world.RemoveHandler, Listener: i})
			f.look()
		}
	}
}

// release lets n calls of a blocked handler return: the present one and those
// that follow before it has caught up.
func (f *infFamily) release(id string, n int64) {
	for i, h := range f.handlers {
		if h.id != id {
			continue
		}
		h.credits = n
		if n == forEver {
			h.block = false
		}
		run := f.x.Processor.Listeners[i].Run
		if st := f.w.Set.State(run); st.Wait == actor.OnCall {
			h.credits--
			f.w.Set.Sleep(run, st.PC, st.Wait, f.w.Now())
		}
	}
}
