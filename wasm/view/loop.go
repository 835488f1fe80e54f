package view

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// loop is the process loop with the Deltas that it has popped.
func (p *page) loop() *tree.Node {
	f, l := p.f.Loop, p.l.Loop
	hand := tree.El("div", "loop-hand").Place(link.PlaceLoop)
	if len(l.Deltas) > 0 {
		hand.Flag("data-full", true)
		hand.Add(key(l.Key)) // a ReplacedAll has none
		deltas := tree.El("span", "deltas")
		for i, c := range l.Deltas {
			d := chip(c, link.PlacePopped(i)).Key(itoa(i) + c.T + c.RV)
			if i == l.At {
				d.Attr("aria-current", "step")
			} else if i < l.At {
				d.Attr("data-done", "")
			}
			deltas.Add(d)
		}
		hand.Add(deltas)
	} else {
		hand.Add(tree.Text("span", "tail-text", p.t("ui.loop.empty")))
	}
	return p.station(link.StationLoop, p.t("ui.loop"),
		append(p.lockBadges(link.LockBlockDeltas), p.waitBadge(link.ActorLoop, badge("is-"+f.State, p.t("ui.loop."+f.State)))...), hand)
}
