package live

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// writer makes up a random script. After each operation it asks the engine's
// driver what the informer waits for.
type writer struct {
	kind
	*rand.Rand
	v       *Version
	t       *testing.T
	d       *proof.Driver
	script  []Op
	printed []string // by the driver, to each operation

	rv             int
	odd            bool // keys and resourceVersions are also such as no API server makes
	tombs          bool // tombstones are also given to Add and Update
	objects        map[string]Object
	running        int  // controllers
	open           int  // watches
	quits          bool // the next thing is a stop
	halted         bool // which has been part of an operation
	listed         bool // a list was answered
	initial        bool // its initial events are still to be sent
	stream         bool // the watch asked for was a streaming list
	awaiting       []string
	handlers       []string
	blocked        []string
	resyncs        bool
	pages          []Object // of the list being paged, those still to be sent
	pageRV         string
	pendingInitial []Object // initial events of the open stream
}

// script makes up a script of a kind for a version, and returns with it what the engine has printed.
func (k kind) script(t *testing.T, d *proof.Driver, v *Version, seed int64) (script []Op, said []string) {
	w := &writer{kind: k, Rand: rand.New(rand.NewSource(seed)), v: v, t: t, rv: 100, objects: map[string]Object{}}
	w.d = d
	w.d.Begin(t, v.Name, "")
	w.write()
	return w.script, w.printed
}

func (w *writer) write() {
	w.odd = w.Intn(4) == 0 && !w.atWork
	w.play(Op{Op: "config", Gates: w.gates})
	op := Op{Op: "inf.new", Indexers: []string{"namespace", "label:app"}, Xform: w.xform}
	if !w.slow && !w.twice && (w.resync || w.Intn(3) == 0) {
		op.ResyncMs, w.resyncs = w.period(), true
	}
	if w.shard {
		total := 1 + w.Intn(4)
		op.Shard = fmt.Sprintf("%s:%d/%d", w.pick("uid", "namespace"), w.Intn(total), total)
	}
	w.play(op)
	for range w.Intn(4) {
		w.change()
	}
	for range w.Intn(3) {
		w.addHandler()
	}
	if w.Intn(4) == 0 {
		w.play(Op{Op: "inf.watch"})
		w.play(Op{Op: "advance", Ms: int64(w.Intn(3000))})
		w.addHandler()
	}
	if w.Intn(8) == 0 {
		w.remove()
	}
	early := !w.twice && w.Intn(10) == 0
	if early {
		w.stop()
	}
	w.play(Op{Op: "inf.start"})
	if w.running = 1; early {
		w.afterStop()
		return
	}
	again, stop := w.Intn(20), w.Intn(300)
	for i := range 20 + w.Intn(60) {
		if i == stop && !w.twice && w.stoppable() {
			w.stop()
			w.afterStop()
			return
		}
		if w.twice && (i == again || i > again && w.running < 4 && w.Intn(30) == 0) {
			w.runAgain()
		}
		w.step()
		if w.quits {
			w.stop()
			w.afterStop()
			return
		}
	}
	for _, id := range w.blocked {
		w.play(Op{Op: "inf.unblock", ID: id})
	}
	if w.running > 1 && len(w.handlers) > 0 {
		return // a stop would be the end of the process: see TestRunTwiceEnds of v022
	}
	if w.stoppable() {
		w.stop()
		for n := 0; n < 3 && len(w.awaiting) > 0; n++ { // somebody still asks
			if w.awaiting[0] == "list" {
				w.list()
			} else {
				w.watch()
			}
		}
		w.play(Op{Op: "advance", Ms: pastBackoff})
		if w.running < 2 || len(w.awaiting) == 0 { // or else it joins, if no Run has returned yet
			w.play(Op{Op: "inf.addHandler", ID: "afterstop"})
		}
		w.play(Op{Op: "inf.addIndexers", Indexers: []string{"label:tier"}})
	}
}

// period returns a resync period, the last one of 292 years.
func (w *writer) period() *int64 {
	p := []int64{0, 10, 1500, 5000, 30000, longest}[w.Intn(6)]
	return &p
}

// longest is the longest time.Duration, in milliseconds.
const longest = 1<<63/1000000 - 1

// play adds an operation to the script, and looks at its result.
func (w *writer) play(op Op) {
	w.script = append(w.script, op)
	w.printed = append(w.printed, w.d.Play(w.t, op))
	out := decode(w.printed[len(w.printed)-1])
	w.awaiting = w.awaiting[:0]
	awaiting, _ := out["awaiting"].([]any)
	for _, a := range awaiting {
		w.awaiting = append(w.awaiting, a.(string))
	}
	calls, _ := out["calls"].([]any)
	for _, c := range calls {
		switch text := c.(string); {
		case text == "watch.stop":
			w.open--
		case strings.HasPrefix(text, "watch"):
			w.stream = strings.Contains(text, "sendInitialEvents")
		case strings.HasPrefix(text, "list") && !strings.Contains(text, "continue"):
			w.pages = nil
			if w.running < 2 {
				w.open = 0 // it is forgotten where a streaming list could not be stored
			}
		}
	}
}

// runAgain calls Run again, which makes another controller in v0.22.
func (w *writer) runAgain() {
	if w.v.oldest() {
		w.running++
	}
	w.play(Op{Op: "inf.run2"})
}

func (w *writer) step() {
	switch {
	case w.running > 1 && len(w.awaiting)+w.open < w.running:
		// One of several is in a back-off. If another one entered a back-off,
		// it would be random which ends first.
		w.play(Op{Op: "advance", Ms: pastBackoff})
	case w.Intn(6) == 0 && (w.open > 0 || len(w.awaiting) > 0):
		w.aside()
	case len(w.awaiting) > 0 && (w.open == 0 || w.running < 2 || w.Intn(2) == 0):
		if w.pick(w.awaiting...) == "list" {
			w.list()
		} else {
			w.watch()
		}
	case w.open > 0 && w.initial:
		w.initialEvents()
	case w.open > 0:
		w.events()
	case w.Intn(4) == 0 && !w.resyncs:
		w.play(Op{Op: "inf.waitCall", Ms: 90000})
	default:
		w.play(Op{Op: "advance", Ms: pastBackoff})
	}
}

func (w *writer) pick(choices ...string) string { return choices[w.Intn(len(choices))] }

func (w *writer) next() string {
	w.rv += 1 + w.Intn(2)
	if w.odd && w.Intn(6) == 0 {
		return w.pick("", "0", "1", "007", "-5", "rv", "18446744073709551616", "1e3", " 9")
	}
	return strconv.Itoa(w.rv)
}

func (w *writer) key() string {
	if w.odd && w.Intn(5) == 0 {
		return w.pick("", "x", "a/", "a/b/c", "a/ ", "é/\U0001f600")
	}
	if w.shard {
		return w.pick("a", "shop", "prod") + "/" + w.pick("w", "x", "y")
	}
	return w.pick("a", "b") + "/" + w.pick("w", "x", "y", "z")
}

// mutate adds to a script that an object in the cache gets other labels in place. It may get a version with the same ones
// then, so that no index changes.
func (w *writer) mutate(script []Op, family string) []Op {
	o := *w.change().O
	o.L = map[string]string{"app": w.pick("web", "db", "cache")}
	if w.Intn(2) == 0 {
		o.L["tier"] = w.pick("1", "2")
	}
	script = append(script, Op{Op: family + ".mutate", Value: o.K, L: o.L})
	if w.Intn(2) == 0 {
		o.RV = w.next()
		script = append(script, Op{Op: family + ".update", O: &o})
	}
	return script
}

// change changes an object on the server.
func (w *writer) change() Event {
	k := w.key()
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
	o = Object{K: k, RV: o.RV, UID: o.UID, L: l}
	if w.shard && !there {
		o.UID = fmt.Sprintf("%08x", w.Uint32())
	}
	same := 12
	if w.resync {
		same = 2
	}
	if !there || w.Intn(same) > 0 {
		o.RV = w.next()
	}
	w.objects[k] = o
	if there {
		return Event{T: "MODIFIED", O: &o}
	}
	return Event{T: "ADDED", O: &o}
}

// gap makes changes while there is no watch.
func (w *writer) gap() {
	for range w.Intn(4) {
		w.change()
	}
}

// heldObjects returns what the server holds.
func (w *writer) heldObjects() []Object {
	var out []Object
	for _, k := range slices.Sorted(maps.Keys(w.objects)) {
		out = append(out, w.objects[k])
	}
	w.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// pickWatch picks one of the open watches, which are in the order of opening.
func (w *writer) pickWatch() int {
	if w.open < 2 {
		return 0
	}
	return w.Intn(w.open)
}

// aside returns an operation that can be done at any time.
func (w *writer) aside() {
	switch w.Intn(12) {
	case 11:
		w.play(Op{Op: "inf.metrics"})
	case 10: // an answer to no request
		switch op := w.pick("list", "watch", "watchClose"); {
		case slices.Contains(w.awaiting, op) || op == "watchClose" && w.open > 0:
		default:
			w.play(Op{Op: "inf." + op})
		}
	case 9:
		if w.Intn(3) == 0 {
			w.play(Op{Op: "inf.mutate", Value: w.key(), L: map[string]string{"app": w.pick("web", "db", "other")}})
		}
	case 0:
		w.join()
	case 1:
		if w.remove(); w.Intn(3) == 0 {
			w.join()
		}
	case 2:
		w.play(Op{Op: "inf.lister", NS: w.pick("", "a", "b"), Sel: w.pick("", "app=web", "!app", "app in (web,db)", "app!=db")})
	case 3:
		if w.Intn(4) == 0 {
			w.play(Op{Op: "inf.addIndexers", Indexers: []string{w.pick("labels", "label:tier", "namespace")}})
		}
	case 4, 5:
		if len(w.blocked) > 0 {
			w.play(Op{Op: "inf.release", ID: w.pick(w.blocked...), N: 1 + w.Intn(3)})
		}
	default:
		ms := []int64{100, 1000, 1500, 5000, 30000, 60000}[w.Intn(6)]
		if !w.resyncs && w.Intn(20) == 0 {
			ms = 1000 * 24 * 3600
		}
		w.play(Op{Op: "advance", Ms: ms})
	}
}

// remove removes a handler, where that is possible. It may have been removed before.
func (w *writer) remove() {
	if w.v.registrations() && len(w.handlers) > 0 {
		w.play(Op{Op: "inf.removeHandler", ID: w.pick(w.handlers...)})
	}
}

// join adds a handler to a running informer. It gets the objects of the cache in the
// order of a map, so one that blocks would show which of several came first.
func (w *writer) join() {
	if !w.slow || len(w.objects) < 2 {
		w.addHandler()
	}
}

func (w *writer) addHandler() {
	op := Op{Op: "inf.addHandler", ID: fmt.Sprint("h", len(w.handlers)), Block: w.slow && w.Intn(2) == 0}
	if !w.slow && !w.twice && (w.resync || w.Intn(3) == 0) {
		op.ResyncMs, w.resyncs = w.period(), true
	}
	w.handlers = append(w.handlers, op.ID)
	if op.Block {
		w.blocked = append(w.blocked, op.ID)
	}
	w.play(op)
}

// Stops in a random script.

// stoppable reports whether the informer may be stopped here. Where a watch is
// asked for, or a streaming list, that is so half of the time, since scripts without
// a stop have more to tell.
func (w *writer) stoppable() bool {
	return w.open > 0 && !w.stream || w.v.delta() || w.Intn(2) == 0
}

// stop closes the stop channel, unless that has been part of an operation.
func (w *writer) stop() {
	if !w.halted {
		w.halted = true
		w.play(Op{Op: "inf.stop"})
	}
}

// afterStop goes on after a stop: with what is still asked, handlers that are in a
// call, calls that come too late, and time.
func (w *writer) afterStop() {
	backoff := w.open == 0 && len(w.awaiting) == 0
	for range 3 + w.Intn(12) {
		switch w.Intn(8) {
		case 0:
			if len(w.blocked) > 0 {
				w.play(Op{Op: "inf.release", ID: w.pick(w.blocked...), N: 1 + w.Intn(3)})
			}
		case 1:
			w.join()
		case 2:
			if len(w.blocked) == 0 { // or else it holds the locks that the next operation needs
				w.remove()
			}
		case 3:
			w.play(Op{Op: "inf.addIndexers", Indexers: []string{w.pick("labels", "label:tier", "namespace")}})
		case 4:
			w.play(Op{Op: "inf.lister", Sel: w.pick("", "app=web")})
		case 5:
			w.play(Op{Op: "inf.events", Events: []Event{w.change()}})
		case 6:
			ms := int64(pastBackoff)
			if !backoff && w.Intn(2) == 0 {
				ms = 100
			}
			w.play(Op{Op: "advance", Ms: ms})
			backoff = false
		default:
			switch {
			case len(w.awaiting) == 0:
			case w.awaiting[0] == "list":
				w.list()
			default:
				w.watch()
			}
		}
	}
	for _, id := range w.blocked {
		w.play(Op{Op: "inf.unblock", ID: id})
	}
}
