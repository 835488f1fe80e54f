package convert

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
)

// texts are the formats that are JSON, which anything may be that begins with a
// bracket.
var texts = []form{
	{
		id: "trace", title: "a trace of informerscope", knows: isOwn,
		suffixes: []string{".trace.jsonl"}, convert: (*conversion).own, lost: format.EventsIn,
	},
	{
		id: "watch", title: "a watch stream", convert: (*conversion).objects,
		knows: func(head []byte) bool { return firstField(head, "type") != "" && firstObject(head) != "apiVersion" },
	},
	{
		id: "kubectl", title: "the output of kubectl get -w -o json", convert: (*conversion).objects,
		knows: func(head []byte) bool { return firstField(head, "type") != "" },
	},
	{
		id: "list", title: "a list (kubectl get -o json)", convert: (*conversion).objects,
		knows: func(head []byte) bool {
			kind := firstField(head, "kind")
			return strings.HasSuffix(kind, "List") || kind == "Table"
		},
	},
	{
		id: "objects", convert: (*conversion).objects,
		knows: func(head []byte) bool { return head[0] == '{' && firstField(head, "kind") != "" },
	},
	{
		id: "objects", convert: (*conversion).objects, suffixes: []string{".json", ".jsonl", ".ndjson"},
		knows: func(head []byte) bool { return false },
	},
}

// firstField is a field's text in the object that begins head, "" for none.
func firstField(head []byte, name string) string {
	from, to, ok := trace.Field(head, name)
	if !ok {
		return ""
	}
	var s string
	if trace.Decode(head[from:to], &s) != nil {
		return ""
	}
	return s
}

// firstObject is the name of the first field of the event's object, or "". The
// API server writes kind first, kubectl sorts.
func firstObject(head []byte) string {
	i := bytes.Index(head, []byte(`"object"`))
	if i < 0 {
		return ""
	}
	rest := bytes.TrimLeft(head[i+len(`"object"`):], ": {\t\r\n")
	name, _, _ := bytes.Cut(bytes.TrimPrefix(rest, []byte{'"'}), []byte{'"'})
	return string(name)
}
