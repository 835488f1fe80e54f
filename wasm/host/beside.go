package host

import (
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// beside is a second machine, which plays the same input as the one shown: to another
// process, or as another lane. It is in the same worker, so the capture is there once.
type beside struct {
	setup   *link.Setup // of the second machine; nil for a lane
	lane    *lane
	shown   int               // the informer that run plays
	run     *run              // the second machine
	pin     int64             // the step of the second machine in the next frame, -1 for where it follows
	waits   bool              // the second machine has not been run as far as it is shown
	compare *comparison       // nil until both are there
	of      [2]*world.History // that are compared
	told    int64             // when the page was last told, by Browser.Now
}

// beside begins to show a second machine, or ends it.
func (h *Host) beside(q *link.Request) {
	d := h.doc
	d.beside = nil
	b := &beside{pin: -1}
	switch {
	case q.Setup != nil && d.script == nil:
		s := sane(*q.Setup)
		b.setup = &s
	case q.Lane == link.ShowLane:
		if b.lane = d.run().lanes.find(int(q.N)); b.lane == nil {
			h.fail(q.ID, link.Sentence{ID: "fail.lane"}, nil)
			return
		}
	default:
		b = nil
	}
	d.beside = b
	h.tellBeside(q.ID)
	h.frame(q.ID, d.run().frame(0, h.window))
	h.work()
}

// second returns the second machine of the informer that is shown.
func (d *document) second() *run {
	b, first := d.beside, d.run()
	if b.run != nil && b.shown == d.shown && (b.lane == nil || b.run.lanes.shown == b.lane) && b.run.table() == first.table() {
		return b.run
	}
	b.shown = d.shown
	if b.setup != nil {
		b.run = newRun(d.trace(), d.shown, *b.setup, d.memory)
	} else {
		b.run = &run{lanes: &lanes{all: []*lane{b.lane}, shown: b.lane}, informer: first.informer, goal: noGoal, keys: first.keys, resource: first.resource, trace: first.trace}
	}
	return b.run
}

// maxFollow is how many steps the second machine makes at most to come to the point
// of the server's stream at which the first one is.
const maxFollow = 5000

// follow takes the second machine to the moment of the first one: to the same time,
// and before and behind the same watch events. At the end of the first machine's run it
// goes to the end of its own.
func (b *beside) follow(first, second *run) {
	h, to := second.history(), first.history()
	if h == to {
		return
	}
	at := to.At()
	b.waits = !h.Complete() && h.End() <= at.Now()
	switch {
	case b.pin >= 0:
		h.SeekTo(b.pin)
		b.pin = -1
		return
	case at.Steps() == 0:
		h.SeekTo(0)
		return
	case at.Steps() == to.Steps() && to.Complete():
		b.waits = !h.Complete()
		h.SeekTo(h.Steps())
		return
	}
	sent := sentBy(at, first.informer)
	h.StepOf(at.Now())
	for n := 0; n < maxFollow && sentBy(h.At(), second.informer) < sent && h.At().Steps() < h.Steps(); n++ {
		h.SeekTo(h.At().Steps() + 1)
	}
	for n := 0; n < maxFollow && sentBy(h.At(), second.informer) > sent && h.At().Steps() > 0; n++ {
		h.SeekTo(max(h.PrevWatchEvent(h.At().Steps()+1)-1, 0))
	}
}

// sentBy is how many watch events the server of informer i has sent.
func sentBy(w *world.World, i int) int64 { return w.Informers[i].Server.View(0, 0).Sent }

// besides adds the second machine's frame to the first one's.
func (h *Host) besides(f *link.Frame) {
	d := h.doc
	if b := d.beside; b != nil && b.lane != nil && d.run().lanes.find(b.lane.id) != b.lane {
		d.beside = nil // the lane was taken back
		h.tellBeside(0)
	}
	if d.beside == nil {
		return
	}
	second := d.second()
	d.beside.follow(d.run(), second)
	f.Second = second.brief(0, h.window)
	f.Second.Informer = d.shown
}

// differ goes to difference n of the two machines: to the first of its calls in each.
func (h *Host) differ(q *link.Request) {
	d := h.doc
	r := d.run()
	var all []link.Differ
	if d.beside != nil && d.beside.compare != nil {
		all = d.beside.compare.differs()
	}
	if q.N < 0 || q.N >= int64(len(all)) {
		h.fail(q.ID, link.Sentence{ID: "fail.request"}, nil)
		return
	}
	x := &all[q.N]
	if len(x.Second) > 0 {
		d.beside.pin = x.Second[0].Step
	}
	step := int64(0)
	if len(x.First) > 0 {
		step = x.First[0].Step
	} else {
		step = r.history().StepOf(x.Time)
	}
	h.frame(q.ID, r.seek(step, h.window))
}

// pair runs the second machine on for one slice, or compares the two, and tells
// whether there is more to do.
func (h *Host) pair() (more bool) {
	d := h.doc
	b := d.beside
	if b == nil {
		return false
	}
	first, second := d.run(), d.second()
	if h.extend(second) {
		return true
	}
	if b.waits {
		h.frame(0, first.frame(0, h.window))
	}
	of := [2]*world.History{first.history(), second.history()}
	if b.compare == nil || b.of != of {
		b.of, b.compare = of, newComparison(of, first.informer)
	}
	until := h.browser.Now() + slice
	for more = true; more && h.browser.Now() < until; {
		more = b.compare.goOn(extendBy / 4)
	}
	if now := h.browser.Now(); b.compare.done || now-b.told >= reportEvery {
		b.told = now
		h.tellBeside(0)
	}
	return more
}

// tellBeside tells the page of the second machine.
func (h *Host) tellBeside(id int) {
	out := &link.Beside{}
	if b := h.doc.beside; b != nil {
		out.On, out.Setup = true, b.setup
		if b.lane != nil {
			out.Lane = b.lane.id
		}
		if b.compare != nil {
			b.compare.tell(out)
		}
	}
	h.send(&link.Reply{ID: id, Beside: out})
}
