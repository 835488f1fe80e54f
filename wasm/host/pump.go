package host

import (
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

// paintWithin is how long the pump waits for a painting at most, in nanoseconds. A
// page that is out of sight doesn't paint.
const paintWithin = 100 * machine.Millisecond

// runs is the kind of the job that runs the document shown.
const runs = "run"

// pump runs the document shown, slice after slice. While the page paints, nothing is read or
// run: if every core were busy with that, painting would take several times as long, and so
// would everything that the viewer does meanwhile.
type pump struct {
	*desk
	schedule.Silent                 // report tells how far reading and running are, and only halt stops the pump
	grown           func()          // more of the document shown was run
	replay          func(*document) // makes the edits that the trace has
	state           pace
	clock           func()           // while painting: stops the timer of paintWithin
	ran             *history.History // that was run to its end, as the page was told
}

// pace is what the pump does.
type pace uint8

const (
	idle     pace = iota // nothing is to be run
	due                  // a slice has its turn soon
	painting             // the page paints, and nothing is run or read meanwhile

	numPaces
)

// beat is what changes the pump's pace.
type beat uint8

const (
	onWork    beat = iota // there may be something to run
	onSlice               // the slice that was due has its turn
	onPaint               // the page was told something that it will paint
	onPainted             // it has painted that, or had the time to

	numBeats
)

// paces are the pump's transitions. All of them can happen.
var paces = [numPaces][numBeats]pace{
	idle:     {onWork: due, onSlice: idle, onPaint: painting, onPainted: idle},
	due:      {onWork: due, onSlice: idle, onPaint: painting, onPainted: due},
	painting: {onWork: painting, onSlice: painting, onPaint: painting, onPainted: due},
}

// drive moves the pump on.
func (p *pump) drive(b beat) {
	was := p.state
	p.state = paces[was][b]
	switch {
	case p.state == painting && b == onPaint:
		p.hold()
	case was == painting && p.state == due:
		p.release()
		p.start()
	case was == idle && p.state == due:
		p.start()
	case was == due && p.state == idle:
		p.slice()
	}
}

func (p *pump) start() { p.jobs.Start(p, schedule.Terms{Kind: runs, Rests: true}) }

// Work makes the slice that is due.
func (p *pump) Work(int64) (more bool) {
	p.drive(onSlice)
	return p.state == due
}

// work makes the pump run the document shown to its end.
func (p *pump) work() { p.drive(onWork) }

// awaitPaint holds reading and running back until the page has painted what it is being
// told. A cluster can't be held back, so a live document goes on.
func (p *pump) awaitPaint() {
	if p.doc.stored != nil {
		p.drive(onPaint)
	}
}

func (p *pump) halt() {
	if p.state == painting {
		p.release()
	}
	p.state = idle
}

func (p *pump) hold() {
	if p.clock != nil {
		p.clock()
	}
	p.jobs.SetPainting(true)
	p.holdReading(true)
	p.clock = p.browser.After(paintWithin, func() { p.drive(onPainted) })
}

func (p *pump) release() {
	p.clock()
	p.clock = nil
	p.holdReading(false)
	p.jobs.SetPainting(false)
}

// holdReading makes the reading of the document shown, and of what stands beside it, pause or
// go on.
func (p *pump) holdReading(on bool) {
	p.doc.stored.Hold(on)
	p.second.hold(on)
}

// slice runs the document shown on for one slice.
func (p *pump) slice() {
	d := p.doc
	if r := d.run().History(); p.second.present() && r.Complete() && p.ran == r {
		p.second.start()
		return
	}
	more := p.extend(d.run())
	if r := d.run(); r.Arrived() {
		p.sendFrame(0, r.SeekTo(r.History().StepOf(r.Goal), p.window))
	}
	p.grown()
	if !more && !d.state.mayGrow() && d.edits != nil {
		p.replay(d) // which has the pump go on
		return
	}
	p.report(d, !more && !d.state.mayGrow())
	p.ran = nil
	if more {
		p.work()
		return
	}
	p.ran = d.run().History()
	p.second.start()
}

// report tells the page how far reading and running of d have come: at once if
// one of them has ended, and otherwise every reportEvery. While another capture
// is being opened, there are no reports on the one shown.
func (p *pump) report(d *document, last bool) {
	if o := p.opening; o != nil && o != d && !o.state.isSecondReading() || d.state.live() {
		return // living tells how a cluster is followed
	}
	now := p.browser.Now()
	if !last && now-d.reported < reportEvery {
		return
	}
	d.reported = now
	out := &link.Progress{Phase: link.Reading, Done: d.reader.bytes, Total: d.input.Size()}
	switch {
	case d.state == rereading:
		out.Phase = link.Rereading
	case !d.state.mayGrow():
		out.Phase = link.Running
		out.Done, out.Total = d.run().Progress()
	}
	if last && d == p.doc && (d.run().History().Complete() || d.run().Enough()) {
		out.Phase = link.Done
		p.happen(d, occasion{trigger: onRan})
	} else if p.opening == nil || p.opening.state.isSecondReading() {
		p.awaitPaint()
	}
	p.send(&link.Reply{ID: d.id, News: out})
}
