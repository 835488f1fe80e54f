package host

import (
	"errors"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/wasm/link"
)

// A slice of work may take this long, in nanoseconds, before the page's messages
// and what was read get their turn again. extendBy steps are made between two
// looks at the clock.
const (
	slice    = 12 * millisecond
	extendBy = 4096
)

// reportEvery is how often progress is told, in nanoseconds.
const reportEvery = 250 * millisecond

// open reads another capture. What is shown stays until there is something of
// the new one to show, and for good if there never is. What is of a foreign
// format is converted, if it is in files.
func (h *Host) open(q *link.Request, input Input, files []Bytes) {
	d := newDocument(q.Name, input, true)
	d.files = files
	if q.Setup != nil {
		d.setup = sane(*q.Setup)
	}
	if d.live != nil {
		d.live.tell = func(atOnce bool) { h.living(d, atOnce) }
	}
	h.read(q, d, input.Stream)
}

// read reads d, of which the one that is being opened is no longer wanted.
func (h *Host) read(q *link.Request, d *document, stream func(chunk func([]byte, int64), end func(error)) (cancel func())) {
	if old := h.opening; old != nil {
		h.leave(old)
		if old.misread != nil {
			old.misread.unsound = true // unless there is something of d to show
		}
	}
	h.opening = d
	files := d.files
	d.cancel = stream(
		func(b []byte, read int64) {
			d.read = read
			err := d.reader.Write(b)
			switch {
			case err == nil:
			case len(files) > 0 && errors.As(err, new(format.Foreign)):
				d.stop()
				h.open(q, h.browser.Convert(files, ""), nil)
				return
			default:
				h.refuse(q.ID, d, err)
				return
			}
			h.grown(q.ID, d)
		},
		func(err error) {
			d.cancel = nil
			if err != nil {
				d.reader.Fail(err.Error())
			}
			closed := d.reader.Close()
			if len(files) > 0 && errors.As(closed, new(format.Foreign)) {
				h.open(q, h.browser.Convert(files, ""), nil)
				return
			}
			if err != nil && len(files) > 0 { // the other program can unpack what the browser can't
				h.open(q, h.browser.Convert(files, ""), nil)
				return
			}
			h.grown(q.ID, d)
			switch {
			case h.opening != d: // it is shown
			case err != nil:
				h.refuse(q.ID, d, err)
			case closed != nil:
				h.refuse(q.ID, d, closed)
			default:
				h.refuse(q.ID, d, errEmpty)
			}
		})
}

// errEmpty is why a capture that could be read can't be shown.
var errEmpty = errors.New("it holds no list and no watch event")

// refuse gives up a capture of which nothing can be shown.
func (h *Host) refuse(id int, d *document, err error) {
	if h.opening != d {
		return
	}
	h.opening = nil
	h.leave(d)
	h.fail(id, link.Sentence{ID: "fail.open", Args: map[string]link.Arg{"name": {Kind: "code", V: d.name}}}, err)
	h.again()
}

// again shows what was good before something else was to be opened.
func (h *Host) again() {
	if h.doc != nil {
		h.opened(0)
		h.frame(0, h.doc.run().frame(0, h.window))
		h.work() // it may not have been run to its end
		h.reopen()
	}
}

// stop ends the reading of d. It reports whether there was any to end.
func (d *document) stop() bool {
	if d.cancel == nil {
		return false
	}
	d.cancel()
	d.cancel = nil
	d.reader.Close() // what it says of a part that ends here is of no use
	return true
}

// cancel stops the reading of whatever is being read. What was read stays.
func (h *Host) cancel(id int) {
	if d := h.opening; d != nil {
		h.opening = nil
		h.leave(d)
		h.fail(id, link.Sentence{ID: "fail.canceled"}, nil)
		h.again()
		return
	}
	if d := h.doc; d != nil && d.stop() {
		d.canceled = d.live == nil
		h.grown(id, d)
		if d.live != nil {
			h.living(d, true)
		}
	}
}

// grown takes note that more of d has been read, or all of it.
func (h *Host) grown(id int, d *document) {
	if h.opening == d && d.ready() {
		if h.doc != nil {
			h.leave(h.doc)
		}
		h.doc, h.opening = d, nil
		d.choose()
		d.recorded()
		if old := d.misread; old != nil { // the viewer stays where he was
			d.misread, d.shown, d.touched = nil, min(old.shown, len(d.trace().Resources)-1), old.touched
			h.moved(id, old.run().now())
		} else {
			h.begin(id, d)
		}
	}
	if h.doc != d {
		if h.opening == d {
			h.report(d, false)
		}
		return
	}
	if !d.touched && d.choose() {
		h.begin(id, d)
	}
	if d.cancel == nil {
		h.opened(0)
	}
	h.work()
	h.report(d, d.cancel == nil)
}

// begin shows the first step of d.
func (h *Host) begin(id int, d *document) {
	h.hold(d)
	h.opened(id)
	h.frame(id, d.run().frame(0, h.window))
}

// paintWithin is for how long at most the page has the machine for itself, in
// nanoseconds. One that is out of sight paints nothing.
const paintWithin = 100 * millisecond

// hold has nothing more of d read and run until the page has painted what it is
// being told: with that on every core, its task would take several times as long,
// and whatever the viewer does meanwhile would wait for it.
func (h *Host) hold(d *document) {
	input, stored := d.input.(Stored)
	if !stored {
		return
	}
	if d.held != nil {
		d.held()
	}
	input.Hold(true)
	d.held = h.browser.After(paintWithin, func() { h.resume(d) })
}

func (h *Host) resume(d *document) {
	if d.held == nil {
		return
	}
	d.held()
	d.held = nil
	d.input.(Stored).Hold(false)
	if h.doc == d {
		h.work()
	}
}

// extend runs the informer shown on as far as a slice goes, and to the goal
// that it was to be shown at.
func (h *Host) extend(d *document) (more bool) {
	r := d.run()
	until := h.browser.Now() + slice
	for {
		if r.history.Extend(extendBy) == 0 {
			break
		}
		if h.browser.Now() >= until {
			more = true
			break
		}
	}
	if r.arrived() {
		h.frame(0, r.seek(r.history.StepOf(r.goal), h.window))
		r.goal = noGoal
	}
	return more
}

// work extends slice after slice, letting the page's messages in between.
func (h *Host) work() {
	d := h.doc
	if d.pumping || d.held != nil {
		return
	}
	d.pumping = true
	h.browser.Later(func() {
		d.pumping = false
		if h.doc != d || d.held != nil {
			return
		}
		more := h.extend(d)
		h.report(d, !more && d.cancel == nil)
		if more {
			h.work()
		}
	})
}

// report tells how far reading and running have come, but not too often unless
// it is the last word. Of what is shown nothing is told while something else is
// being opened.
func (h *Host) report(d *document, last bool) {
	if h.opening != nil && h.opening != d {
		return
	}
	now := h.browser.Now()
	if !last && now-d.reported < reportEvery {
		return
	}
	d.reported = now
	p := &link.Progress{Phase: "read", Done: d.read, Total: d.input.Size(), Records: d.trace().Records}
	if d.cancel == nil {
		p.Phase = "run"
		if h.doc == d {
			p.Done, p.Total = d.run().progress()
		}
	}
	if d.live != nil && d.cancel != nil {
		return // it has its own words
	}
	if last && h.doc == d && d.run().history.Complete() {
		p.Phase = "done"
		h.settle(d)
	} else if h.doc == d {
		h.hold(d)
	}
	h.send(&link.Reply{Progress: p})
}
