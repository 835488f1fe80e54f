package live

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
		w.do(Op{Op: "inf.stop"})
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
				w.do(Op{Op: "inf.release", ID: w.pick(w.blocked...), N: 1 + w.Intn(3)})
			}
		case 1:
			w.join()
		case 2:
			if len(w.blocked) == 0 { // or else it holds the locks that the next operation needs
				w.remove()
			}
		case 3:
			w.do(Op{Op: "inf.addIndexers", Indexers: []string{w.pick("labels", "label:tier", "namespace")}})
		case 4:
			w.do(Op{Op: "inf.lister", Sel: w.pick("", "app=web")})
		case 5:
			w.do(Op{Op: "inf.events", Events: []Event{w.change()}})
		case 6:
			ms := int64(pastBackoff)
			if !backoff && w.Intn(2) == 0 {
				ms = 100
			}
			w.do(Op{Op: "advance", Ms: ms})
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
		w.do(Op{Op: "inf.unblock", ID: id})
	}
}
