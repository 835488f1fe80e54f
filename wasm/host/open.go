package host

import (
	"cmp"
	"errors"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/wasm/address"
)

// open opens another capture. What is shown stays until there is something of the new
// one to show, or for good if there never is. The other program can convert the
// files if this one can't read them; there may be none.
func (h *Host) open(q origin, input Input, files []Bytes) {
	d := newDocument(q, input, files, true)
	if d.live != nil {
		d.live.tell = func(atOnce bool) { h.clusters.living(d, atOnce) }
	}
	h.read(d, input.Stream)
}

// read begins to read d, and gives up what was being opened.
func (h *Host) read(d *document, stream func(chunk func([]byte, int64), end func(error)) (cancel func())) {
	if h.opening != nil {
		h.happen(h.opening, occasion{on: onLeft})
	}
	h.opening = d
	d.stop = stream(
		func(b []byte, read int64) { h.piece(d, b, read) },
		func(err error) { h.end(d, err) })
}

// piece takes in a piece of d. With it, so many bytes of the input have been read.
func (h *Host) piece(d *document, b []byte, read int64) {
	d.read = read
	if d.script == nil && len(d.head) < sniffLen {
		d.head = append(d.head, b[:min(len(b), sniffLen)]...)
		if head := string(d.head); (script.Looks(head) || lesson.Looks(head) || address.Looks(head)) && d.live == nil {
			if d.state == besideIt {
				h.happen(d, occasion{on: onRefused, err: errNoCapture})
				return
			}
			d.script = &scripted{}
		}
	}
	if d.script != nil {
		if err := d.script.write(b); err != nil {
			h.happen(d, occasion{on: onRefused, err: err})
		} else {
			h.happen(d, occasion{on: onPiece})
		}
		return
	}
	switch err := d.reader.Write(b); {
	case err == nil:
		h.happen(d, occasion{on: onPiece})
	case d.convertible() && foreign(err):
		h.happen(d, occasion{on: onForeign})
	default:
		h.happen(d, occasion{on: onRefused, err: err})
	}
}

// end takes note that all of d has come, or that something went wrong.
func (h *Host) end(d *document, err error) {
	d.stop = nil
	if d.script != nil {
		h.endScript(d, err)
		return
	}
	if err != nil {
		d.reader.Fail(err.Error())
	}
	closed := d.reader.Close()
	switch {
	case d.convertible() && (err != nil || foreign(closed)):
		h.happen(d, occasion{on: onForeign})
	case !d.ready(true), err != nil && d.state.again():
		h.happen(d, occasion{on: onRefused, err: cmp.Or(err, closed, errEmpty)})
	default:
		h.happen(d, occasion{on: onEnd})
	}
}

// convertible tells whether the other program may be able to read d. It knows more
// formats, and unpacks what the browser can't.
func (d *document) convertible() bool { return len(d.files) > 0 && !d.state.again() }

func foreign(err error) bool { return errors.As(err, new(format.Foreign)) }

// errEmpty says why a capture that could be read can't be shown.
var errEmpty = errors.New("it holds no list and no watch event")

// look shows d if there is something to show.
func (h *Host) look(d *document) {
	if d.ready(false) {
		h.happen(d, occasion{on: onReady})
	} else {
		h.pump.report(d, false)
	}
}

// show shows the first step of d in the place of what was shown.
func (h *Host) show(d *document) {
	h.enter(d)
	d.choose()
	d.recorded()
	d.setOut()
	h.begin(d)
	h.lessons.tellLesson()
	h.tellScript()
	h.work()
	h.pump.report(d, !d.state.comes())
}

// enter makes d the document shown.
func (h *Host) enter(d *document) {
	h.pump.halt()
	if h.doc != nil {
		h.company.endBeside(h.doc)
		h.happen(h.doc, occasion{on: onLeft})
	}
	h.doc, h.opening = d, nil
}

// begin shows the first step of d.
func (h *Host) begin(d *document) {
	h.told()
	h.opened(d.id)
	h.here(d.id)
}

// grow runs what has come of d, the document shown.
func (h *Host) grow(d *document) {
	if !d.touched && d.choose() {
		h.begin(d)
	}
	h.work()
	h.pump.report(d, false)
}

// finish runs what has come of d, which is all there is.
func (h *Host) finish(d *document) {
	if !d.touched && d.choose() {
		h.begin(d)
	}
	h.opened(0)
	h.work()
	h.pump.report(d, true)
}

// convert opens the trace that the other program makes of d's files.
func (h *Host) convert(d *document) {
	if h.opening == d {
		h.close(d)
	} else {
		d.halt()
	}
	h.open(d.origin, h.browser.Convert(d.files, ""), nil)
}

// close gives up opening d.
func (h *Host) close(d *document) {
	h.opening = nil
	d.halt()
	h.tidy(d)
}

// back goes on with the document shown, after another one could not be opened.
func (h *Host) back() {
	if h.doc == nil {
		return
	}
	h.opened(0)
	h.here(0)
	h.work() // opening the other one may have interrupted the run
	h.happen(h.doc, occasion{on: onFree})
}

// cancel stops the reading of whatever is being read. What was read stays.
func (h *Host) cancel(id int) {
	d := cmp.Or(h.opening, h.doc)
	if d != nil {
		h.happen(d, occasion{on: onCancel, id: id})
	}
}
