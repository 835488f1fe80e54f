package ask

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// own shows what the recording tells of the controllers' own work. Each row leads to its time. It
// is nil where there is no recorded controller.
func own(w *words.Words, m *session.Model) *tree.Node {
	if m.Expr.Recorded() == "" {
		return nil
	}
	o, seen := m.Expr.OwnWork, m.Expr.ShowsOwnWork
	n := tree.El("section", "own", widget.Button("", w.T("ui.own"), "askOwn", "").Attr("title", w.T("ui.own.why")).Attr("aria-expanded", strconv.FormatBool(seen))).Attr("aria-label", w.T("ui.own"))
	switch {
	case !seen:
		return n
	case o == nil:
		return n.Add(tree.Text("p", "quiet", w.T("ui.own.reading")).Attr("role", "status"))
	case o.Wrong != nil:
		return n.Add(tree.Text("p", "failure", w.Why(o.Wrong)))
	}
	for i := range o.Controllers {
		c := &o.Controllers[i]
		n.Add(tree.El("h3", "", tree.Text("code", "", c.Name), tree.Text("span", "quiet", " "+w.Tn("ui.own.reconciles", "n", words.Grouped(c.Reconciles)))).Key(c.Name))
		for j := range c.Parts {
			n.Add(ownPart(w, &c.Parts[j]).Key(c.Name + " " + c.Parts[j].Name))
		}
	}
	if o.LeftOut {
		n.Add(tree.Text("p", "quiet", w.T("ui.own.leftOut")))
	}
	return n
}

// ownPart returns what the recording answers to one question. It is folded where there is nothing to see.
func ownPart(w *words.Words, p *link.OwnPart) *tree.Node {
	n := tree.El("details", "", tree.El("summary", "", tree.Text("span", "", w.T("ui.own."+p.Name)), tree.Text("span", "n", " "+words.Grouped(p.All))))
	if p.All == 0 {
		return n
	}
	list := tree.El("ol", "hits").Attr("aria-label", w.T("ui.own."+p.Name))
	for i := range p.Rows {
		r := &p.Rows[i]
		list.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "at", words.Clock(r.Time)), tree.Text("span", "hit-says", w.Plain(r.Say))).
			Attr("type", "button").Act("toLogged", words.Itoa(r.Time))).Key(words.Itoa(i)))
	}
	if p.All > len(p.Rows) {
		list.Add(tree.Text("li", "quiet", w.Tn("ui.more", "n", words.Grouped(p.All-len(p.Rows)))).Key("more"))
	}
	return n.Add(list)
}
