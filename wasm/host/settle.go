package host

import (
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/wasm/host/machine"
)

// settleAfter is how long the page has to draw what was opened, in nanoseconds,
// before the memory that it was read into is let go of.
const settleAfter = 300 * machine.Millisecond

// restFor is how long tidy and check rest after each piece of their work while the
// viewer asks for something or waits for it, in nanoseconds. Meanwhile the machine is the
// viewer's.
const restFor = 250 * machine.Millisecond

// asking reports whether the viewer has asked for something within the last restFor.
func (h *Host) asking() bool { return h.desk.browser.Now()-h.desk.asked < restFor }

// tidy lets go of the memory that d's bytes are kept in, piece by piece.
func (h *Host) tidy(d *document) {
	next := func() {
		if d.stored != nil && d.stored.Settle() {
			h.tidy(d)
		} else {
			h.happen(d, occasion{on: onTidied})
		}
	}
	if h.asking() {
		h.desk.browser.After(restFor, next)
	} else {
		h.desk.browser.Later(next)
	}
}

// check reads d once more, and looks for damage in the parts of events that the
// glance passed over because the machine reads nothing in them.
func (h *Host) check(d *document) {
	check := d.reader.Check()
	if check == nil || d.script != nil {
		h.happen(d, occasion{on: onChecked})
		return
	}
	over := func(on trigger) {
		d.stop = nil
		h.happen(d, occasion{on: on})
	}
	d.stop = d.stored.Again(func(b []byte, _ int64) {
		known := d.trace().ProblemCount
		err := check.Write(b)
		if d.trace().ProblemCount > known {
			h.desk.opened(0)
		}
		switch {
		case err == format.ErrMisread:
			d.stop()
			over(onMisread)
		case err != nil:
			d.stop()
			over(onChecked)
		case h.asking() || h.desk.jobs.Busy(): // such as a search
			d.stored.Hold(true)
			h.desk.browser.After(restFor, func() { d.stored.Hold(false) })
		}
	}, func(error) { over(onChecked) }) // an object that can't be read again says so when it is looked at
}
