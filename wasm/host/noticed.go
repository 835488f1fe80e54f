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

// inside are the commands that disturb a handler, the store or the workers.
var inside = []world.CommandKind{world.PaceHandler, world.PanicHandler, world.BlindHandler, world.RefuseTombstones, world.FailReconciles, world.HangReconcile}

// disturbs reports whether a command disturbs something. With another number, some of them end that.
func disturbs(w *world.World, c *world.Command) bool {
	switch c.Kind {
	case world.PaceHandler:
		was := w.Informers[c.Informer].Config().Handlers[c.Listener].Duration
		return c.N == informer.Forever || was != informer.Forever && c.N > was
	case world.FailReconciles, world.HangReconcile:
		return c.N != 0
	case world.RestartServer, world.Compact, world.KillProcess, world.KillReplica, world.PauseReplica, world.StopReplica, world.CutReplica:
		return true
	}
	return c.Kind.OnConnection() || slices.Contains(inside, c.Kind)
}

// noticed plays on a run with a fault and one without, side by side, until the fault's consequence has run out, and
// counts what happens in one of them alone.
type noticed struct {
	*desk
	schedule.Silent // the page is told once
	out             link.Noticed
	informer        int                 // that it was done to
	whole           bool                // it was done to a process, so all informers are looked at
	within          bool                // it was done to a handler or the workers, so what becomes of the watch is not its doing
	runs            [2]*history.History // with the fault, and without
	began           int64               // when it was done, in ns
	disturbed       bool                // something has come of it
	calls           [2]map[call][]moment
}

// call is what a handler, the cache or the workqueue is told, as far as two runs can be compared.
type call struct {
	kind     event.Kind
	informer int16 // the informer
	delta    event.Delta
	handler  int16
	key      object.Key
	rv       object.RV
}

// moment is when something happened.
type moment struct{ step, time int64 }

// notices begins to look for who notices what a line has done, where that is one fault. With is the run that has the fault, and without the one that it has left at a step.
func (d *desk) notices(without *history.History, at int64, with *history.History, line string) {
	d.jobs.Stop(kindNoticed, futuresChange)
	var done []history.Input
	for _, in := range with.Inputs() {
		if in.Step > at && in.Command != nil {
			done = append(done, in)
		}
	}
	if len(done) != 1 || d.doc.state.mayGrow() {
		return
	}
	c := done[0].Command
	before := without.Branch(at)
	if !disturbs(before.Front(), c) {
		before.Drop()
		return
	}
	n := &noticed{desk: d, informer: c.Informer, whole: c.Kind == world.KillProcess || c.Kind >= world.KillReplica && c.Kind <= world.CutReplica, within: slices.Contains(inside, c.Kind)}
	n.out.Line, n.out.Step = line, done[0].Step
	n.runs = [2]*history.History{with.Branch(with.Steps()), before}
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
			case rests && n.recovered():
				return n.report(link.NoticedOver)
			case with.Steps()-n.out.Step > noticedWithin:
				return n.report(link.NoticedLong)
			case n.step(0), n.runs[1].Steps()-n.out.Step <= noticedWithin && n.step(1): // the other run may do more
			default:
				return n.report(link.NoticedRest)
			}
		}
	}
	return true
}

// next returns the clock after the next step of a run, actor.Never where there is none.
func (n *noticed) next(run int) int64 {
	w := n.runs[run].Front()
	id, ok := w.Next()
	if !ok {
		return actor.Never
	}
	return max(w.Now(), w.Set.ReadyAt(id))
}

// step makes the next step of a run, and counts what it does. It reports false where there is none.
func (n *noticed) step(run int) bool {
	h := n.runs[run]
	if !h.Step() {
		return false
	}
	w := h.Front()
	at := w.Last.Informer
	if !n.looksAt(int(at)) {
		return true
	}
	t := w.Informers[at].Config().Table
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		c := call{kind: e.Kind, informer: at, key: e.Key}
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
		case event.WorkAdded, event.ReconcileStarted:
		case event.TombstoneIgnored:
			c.handler = e.Listener
			n.disturbed = n.disturbed || run == 0
		case event.HandlerPanicked, event.ReconcileFailed, event.LeadershipGained:
			n.disturbed = n.disturbed || run == 0
		case event.WatchClosed, event.WatchErrorReceived, event.ListFailed, event.WatchFailed, event.WatchOpened, event.WatchEventLost, event.ReplaceStarted:
			n.disturbed = n.disturbed || run == 0 && !n.within
		default:
			continue
		}
		n.calls[run][c] = append(n.calls[run][c], moment{w.Steps(), w.Now()})
	}
	return true
}

// looksAt reports whether what an informer does counts.
func (n *noticed) looksAt(i int) bool {
	return i >= 0 && i < len(n.runs[0].Front().Informers) && (n.whole || i == n.informer)
}

// recovered reports whether the watch is open again, and caches, handlers and workers are where they would be without the
// fault. A process that is down is not waited for, and one that leads in its place must have done what was left.
func (n *noticed) recovered() bool {
	w, other := n.runs[0].Front(), n.runs[1].Front()
	for i, x := range w.Informers {
		leads := false
		if w.Election != nil {
			r := w.Replica(i)
			if !w.Alive(r) {
				continue
			}
			leads = w.Election.Replicas[r].Leads && !other.Election.Replicas[r].Leads
		}
		if n.looksAt(i) && (i >= len(other.Informers) || !caughtUp(x, other.Informers[i]) || leads && toDo(x) > 0) {
			return false
		}
	}
	return n.disturbed
}

// caughtUp reports whether the watch of x is open, with no streaming list under way, and nothing of x is behind y.
func caughtUp(x, y *informer.Informer) bool {
	s := x.Server.View(1, 0)
	if s.State != apiserver.Open || s.Cut || s.Silent || s.Amid || x.Reflector.Streaming() || x.Queue.Depth() != 0 || y.Queue.Depth() != 0 || x.Indexer.Len() != y.Indexer.Len() {
		return false
	}
	for i := range x.Processor.Listeners {
		if i >= len(y.Processor.Listeners) || x.Processor.Listeners[i].Backlog() > y.Processor.Listeners[i].Backlog() {
			return false
		}
	}
	return toDo(x) <= toDo(y) && sameObjects(x, y)
}

// toDo returns how many keys wait for a worker, or are in the hands of one.
func toDo(x *informer.Informer) int {
	if x.Work.Priority != nil {
		q := &x.Work.Priority.Queue
		return q.ReadyLen() + q.WaitingLen() + len(q.Locked(nil)) + len(q.Buffered(nil))
	}
	q := &x.Work.Queue
	return q.Len() + q.ProcessingLen() + q.WaitingLen()
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
	{"led", []event.Kind{event.LeadershipGained}},
	{"stored", []event.Kind{event.StoreUpdated}},
	{"panicked", []event.Kind{event.HandlerPanicked}},
}

func (n *noticed) report(ends string) (more bool) {
	n.out.Ends, n.out.Time = ends, n.runs[0].End()-n.began
	for _, row := range noticedIDs {
		extra, _, _, step := n.differ(func(c call) bool { return slices.Contains(row.kinds, c.kind) })
		n.add(row.id, "", extra, step)
	}
	for informer, x := range n.runs[0].Front().Informers {
		for i := range x.Processor.Listeners {
			if n.looksAt(informer) {
				n.tellHandler(int16(informer), int16(i), x.Config().Handlers[i].Name)
			}
		}
	}
	kind := func(k event.Kind) (extra, missed int64, late moment, step int64) {
		return n.differ(func(c call) bool { return c.kind == k })
	}
	extra, _, _, step := kind(event.WorkAdded)
	n.add("queued", "", extra, step)
	extra, _, _, step = kind(event.ReconcileFailed)
	n.add("reconcileFailed", "", extra, step)
	extra, missed, late, step := kind(event.ReconcileStarted)
	n.add("reconciled", "", extra, step)
	n.add("unreconciled", "", missed, 0)
	n.add("reconciledLate", "", late.time, late.step)
	undone := 0
	for i, x := range n.runs[0].Front().Informers {
		if without := n.runs[1].Front().Informers; n.looksAt(i) && i < len(without) {
			undone += toDo(x) - toDo(without[i])
		}
	}
	n.add("undone", "", int64(undone), 0)
	n.send(&link.Reply{News: &n.out})
	n.drop()
	return false
}

// tellHandler tells what a handler has noticed: the listener number i of an informer.
func (n *noticed) tellHandler(informer, i int16, name string) {
	its := func(k event.Kind) (extra, missed int64, late moment, step int64) {
		return n.differ(func(c call) bool { return c.kind == k && c.informer == informer && c.handler == i })
	}
	extra, missed, late, step := its(event.HandlerCalled)
	n.add("called", name, extra, step)
	n.add("missed", name, missed, 0)
	n.add("late", name, late.time, late.step)
	ignored, _, _, at := its(event.TombstoneIgnored)
	n.add("ignored", name, ignored, at)
	if extra+missed+late.time+ignored == 0 {
		n.out.Rows = append(n.out.Rows, link.NoticedRow{ID: "none", Handler: name})
	}
}

// add adds a row, unless nothing is to be told.
func (n *noticed) add(id, handler string, count, step int64) {
	if count > 0 {
		n.out.Rows = append(n.out.Rows, link.NoticedRow{ID: id, Handler: handler, N: count, Step: step})
	}
}

// differ returns how many calls of a kind there are with the fault alone, and the step of the first one; how many
// there are without it alone; and of those that both have, how long the latest comes after its like, and at which step.
func (n *noticed) differ(match func(call) bool) (extra, missed int64, late moment, first int64) {
	for c, with := range n.calls[0] {
		if !match(c) {
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
		if match(c) {
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

// Stop lets go of what was not looked at to its end.
func (n *noticed) Stop(schedule.Event) { n.drop() }
