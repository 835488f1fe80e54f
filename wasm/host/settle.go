package host

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
		input.Settle(func() { h.check(d, input) })
	})
}

func (h *Host) check(d *document, input Stored) {
	check := d.reader.Check()
	if check == nil || h.doc != d {
		return
	}
	var stop func()
	stop = input.Again(func(b []byte, _ int64) {
		known := d.trace().ProblemCount
		switch err := check.Write(b); {
		case h.doc != d || err != nil:
			stop()
		case d.trace().ProblemCount > known:
			h.opened(0)
		}
	}, func(error) {}) // if it can't be read again, whoever looks at an object is told
}

// leave stops the reading of d, which isn't shown any more, or never was, and lets
// its memory go.
func (d *document) leave() {
	d.stop()
	if input, stored := d.input.(Stored); stored && !d.settled {
		d.settled = true
		input.Settle(func() {})
	}
}
