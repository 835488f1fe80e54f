package dialog

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/session/save"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Scripts returns the library of scripts, to choose from.
func Scripts(w *words.Words) []*tree.Node {
	list := tree.El("ul", "script-list")
	for _, name := range navigation.Scripts {
		list.Add(tree.El("li", "", widget.Action("", "script", name, tree.Text("span", "", w.T("script."+name)), tree.Text("code", "", name))).Key(name))
	}
	return []*tree.Node{tree.El("div", "dialog-body", tree.Text("p", "quiet", w.T("ui.scripts.intro")), list)}
}

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

// Changes returns the dialog that says what differs for a program between two releases of client-go. At
// first it shows the pair's, "" for any. This program doesn't know the differences, so
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

// offered are kinds that the field for a kind completes.
var offered = []string{"Pod", "Node", "Namespace", "Service", "ConfigMap", "Secret", "Event", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob", "Lease", "EndpointSlice", "Ingress", "PersistentVolume", "PersistentVolumeClaim"}

// Kind returns the field in which the viewer names the kind of objects that don't say it.
func Kind(w *words.Words, m *session.Model) *tree.Node {
	list := tree.El("datalist", "").Attr("id", "kinds")
	for _, kind := range offered {
		list.Add(tree.El("option", "").Attr("value", kind))
	}
	in := tree.El("input", "").Attr("type", "text").Attr("list", "kinds").Attr("maxlength", "200").Attr("placeholder", w.T("ui.kind.placeholder")).
		Attr("spellcheck", "false").Attr("autocomplete", "off").Attr("autocapitalize", "off").Act("writeKind", "").Attr("data-enter", "enterKind").Prop("value", m.Kinds.Typed)
	return tree.El("div", "kind-asked", tree.El("label", "field", tree.Text("span", "", w.T("ui.kind")), in), list,
		widget.Button("", w.T("ui.kind.open"), "openKind", "").Flag("disabled", m.Kinds.Typed == ""))
}
