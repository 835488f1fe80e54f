package host

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// predict asks what comes after the step shown. With Play it says what comes, and goes there.
func (h *Host) predict(q *link.Request) {
	h.endSearch()
	r := h.doc.run()
	p, right, until := picture.Predict(r.history(), r.informer)
	if !q.Play || p.Ask == "" {
		h.send(&link.Reply{ID: q.ID, Predict: &p})
		if q.Play {
			h.frame(q.ID, r.frame(0, h.window))
		}
		return
	}
	p.Right, p.Until = right, until
	h.send(&link.Reply{ID: q.ID, Predict: &p})
	h.frame(q.ID, r.walk(until, true, false, h.window))
	h.work()
}
