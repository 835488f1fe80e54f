package host

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/predict"
)

// askNext asks what comes after the step shown.
func (h *Host) askNext(id int, _ link.AskNext) {
	h.endSearch()
	r := h.doc.run()
	p, _, _ := predict.Next(r.history(), r.informer)
	h.send(&link.Reply{ID: id, Predict: &p})
}

// showNext says what comes after the step shown, and goes there.
func (h *Host) showNext(id int, _ link.ShowNext) {
	h.endSearch()
	r := h.doc.run()
	p, right, until := predict.Next(r.history(), r.informer)
	if p.Ask == "" {
		h.send(&link.Reply{ID: id, Predict: &p})
		h.frame(id, r.frame(0, h.window))
		return
	}
	p.Right, p.Until = right, until
	h.send(&link.Reply{ID: id, Predict: &p})
	h.frame(id, r.walk(until, true, false, h.window))
	h.work()
}
