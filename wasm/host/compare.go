package host

import (
	"slices"

	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/wasm/host/compare"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

// secondMachine is the machine beside the one shown, and compares the two. It plays the same
// input to another process, as another lane, with an informer for each handler, or with another
// guard; or it plays another capture. It is in the same worker, so the capture is there once.
type secondMachine struct {
	*desk
	schedule.Silent              // sendSecond tells how far it is; without a second machine the job has nothing to do, so nothing stops it
	current         *counterpart // nil while one machine is shown
}

// counterpart is what the document shown is compared with.
type counterpart struct {
	second   link.Second         // as the page asked for it
	setup    *link.Setup         // if it is another process
	lane     *machine.Lane       // if it is another lane
	capture  *secondCapture      // if it plays another capture
	split    *splitHandlers      // if each handler has an informer of its own
	guard    *otherGuard         // if its controllers have another guard
	first    *machine.Run        // the run of the document shown beside which run was made
	run      *machine.Run        // the second machine's
	pin      int64               // the step of the second machine in the next frame, -1 for where it follows
	waits    bool                // the second machine has not been run as far as it is shown
	compare  *compare.Comparison // nil until both are there
	compared [2]*history.History // by compare
	reported int64               // when the page was last told, by Browser.Now
}

// splitHandlers is a second machine in which each handler has an informer of its own.
type splitHandlers struct {
	history   *history.History // the run of the machine shown
	informers []int            // by handler
	handlers  []string
	shown     string // the handler whose informer is shown, or the first one where there is none of this name
}

// otherGuard is a second machine whose controllers have another guard.
type otherGuard struct {
	kind    guard.Kind
	history *history.History // the run of the machine shown
}

// secondCapture is the capture that a second machine plays. It is a document of its own, which is
// read to its end before there is anything to compare. All of its lines are read thoroughly, so
// nothing of it is misread, and it need not be checked. It plays to the same setup, and its
// checkpoints share the budget of the first one's.
type secondCapture struct {
	doc      *document
	captures *report.Captures // of the informer shown; nil until both were read
}

// Why a capture can't stand beside the one shown.
const (
	errNoCapture  = fault.Plain("notCapture")
	errNoResource = fault.Plain("noneOfResource")
)

// kindCompare is the kind of the job that runs the second machine, and compares the two.
const kindCompare = "compare"

// showSetup shows a second machine with another setup, which q names.
func (c *secondMachine) showSetup(id int, q link.Second) {
	s := c.doc.setup
	if _, is := q.(link.SecondProfile); !is && c.doc.script != nil { // it has no setup
		c.show(id, nil)
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
	s = machine.ClampSetup(s)
	c.show(id, &counterpart{second: q, setup: &s})
}

func (c *secondMachine) showLane(id int, q link.SecondLane) {
	x := c.doc.run().Lanes.Find(q.Lane)
	if x == nil {
		c.end()
		c.fail(id, link.Sentence{ID: "fail.lane"}, nil)
		return
	}
	c.show(id, &counterpart{lane: x})
}

// showSplit shows a second machine in which each handler has an informer of its own.
func (c *secondMachine) showSplit(id int, q link.SecondApart) {
	if c.current == nil || c.current.split == nil {
		c.show(id, &counterpart{split: &splitHandlers{shown: q.Handler}})
		return
	}
	c.current.split.choose(q.Handler)
	c.sendSecond(id)
	c.redraw(id)
}

// showGuard shows a second machine whose controllers have another guard.
func (c *secondMachine) showGuard(id int, q link.SecondGuard) {
	k, known := guard.Named(q.Guard)
	if !known {
		c.show(id, nil)
		return
	}
	c.show(id, &counterpart{second: q, guard: &otherGuard{kind: k}})
}

func (c *secondMachine) remove(id int, _ link.HideSecond) { c.show(id, nil) }

// show shows b as the second machine, in the place of the one before; nil for none.
func (c *secondMachine) show(id int, b *counterpart) {
	c.end()
	if c.current = b; b != nil {
		b.pin = -1
		if _, err := c.run(); err != nil {
			c.refuse(err)
		}
	}
	c.sendSecond(id)
	c.redraw(id)
	c.work()
}

// run returns the second machine's run of the informer that is shown; nil while its capture is
// read. It fails where the handlers of that informer can't be set apart, or the second capture
// doesn't have its resource.
func (c *secondMachine) run() (r *machine.Run, err error) {
	d, b := c.doc, c.current
	first := d.run()
	switch {
	case b.capture != nil && b.capture.incomplete(d):
		return nil, nil
	case b.split != nil:
		return b.splitRun(first)
	case b.guard != nil:
		return b.guardRun(first)
	case b.setup != nil && d.script != nil && (b.run == nil || b.first != first || d.script.Changed()):
		b.drop()
		other, err := d.script.WithProfile(d.lesson.Runner(func(script.Entry) {}), b.setup.Profile)
		if err != nil {
			return nil, err
		}
		b.run = other.Run(min(d.shown, len(other.Lanes.Shown.History.Front().Informers)-1))
	case b.run != nil && b.first == first && (b.lane == nil || b.run.Lanes.Shown == b.lane):
		return b.run, nil
	case b.capture != nil:
		b.drop()
		if b.run, err = b.capture.runFor(d, first); err != nil {
			return nil, err
		}
	case b.setup != nil:
		b.drop()
		b.run = d.newRun(d.shown, *b.setup, d.memory)
	default:
		b.run = first.WithLane(b.lane)
	}
	b.first = first
	return b.run, nil
}

// drop lets go of the run, if nobody else has it.
func (b *counterpart) drop() {
	if b.run != nil && b.lane == nil {
		b.run.History().Drop()
	}
	b.run = nil
}

// splitRun returns the run in which each handler has an informer of its own.
func (b *counterpart) splitRun(first *machine.Run) (*machine.Run, error) {
	a, h := b.split, first.History()
	if a.history != h || b.first != first {
		branch, informers, err := h.SplitHandlers(first.Informer, h.Memory())
		if err != nil {
			return nil, err
		}
		b.drop()
		a.history, a.informers, a.handlers = h, informers, nil
		for _, x := range h.HandlersOf(first.Informer) {
			a.handlers = append(a.handlers, x.Name)
		}
		b.first, b.run = first, first.WithLane(&machine.Lane{History: branch})
	}
	b.run.Informer = a.informers[a.choose(a.shown)]
	return b.run, nil
}

// guardRun returns the run in which the controllers have another guard.
func (b *counterpart) guardRun(first *machine.Run) (*machine.Run, error) {
	g, h := b.guard, first.History()
	if g.history != h || b.first != first {
		branch, err := h.WithGuard(history.Variant{Guard: g.kind, Lag: -1}, h.Memory())
		if err != nil {
			return nil, err
		}
		b.drop()
		g.history, b.first, b.run = h, first, first.WithLane(&machine.Lane{History: branch})
	}
	return b.run, nil
}

// choose shows the informer of a handler, and returns the handler's number.
func (a *splitHandlers) choose(handler string) int {
	i := max(slices.Index(a.handlers, handler), 0)
	a.shown = a.handlers[i]
	return i
}

// informers returns the informers of the second machine that are compared.
func (b *counterpart) informers() []int {
	if b.split != nil {
		return b.split.informers
	}
	return []int{b.run.Informer}
}

// maxFollow is how many steps the second machine makes at most to come to the point
// of the server's stream at which the first one is.
const maxFollow = 5000

// follow takes the second machine to the moment of the first one: to the same time,
// and before and behind the same watch events. At the end of the first machine's run it
// goes to the end of its own.
func (b *counterpart) follow(first, second *machine.Run) {
	h, to := second.History(), first.History()
	if h == to {
		return
	}
	at := to.World()
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
	case b.capture != nil:
		b.waits = !h.Complete() && h.End() <= b.capture.captures.Time(0, at.Now())
		b.capture.follow(first, second)
		return
	}
	sent := sentBy(at, first.Informer)
	h.StepOf(at.Now())
	for n := 0; n < maxFollow && sentBy(h.World(), second.Informer) < sent && h.World().Steps() < h.Steps(); n++ {
		h.SeekTo(h.World().Steps() + 1)
	}
	for n := 0; n < maxFollow && sentBy(h.World(), second.Informer) > sent && h.World().Steps() > 0; n++ {
		h.SeekTo(max(h.PrevWatchEvent(h.World().Steps()+1)-1, 0))
	}
}

// sentBy returns how many watch events the server of informer i has sent.
func sentBy(w *world.World, i int) int64 { return w.Informers[i].Server.View(0, 0).Sent }

// addTo adds the second machine's frame to the first one's.
func (c *secondMachine) addTo(f *link.Frame) {
	first := c.doc.run()
	if b := c.current; b != nil && b.lane != nil && first.Lanes.Find(b.lane.ID) != b.lane {
		c.current = nil // the lane was taken back
		c.sendSecond(0)
	}
	if c.current == nil {
		return
	}
	second, err := c.run()
	if err != nil {
		c.refuse(err)
		return
	}
	if second == nil {
		return
	}
	c.current.follow(first, second)
	f.Second = second.Brief(0, c.window)
	f.Second.Informer = c.doc.shown
}

// refuse tells the page why there can be no second machine, and shows one again.
func (c *secondMachine) refuse(why error) {
	c.end()
	c.sendSecond(0)
	c.fail(0, link.Sentence{ID: "fail.beside"}, why)
}

// seekDifference goes to difference n of the two machines: to the first of its calls in each.
func (c *secondMachine) seekDifference(id int, q link.SeekDiffer) {
	r, b := c.doc.run(), c.current
	var all []link.Differ
	if b != nil && b.compare != nil {
		all = b.compare.Differs()
	}
	if q.Differ < 0 || q.Differ >= len(all) {
		c.badRequest(id)
		return
	}
	x := &all[q.Differ]
	if len(x.Second) > 0 {
		b.pin = x.Second[0].Step
	}
	if a := b.split; a != nil {
		a.choose(x.Handler)
		c.sendSecond(0)
	}
	step := int64(0)
	if len(x.First) > 0 {
		step = x.First[0].Step
	} else {
		step = r.History().StepOf(x.Time)
	}
	c.sendFrame(id, r.SeekTo(step, c.window))
}

func (c *secondMachine) present() bool { return c.current != nil }

// source returns the second machine's run, and the document that it plays; nil while there is
// none.
func (c *secondMachine) source() (*document, *machine.Run) {
	b := c.current
	switch {
	case b == nil || b.run == nil:
		return nil, nil
	case b.capture != nil:
		return b.capture.doc, b.run
	}
	return c.doc, b.run
}

// hold makes the reading of the second capture pause, or go on.
func (c *secondMachine) hold(on bool) {
	if b := c.current; b != nil && b.capture != nil {
		b.capture.doc.stored.Hold(on)
	}
}

// start runs the second machine on and compares the two, when the first one was run.
func (c *secondMachine) start() {
	if c.current != nil {
		c.jobs.Start(c, schedule.Terms{Kind: kindCompare, After: runs, Rests: true})
	}
}

// Work runs the second machine on for one slice, or compares the two.
func (c *secondMachine) Work(until int64) (more bool) {
	if c.doc == nil || c.current == nil {
		return false
	}
	b, first := c.current, c.doc.run()
	second, err := c.run()
	if err != nil {
		c.refuse(err)
		return false
	}
	if second == nil {
		return false
	}
	if c.extend(second) {
		return true
	}
	if b.waits {
		c.redraw(0)
	}
	runs := [2]*history.History{first.History(), second.History()}
	if b.compare == nil || b.compared != runs {
		var captures *report.Captures
		if b.capture != nil {
			captures = b.capture.captures
			c.awaitPaint()
			c.redraw(0) // now there are two
			c.sendSecond(0)
		}
		b.compared, b.compare = runs, compare.New(runs, [2][]int{{first.Informer}, b.informers()}, captures)
	}
	for more = true; more && c.jobs.Now() < until; {
		more = b.compare.Advance(machine.ExtendBy / 4)
	}
	if now := c.jobs.Now(); b.compare.Done || now-b.reported >= reportEvery {
		b.reported = now
		c.sendSecond(0)
	}
	return more
}

func (c *secondMachine) sendSecond(id int) {
	out := &link.SecondMachine{}
	if b := c.current; b != nil {
		switch {
		case b.lane != nil:
			out.Second.Second = link.SecondLane{Lane: b.lane.ID, Path: c.doc.run().Lanes.Brief(b.lane)}
		case b.split != nil:
			out.Second.Second, out.Apart = link.SecondApart{Handler: b.split.shown}, b.split.handlers
		case b.capture != nil:
			a := b.capture
			out.Second.Second = link.SecondCapture{URL: a.doc.url, Name: a.doc.name}
			out.Read, out.Size, out.Places = a.doc.reader.bytes, a.doc.input.Size(), a.doc.trace().ProblemCount
			if a.captures != nil {
				out.Pace, out.Namespace = string(a.captures.Pace), a.captures.Namespace
				if name := a.captures.Resources[1].Name(); name != a.captures.Resources[0].Name() {
					out.Resource = name
				}
			}
		default:
			out.Second.Second, out.Setup = b.second, b.setup
		}
		if b.compare != nil {
			b.compare.Fill(out)
		}
	}
	c.send(&link.Reply{ID: id, News: out})
}

// end ends the second machine, if there is one.
func (c *secondMachine) end() {
	b := c.current
	c.current = nil
	if b == nil {
		return
	}
	b.drop()
	if b.capture != nil {
		c.happen(b.capture.doc, occasion{trigger: onReplaced})
	}
}

// reportCapture tells the page how far the second capture was read.
func (c *secondMachine) reportCapture() {
	if now := c.browser.Now(); now-c.current.reported >= reportEvery {
		c.current.reported = now
		c.awaitPaint()
		c.sendSecond(0)
	}
}

// incomplete reports whether there is more to read before the captures can be compared.
func (a *secondCapture) incomplete(d *document) bool {
	return a.doc.state == readingSecond || d.state.mayGrow()
}

// runFor returns the run of the second capture beside a run of d.
func (a *secondCapture) runFor(d *document, first *machine.Run) (*machine.Run, error) {
	all := a.doc.trace().Resources
	r := report.Counterpart(first.Resource, all)
	if r == nil {
		return nil, errNoResource
	}
	a.captures = report.NewCaptures(first.Resource, r, d.trace().NoTimes || a.doc.trace().NoTimes)
	return a.doc.newRun(slices.Index(all, r), d.setup, d.memory), nil
}

// follow takes the second capture to where the first one is: to the same time, after the records
// that stand for those that the first one has played, and before the others.
func (a *secondCapture) follow(first, second *machine.Run) {
	h, at := second.History(), first.History().World()
	h.StepOf(a.captures.Time(0, at.Now()))
	if a.captures.Pace == report.ByTime {
		return
	}
	least, most := a.captures.Place(0, compare.Played(at, first.Informer))
	for n := 0; n < maxFollow && compare.Played(h.World(), second.Informer) < least && h.World().Steps() < h.Steps(); n++ {
		h.SeekTo(h.World().Steps() + 1)
	}
	for n := 0; n < maxFollow && compare.Played(h.World(), second.Informer) > most && h.World().Steps() > 0; n++ {
		h.SeekTo(max(h.PrevWatchEvent(h.World().Steps()+1)-1, 0))
	}
}
