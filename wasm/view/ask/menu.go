package ask

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	session "github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// KeyRuns returns a menu with the ways from a key to what comes about next of it.
func KeyRuns(w *words.Words, key string, runs []session.RunTo, open bool) *tree.Node {
	says := w.Tn("ui.expr.nextOf", "key", key)
	var list *tree.Node
	if open {
		list = widget.MenuList(says)
		for _, r := range runs {
			list.Add(widget.RunTo(w, r.ID, r.Expr, r.Handler))
		}
	}
	return widget.Menu("menu key-menu", widget.Button("tiny", w.T("ui.expr.next"), "menu", "key").Attr("title", says), list)
}

// Help returns the language on one page.
func Help(w *words.Words) []*tree.Node {
	body := tree.El("div", "dialog-body expr-help").Attr("tabindex", "0")
	for i, s := range ask.Help() {
		list := tree.El("dl", "")
		for j, l := range s.Lines {
			id := "ask." + l.Name
			if l.Name == "" {
				id = "ask.help." + strconv.Itoa(i) + "." + strconv.Itoa(j)
			}
			list.Add(tree.El("dt", "", tree.Text("code", "", l.Form)), tree.Text("dd", "", w.T(id)))
		}
		body.Add(tree.El("section", "", tree.Text("h3", "", w.T("ask.help."+strconv.Itoa(i))), list))
	}
	return []*tree.Node{body}
}
