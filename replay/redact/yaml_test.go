package redact

import (
	"encoding/json"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Redaction leaves the rest of YAML as it was written. The result is YAML again, in
// which only the redacted values differ.
func TestYAML(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"styles", "# note\na: 'b'   # why\npassword: x y # it\ntoken: 'it''s'\nsecret: \"a\\\"b\"\nc: [1,  2]\n",
			"# note\na: 'b'   # why\npassword: REDACTED # it\ntoken: 'REDACTED'\nsecret: \"REDACTED\"\nc: [1,  2]\n"},
		{"flow", "a: {password: b, c: [ {token: d} ]}\ne: f\n", "a: {password: REDACTED, c: [ {token: REDACTED} ]}\ne: f\n"},
		{"blocks", "- password: |\n    b\n\n    c\n  d: e\n- token: >-\n    f\n    g\n", "- password: REDACTED\n  d: e\n- token: REDACTED\n"},
		{"no YAML", "{{ if x }}\na: b\n- password: |\n    b\n\n    c\n  d: e\n- token: f\nh: i\n", "{{ if x }}\na: b\n- password: |\n    REDACTED\n  d: e\n- token: REDACTED\nh: i\n"},
		{"an item's own fields", "l:\n  - name: PASSWORD\n    value: b\n  - name: c\n    value: d\n", "l:\n  - name: PASSWORD\n    value: REDACTED\n  - name: c\n    value: d\n"},
		{"documents", "a: b\n---\nkind: Secret\ndata:\n  x: eA==\n...\n---\ntoken: c\n", "a: b\n---\nkind: Secret\ndata:\n  x: \"UkVEQUNURUQ=\"\n...\n---\ntoken: REDACTED\n"},
		{"anchors and tags", "a: &x !!str b\npassword: *x\nc: *x\n", "a: &x !!str REDACTED\npassword: REDACTED\nc: *x\n"},
		{"other letters", "名前: ü\nл: {é: ü, password: ж}\n", "名前: ü\nл: {é: ü, password: REDACTED}\n"},
		{"a text within", "a: |\n  b: c\n  password: d\ne: f\n", "a: |\n  b: c\n  password: REDACTED\ne: f\n"},
		{"JSON within", "a: '{\"password\":\"b\"}'\nc: d\n", "a: \"{\\\"password\\\":\\\"REDACTED\\\"}\"\nc: d\n"},
		{"lines that go on", "a: b\npassword: one\n  two\nc: d\n", "a: b\npassword: REDACTED\n  two\nc: d\n"},
		{"nothing", "a: b\nc:\n  d:   e\n", "a: b\nc:\n  d:   e\n"},
	} {
		in, err := json.Marshal(c.in)
		if err != nil {
			t.Fatal(err)
		}
		line := `{"mark":{"text":` + string(in) + `}}`
		var out struct{ Mark struct{ Text string } }
		if err := json.Unmarshal(redactor(t, Options{}).Line([]byte(line)), &out); err != nil {
			t.Fatal(err)
		}
		if got := out.Mark.Text; got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		var read any
		if err := yaml.Unmarshal([]byte(out.Mark.Text), &read); err != nil && c.name != "no YAML" {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
