package dialog

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/session/save"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// issues is where reports of problems are read.
const issues = "https://github.com/informerscope/informerscope/issues/new?template=wrong.yml"

// Report returns the dialog with the report of a problem, for the viewer to read and to save.
func Report(w *words.Words, r *save.Report) []*tree.Node {
	body := tree.El("div", "dialog-body report", tree.Text("p", "", w.T("ui.report.intro")))
	switch {
	case r.Failed != nil:
		body.Add(widget.Failure(w, r.Failed)...)
	case r.Text == "":
		body.Add(tree.El("progress", "").Attr("aria-label", w.T("ui.save.making")))
	default:
		body.Add(tree.Text("pre", "", r.Text).Attr("tabindex", "0"))
	}
	return []*tree.Node{body.Add(widget.Private(w, "ui.save.private")), widget.Foot(
		widget.Button("primary", w.T("ui.save.now"), "saveReport", "").Flag("disabled", r.Text == ""),
		tree.Text("a", "button", w.T("ui.report.where")).Attr("href", issues).Attr("target", "_blank").Attr("rel", "noopener noreferrer"),
		widget.Button("", w.T("ui.do.close"), "close", ""))}
}
