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
	switch {
	case r.Backoff > 0:
		n.Add(tree.El("div", "backoff", ring(float64(r.BackoffLeft)/float64(max(r.Backoff, 1))),
			tree.Text("span", "", p.tn("ui.backoff", "left", duration(r.BackoffLeft), "of", duration(r.Backoff)))))
	case r.Error != "":
		n.Add(tree.Text("p", "error-line", r.Error).Attr("title", r.Error))
	default:
		n.Add(tree.El("p", "error-line"))
	}
	return n
}

// ring draws a part, from 0 to 1, of a circle.
func ring(part float64) *tree.Node {
	n := int64(min(max(part, 0), 1) * 100)
	circle := func(class string) *tree.Node {
		return tree.El("svg:circle", class).Attr("cx", "10").Attr("cy", "10").Attr("r", "8").Attr("pathLength", "100")
	}
	return tree.El("svg:svg", "ring-timer", circle("ring-whole"), circle("ring-part").Attr("stroke-dasharray", itoa(n)+" 100")).
		Attr("viewBox", "0 0 20 20").Attr("aria-hidden", "true")
}
