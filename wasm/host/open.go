package host

import (
	"cmp"
	"errors"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/logged"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/log"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// open opens another capture. What is shown stays until there is something of the new
// one to show, or for good if there never is. The other program can convert the
// files if this one can't read them; there may be none.
func (h *Host) open(q origin, input browser.Input, files []browser.Bytes) {
	h.desk.logged.Laid = false
	d := newDocument(q, input, files, true)
	if d.live != nil {
		d.live.Tell = func(atOnce bool) { h.clusters.living(d, atOnce) }
	}
	h.read(d, input.Stream)
}

// read begins to read d, and gives up what was being opened.
func (h *Host) read(d *document, stream func(chunk func([]byte, int64), end func(error)) (cancel func())) {
	if h.desk.opening != nil {
		h.happen(h.desk.opening, occasion{on: onLeft})
	}
	h.desk.opening = d
	d.stop = stream(
		func(b []byte, read int64) { h.piece(d, b, read) },
		func(err error) { h.end(d, err) })
}

// piece takes in a piece of d. With it, so many bytes of the input have been read.
func (h *Host) piece(d *document, b []byte, read int64) {
	d.reader.bytes = read
	if d.script == nil && len(d.head) < sniffLen {
		d.head = append(d.head, b[:min(len(b), sniffLen)]...)
		if head := string(d.head); (syntax.LooksLikeScript(head) || lesson.Looks(head) || address.Looks(head)) && d.live == nil {
			if d.state == besideIt {
				h.happen(d, occasion{on: onRefused, err: errNoCapture})
				return
			}
			d.script = &machine.Script{}
		}
	}
	if d.script != nil {
		if err := d.script.Write(b); err != nil {
			h.happen(d, occasion{on: onRefused, err: err})
		} else {
			h.happen(d, occasion{on: onPiece})
		}
		return
	}
	h.took(d, d.reader.Write(b))
}

// took goes on after a piece of d was read; err is what was wrong with the piece.
func (h *Host) took(d *document, err error) {
	switch {
	case err == nil && d.reader.until > 0 && d.reader.Begun() >= d.reader.until:
		d.halt()
		h.end(d, nil)
	case err == nil:
		d.trace().Expect(d.reader.bytes, d.input.Size)
		h.happen(d, occasion{on: onPiece})
		spread(h, d)
	case d.convertible() && foreign(err):
		h.happen(d, occasion{on: onForeign})
	default:
		h.happen(d, occasion{on: onRefused, err: err})
	}
}

// Readers beside one another are started after so many bytes, if so many are left.
const (
	spreadAfter = 8 << 20
	spreadFor   = 48 << 20
)

// spread has several readers read on if the format allows digests and much is left to read.
func spread(h *Host, d *document) {
	r := &d.reader
	if r.spread || !d.state.comes() || d.stored == nil || r.bytes < spreadAfter || d.input.Size()-r.bytes < spreadFor || !r.TakesDigests() {
		return
	}
	r.spread = true
	d.stored.Spread(func(b []byte, read int64) {
		r.bytes = read
		h.took(d, r.WriteDigest(b, d.input.ReadAt))
	})
}

// end takes note that all of d has come, or that something went wrong.
func (h *Host) end(d *document, err error) {
	d.stop = nil
	if d.script != nil {
		h.endScript(d, err)
		return
	}
	if err != nil {
		d.reader.Fail(err)
	}
	closed := d.reader.Close()
	switch {
	case d.convertible() && (err != nil || foreign(closed)):
		h.happen(d, occasion{on: onForeign})
	case !d.ready(true), err != nil && d.state.again():
		h.happen(d, occasion{on: onRefused, err: cmp.Or[error](err, closed, errEmpty)})
	default:
		h.happen(d, occasion{on: onEnd})
	}
}

// convertible reports whether the other program may be able to read d. It knows more
// formats, and unpacks what the browser can't.
func (d *document) convertible() bool { return len(d.files) > 0 && !d.state.again() }

func foreign(err error) bool { return errors.As(err, new(format.Foreign)) }

// errEmpty says why a capture that could be read can't be shown.
const errEmpty = fault.Plain("noEvents")

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
	h.desk.tellScript()
	h.desk.work()
	h.pump.report(d, !d.state.comes())
}

// enter makes d the document shown.
func (h *Host) enter(d *document) {
	h.pump.halt()
	if h.desk.doc != nil {
		h.company.endBeside(h.desk.doc)
		h.happen(h.desk.doc, occasion{on: onLeft})
	}
	h.desk.doc, h.desk.opening = d, nil
}

// begin shows the first step of d.
func (h *Host) begin(d *document) {
	h.desk.told()
	h.desk.opened(d.id)
	h.desk.here(d.id)
}

// grow runs what has come of d, the document shown.
func (h *Host) grow(d *document) {
	if !d.touched && d.choose() {
		h.begin(d)
	}
	h.desk.work()
	h.pump.report(d, false)
}

// finish runs what has come of d, which is all there is.
func (h *Host) finish(d *document) {
	if !d.touched && d.choose() {
		h.begin(d)
	}
	h.desk.opened(0)
	h.desk.work()
	h.pump.report(d, true)
}

// convert opens the trace that the other program makes of d's files. If they are a log or were measured, it lies
// over the capture that is shown.
func (h *Host) convert(d *document) {
	on := under(h.desk.doc, d)
	if h.desk.opening == d {
		h.close(d)
	} else {
		d.halt()
	}
	if on != nil {
		layOver(h, on, d)
		return
	}
	h.open(d.origin, h.desk.browser.Convert(d.files, ""), nil)
}

// under returns what a log, or what was measured, is laid over: the capture that is shown. It is nil where d is
// neither, and where no whole capture is shown.
func under(on, d *document) *document {
	if on == nil || on == d || on.script != nil || on.live != nil || !on.trace().Complete || !logged.Looks(d.head) && !logged.Measured(d.head) {
		return nil
	}
	return on
}

// layOver opens what the other program makes of the capture shown and a log. The viewer stays where
// that is in the run.
func layOver(h *Host, on, log *document) {
	files := on.files
	if len(files) == 0 {
		files = []browser.Bytes{on.input}
	}
	q := on.origin
	q.id = log.id
	edits := &link.Edits{Informer: on.trace().Resources[on.shown].Name(), Setup: on.setup, Way: on.linked().Way}
	h.open(q, h.desk.browser.Convert(append(files[:len(files):len(files)], log.files...), ""), nil)
	h.desk.opening.edits = edits
	h.desk.logged.Laid = logged.Looks(log.head)
}

// close gives up opening d.
func (h *Host) close(d *document) {
	h.desk.opening = nil
	d.halt()
	h.tidy(d)
}

// back goes on with the document shown, after refused could not be opened. The document is what the
// page has instead, so it stands for the request that asked for refused.
func (h *Host) back(refused *document) {
	if h.desk.doc == nil {
		return
	}
	h.desk.doc.id = refused.id
	h.desk.logged = log.Told{} // the page has forgotten it
	h.desk.opened(0)
	h.lessons.tellLesson()
	h.desk.here(0)
	h.lessons.tellLesson() // the page has forgotten all of it
	h.desk.tellScript()
	h.desk.work() // opening the other one may have interrupted the run
	h.happen(h.desk.doc, occasion{on: onFree})
}

// cancel stops the reading of whatever is being read. What was read stays.
func (h *Host) cancel(id int) {
	d := cmp.Or(h.desk.opening, h.desk.doc)
	if d != nil {
		h.happen(d, occasion{on: onCancel, id: id})
	}
}

// sniffLen is how many bytes are looked at to tell a script from a capture.
const sniffLen = 4096

// endScript takes note that all of a script's or a lesson's text has come, and plays
// it.
func (h *Host) endScript(d *document, err error) {
	ready := true
	if err == nil && address.Looks(string(d.script.Text)) {
		h.desk.send(&link.Reply{ID: d.id, News: &link.Traveled{Address: strings.TrimSpace(string(d.script.Text))}})
		return // the page opens what the link leads to
	}
	if err == nil && lesson.Looks(string(d.script.Text)) {
		ready, err = h.teach(d)
	} else if err == nil {
		err = d.script.Play()
	}
	if err == nil && !ready {
		return
	}
	if err != nil {
		h.happen(d, occasion{on: onRefused, err: err})
		return
	}
	h.happen(d, occasion{on: onEnd})
}
