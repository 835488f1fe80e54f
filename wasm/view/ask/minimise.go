package ask

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// least tells how far the search is for the smallest recording in which an expression comes
// about, or offers to begin it.
func least(w *words.Words, m *session.Model, text string) *tree.Node {
	n := tree.El("div", "watched-says least").Attr("role", "status")
	l := m.Expr.Least
	if l == nil || l.Text != text {
		return n.Add(widget.Button("", w.T("ui.least"), "minimise", "").Attr("title", w.T("ui.least.why")).Flag("disabled", !m.Expr.CanMinimise()))
	}
	left := []string{"n", words.Grouped(l.Events), "of", words.Grouped(l.Of), "objects", words.Grouped(l.Objects), "step", words.Grouped(l.Step), "left", words.Grouped(l.Events), "right", words.Grouped(l.Tries)}
	save := widget.Button("tiny", w.T("ui.least.save"), "saveLeast", "").Flag("disabled", l.Objects == 0)
	switch {
	case !l.Done:
		id := "ui.least.begins"
		if l.Objects > 0 {
			id = "ui.least.left"
		}
		return n.Add(tree.Text("span", "quiet", w.Tn(id, left...)), tree.El("progress", "").Attr("aria-label", w.T("ui.least")), widget.Button("tiny", w.T("ui.cancel"), "stopMinimise", ""))
	case l.Wrong != nil:
		return n.Add(tree.Text("span", "failure", w.Why(l.Wrong)))
	case l.Never:
		return n.Add(tree.Text("span", "quiet", w.T("ui.least.never")))
	case l.Objects == 0:
		return n.Add(tree.Text("span", "quiet", w.T("ui.least.cancelled")), widget.Button("tiny", w.T("ui.least"), "minimise", ""))
	case l.Stopped:
		return n.Add(tree.Text("span", "quiet", w.Tn("ui.least.stopped", left...)), save, widget.Button("tiny", w.T("ui.least.again"), "minimise", ""))
	}
	return n.Add(tree.Text("span", "quiet", w.Tn("ui.least.done", left...)), save)
}
