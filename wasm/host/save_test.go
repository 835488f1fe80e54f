package host

import (
	"reflect"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

func TestSuspects(t *testing.T) {
	got := suspects([]byte(`{"informerscope":"findings","found":[{"line":3,"count":2,"path":".a","why":"b","mask":"c"}],"more":1}` + "\n"))
	if want := (&link.Suspects{Found: []link.Suspect{{Line: 3, Count: 2, Path: ".a", Why: "b", Mask: "c"}}, More: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	for _, head := range []string{`{"informerscope":"trace","version":1}`, "", `{"informerscope":"findings"`} {
		if got := suspects([]byte(head)); got != nil {
			t.Errorf("%s: %+v", head, got)
		}
	}
}

// Browsers and file systems take the name as it is.
func TestFileName(t *testing.T) {
	for of, want := range map[string]string{
		"pods.json":                     "pods.trace.jsonl.gz",
		"pods.trace.jsonl.zst":          "pods.trace.jsonl.gz",
		"a/b\\c.yaml.gz":                "c.trace.jsonl.gz",
		"v1.36.3+k3s1":                  "v1.36.3+k3s1.trace.jsonl.gz",
		"admin@prod:6443":               "admin@prod-6443.trace.jsonl.gz",
		"arn:aws:eks:eu:1:cluster/prod": "prod.trace.jsonl.gz",
		"a<b>c\"d|e?f*g\x00h\x7f":       "a-b-c-d-e-f-g-h-.trace.jsonl.gz",
		"\u96c6\u7fa4":                  "\u96c6\u7fa4.trace.jsonl.gz",
		"..hidden":                      "hidden.trace.jsonl.gz",
		"":                              "cluster.trace.jsonl.gz",
		"x/.json":                       "cluster.trace.jsonl.gz",
	} {
		if got := fileName(of); got != want {
			t.Errorf("%q is saved as %q, want %q", of, got, want)
		}
	}
}
