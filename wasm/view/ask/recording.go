package ask

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// ownWork shows what the recording tells of the controllers' own work. Each row leads to its time. It
// is nil where there is no recorded controller.
func ownWork(w *words.Words, m *session.Model) *tree.Node {
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
		return n.Add(tree.Text("p", "failure", w.Fault(o.Wrong)))
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
	n := tree.El("details", "", tree.El("summary", "", tree.Text("span", "", w.T("ui.own."+p.Name)), tree.Text("span", "n", " "+words.Grouped(p.Total))))
	if p.Total == 0 {
		return n
	}
	list := tree.El("ol", "hits").Attr("aria-label", w.T("ui.own."+p.Name))
	for i := range p.Rows {
		r := &p.Rows[i]
		list.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "at", words.Clock(r.Time)), tree.Text("span", "hit-says", w.Plain(r.Sentence))).
			Attr("type", "button").Act("toLogged", words.Itoa(r.Time))).Key(words.Itoa(i)))
	}
	if p.Total > len(p.Rows) {
		list.Add(tree.Text("li", "quiet", w.Tn("ui.more", "n", words.Grouped(p.Total-len(p.Rows)))).Key("more"))
	}
	return n.Add(list)
}

// smallest tells how far the search is for the smallest recording in which an expression comes
// about, or offers to begin it.
func smallest(w *words.Words, m *session.Model, text string) *tree.Node {
	n := tree.El("div", "watched-says least").Attr("role", "status")
	l := m.Expr.Minimised
	if l == nil || l.Text != text {
		return n.Add(widget.Button("", w.T("ui.least"), "minimise", "").Attr("title", w.T("ui.least.why")).Flag("disabled", !m.Expr.CanMinimise()))
	}
	left := []string{"n", words.Grouped(l.Events), "of", words.Grouped(l.Total), "objects", words.Grouped(l.Objects), "step", words.Grouped(l.Step), "left", words.Grouped(l.Events), "right", words.Grouped(l.Tries)}
	save := widget.Button("tiny", w.T("ui.least.save"), "saveLeast", "").Flag("disabled", l.Objects == 0)
	switch {
	case !l.Done:
		id := "ui.least.begins"
		if l.Objects > 0 {
			id = "ui.least.left"
		}
		return n.Add(tree.Text("span", "quiet", w.Tn(id, left...)), tree.El("progress", "").Attr("aria-label", w.T("ui.least")), widget.Button("tiny", w.T("ui.cancel"), "stopMinimise", ""))
	case l.Wrong != nil:
		return n.Add(tree.Text("span", "failure", w.Fault(l.Wrong)))
	case l.Never:
		return n.Add(tree.Text("span", "quiet", w.T("ui.least.never")))
	case l.Objects == 0:
		return n.Add(tree.Text("span", "quiet", w.T("ui.least.cancelled")), widget.Button("tiny", w.T("ui.least"), "minimise", ""))
	case l.Stopped:
		return n.Add(tree.Text("span", "quiet", w.Tn("ui.least.stopped", left...)), save, widget.Button("tiny", w.T("ui.least.again"), "minimise", ""))
	}
	return n.Add(tree.Text("span", "quiet", w.Tn("ui.least.done", left...)), save)
}
