package dialog

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Scripts returns the library of scripts, to choose from.
func Scripts(w *words.Words) []*tree.Node {
	list := tree.El("ul", "script-list")
	for _, name := range navigation.Scripts {
		list.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "", w.T("script."+name)), tree.Text("code", "", name)).
			Attr("type", "button").Act("script", name)).Key(name))
	}
	return []*tree.Node{tree.El("div", "dialog-body", tree.Text("p", "quiet", w.T("ui.scripts.intro")), list)}
}
