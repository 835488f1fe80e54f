package host

import (
	"bytes"

	"github.com/informerscope/informerscope/wasm/link"
)

// future is what the viewer did to the machine, for a trace that is saved; nil where he
// did nothing, or where it can't be written as lines of script.
func (d *document) future() []byte {
	l := d.run().lanes
	if d.script != nil || d.lesson != nil || l.shown.h == l.base {
		return nil
	}
	way := d.linked()
	if way.Problem != "" {
		return nil
	}
	f := link.Future{Informer: d.trace().Resources[d.shown].Name(), Setup: d.setup, Way: way.Way}
	return f.Encode()
}

// setOut readies d, which has just been shown, for the future that its trace
// has. It gives d the future's setup, and its informer if that has been read.
func (d *document) setOut() {
	raw := d.trace().Future
	if raw == nil || d.script != nil {
		return
	}
	f, err := link.Decode[link.Future](raw)
	if err != nil { // nobody but the page writes it, so somebody has edited it
		return
	}
	f.Setup = sane(f.Setup)
	d.ahead = f
	d.setup = f.Setup
	d.find(f.Informer)
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

// goAhead makes the future that d's trace has, once all of d was run. If the
// future belongs to another machine than the one that was run, d is run again
// first.
func (h *Host) goAhead(d *document) {
	f := d.ahead
	same := bytes.Equal((&link.Future{Setup: d.setup}).Encode(), (&link.Future{Setup: f.Setup}).Encode())
	if d.find(f.Informer) || !same {
		d.setUp(f.Setup)
		h.moved(0, 0)
		return
	}
	d.ahead = nil
	h.travel(0, link.Travel{Way: f.Way})
}
