package host

import (
	"slices"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/wasm/link"
)

// beside is a second machine. It plays the same input as the one shown to another process,
// as another lane, or with an informer for each handler; or it plays another capture. It
// is in the same worker, so the capture is there once.
type beside struct {
	second  link.Second       // as the page asked for it
	setup   *link.Setup       // of the second machine, if it is another process
	lane    *lane             // if it is another lane
	aside   *aside            // if it plays another capture
	apart   *apart            // if each handler has an informer of its own
	first   *run              // beside which run was made
	run     *run              // the second machine
	pin     int64             // the step of the second machine in the next frame, -1 for where it follows
	waits   bool              // the second machine has not been run as far as it is shown
	compare *comparison       // nil until both are there
	of      [2]*world.History // that are compared
	told    int64             // when the page was last told, by Browser.Now
}

// apart is a second machine in which each handler has an informer of its own.
type apart struct {
	of        *world.History // the run of the machine shown
	informers []int          // by handler
	handlers  []string
	shown     string // the handler whose informer is shown, or the first one where there is none of this name
}

// besideSetup returns what shows a second machine whose setup is made of the one shown.
func besideSetup[T link.Second](make func(shown link.Setup, q T) link.Setup) func(h *Host, id int, q T) {
	return func(h *Host, id int, q T) {
		if h.doc.script != nil {
			h.alone(id, link.Alone{})
			return
		}
		s := sane(make(h.doc.setup, q))
		h.stand(id, &beside{second: q, setup: &s})
	}
}

// besideLane shows another lane as the second machine.
func (h *Host) besideLane(id int, q link.SecondLane) {
	x := h.doc.run().lanes.find(q.Lane)
	if x == nil {
		h.endBeside(h.doc)
		h.fail(id, link.Sentence{ID: "fail.lane"}, nil)
		return
	}
	h.stand(id, &beside{lane: x})
}

// besideApart shows a second machine in which each handler has an informer of its own.
func (h *Host) besideApart(id int, q link.SecondApart) {
	d := h.doc
	if d.beside == nil || d.beside.apart == nil {
		h.stand(id, &beside{apart: &apart{shown: q.Handler}})
		return
	}
	d.beside.apart.show(q.Handler)
	h.tellBeside(id)
	h.frame(id, d.run().frame(0, h.window))
}

// alone shows one machine again.
func (h *Host) alone(id int, _ link.Alone) { h.stand(id, nil) }

// stand shows b as the second machine, in the place of the one before. If b is nil, there is
// none.
func (h *Host) stand(id int, b *beside) {
	d := h.doc
	h.endBeside(d)
	if d.beside = b; b != nil {
		b.pin = -1
		if _, err := d.second(); err != nil {
			h.cannotPair(err)
		}
	}
	h.tellBeside(id)
	h.frame(id, d.run().frame(0, h.window))
	h.work()
}

// second returns the second machine of the informer that is shown; nil while its capture is
// read. There is none any more where the handlers of that informer can't be set apart, or
// the second capture doesn't have its resource.
func (d *document) second() (r *run, err error) {
	b, first := d.beside, d.run()
	switch {
	case b.aside != nil && b.aside.comes(d):
		return nil, nil
	case b.apart != nil:
		return b.setApart(first)
	case b.run != nil && b.first == first && (b.lane == nil || b.run.lanes.shown == b.lane):
		return b.run, nil
	case b.aside != nil:
		b.drop()
		if b.run, err = b.aside.runBeside(d, first); err != nil {
			return nil, err
		}
	case b.setup != nil:
		b.drop()
		b.run = newRun(d.trace(), d.shown, *b.setup, d.memory)
	default:
		b.run = first.beside(b.lane)
	}
	b.first = first
	return b.run, nil
}

// drop lets go of the second machine, if nobody else has it.
func (b *beside) drop() {
	if b.run != nil && b.lane == nil {
		b.run.history().Drop()
	}
	b.run = nil
}

// beside is a run of the same informer that shows a lane, which need not be one of r's.
func (r *run) beside(l *lane) *run {
	return &run{lanes: &lanes{all: []*lane{l}, shown: l}, informer: r.informer, goal: noGoal, keys: r.keys, resource: r.resource, trace: r.trace}
}

// setApart returns the run in which each handler has an informer of its own.
func (b *beside) setApart(first *run) (*run, error) {
	a, h := b.apart, first.history()
	if a.of != h || b.first != first {
		own, informers, err := h.Apart(first.informer, h.Memory())
		if err != nil {
			return nil, err
		}
		b.drop()
		a.of, a.informers, a.handlers = h, informers, nil
		for _, x := range h.HandlersOf(first.informer) {
			a.handlers = append(a.handlers, x.Name)
		}
		b.first, b.run = first, first.beside(&lane{h: own})
	}
	b.run.informer = a.informers[a.show(a.shown)]
	return b.run, nil
}

// show shows the informer of a handler, and returns the handler's number.
func (a *apart) show(handler string) int {
	i := max(slices.Index(a.handlers, handler), 0)
	a.shown = a.handlers[i]
	return i
}

// informers are those of the second machine that are compared.
func (b *beside) informers() []int {
	if b.apart != nil {
		return b.apart.informers
	}
	return []int{b.run.informer}
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
	case b.aside != nil:
		b.waits = !h.Complete() && h.End() <= b.aside.captures.Time(0, at.Now())
		b.aside.follow(first, second)
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
	second, err := d.second()
	if err != nil {
		h.cannotPair(err)
		return
	}
	if second == nil {
		return
	}
	d.beside.follow(d.run(), second)
	f.Second = second.brief(0, h.window)
	f.Second.Informer = d.shown
}

// cannotPair says why there can be no second machine, and shows one again.
func (h *Host) cannotPair(why error) {
	h.endBeside(h.doc)
	h.tellBeside(0)
	h.fail(0, link.Sentence{ID: "fail.beside"}, why)
}

// seekDiffer goes to difference n of the two machines: to the first of its calls in each.
func (h *Host) seekDiffer(id int, q link.SeekDiffer) {
	d := h.doc
	r := d.run()
	var all []link.Differ
	if d.beside != nil && d.beside.compare != nil {
		all = d.beside.compare.differs()
	}
	if q.Differ < 0 || q.Differ >= len(all) {
		h.fail(id, link.Sentence{ID: "fail.request"}, nil)
		return
	}
	x := &all[q.Differ]
	if len(x.Second) > 0 {
		d.beside.pin = x.Second[0].Step
	}
	if a := d.beside.apart; a != nil {
		a.show(x.Handler)
		h.tellBeside(0)
	}
	step := int64(0)
	if len(x.First) > 0 {
		step = x.First[0].Step
	} else {
		step = r.history().StepOf(x.Time)
	}
	h.frame(id, r.seek(step, h.window))
}

// pair runs the second machine on for one slice, or compares the two, and tells
// whether there is more to do.
func (h *Host) pair() (more bool) {
	d := h.doc
	b := d.beside
	if b == nil {
		return false
	}
	first := d.run()
	second, err := d.second()
	if err != nil {
		h.cannotPair(err)
		return false
	}
	if second == nil {
		return false
	}
	if h.extend(second) {
		return true
	}
	if b.waits {
		h.frame(0, first.frame(0, h.window))
	}
	of := [2]*world.History{first.history(), second.history()}
	if b.compare == nil || b.of != of {
		var captures *report.Captures
		if b.aside != nil {
			captures = b.aside.captures
			h.told()
			h.frame(0, first.frame(0, h.window)) // now there are two
			h.tellBeside(0)
		}
		b.of, b.compare = of, newComparison(of, [2][]int{{first.informer}, b.informers()}, captures)
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
		switch {
		case b.lane != nil:
			out.Second.Second = link.SecondLane{Lane: b.lane.id, Way: h.doc.run().lanes.brief(b.lane)}
		case b.apart != nil:
			out.Second.Second, out.Apart = link.SecondApart{Handler: b.apart.shown}, b.apart.handlers
		case b.aside != nil:
			a := b.aside
			out.Second.Second = link.SecondCapture{URL: a.doc.url, Name: a.doc.name}
			out.Read, out.Size, out.Places = a.doc.read, a.doc.input.Size(), a.doc.trace().ProblemCount
			if a.captures != nil {
				out.Pace = string(a.captures.Pace)
			}
		default:
			out.Second.Second, out.Setup = b.second, b.setup
		}
		if b.compare != nil {
			b.compare.tell(out)
		}
	}
	h.send(&link.Reply{ID: id, Beside: out})
}
