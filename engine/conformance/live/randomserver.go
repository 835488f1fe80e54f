package live

import (
	"fmt"
	"maps"
	"slices"
)

// The API server's answers in a random script.

func (w *writer) failure() string {
	return w.pick("expired", "gone", "toolarge", "toomany", "internal", "notfound", "invalid", "refused", "other")
}

func (w *writer) list() {
	if w.Intn(6) == 0 && len(w.script) > 8 {
		w.play(Op{Op: "inf.list", Err: w.failure()})
		w.pages = nil
		return
	}
	if w.pages == nil {
		if !w.slow || len(w.script) < 8 {
			w.gap()
		}
		w.pages, w.pageRV = w.heldObjects(), w.next()
	}
	op := Op{Op: "inf.list", Items: w.pages, RV: w.pageRV}
	if w.shard {
		op.Shard = w.pick("", "", "same", "same", "another")
		if op.Shard == "another" {
			w.pages = nil
			w.play(op)
			return
		}
	}
	if w.atWork && !w.listed && !w.halted && w.Intn(2) == 0 {
		op.Op, w.quits, w.halted, w.pages = "inf.stopAtWork", true, true, nil
		w.play(op)
		return
	}
	w.listed = true
	if n := len(w.pages); n > 1 && w.Intn(4) == 0 {
		n = 1 + w.Intn(n-1)
		op.Items, w.pages = w.pages[:n], w.pages[n:]
		op.Cont = fmt.Sprint("tok", len(w.script))
	} else {
		w.pages = nil
	}
	w.play(op)
}

func (w *writer) watch() {
	if w.Intn(7) == 0 {
		failure := w.failure()
		w.quits = !w.twice && w.Intn(4) == 0
		if w.quits { // often in the back-off before another watch, from which a stop wakes
			failure = w.pick(failure, "refused", "toomany")
		}
		w.play(Op{Op: "inf.watch", Err: failure})
		return
	}
	w.open++
	w.initial, w.pendingInitial = w.stream, nil
	w.play(Op{Op: "inf.watch"})
}

// initialEvents sends some or all of a streaming list.
func (w *writer) initialEvents() {
	switch w.Intn(10) {
	case 0:
		w.play(Op{Op: "inf.watchClose"})
	case 1:
		w.play(Op{Op: "advance", Ms: 1500})
		w.play(Op{Op: "inf.watchClose"})
	case 2:
		w.play(Op{Op: "inf.events", Events: []Event{{T: "ERROR", Err: w.failure()}}})
	case 3:
		if n := len(w.pendingInitial); n == 0 && len(w.objects) > 0 {
			w.pendingInitial = w.heldObjects()
			o := w.pendingInitial[0]
			w.play(Op{Op: "inf.events", Events: []Event{{T: "ADDED", O: &o}}})
		}
	default:
		if !w.slow {
			w.gap()
		}
		var events []Event
		for _, o := range w.heldObjects() {
			events = append(events, Event{T: "ADDED", O: &o})
		}
		for _, o := range w.pendingInitial {
			if _, there := w.objects[o.K]; !there {
				o.RV = w.next()
				events = append(events, Event{T: "DELETED", O: &o})
			}
		}
		w.initial, w.stream = false, false
		w.play(Op{Op: "inf.events", Events: append(events, Event{T: "BOOKMARK", RV: w.next(), End: true})})
	}
}

func (w *writer) events() {
	if w.Intn(12) == 0 { // of another kind, even a bookmark; it leaves no trace
		other := Event{T: w.pick("ADDED", "MODIFIED", "DELETED", "BOOKMARK"), RV: w.next(), Other: true}
		if other.T != "BOOKMARK" {
			other.O = &Object{K: w.pick("a", "b") + "/" + w.pick("w", "x", "other"), RV: other.RV}
		}
		w.play(Op{Op: "inf.events", N: w.pickWatch(), Events: []Event{other}})
		return
	}
	switch w.Intn(14) {
	case 0:
		// Outside of a streaming list, a bookmark that ends one is like any
		// other.
		w.play(Op{Op: "inf.events", N: w.pickWatch(), Events: []Event{{T: "BOOKMARK", RV: w.next(), End: w.Intn(4) == 0}}})
	case 1:
		if w.Intn(3) > 0 {
			w.play(Op{Op: "advance", Ms: 1500})
		}
		if !w.slow {
			w.gap() // the next watch goes on as if the server had forgotten it
		}
		w.play(Op{Op: "inf.watchClose", N: w.pickWatch()})
	case 2:
		if !w.slow {
			w.play(Op{Op: "inf.events", N: w.pickWatch(), Events: []Event{{T: "ERROR", Err: w.failure()}}})
			w.gap()
		}
	case 3: // for an unknown object
		w.play(Op{Op: "inf.events", N: w.pickWatch(), Events: []Event{{T: "DELETED", O: &Object{K: "c/unknown", RV: w.next()}}}})
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
		op := Op{Op: "inf.events", N: w.pickWatch(), Events: events}
		if w.atWork && len(events) > 1 {
			op.Op = "inf.eventsAtWork"
		}
		w.play(op)
	}
}
