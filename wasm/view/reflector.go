package view

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// reflector shows the reflector's hand, its version and its timers.
func (p *page) reflector() *tree.Node {
	r := p.f.Reflector
	resync := p.t("ui.never")
	if r.ResyncIn >= 0 {
		resync = p.tn("ui.in", "time", duration(r.ResyncIn))
	}
	body := tree.El("div", "reflector-body",
		slot(p.l.Reflector.Hand, link.PlaceReflector, "hand"),
		tree.El("div", "rv-big",
			tree.Text("span", "fact-name", "lastSyncResourceVersion"),
			tree.Text("span", "rv-value", or(r.RV, p.t("ui.none"))).Key(r.RV)),
	)
	facts := tree.El("div", "facts",
		fact(p.t("ui.lists"), grouped(r.Lists)),
		fact(p.t("ui.watches"), grouped(r.Watches)),
		fact("resync", resync),
	)
	n := p.station(link.StationReflector, p.t("ui.reflector"),
		p.waitBadge(link.ActorReflector, badge("is-"+r.State, p.t("ui.reflector."+r.State))),
		body, facts)
	if r.Error != "" {
		return n.Add(tree.Text("p", "error-line", r.Error).Attr("title", r.Error))
	}
	return n.Add(tree.El("p", "error-line"))
}
