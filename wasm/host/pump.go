package host

import "github.com/informerscope/informerscope/wasm/link"

// A slice of work may take this long, in nanoseconds, before the page's messages
// and what was read get their turn again. extendBy steps are made between two
// looks at the clock.
const (
	slice    = 12 * millisecond
	extendBy = 4096
)

// reportEvery is how often the page is told how far reading and running are, in
// nanoseconds.
const reportEvery = 250 * millisecond

// paintWithin is for how long at most the page has the machine for itself, in
// nanoseconds. A page that is out of sight paints nothing.
const paintWithin = 100 * millisecond

// pump runs the document shown, slice after slice. In between, the page's messages
// get their turn, and the page gets the machine for itself while it paints: with
// reading and running on every core, painting would take several times as long,
// and whatever the viewer does would wait for it.
type pump struct {
	state pace
	turn  int    // of the slice that is due: others are void
	clock func() // stops the clock that ends a painting
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

// told holds the pump back until the page has painted what it is being told. What
// is recorded goes on: nobody can hold a cluster back.
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
	h.doc.stored.Hold(true)
	h.pump.clock = h.browser.After(paintWithin, func() { h.drive(onPainted) })
}

func (h *Host) release() {
	h.pump.clock()
	h.pump.clock = nil
	h.doc.stored.Hold(false)
}

// slice runs the document shown on for one slice.
func (h *Host) slice() {
	d := h.doc
	more := h.extend(d.run())
	if r := d.run(); r.arrived() {
		h.frame(0, r.seek(r.history().StepOf(r.goal), h.window))
	}
	h.report(d, !more && !d.state.comes())
	if more {
		h.work()
	}
}

// extend runs r on as far as a slice goes, and tells whether there is more to run.
func (h *Host) extend(r *run) (more bool) {
	until := h.browser.Now() + slice
	for r.history().Extend(extendBy) > 0 {
		if h.browser.Now() >= until {
			return true
		}
	}
	return false
}

// report tells how far reading and running have come, but not too often, unless it
// is the last word on one of them. While another capture is being opened nothing is
// told of the one that is shown.
func (h *Host) report(d *document, last bool) {
	if o := h.opening; o != nil && o != d && !o.state.again() || d.state.live() {
		return // a cluster that is followed has words of its own
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
	if last && d == h.doc && d.run().history().Complete() {
		p.Phase = link.Done
		h.happen(d, occasion{on: onRan})
	} else if h.opening == nil || h.opening.state.again() {
		h.told()
	}
	h.send(&link.Reply{Progress: p})
}
