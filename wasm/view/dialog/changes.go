package dialog

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Changes returns the dialog that says what differs for a program between two releases of client-go. At
// first it shows those of the pair, "" for any. This program doesn't know the differences, so
// page/releases.js fetches them in the page's language, and draws them.
func Changes(w *words.Words, lang, pair string) []*tree.Node {
	return []*tree.Node{
		tree.El("div", "dialog-body changes",
			tree.El("div", "changes-fetching", tree.Text("p", "", w.T("ui.changes.fetching"))).Attr("role", "status"),
			tree.El("div", "changes-failed", tree.Text("p", "", w.T("ui.changes.failed")), tree.Text("code", "quiet", ""),
				tree.Text("button", "button", w.T("ui.code.again")).Attr("type", "button")),
			tree.El("div", "changes-shown")).
			Attr("id", "changes").Attr("data-file", lang).Attr("data-pair", pair),
		widget.Foot(tree.Text("a", "button", w.T("ui.changes.page")).Attr("id", "changes-page").Attr("href", "changes.html").Attr("target", "_blank").Attr("rel", "noopener"),
			widget.Button("", w.T("ui.do.close"), "close", ""))}
}
