package view

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// odds shows how likely an expression is to come about, by the step from which random runs
// begin, and where that changes most.
func (p *page) odds(n *tree.Node, w *link.Watched) *tree.Node {
	n.Add(tree.Text("p", "quiet", p.tn("ui.expr.odds.how", "most", grouped(w.Within))))
	if i := decided(w.Odds); i > 0 {
		a, b := w.Odds[i-1], w.Odds[i]
		n.Add(tree.El("p", "odds-jump", tree.Text("button", "expr-example", p.tn("ui.expr.odds.jump", "step", grouped(a.Step), "until", grouped(b.Step), "left", share(thousandths(a)), "right", share(thousandths(b)))).
			Attr("type", "button").Act("seek", itoa(a.Step))))
	}
	list := tree.El("ol", "odds").Attr("aria-label", p.t("ui.expr.odds.list"))
	for _, o := range w.Odds {
		s := thousandths(o)
		bar := tree.El("span", "odds-bar", tree.El("span", "").Style("width", strconv.FormatInt(s/10, 10)+"%")).Attr("aria-hidden", "true")
		list.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "trail-n", grouped(o.Step)), bar,
			tree.Text("span", "n", share(s)), tree.Text("span", "quiet", p.tn("ui.expr.odds.of", "left", grouped(o.Yes), "right", grouped(o.Of)))).
			Attr("type", "button").Act("seek", itoa(o.Step))).Key(itoa(o.Step)))
	}
	return n.Add(list)
}

// decided is the index of the odds that differ most from those before them, 0 for none.
func decided(odds []link.Odds) (best int) {
	most := int64(100) // a difference of less than a tenth may be chance
	for i := 1; i < len(odds); i++ {
		differ := thousandths(odds[i]) - thousandths(odds[i-1])
		if differ = max(differ, -differ); differ > most {
			best, most = i, differ
		}
	}
	return best
}

func thousandths(o link.Odds) int64 { return int64(o.Yes) * 1000 / int64(max(o.Of, 1)) }

// share writes thousandths in percent.
func share(v int64) string { return strconv.FormatInt((v+5)/10, 10) + "\u202f%" }
