package host

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

const kindNoticed = "noticed"

// noticedWithin is how many steps after a fault are looked at.
const noticedWithin = 100_000

// noticeable is how late a call must be to count as late, and how long the machine must rest for its state to count, in ns.
const noticeable = 1_000_000

// disturbing are the commands that disturb a server or its watch.
var disturbing = []world.CommandKind{
	world.BreakWatch, world.SilenceWatch, world.DropEvent, world.DelayEvent, world.DuplicateEvent, world.SwapEvents,
	world.FailRequests, world.RestartServer, world.LagServer, world.Compact, world.DropBookmarks,
}

// noticed plays on a run with a fault and one without, side by side, until the fault's consequence has run out, and
// counts what happens in one of them alone.
type noticed struct {
	*desk
	out       link.Noticed
	informer  int
	runs      [2]*history.History // with the fault, and without
	began     int64               // when it was done, in ns
	disturbed bool                // something has come of it
	calls     [2]map[call][]moment
}

// call is what a handler, the cache or the workqueue is told, as far as two runs can be compared.
type call struct {
	kind    event.Kind
	delta   event.Delta
	handler int16
	key     object.Key
	rv      object.RV
}

// moment is when something happened.
type moment struct{ step, time int64 }

// notices begins to look for who notices what a line has done, where that is one fault of a server or its watch. With is
// the run that has the fault, and without the one that it has left at a step.
func (d *desk) notices(without *history.History, at int64, with *history.History, line string) {
	d.jobs.Stop(kindNoticed, futuresChange)
	var done []history.Input
	for _, in := range with.Inputs() {
		if in.Step > at && in.Command != nil {
			done = append(done, in)
		}
	}
	if len(done) != 1 || !slices.Contains(disturbing, done[0].Command.Kind) || d.doc.state.mayGrow() {
		return
	}
	n := &noticed{desk: d, informer: done[0].Command.Informer}
	n.out.Line, n.out.Step = line, done[0].Step
	n.runs = [2]*history.History{with.Branch(with.Steps()), without.Branch(at)}
	n.began = n.runs[0].End()
	for i := range n.calls {
		n.calls[i] = map[call][]moment{}
	}
	d.jobs.Start(n, schedule.Terms{Kind: kindNoticed, Ends: anotherDocument | anotherRun | futuresChange})
}

// Work plays on for a slice.
func (n *noticed) Work(until int64) (more bool) {
	with := n.runs[0]
	for n.jobs.Now() < until {
		for range 64 {
			rests, until := n.next(0)-with.End() >= noticeable, with.End()
			if rests {
				until += noticeable // what the other run has begun comes to its end
			}
			switch {
			case n.next(1) <= until && n.step(1):
			case rests && n.over():
				return n.tell(link.NoticedOver)
			case with.Steps()-n.out.Step > noticedWithin:
				return n.tell(link.NoticedLong)
			case !n.step(0):
				return n.tell(link.NoticedRest)
			}
		}
	}
	return true
}

// next returns the clock after the next step of a run, actor.Never where there is none.
func (n *noticed) next(of int) int64 {
	w := n.runs[of].Front()
	id, ok := w.Next()
	if !ok {
		return actor.Never
	}
	return max(w.Now(), w.Set.At(id))
}

// step makes the next step of a run, and counts what it does. It reports false where there is none.
func (n *noticed) step(of int) bool {
	h := n.runs[of]
	if !h.Step() {
		return false
	}
	w := h.Front()
	if int(w.Last.Informer) != n.informer {
		return true
	}
	t := w.Informers[n.informer].Config().Table
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		c := call{kind: e.Kind, key: e.Key}
		switch e.Kind {
		case event.HandlerCalled:
			c.delta, c.handler = e.Delta, e.Listener
			if e.New != 0 {
				c.rv = t.RVOf(e.New)
			}
		case event.StoreAdded, event.StoreUpdated, event.StoreDeleted:
			c.kind = event.StoreUpdated
			if e.New != 0 {
				c.rv = t.RVOf(e.New)
			}
		case event.WorkAdded:
		case event.WatchClosed, event.WatchErrorReceived, event.ListFailed, event.WatchFailed, event.WatchOpened, event.WatchEventLost, event.ReplaceStarted:
			n.disturbed = n.disturbed || of == 0
		default:
			continue
		}
		n.calls[of][c] = append(n.calls[of][c], moment{w.Steps(), w.Now()})
	}
	return true
}

// over reports whether the watch is open again, and the cache has what it would have without the fault.
func (n *noticed) over() bool {
	x, y := n.runs[0].Front().Informers[n.informer], n.runs[1].Front().Informers[n.informer]
	s := x.Server.View(1, 0)
	if !n.disturbed || s.State != apiserver.Open || s.Cut || s.Silent || s.Amid || x.Queue.Depth() != 0 || y.Queue.Depth() != 0 || x.Indexer.Len() != y.Indexer.Len() {
		return false
	}
	for i := range x.Processor.Listeners {
		if i >= len(y.Processor.Listeners) || x.Processor.Listeners[i].Behind() > y.Processor.Listeners[i].Behind() {
			return false
		}
	}
	return sameObjects(x, y)
}

// sameObjects reports whether two caches of the same size have the same versions of the same objects.
func sameObjects(x, y *informer.Informer) bool {
	t := x.Config().Table
	for _, r := range x.Indexer.List(nil) {
		if other, ok := y.Indexer.GetByKey(t.KeyOf(r)); !ok || t.RVOf(other) != t.RVOf(r) {
			return false
		}
	}
	return true
}

// noticedIDs are the rows' IDs by what they count, in their order. Those after them are of each handler.
var noticedIDs = []struct {
	id    string
	kinds []event.Kind
}{
	{"lost", []event.Kind{event.WatchEventLost}},
	{"closed", []event.Kind{event.WatchClosed, event.WatchErrorReceived}},
	{"failed", []event.Kind{event.ListFailed, event.WatchFailed}},
	{"opened", []event.Kind{event.WatchOpened}},
	{"relisted", []event.Kind{event.ReplaceStarted}},
	{"stored", []event.Kind{event.StoreUpdated}},
}

// tell tells the page who has noticed.
func (n *noticed) tell(ends string) (more bool) {
	n.out.Ends, n.out.Time = ends, n.runs[0].End()-n.began
	for _, row := range noticedIDs {
		extra, _, _, step := n.differ(func(c call) bool { return slices.Contains(row.kinds, c.kind) })
		n.add(row.id, "", extra, step)
	}
	x := n.runs[0].Front().Informers[n.informer]
	for i := range x.Processor.Listeners {
		name := x.Config().Handlers[i].Name
		extra, missed, late, step := n.differ(func(c call) bool { return c.kind == event.HandlerCalled && int(c.handler) == i })
		n.add("called", name, extra, step)
		n.add("missed", name, missed, 0)
		n.add("late", name, late.time, late.step)
		if extra+missed+late.time == 0 {
			n.out.Rows = append(n.out.Rows, link.NoticedRow{ID: "none", Handler: name})
		}
	}
	extra, _, _, step := n.differ(func(c call) bool { return c.kind == event.WorkAdded })
	n.add("queued", "", extra, step)
	n.send(&link.Reply{News: &n.out})
	n.drop()
	return false
}

// add adds a row, unless nothing is to be told.
func (n *noticed) add(id, handler string, count, step int64) {
	if count > 0 {
		n.out.Rows = append(n.out.Rows, link.NoticedRow{ID: id, Handler: handler, N: count, Step: step})
	}
}

// differ returns how many calls of a kind there are with the fault alone, and the step of the first one; how many
// there are without it alone; and of those that both have, how long the latest comes after its like, and at which step.
func (n *noticed) differ(of func(call) bool) (extra, missed int64, late moment, first int64) {
	for c, with := range n.calls[0] {
		if !of(c) {
			continue
		}
		without := n.calls[1][c]
		for i, m := range with {
			switch {
			case i >= len(without):
				if extra++; first == 0 || m.step < first {
					first = m.step
				}
			default:
				by := m.time - without[i].time
				if by >= noticeable && (by > late.time || by == late.time && m.step < late.step) {
					late = moment{m.step, by}
				}
			}
		}
	}
	for c, without := range n.calls[1] {
		if of(c) {
			missed += int64(max(len(without)-len(n.calls[0][c]), 0))
		}
	}
	return extra, missed, late, first
}

// drop lets go of the two runs.
func (n *noticed) drop() {
	for _, h := range n.runs {
		h.Drop()
	}
}

// Report does nothing, because the page is told once.
func (n *noticed) Report() {}

// Stop lets go of what was not looked at to its end.
func (n *noticed) Stop(schedule.Event) { n.drop() }
