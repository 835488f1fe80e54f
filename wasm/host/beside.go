package host

import (
	"slices"

	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/wasm/host/compare"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

// beside is a second machine. It plays the same input as the one shown to another process,
// as another lane, with an informer for each handler, or with another guard; or it plays another
// capture. It
// is in the same worker, so the capture is there once.
type beside struct {
	second  link.Second         // as the page asked for it
	setup   *link.Setup         // of the second machine, if it is another process
	lane    *machine.Lane       // if it is another lane
	aside   *aside              // if it plays another capture
	apart   *apart              // if each handler has an informer of its own
	guarded *guarded            // if its controllers have another guard
	first   *machine.Run        // beside which run was made
	run     *machine.Run        // the second machine
	pin     int64               // the step of the second machine in the next frame, -1 for where it follows
	waits   bool                // the second machine has not been run as far as it is shown
	compare *compare.Comparison // nil until both are there
	of      [2]*history.History // that are compared
	told    int64               // when the page was last told, by Browser.Now
}

// company is the second machine.
type company struct {
	*desk
	lives lives
}

// kindCompare is the kind of the job that runs the second machine, and compares the two.
const kindCompare = "compare"

// apart is a second machine in which each handler has an informer of its own.
type apart struct {
	of        *history.History // the run of the machine shown
	informers []int            // by handler
	handlers  []string
	shown     string // the handler whose informer is shown, or the first one where there is none of this name
}

// guarded is a second machine whose controllers have another guard.
type guarded struct {
	kind guard.Kind
	of   *history.History // the run of the machine shown
}

// besideSetup shows a second machine with another setup, which q names.
func (c *company) besideSetup(id int, q link.Second) {
	s := c.doc.setup
	if _, is := q.(link.SecondProfile); !is && c.doc.script != nil { // it has no setup
		c.alone(id, link.Alone{})
		return
	}
	switch q := q.(type) {
	case link.SecondProfile:
		s = s.WithProfile(q.Profile)
	case link.SecondResync:
		s = s.WithResync()
	case link.SecondSetup:
		s = q.Setup
	}
	s = machine.Sane(s)
	c.stand(id, &beside{second: q, setup: &s})
}

// besideLane shows another lane as the second machine.
func (c *company) besideLane(id int, q link.SecondLane) {
	x := c.doc.run().Lanes.Find(q.Lane)
	if x == nil {
		c.endBeside(c.doc)
		c.fail(id, link.Sentence{ID: "fail.lane"}, nil)
		return
	}
	c.stand(id, &beside{lane: x})
}

// besideApart shows a second machine in which each handler has an informer of its own.
func (c *company) besideApart(id int, q link.SecondApart) {
	d := c.doc
	if d.beside == nil || d.beside.apart == nil {
		c.stand(id, &beside{apart: &apart{shown: q.Handler}})
		return
	}
	d.beside.apart.show(q.Handler)
	c.tellBeside(id)
	c.here(id)
}

// besideGuard shows a second machine whose controllers have another guard.
func (c *company) besideGuard(id int, q link.SecondGuard) {
	k, known := guard.Named(q.Guard)
	if !known {
		c.alone(id, link.Alone{})
		return
	}
	c.stand(id, &beside{second: q, guarded: &guarded{kind: k}})
}

// alone shows one machine again.
func (c *company) alone(id int, _ link.Alone) { c.stand(id, nil) }

// stand shows b as the second machine, in the place of the one before. If b is nil, there is
// none.
func (c *company) stand(id int, b *beside) {
	d := c.doc
	c.endBeside(d)
	if d.beside = b; b != nil {
		b.pin = -1
		if _, err := d.second(); err != nil {
			c.cannotPair(err)
		}
	}
	c.tellBeside(id)
	c.here(id)
	c.work()
}

// second returns the second machine of the informer that is shown; nil while its capture is
// read. There is none any more where the handlers of that informer can't be set apart, or
// the second capture doesn't have its resource.
func (d *document) second() (r *machine.Run, err error) {
	b, first := d.beside, d.run()
	switch {
	case b.aside != nil && b.aside.comes(d):
		return nil, nil
	case b.apart != nil:
		return b.setApart(first)
	case b.guarded != nil:
		return b.setGuard(first)
	case b.setup != nil && d.script != nil && (b.run == nil || b.first != first || d.script.Changed()):
		b.drop()
		other, err := d.script.As(d.lesson.Runner(func(script.Entry) {}), b.setup.Profile)
		if err != nil {
			return nil, err
		}
		b.run = other.Run(min(d.shown, len(other.Lanes.Shown.History.Front().Informers)-1))
	case b.run != nil && b.first == first && (b.lane == nil || b.run.Lanes.Shown == b.lane):
		return b.run, nil
	case b.aside != nil:
		b.drop()
		if b.run, err = b.aside.runBeside(d, first); err != nil {
			return nil, err
		}
	case b.setup != nil:
		b.drop()
		b.run = d.newRun(d.shown, *b.setup, d.memory)
	default:
		b.run = first.Beside(b.lane)
	}
	b.first = first
	return b.run, nil
}

// drop lets go of the second machine, if nobody else has it.
func (b *beside) drop() {
	if b.run != nil && b.lane == nil {
		b.run.History().Drop()
	}
	b.run = nil
}

// setApart returns the run in which each handler has an informer of its own.
func (b *beside) setApart(first *machine.Run) (*machine.Run, error) {
	a, h := b.apart, first.History()
	if a.of != h || b.first != first {
		own, informers, err := h.Apart(first.Informer, h.Memory())
		if err != nil {
			return nil, err
		}
		b.drop()
		a.of, a.informers, a.handlers = h, informers, nil
		for _, x := range h.HandlersOf(first.Informer) {
			a.handlers = append(a.handlers, x.Name)
		}
		b.first, b.run = first, first.Beside(&machine.Lane{History: own})
	}
	b.run.Informer = a.informers[a.show(a.shown)]
	return b.run, nil
}

// setGuard returns the run in which the controllers have another guard.
func (b *beside) setGuard(first *machine.Run) (*machine.Run, error) {
	g, h := b.guarded, first.History()
	if g.of != h || b.first != first {
		own, err := history.Guarded(h, history.Otherwise{Guard: g.kind, Lag: -1}, h.Memory())
		if err != nil {
			return nil, err
		}
		b.drop()
		g.of, b.first, b.run = h, first, first.Beside(&machine.Lane{History: own})
	}
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
	return []int{b.run.Informer}
}

// maxFollow is how many steps the second machine makes at most to come to the point
// of the server's stream at which the first one is.
const maxFollow = 5000

// follow takes the second machine to the moment of the first one: to the same time,
// and before and behind the same watch events. At the end of the first machine's run it
// goes to the end of its own.
func (b *beside) follow(first, second *machine.Run) {
	h, to := second.History(), first.History()
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
	sent := sentBy(at, first.Informer)
	h.StepOf(at.Now())
	for n := 0; n < maxFollow && sentBy(h.At(), second.Informer) < sent && h.At().Steps() < h.Steps(); n++ {
		h.SeekTo(h.At().Steps() + 1)
	}
	for n := 0; n < maxFollow && sentBy(h.At(), second.Informer) > sent && h.At().Steps() > 0; n++ {
		h.SeekTo(max(h.PrevWatchEvent(h.At().Steps()+1)-1, 0))
	}
}

// sentBy is how many watch events the server of informer i has sent.
func sentBy(w *world.World, i int) int64 { return w.Informers[i].Server.View(0, 0).Sent }

// add adds the second machine's frame to the first one's.
func (c *company) add(f *link.Frame) {
	d := c.doc
	if b := d.beside; b != nil && b.lane != nil && d.run().Lanes.Find(b.lane.ID) != b.lane {
		d.beside = nil // the lane was taken back
		c.tellBeside(0)
	}
	if d.beside == nil {
		return
	}
	second, err := d.second()
	if err != nil {
		c.cannotPair(err)
		return
	}
	if second == nil {
		return
	}
	d.beside.follow(d.run(), second)
	f.Second = second.Brief(0, c.window)
	f.Second.Informer = d.shown
}

// cannotPair says why there can be no second machine, and shows one again.
func (c *company) cannotPair(why error) {
	c.endBeside(c.doc)
	c.tellBeside(0)
	c.fail(0, link.Sentence{ID: "fail.beside"}, why)
}

// seekDiffer goes to difference n of the two machines: to the first of its calls in each.
func (c *company) seekDiffer(id int, q link.SeekDiffer) {
	d := c.doc
	r := d.run()
	var all []link.Differ
	if d.beside != nil && d.beside.compare != nil {
		all = d.beside.compare.Differs()
	}
	if q.Differ < 0 || q.Differ >= len(all) {
		c.badRequest(id)
		return
	}
	x := &all[q.Differ]
	if len(x.Second) > 0 {
		d.beside.pin = x.Second[0].Step
	}
	if a := d.beside.apart; a != nil {
		a.show(x.Handler)
		c.tellBeside(0)
	}
	step := int64(0)
	if len(x.First) > 0 {
		step = x.First[0].Step
	} else {
		step = r.History().StepOf(x.Time)
	}
	c.frame(id, r.SeekTo(step, c.window))
}

// goOn runs the second machine on and compares the two, when the first one was run.
func (c *company) goOn() {
	if c.doc.beside != nil {
		c.jobs.Start(c, schedule.Terms{Kind: kindCompare, After: runs, Rests: true})
	}
}

// Work runs the second machine on for one slice, or compares the two.
func (c *company) Work(until int64) (more bool) {
	if c.doc == nil || c.doc.beside == nil {
		return false
	}
	b, first := c.doc.beside, c.doc.run()
	second, err := c.doc.second()
	if err != nil {
		c.cannotPair(err)
		return false
	}
	if second == nil {
		return false
	}
	if c.extend(second) {
		return true
	}
	if b.waits {
		c.here(0)
	}
	of := [2]*history.History{first.History(), second.History()}
	if b.compare == nil || b.of != of {
		var captures *report.Captures
		if b.aside != nil {
			captures = b.aside.captures
			c.told()
			c.here(0) // now there are two
			c.tellBeside(0)
		}
		b.of, b.compare = of, compare.New(of, [2][]int{{first.Informer}, b.informers()}, captures)
	}
	for more = true; more && c.jobs.Now() < until; {
		more = b.compare.GoOn(machine.ExtendBy / 4)
	}
	if now := c.jobs.Now(); b.compare.Done || now-b.told >= reportEvery {
		b.told = now
		c.tellBeside(0)
	}
	return more
}

// Report does nothing, because the page is also told how far the second capture was read, at the
// same pace.
func (c *company) Report() {}

// Stop is never called: without a second machine there is nothing to do.
func (c *company) Stop(schedule.Event) {}

// tellBeside tells the page of the second machine.
func (c *company) tellBeside(id int) {
	out := &link.Beside{}
	if b := c.doc.beside; b != nil {
		switch {
		case b.lane != nil:
			out.Second.Second = link.SecondLane{Lane: b.lane.ID, Way: c.doc.run().Lanes.Brief(b.lane)}
		case b.apart != nil:
			out.Second.Second, out.Apart = link.SecondApart{Handler: b.apart.shown}, b.apart.handlers
		case b.aside != nil:
			a := b.aside
			out.Second.Second = link.SecondCapture{URL: a.doc.url, Name: a.doc.name}
			out.Read, out.Size, out.Places = a.doc.reader.bytes, a.doc.input.Size(), a.doc.trace().ProblemCount
			if a.captures != nil {
				out.Pace = string(a.captures.Pace)
			}
		default:
			out.Second.Second, out.Setup = b.second, b.setup
		}
		if b.compare != nil {
			b.compare.Tell(out)
		}
	}
	c.send(&link.Reply{ID: id, News: out})
}
