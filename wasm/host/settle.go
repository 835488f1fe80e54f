package host

import (
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/wasm/link"
)

// settleAfter is how long the page is left alone to draw what was opened, in
// nanoseconds.
const settleAfter = 300 * millisecond

// settle does what has waited until all of d was read and run: it lets memory go,
// and looks for damage in those parts of events that nothing is read of.
func (h *Host) settle(d *document) {
	input, stored := d.input.(Stored)
	if d.settled || !stored {
		return
	}
	d.settled = true
	h.browser.After(settleAfter, func() {
		h.tidy(input, func() { h.check(d, input) })
	})
}

// restFor is how long tidy and check rest after each piece of their work while the
// viewer asks for something, in nanoseconds: then he has the machine for himself.
const restFor = 250 * millisecond

// asking tells whether the viewer does.
func (h *Host) asking() bool { return h.browser.Now()-h.asked < restFor }

// tidy lets go of the memory that input is kept in, and calls then.
func (h *Host) tidy(input Stored, then func()) {
	next := func() {
		if input.Settle() {
			h.tidy(input, then)
		} else {
			then()
		}
	}
	if h.asking() {
		h.browser.After(restFor, next)
	} else {
		h.browser.Later(next)
	}
}

// check looks for the damage that settle tells of, and the reading of d did not see.
func (h *Host) check(d *document, input Stored) {
	check := d.reader.Check()
	if check == nil || h.doc != d {
		return
	}
	var stop func()
	stop = input.Again(func(b []byte, _ int64) {
		known := d.trace().ProblemCount
		err := check.Write(b)
		if h.doc != d || err != nil {
			stop()
		}
		switch {
		case h.doc != d:
			return
		case err == format.ErrMisread:
			d.unsound = true
			h.reopen()
			return
		case d.trace().ProblemCount > known:
			h.opened(0)
		}
		if h.asking() {
			input.Hold(true)
			h.browser.After(restFor, func() { input.Hold(false) })
		}
	}, func(error) {}) // if it can't be read again, whoever looks at an object is told
}

// reopen reads what is shown once more, and looks at all of it, if the page's way
// to read was too quick for it, and nothing else is being opened. The viewer stays
// where he is.
func (h *Host) reopen() {
	d := h.doc
	if !d.unsound || h.opening != nil {
		return
	}
	d.unsound = false // who cancels it does so for good
	again := newDocument(d.name, d.input, false)
	again.files, again.setup, again.misread = d.files, d.setup, d
	h.read(&link.Request{Name: d.name, Setup: &d.setup}, again, d.input.(Stored).Again)
}

// leave stops the reading of d, which isn't shown any more, or never was, and lets
// its memory go.
func (h *Host) leave(d *document) {
	d.stop()
	if input, stored := d.input.(Stored); stored && !d.settled {
		d.settled = true
		h.tidy(input, func() {})
	}
}
