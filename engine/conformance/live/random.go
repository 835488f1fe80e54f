package live

import (
	"flag"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	seeds = flag.Int64("seeds", 40, "how many random scripts of each kind to compare")
	from  = flag.Int64("from", 1, "the first seed")
)

// RandomScripts compares on fresh random scripts of every kind, and shrinks the
// first of each that differs.
func RandomScripts(t *testing.T, v *Version) {
	bin := build(t)
	for _, k := range kinds {
		if v.Classic && (len(k.gates) > 1 || k.gates["WatchListClient"] || k.xform != "") {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			for seed := *from; seed < *from+*seeds; seed++ {
				script := k.script(t, bin, v, seed)
				real := Play(t, v, script)
				if !comparable(script, real, v.Classic) {
					t.Errorf("seed %d: the script leaves to chance what it comes to", seed)
				} else if differs(real, engine(t, bin, v, script)) >= 0 {
					t.Logf("seed %d", seed)
					report(t, bin, v, script)
					return
				}
			}
		})
	}
}

// kind is a sort of scripts.
type kind struct {
	name  string
	gates map[string]bool
	slow  bool // handlers that block
	xform string
}

func gates(off ...string) map[string]bool {
	g := map[string]bool{}
	for _, name := range off {
		g[name] = false
	}
	return g
}

var kinds = []kind{
	{name: "inf", gates: gates("WatchListClient")},
	{name: "inf-slow", gates: gates("WatchListClient"), slow: true},
	{name: "inf-nonatomic", gates: gates("WatchListClient", "AtomicFIFO")},
	{name: "inf-nonatomic-slow", gates: gates("WatchListClient", "AtomicFIFO"), slow: true},
	{name: "inf-watchlist", gates: map[string]bool{"WatchListClient": true}},
	{name: "inf-watchlist-nonatomic", gates: map[string]bool{"WatchListClient": true, "AtomicFIFO": false}},
	{name: "inf-watchlist-deltaqueue", gates: map[string]bool{"WatchListClient": true, "InOrderInformers": false}},
	{name: "inf-deltaqueue", gates: gates("WatchListClient", "InOrderInformers")},
	{name: "inf-onebyone", gates: gates("WatchListClient", "InOrderInformersBatchProcess")},
	{name: "inf-onebyone-nonatomic", gates: gates("WatchListClient", "InOrderInformersBatchProcess", "AtomicFIFO")},
	{name: "inf-locked", gates: gates("WatchListClient", "UnlockWhileProcessingFIFO")},
	{name: "inf-stamp", gates: gates("WatchListClient"), xform: "stamp"},
	{name: "inf-fail", gates: gates("WatchListClient"), xform: "fail"},
	{name: "inf-fail-nonatomic", gates: gates("WatchListClient", "AtomicFIFO"), xform: "fail"},
	{name: "inf-fail-deltaqueue", gates: gates("WatchListClient", "InOrderInformers"), xform: "fail"},
	{name: "inf-fail-watchlist", gates: map[string]bool{"WatchListClient": true}, xform: "fail"},
	{name: "inf-nometa", gates: gates("WatchListClient"), xform: "nometa"},
}

// writer makes a script up as it goes along, asking the engine's driver what the
// informer waits for.
type writer struct {
	kind
	*rand.Rand
	v      *Version
	t      *testing.T
	d      *Driver
	script []Op

	rv       int
	objects  map[string]Object
	open     bool // a watch
	initial  bool // its initial events are still to be sent
	stream   bool // the watch asked for was a streaming list
	awaiting string
	handlers []string
	blocked  []string
	resyncs  bool
	pages    []Object // of the list being paged, those still to be sent
	pageRV   string
	sent     []Object // initial events of the open stream
}

func (k kind) script(t *testing.T, bin string, v *Version, seed int64) []Op {
	w := &writer{kind: k, Rand: rand.New(rand.NewSource(seed)), v: v, t: t, rv: 100, objects: map[string]Object{}}
	w.d = start(t, bin, v)
	defer w.d.stop()
	w.do(Op{Op: "config", Gates: k.gates})
	op := Op{Op: "inf.new", Indexers: []string{"namespace", "label:app"}, Xform: k.xform}
	if !k.slow && w.Intn(3) == 0 {
		op.ResyncMs, w.resyncs = w.period(), true
	}
	w.do(op)
	for range w.Intn(4) {
		w.change()
	}
	for range w.Intn(3) {
		w.addHandler()
	}
	if w.Intn(4) == 0 {
		w.do(Op{Op: "inf.watch"})
		w.do(Op{Op: "advance", Ms: int64(w.Intn(3000))})
		w.addHandler()
	}
	w.do(Op{Op: "inf.start"})
	for range 20 + w.Intn(60) {
		w.step()
	}
	for _, id := range w.blocked {
		w.do(Op{Op: "inf.unblock", ID: id})
	}
	if w.open && !w.stream || w.v.Classic {
		w.do(Op{Op: "inf.stop"})
		w.do(Op{Op: "advance", Ms: 60001})
		w.do(Op{Op: "inf.addHandler", ID: "afterstop"})
		w.do(Op{Op: "inf.addIndexers", Indexers: []string{"label:tier"}})
	}
	return w.script
}

func (w *writer) period() *int64 {
	p := []int64{0, 10, 1500, 5000, 30000}[w.Intn(5)]
	return &p
}

// do adds an operation to the script, and looks what it comes to.
func (w *writer) do(op Op) {
	w.script = append(w.script, op)
	out := decode(w.d.do(w.t, op))
	w.awaiting = ""
	if a, ok := out["awaiting"].([]any); ok && len(a) > 0 {
		w.awaiting = a[0].(string)
	}
	calls, _ := out["calls"].([]any)
	for _, c := range calls {
		switch text := c.(string); {
		case text == "watch.stop":
			w.open = false
		case strings.HasPrefix(text, "watch"):
			w.stream = strings.Contains(text, "sendInitialEvents")
		case strings.HasPrefix(text, "list") && !strings.Contains(text, "continue"):
			w.pages, w.open = nil, false
		}
	}
}

func (w *writer) step() {
	switch {
	case w.Intn(6) == 0 && (w.open || w.awaiting != ""):
		w.aside()
	case w.awaiting == "list":
		w.list()
	case w.awaiting == "watch":
		w.watch()
	case w.open && w.initial:
		w.initialEvents()
	case w.open:
		w.events()
	case w.Intn(4) == 0 && !w.resyncs:
		w.do(Op{Op: "inf.waitCall", Ms: 90000})
	default:
		w.do(Op{Op: "advance", Ms: 60001})
	}
}

func (w *writer) pick(of ...string) string { return of[w.Intn(len(of))] }

func (w *writer) next() string {
	w.rv += 1 + w.Intn(2)
	return strconv.Itoa(w.rv)
}

// change makes something happen on the server.
func (w *writer) change() Event {
	k := w.pick("a", "b") + "/" + w.pick("w", "x", "y", "z")
	o, there := w.objects[k]
	if there && w.Intn(3) == 0 {
		delete(w.objects, k)
		o.RV = w.next()
		return Event{T: "DELETED", O: &o}
	}
	l := map[string]string{}
	if w.Intn(2) == 0 {
		l["app"] = w.pick("web", "db")
	}
	if w.Intn(4) == 0 {
		l["tier"] = w.pick("1", "2")
	}
	if w.xform != "" && w.xform != "stamp" && w.Intn(8) == 0 {
		l["fail"] = "1"
	}
	o = Object{K: k, RV: o.RV, L: l}
	if !there || w.Intn(12) > 0 {
		o.RV = w.next()
	}
	w.objects[k] = o
	if there {
		return Event{T: "MODIFIED", O: &o}
	}
	return Event{T: "ADDED", O: &o}
}

// gap is what happens while nobody watches.
func (w *writer) gap() {
	for range w.Intn(4) {
		w.change()
	}
}

// all is what the server holds.
func (w *writer) all() []Object {
	var out []Object
	for _, k := range slices.Sorted(maps.Keys(w.objects)) {
		out = append(out, w.objects[k])
	}
	w.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func (w *writer) failure() string {
	return w.pick("expired", "gone", "toolarge", "toomany", "internal", "notfound", "invalid", "refused", "other")
}

func (w *writer) list() {
	if w.Intn(6) == 0 && len(w.script) > 8 {
		w.do(Op{Op: "inf.list", Err: w.failure()})
		w.pages = nil
		return
	}
	if w.pages == nil {
		if !w.slow || len(w.script) < 8 {
			w.gap()
		}
		w.pages, w.pageRV = w.all(), w.next()
	}
	op := Op{Op: "inf.list", Items: w.pages, RV: w.pageRV}
	if n := len(w.pages); n > 1 && w.Intn(4) == 0 {
		n = 1 + w.Intn(n-1)
		op.Items, w.pages = w.pages[:n], w.pages[n:]
		op.Cont = fmt.Sprint("tok", len(w.script))
	} else {
		w.pages = nil
	}
	w.do(op)
}

func (w *writer) watch() {
	if w.Intn(7) == 0 {
		w.do(Op{Op: "inf.watch", Err: w.failure()})
		return
	}
	w.open, w.initial, w.sent = true, w.stream, nil
	w.do(Op{Op: "inf.watch"})
}

// initialEvents sends some or all of a streaming list.
func (w *writer) initialEvents() {
	switch w.Intn(10) {
	case 0:
		w.do(Op{Op: "inf.watchClose"})
	case 1:
		w.do(Op{Op: "advance", Ms: 1500})
		w.do(Op{Op: "inf.watchClose"})
	case 2:
		w.do(Op{Op: "inf.events", Events: []Event{{T: "ERROR", Err: w.failure()}}})
	case 3:
		if n := len(w.sent); n == 0 && len(w.objects) > 0 {
			w.sent = w.all()
			o := w.sent[0]
			w.do(Op{Op: "inf.events", Events: []Event{{T: "ADDED", O: &o}}})
		}
	default:
		if !w.slow {
			w.gap()
		}
		var events []Event
		for _, o := range w.all() {
			events = append(events, Event{T: "ADDED", O: &o})
		}
		for _, o := range w.sent {
			if _, there := w.objects[o.K]; !there {
				o.RV = w.next()
				events = append(events, Event{T: "DELETED", O: &o})
			}
		}
		w.initial, w.stream = false, false
		w.do(Op{Op: "inf.events", Events: append(events, Event{T: "BOOKMARK", RV: w.next(), End: true})})
	}
}

func (w *writer) events() {
	switch w.Intn(14) {
	case 0:
		// One that ends a streaming list is like any other elsewhere.
		w.do(Op{Op: "inf.events", Events: []Event{{T: "BOOKMARK", RV: w.next(), End: w.Intn(4) == 0}}})
	case 1:
		if w.Intn(3) > 0 {
			w.do(Op{Op: "advance", Ms: 1500})
		}
		if !w.slow {
			w.gap() // the next watch goes on as if the server had forgotten it
		}
		w.do(Op{Op: "inf.watchClose"})
	case 2:
		if !w.slow {
			w.do(Op{Op: "inf.events", Events: []Event{{T: "ERROR", Err: w.failure()}}})
			w.gap()
		}
	case 3: // of something that nobody knows
		w.do(Op{Op: "inf.events", Events: []Event{{T: "DELETED", O: &Object{K: "c/unknown", RV: w.next()}}}})
	default:
		var events []Event
		var keys []string
		for range 1 + w.Intn(3) {
			before := maps.Clone(w.objects)
			if e := w.change(); slices.Contains(keys, e.O.K) {
				w.objects = before
			} else {
				keys = append(keys, e.O.K)
				events = append(events, e)
			}
		}
		w.do(Op{Op: "inf.events", Events: events})
	}
}

// aside is an operation that can be done at any time.
func (w *writer) aside() {
	switch w.Intn(11) {
	case 10: // what nobody asked for
		switch op := w.pick("list", "watch", "watchClose"); {
		case op == w.awaiting || op == "watchClose" && w.open:
		default:
			w.do(Op{Op: "inf." + op})
		}
	case 9:
		if k := w.pick("a", "b") + "/" + w.pick("w", "x", "y", "z"); w.Intn(3) == 0 {
			w.do(Op{Op: "inf.mutate", Value: k, L: map[string]string{"app": w.pick("web", "db", "other")}})
		}
	case 0:
		if !w.slow || len(w.objects) < 2 {
			w.addHandler()
		}
	case 1:
		if !w.v.Classic && !w.slow && len(w.handlers) > 0 {
			w.do(Op{Op: "inf.removeHandler", ID: w.pick(w.handlers...)})
		}
	case 2:
		w.do(Op{Op: "inf.lister", NS: w.pick("", "a", "b"), Sel: w.pick("", "app=web", "!app", "app in (web,db)", "app!=db")})
	case 3:
		if w.Intn(4) == 0 {
			w.do(Op{Op: "inf.addIndexers", Indexers: []string{w.pick("labels", "label:tier", "namespace")}})
		}
	case 4, 5:
		if len(w.blocked) > 0 {
			w.do(Op{Op: "inf.release", ID: w.pick(w.blocked...), N: 1 + w.Intn(3)})
		}
	default:
		w.do(Op{Op: "advance", Ms: []int64{100, 1000, 1500, 5000, 30000, 60000}[w.Intn(6)]})
	}
}

func (w *writer) addHandler() {
	op := Op{Op: "inf.addHandler", ID: fmt.Sprint("h", len(w.handlers)), Block: w.slow && w.Intn(2) == 0}
	if !w.slow && w.Intn(3) == 0 {
		op.ResyncMs, w.resyncs = w.period(), true
	}
	w.handlers = append(w.handlers, op.ID)
	if op.Block {
		w.blocked = append(w.blocked, op.ID)
	}
	w.do(op)
}
