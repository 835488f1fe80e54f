package host

import (
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// slice is how long the engine runs, in nanoseconds, before the page's messages and
// the bytes that were read get their turn. It makes extendBy steps between two looks
// at the clock.
const (
	slice    = 12 * millisecond
	extendBy = 4096
)

// reportEvery is how often the worker reports to the page how far reading and running
// have come, in nanoseconds.
const reportEvery = 250 * millisecond

// paintWithin is how long the pump waits for a painting at most, in nanoseconds. A
// page that is out of sight doesn't paint.
const paintWithin = 100 * millisecond

// pump runs the document shown, slice after slice. Between two slices the page's
// messages get their turn. While the page paints, nothing is read or run: if every
// core were busy with that, painting would take several times as long, and so would
// everything that the viewer does meanwhile.
type pump struct {
	state pace
	turn  int            // the number of the slice that is due; a call for another one is void
	clock func()         // while painting: stops the timer of paintWithin
	ran   *world.History // that was run to its end, as the page was told
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
	onTold                // the page was told something that it will paint
	onPainted             // it has painted that, or had the time to

	numBeats
)

// paces are the pump's transitions. All of them can happen.
var paces = [numPaces][numBeats]pace{
	idle:     {onWork: due, onSlice: idle, onTold: painting, onPainted: idle},
	due:      {onWork: due, onSlice: idle, onTold: painting, onPainted: due},
	painting: {onWork: painting, onSlice: painting, onTold: painting, onPainted: due},
}

// drive moves the pump on.
func (h *Host) drive(b beat) {
	p := &h.pump
	was := p.state
	p.state = paces[was][b]
	switch {
	case p.state == painting && b == onTold:
		h.hold()
	case was == painting && p.state == due:
		h.release()
		h.schedule()
	case was == idle && p.state == due:
		h.schedule()
	case was == due && p.state == idle:
		h.slice()
	}
}

// work has the pump run the document shown to its end.
func (h *Host) work() { h.drive(onWork) }

// told holds reading and running back until the page has painted what it is being
// told. A cluster can't be held back, so a live document goes on.
func (h *Host) told() {
	if h.doc.stored != nil {
		h.drive(onTold)
	}
}

// halt stops the pump.
func (h *Host) halt() {
	if h.pump.state == painting {
		h.release()
	}
	h.pump.state = idle
	h.pump.turn++
}

func (h *Host) schedule() {
	h.pump.turn++
	turn := h.pump.turn
	h.browser.Later(func() {
		if turn == h.pump.turn {
			h.drive(onSlice)
		}
	})
}

func (h *Host) hold() {
	if h.pump.clock != nil {
		h.pump.clock()
	}
	h.doc.hold(true)
	h.pump.clock = h.browser.After(paintWithin, func() { h.drive(onPainted) })
}

func (h *Host) release() {
	h.pump.clock()
	h.pump.clock = nil
	h.doc.hold(false)
}

// hold makes the reading of d, and of the capture beside it, pause or go on.
func (d *document) hold(on bool) {
	d.stored.Hold(on)
	if b := d.beside; b != nil && b.aside != nil {
		b.aside.doc.stored.Hold(on)
	}
}

// slice runs the document shown on for one slice.
func (h *Host) slice() {
	d := h.doc
	if r := d.run().history(); d.beside != nil && r.Complete() && h.pump.ran == r {
		if h.pair() {
			h.work()
		}
		return
	}
	more := h.extend(d.run())
	if r := d.run(); r.arrived() {
		h.frame(0, r.seek(r.history().StepOf(r.goal), h.window))
	}
	h.watchOn()
	if !more && !d.state.comes() && d.edits != nil {
		h.replay(d) // which has the pump go on
		return
	}
	h.report(d, !more && !d.state.comes())
	h.pump.ran = nil
	if !more {
		h.pump.ran = d.run().history()
		more = h.pair()
	}
	if more {
		h.work()
	}
}

// extend runs r on for one slice, and tells whether there may be more to run.
func (h *Host) extend(r *run) (more bool) {
	until := h.browser.Now() + slice
	for !r.enough() && r.history().Extend(extendBy) > 0 {
		if h.browser.Now() >= until {
			return true
		}
	}
	return false
}

// report tells the page how far reading and running of d have come: at once if
// one of them has ended, and otherwise every reportEvery. While another capture
// is being opened, there are no reports on the one shown.
func (h *Host) report(d *document, last bool) {
	if o := h.opening; o != nil && o != d && !o.state.again() || d.state.live() {
		return // living tells how a cluster is followed
	}
	now := h.browser.Now()
	if !last && now-d.reported < reportEvery {
		return
	}
	d.reported = now
	p := &link.Progress{Phase: link.Reading, Done: d.read, Total: d.input.Size(), Records: d.trace().Records}
	switch {
	case d.state == rereading:
		p.Phase = link.Rereading
	case !d.state.comes():
		p.Phase = link.Running
		p.Done, p.Total = d.run().progress()
	}
	if last && d == h.doc && (d.run().history().Complete() || d.run().enough()) {
		p.Phase = link.Done
		h.happen(d, occasion{on: onRan})
	} else if h.opening == nil || h.opening.state.again() {
		h.told()
	}
	h.send(&link.Reply{Progress: p})
}
