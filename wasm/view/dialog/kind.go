package dialog

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

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
