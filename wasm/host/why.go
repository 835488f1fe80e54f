package host

import (
	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/chains"
)

// why looks for the causes of a thing, and for its effects. It follows the thing's key
// from the beginning of the run to the step at which the viewer asks, and from there on
// until nothing more comes of it. It does both in slices, between which the page's
// messages get their turn. What the viewer does to the machine meanwhile doesn't end
// it, as it has a world of its own.
type why struct {
	of    *run
	h     *world.History
	id    int    // of the request
	place string // that was asked about
	t     *cause.Tracker
	s     *world.Finder
	at    int64       // the step at which it was asked
	key   string      // the name of the key
	about *link.Why   // what there is to ask about; nil before the step was reached
	node  *cause.Node // the one that is asked about, nil for none
	stage func() *chains.Moment
	told  int64
}

// askWhy begins to look.
func (h *Host) askWhy(id int, q link.AskWhy) {
	r := h.doc.run()
	key := chains.At(r.history().At(), r.informer).KeyAt(q.Place)
	if key == 0 {
		key, _ = r.table().LookupKey(q.Key)
	}
	x := &why{of: r, h: r.history(), id: id, place: q.Place, at: r.history().At().Steps(), key: r.table().KeyText(key), told: h.browser.Now()}
	if key == 0 || x.at == 0 { // nothing stands there, or nothing has happened
		h.why = nil
		name := x.key
		if key == 0 {
			name = q.Key
		}
		h.send(&link.Reply{ID: id, Why: &link.Why{Key: name, Step: x.at}})
		return
	}
	x.t = cause.New(r.informer, key)
	var w *world.World
	x.stage = func() *chains.Moment { return chains.At(w, r.informer) }
	x.s = x.h.Find(0, false, func(v *world.World) bool {
		w = v
		x.t.Look(v)
		return v.Steps() == x.at
	})
	h.why = x
	h.whyOn(x)
}

// whyOn looks on for a slice, unless something else was asked meanwhile.
func (h *Host) whyOn(x *why) {
	if h.why != x {
		return
	}
	if h.doc.run() != x.of || x.of.history() != x.h {
		h.why = nil
		return
	}
	for until := h.browser.Now() + slice; h.browser.Now() < until; {
		step, ended := x.s.Run(extendBy)
		if step > 0 && x.about == nil {
			h.reached(x)
		}
		if x.about != nil && (x.node == nil || x.node.Done()) || ended && step == 0 {
			h.why = nil
			h.tellWhy(x, 0)
			return
		}
	}
	if now := h.browser.Now(); now-x.told >= reportEvery {
		x.told = now
		h.tellWhy(x, max(x.s.At(), 1))
	}
	h.browser.Later(func() { h.whyOn(x) })
}

// reached notes what there is to ask about at the step, and tells it.
func (h *Host) reached(x *why) {
	s := x.stage()
	things := s.Taped(x.t, s.Things(x.t), x.place)
	chosen := s.Choose(things, x.place)
	if chosen >= 0 {
		x.node = things[chosen].Node
	}
	x.about = s.Answer(x.t, things, chosen)
}

// tellWhy tells what is known, and to which step the search has come; 0 if it has ended.
func (h *Host) tellWhy(x *why, looked int64) {
	out := link.Why{Key: x.key, Step: x.at}
	if x.about != nil {
		out = *x.about
		if x.node != nil {
			out.Parts = x.stage().Why(x.t, x.node)
		}
	}
	out.Looked = looked
	h.send(&link.Reply{ID: x.id, Why: &out})
}
