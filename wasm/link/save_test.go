package link

import "testing"

// Browsers and file systems take the name as it is.
func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"pods.json":                     "pods.trace.jsonl.gz",
		"pods.trace.jsonl.zst":          "pods.trace.jsonl.gz",
		"a/b\\c.yaml.gz":                "c.trace.jsonl.gz",
		"14-ghost.txt":                  "14-ghost.trace.jsonl.gz",
		"v1.36.3+k3s1":                  "v1.36.3+k3s1.trace.jsonl.gz",
		"admin@prod:6443":               "admin@prod-6443.trace.jsonl.gz",
		"arn:aws:eks:eu:1:cluster/prod": "prod.trace.jsonl.gz",
		"a<b>c\"d|e?f*g\x00h\x7f":       "a-b-c-d-e-f-g-h-.trace.jsonl.gz",
		"\u96c6\u7fa4":                  "\u96c6\u7fa4.trace.jsonl.gz",
		"..hidden":                      "hidden.trace.jsonl.gz",
		"":                              "cluster.trace.jsonl.gz",
		"x/.json":                       "cluster.trace.jsonl.gz",
	} {
		if got := FileName(name, ".trace.jsonl.gz"); got != want {
			t.Errorf("%q is saved as %q, want %q", name, got, want)
		}
	}
}
