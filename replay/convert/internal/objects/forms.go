// Package objects reads what the API server answers with: watch events, lists, Tables and
// objects, as they are or within other formats.
package objects

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
)

// Forms are the formats that are JSON, which anything may be that begins with a
// bracket.
var Forms = []capture.Form{
	{
		ID: "watch", Title: "a watch stream", Convert: read,
		Knows: func(head []byte) bool { return api.FirstField(head, "type") != "" && firstObject(head) != "apiVersion" },
	},
	{
		ID: "kubectl", Title: "the output of kubectl get -w -o json", Convert: read,
		Knows: func(head []byte) bool { return api.FirstField(head, "type") != "" },
	},
	{
		ID: "list", Title: "a list (kubectl get -o json)", Convert: read,
		Knows: func(head []byte) bool {
			kind := api.FirstField(head, "kind")
			return strings.HasSuffix(kind, "List") || kind == "Table"
		},
	},
	{
		ID: "objects", Convert: read,
		Knows: func(head []byte) bool { return head[0] == '{' && api.FirstField(head, "kind") != "" },
	},
	{
		ID: "objects", Convert: read, Suffixes: []string{".json", ".jsonl", ".ndjson"},
		Knows: func(head []byte) bool { return false },
	},
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
