package host

import (
	"bytes"

	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// editsOf returns the viewer's edits of the run that is shown, for a trace that is saved. It
// returns nil where there are none, and where they can't be written as lines of script.
func (d *document) editsOf() []byte {
	l := d.run().Lanes
	if d.script != nil || d.lesson != nil || l.Shown.History == l.Base {
		return nil
	}
	way := d.linked()
	if way.Problem != nil {
		return nil
	}
	e := link.Edits{Informer: d.trace().Resources[d.shown].Name(), Setup: d.setup, Way: way.Way}
	return e.Encode()
}

// setOut readies d, which has just been shown, for the edits that its trace has, or that the capture under
// its log has. It gives d
// their setup, and their informer if that has been read.
func (d *document) setOut() {
	e := d.edits // of the document over which a log was laid
	if raw := d.trace().Edits; e == nil && raw != nil {
		e, _ = link.DecodeEdits(raw) // nobody but the page writes it, so somebody has edited it where it can't be read
	}
	if e == nil || d.script != nil {
		return
	}
	e.Setup = machine.Sane(e.Setup)
	d.edits = e
	d.setup = e.Setup
	d.find(e.Informer)
}

// find shows the informer of a name, if the trace has come to it. It reports whether that
// is another one than before.
func (d *document) find(name string) bool {
	for i, r := range d.trace().Resources {
		if r.Name() == name && len(r.Records) > 0 {
			another := d.shown != i
			d.shown, d.touched = i, true
			return another
		}
	}
	return false
}

// replay makes the edits that d's trace has, once all of d was run. If the edits are of
// another machine than the one that was run, d is run again first.
func (h *Host) replay(d *document) {
	e := d.edits
	same := bytes.Equal((&link.Edits{Setup: d.setup}).Encode(), (&link.Edits{Setup: e.Setup}).Encode())
	if d.find(e.Informer) || !same {
		d.setUp(e.Setup)
		h.desk.moved(0, 0)
		return
	}
	d.edits = nil
	h.travels.travel(0, link.Travel{Way: e.Way})
}
