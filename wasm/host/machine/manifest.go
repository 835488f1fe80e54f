package machine

import (
	"sort"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/wasm/picture/inspect"
)

// Manifest writes an object as JSON. Its fields are those that the machine reads; no
// others are known.
func Manifest(t *object.Table, r object.Ref, resource string) string {
	m := t.Meta(r)
	b := append([]byte(nil), '{')
	member := func(name, value string) {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(jsonscan.AppendString(b, name), ':')
		b = jsonscan.AppendString(b, value)
	}
	member("resource", resource)
	b = append(b, `,"metadata":{`...)
	member("name", t.Text(m.Name))
	if s := t.Text(m.Namespace); s != "" {
		member("namespace", s)
	}
	if s := t.Text(m.UID); s != "" {
		member("uid", s)
	}
	member("resourceVersion", t.RVText(m.RV))
	if labels := t.LabelsOf(m.Labels); len(labels) > 0 {
		labels = append(labels[:0:0], labels...)
		sort.Slice(labels, func(i, j int) bool { return t.Text(labels[i].Name) < t.Text(labels[j].Name) })
		b = append(b, `,"labels":{`...)
		for _, l := range labels {
			member(t.Text(l.Name), t.Text(l.Value))
		}
		b = append(b, '}')
	}
	return inspect.IndentJSON(append(b, "}}"...))
}
