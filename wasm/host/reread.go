package host

import "github.com/informerscope/informerscope/wasm/link"

// reread reads the document shown for the second time, and looks at all of it,
// since the first reading was too quick for it. It goes on being shown until the
// second reading has come as far as the viewer.
func (h *Host) reread(d *document) {
	if h.desk.opening != nil {
		return
	}
	again := newDocument(d.origin, d.input, d.files, false)
	again.state, again.setup, again.notes, again.reader.until = rereading, d.setup, d.notes, d.reader.until
	h.read(again, d.stored.Again)
}

// chase runs d, which is read for the second time, towards where the viewer is.
func (h *Host) chase(d *document) {
	if d.ready(d.state == catchingUp) {
		h.alike(d)
		r, at := d.run(), h.desk.doc.run().Wanted()
		more := h.desk.extend(r)
		if r.History().End() > at || !more && d.state == catchingUp {
			h.happen(d, occasion{on: onReady})
			return
		}
	}
	if d.state == catchingUp {
		h.desk.browser.Later(func() { h.happen(d, occasion{on: onTurn}) })
	}
	h.pump.report(d, false)
}

// alike gives d the informer and the setup that the viewer has chosen.
func (h *Host) alike(d *document) {
	d.shown = min(h.desk.doc.shown, len(d.trace().Resources)-1)
	d.touched = h.desk.doc.touched
}

// replace shows d in the place of the document that was misread. The viewer stays
// at the same step, or where that has moved, at the same time.
func (h *Host) replace(d *document) {
	h.alike(d)
	r, old := d.run(), h.desk.doc.run()
	at, step := old.Wanted(), old.History().At().Steps()
	switch b := h.desk.doc.beside; {
	case b == nil:
	case b.setup != nil:
		d.beside = &beside{second: b.second, setup: b.setup, pin: -1}
	case b.aside != nil:
		d.beside, h.desk.doc.beside = &beside{aside: b.aside, pin: -1}, nil
	case b.apart != nil:
		d.beside = &beside{apart: &apart{shown: b.apart.shown}, pin: -1}
	}
	h.enter(d)
	f := r.SeekTo(step, h.desk.window)
	if f.Step != step || f.Time != at {
		f = r.SeekTo(r.History().StepOf(at), h.desk.window)
	}
	h.desk.opened(0)
	h.desk.frame(0, f)
	h.desk.work()
	h.pump.report(d, !d.state.comes())
}

// own says that the document shown was misread, and that this stays so: the request
// id, or something that went wrong, has ended the second reading.
func (h *Host) own(d *document, id int) {
	f := link.Failure{Say: link.Sentence{ID: "fail.misread"}}
	d.notes = append(d.notes, f)
	h.desk.opened(0)
	h.desk.send(&link.Reply{ID: id, News: &f})
}
