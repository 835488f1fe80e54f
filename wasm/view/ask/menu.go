package ask

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// KeyRuns is a menu with the ways from a key to what comes about next of it. Runs are the
// expressions for that.
func KeyRuns(w *words.Words, key string, runs []string, open bool) *tree.Node {
	says := w.Tn("ui.expr.nextOf", "key", key)
	n := tree.El("div", "menu key-menu", widget.Button("tiny", w.T("ui.expr.next"), "menu", "key").Attr("aria-haspopup", "menu").Is("aria-expanded", open).Attr("title", says))
	if !open {
		return n
	}
	list := tree.El("ul", "menu-list").Attr("role", "menu").Attr("aria-label", says)
	widget.RunTos(list, runs)
	return n.Add(list)
}

// Help is the language on one page.
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
