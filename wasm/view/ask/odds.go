package ask

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// odds shows how likely an expression is to come about, by the step from which random runs
// begin, and where that changes most.
func odds(w *words.Words, n *tree.Node, x *link.Watched) *tree.Node {
	n.Add(tree.Text("p", "quiet", w.Tn("ui.expr.odds.how", "most", words.Grouped(x.Within))))
	if i := decided(x.Odds); i > 0 {
		a, b := x.Odds[i-1], x.Odds[i]
		n.Add(tree.El("p", "odds-jump", tree.Text("button", "expr-example", w.Tn("ui.expr.odds.jump", "step", words.Grouped(a.Step), "until", words.Grouped(b.Step), "left", words.Percent(thousandths(a)), "right", words.Percent(thousandths(b)))).
			Attr("type", "button").Act("seek", words.Itoa(a.Step))))
	}
	list := tree.El("ol", "odds").Attr("aria-label", w.T("ui.expr.odds.list"))
	for _, o := range x.Odds {
		s := thousandths(o)
		bar := tree.El("span", "odds-bar", tree.El("span", "").Style("width", strconv.FormatInt(s/10, 10)+"%")).Attr("aria-hidden", "true")
		list.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "trail-n", words.Grouped(o.Step)), bar,
			tree.Text("span", "n", words.Percent(s)), tree.Text("span", "quiet", w.Tn("ui.expr.odds.of", "left", words.Grouped(o.Yes), "right", words.Grouped(o.Of)))).
			Attr("type", "button").Act("seek", words.Itoa(o.Step))).Key(words.Itoa(o.Step)))
	}
	return n.Add(list)
}

// decided returns the index of the odds that differ most from those before them, 0 for none.
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
