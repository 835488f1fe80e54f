package view

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// reflector shows the reflector's hand, its version and its timers.
func (p *page) reflector() *tree.Node {
	r := p.f.Reflector
	resync := p.w.T("ui.never")
	if r.ResyncIn >= 0 {
		resync = p.w.Tn("ui.in", "time", words.Duration(r.ResyncIn))
	}
	body := tree.El("div", "reflector-body",
		slot(p.l.Reflector.Hand, link.PlaceReflector, "hand"),
		tree.El("div", "rv-big",
			tree.Text("span", "fact-name", "lastSyncResourceVersion"),
			tree.Text("span", "rv-value", words.Or(r.RV, p.w.T("ui.none"))).Key(r.RV)),
	)
	facts := tree.El("div", "facts",
		fact(p.w.T("ui.lists"), words.Grouped(r.Lists)),
		fact(p.w.T("ui.watches"), words.Grouped(r.Watches)),
		fact("resync", resync),
	)
	n := p.station(link.StationReflector, p.w.T("ui.reflector"),
		p.waitBadge(link.ActorReflector, badge("is-"+r.State, p.w.T("ui.reflector."+r.State))),
		body, facts)
	if r.Error != "" {
		return n.Add(tree.Text("p", "error-line", r.Error).Attr("title", r.Error))
	}
	return n.Add(tree.El("p", "error-line"))
}
