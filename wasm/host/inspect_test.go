package host

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

func TestDiffLines(t *testing.T) {
	before := prettyJSON([]byte(`{"a":1,"b":{"c":[1,2]},"z":0}`))
	after := prettyJSON([]byte(`{"a":1,"b":{"c":[1,3]},"z":0}`))
	got := render(diffLines(before, after))
	want := strings.Join([]string{
		` {`, `   "a": 1,`, `   "b": {`, `     "c": [`, `       1,`, `-      2`, `+      3`, `     ]`, `   },`, `   "z": 0`, ` }`, ``,
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := render(diffLines("", "x\ny")); got != " x\n y\n" {
		t.Errorf("without a version before: %q", got)
	}
}

func TestDiffLinesCut(t *testing.T) {
	lines, cut := diffLines("", strings.Repeat("x\n", maxInspectLines+1))
	if !cut || len(lines) != maxInspectLines {
		t.Errorf("%d lines, cut %v", len(lines), cut)
	}
}

func TestPrettyJSONKeepsWhatIsNotJSON(t *testing.T) {
	if got := prettyJSON([]byte(`{"a":`)); got != `{"a":` {
		t.Errorf("%q", got)
	}
}

func render(lines []link.DiffLine, _ bool) string {
	var b strings.Builder
	for _, l := range lines {
		mark := l.Mark
		if mark == "" {
			mark = " "
		}
		b.WriteString(mark + l.Text + "\n")
	}
	return b.String()
}
