package host

import (
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/compare"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// A second capture can stand beside the one shown. It is a document of its own, which is
// read to its end before there is anything to compare. All of its lines are read
// thoroughly, so nothing of it is misread, and it need not be checked. It plays to the
// same setup, and its checkpoints share the budget of the first one's.

// aside is the second machine's capture.
type aside struct {
	doc      *document
	captures *report.Captures // of the informer shown; nil until both were read
}

// Why a capture can't stand beside the one shown.
const (
	errNoCapture  = fault.Plain("notCapture")
	errNoResource = fault.Plain("noneOfResource")
)

// besideCapture shows another capture beside the one shown.
func (h *Host) besideCapture(id int, q link.SecondCapture, files []browser.Input) {
	in, all := h.inputOf(q.URL, files)
	h.readBeside(origin{id: id, name: q.Name, url: q.URL}, in, all)
}

// readBeside begins to read the capture that is to stand beside the one shown.
func (h *Host) readBeside(q origin, input browser.Input, files []browser.Bytes) {
	d := h.desk.doc
	h.company.endBeside(d)
	if d.script != nil || d.live != nil {
		h.desk.fail(q.id, link.Sentence{ID: "fail.request"}, nil)
		return
	}
	other := newDocument(q, input, files, false)
	other.state = besideIt
	d.beside = &beside{pin: -1, aside: &aside{doc: other}}
	other.stop = input.Stream(
		func(b []byte, read int64) { h.piece(other, b, read) },
		func(err error) { h.end(other, err) })
	h.company.tellBeside(q.id)
}

// endBeside ends the second machine of d.
func (c *company) endBeside(d *document) {
	b := d.beside
	d.beside = nil
	if b == nil {
		return
	}
	b.drop()
	if b.aside != nil {
		c.lives.happen(b.aside.doc, occasion{on: onLeft})
	}
}

// tellAside tells the page how far the second capture was read.
func (c *company) tellAside() {
	if now := c.browser.Now(); now-c.doc.beside.told >= reportEvery {
		c.doc.beside.told = now
		c.told()
		c.tellBeside(0)
	}
}

// refuseAside says why the second capture can't be read.
func (h *Host) refuseAside(d *document, why error) {
	h.tidy(d)
	h.desk.doc.beside = nil
	h.company.tellBeside(0)
	h.desk.fail(0, link.Sentence{ID: "fail.open", Args: map[string]link.Arg{"name": {Kind: "code", V: d.name}}}, why)
}

// comes reports whether there is more to read before the captures can be compared.
func (a *aside) comes(d *document) bool { return a.doc.state == besideIt || d.state.comes() }

// runBeside returns the run of the second capture beside a run of d.
func (a *aside) runBeside(d *document, first *machine.Run) (*machine.Run, error) {
	for i, r := range a.doc.trace().Resources {
		if r.Name() == first.Resource.Name() && len(r.Records) > 0 {
			a.captures = report.NewCaptures(first.Resource, r, d.trace().NoTimes || a.doc.trace().NoTimes)
			return a.doc.newRun(i, d.setup, d.memory), nil
		}
	}
	return nil, errNoResource
}

// follow takes the second capture to where the first one is: to the same time, after the records
// that stand for those that the first one has played, and before the others.
func (a *aside) follow(first, second *machine.Run) {
	h, at := second.History(), first.History().At()
	h.StepOf(a.captures.Time(0, at.Now()))
	if a.captures.Pace == report.ByTime {
		return
	}
	least, most := a.captures.Place(0, compare.Played(at, first.Informer))
	for n := 0; n < maxFollow && compare.Played(h.At(), second.Informer) < least && h.At().Steps() < h.Steps(); n++ {
		h.SeekTo(h.At().Steps() + 1)
	}
	for n := 0; n < maxFollow && compare.Played(h.At(), second.Informer) > most && h.At().Steps() > 0; n++ {
		h.SeekTo(max(h.PrevWatchEvent(h.At().Steps()+1)-1, 0))
	}
}
