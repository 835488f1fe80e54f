package panel

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Code returns the pane with the engine's own source for the step. This program has
// the words of the pane. It doesn't have the source, so page/code.js fetches it
// and draws it.
func Code(w *words.Words, l *link.Frame) *tree.Node {
	state := func(name string, nodes ...*tree.Node) *tree.Node {
		return tree.El("div", "code-"+name, nodes...)
	}
	body := tree.El("div", "code-body",
		state("start", tree.Text("p", "", w.T("ui.code.start"))),
		state("fetching", tree.Text("p", "", w.T("ui.code.fetching"))),
		state("failed", tree.Text("p", "", w.T("ui.code.failed")), tree.Text("code", "code-reason", ""),
			tree.Text("button", "button code-again", w.T("ui.code.again")).Attr("type", "button")),
		state("shown",
			tree.El("div", "code-peers", tree.Text("h3", "", w.T("ui.code.clientGo")), tree.El("ul", ""), tree.Text("p", "quiet", w.T("ui.code.none"))),
			tree.El("div", "code-source").Attr("role", "group").Attr("tabindex", "0").Attr("aria-label", w.T("ui.code")).Attr("aria-describedby", "code-legend"),
			tree.Text("p", "quiet", w.T("ui.code.legend")).Attr("id", "code-legend"))).
		Attr("id", "code").Attr("data-code", l.Code).Attr("data-func", l.Func)
	return tree.El("aside", "code",
		tree.El("header", "code-head", tree.Text("h2", "", w.T("ui.code")), tree.Text("code", "code-at", ""),
			widget.IconButton("tiny", "close", w.T("ui.code.close"), "code", "")),
		body).Attr("aria-label", w.T("ui.code")).Key("code")
}
