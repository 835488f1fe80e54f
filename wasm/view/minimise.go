package view

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
)

// least tells how far the search is for the smallest recording in which an expression comes
// about, or offers to begin it.
func (p *page) least(text string) *tree.Node {
	m := p.m
	n := tree.El("div", "watched-says least").Attr("role", "status")
	l := m.Expr.Least
	if l == nil || l.Text != text {
		return n.Add(button("", p.t("ui.least"), "minimise", "").Attr("title", p.t("ui.least.why")).Flag("disabled", !m.Expr.CanMinimise(m)))
	}
	left := []string{"n", grouped(l.Events), "of", grouped(l.Of), "objects", grouped(l.Objects), "step", grouped(l.Step), "left", grouped(l.Events), "right", grouped(l.Tries)}
	save := button("tiny", p.t("ui.least.save"), "saveLeast", "").Flag("disabled", l.Objects == 0)
	switch {
	case !l.Done:
		id := "ui.least.begins"
		if l.Objects > 0 {
			id = "ui.least.left"
		}
		return n.Add(tree.Text("span", "quiet", p.tn(id, left...)), tree.El("progress", "").Attr("aria-label", p.t("ui.least")), button("tiny", p.t("ui.cancel"), "stopMinimise", ""))
	case l.Wrong != nil:
		return n.Add(tree.Text("span", "failure", p.why(l.Wrong)))
	case l.Never:
		return n.Add(tree.Text("span", "quiet", p.t("ui.least.never")))
	case l.Objects == 0:
		return n.Add(tree.Text("span", "quiet", p.t("ui.least.cancelled")), button("tiny", p.t("ui.least"), "minimise", ""))
	case l.Stopped:
		return n.Add(tree.Text("span", "quiet", p.tn("ui.least.stopped", left...)), save, button("tiny", p.t("ui.least.again"), "minimise", ""))
	}
	return n.Add(tree.Text("span", "quiet", p.tn("ui.least.done", left...)), save)
}
