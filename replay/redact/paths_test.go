package redact

import (
	"strings"
	"testing"
)

func TestPaths(t *testing.T) {
	const in = `{"event":{"object":{"kind":"X","metadata":{"annotations":{"a.b/c":"x","d":"y","j":"{\"x\":[{\"y\":\"1\"}]}"}},"spec":{"a":{"b":1},"list":[{"f":"1","g":"2"},{"f":true}],"n":null}}}}`
	for _, c := range []struct{ path, old, new string }{
		{".spec.a.b", `"b":1`, `"b":0`},
		{"spec.a", `{"b":1}`, `{}`},
		{"$.spec.list[*].f", `"f":"1","g":"2"},{"f":true`, `"f":"REDACTED","g":"2"},{"f":false`},
		{"{.spec.list[1].f}", `true`, `false`},
		{".spec.list", `[{"f":"1","g":"2"},{"f":true}]`, `[]`},
		{".SPEC.list[0]", `{"f":"1","g":"2"}`, `{}`},
		{`.metadata.annotations["a.b/c"]`, `"x"`, `"REDACTED"`},
		{`.metadata.annotations.a\.b/c`, `"x"`, `"REDACTED"`},
		{".metadata.annotations.*", `"x","d":"y","j":"{\"x\":[{\"y\":\"1\"}]}"`, `"REDACTED","d":"REDACTED","j":"REDACTED"`},
		{".spec.n", "", ""},
		{".spec.b", "", ""},
		{".object.spec", "", ""},
		{".event.object.spec.a.b", `"b":1`, `"b":0`},
		{`.metadata.annotations["j"].x[0].y`, `\"y\":\"1\"`, `\"y\":\"REDACTED\"`},
	} {
		r := redactor(t, Options{Paths: []string{c.path}})
		want := in
		if c.old != "" {
			want = strings.Replace(in, c.old, c.new, 1)
		}
		if got := string(r.Line([]byte(in))); got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.path, got, want)
		}
		if n := r.Counts()[1]; n.What != c.path || (n.N > 0) != (c.old != "") {
			t.Errorf("%s: counted %v", c.path, n)
		}
	}
	r := redactor(t, Options{Paths: []string{".spec"}})
	if got := string(r.Line([]byte(`{"body":{"kind":"List","items":[{"spec":{"a":1}},{"items":[{"spec":[1]}]}],"spec":"x"}}`))); got != `{"body":{"kind":"List","items":[{"spec":{}},{"items":[{"spec":[]}]}],"spec":"REDACTED"}}` {
		t.Errorf("an object in a list becomes %s", got)
	}
	for _, bad := range []string{"", ".", "$", "..a", ".a.", ".a[", ".a[x]", ".a[-1]", `.a["b]`, ".a[1]b"} {
		if _, err := New(Options{Paths: []string{bad}}); err == nil {
			t.Errorf("the path %q is taken", bad)
		}
	}
}
