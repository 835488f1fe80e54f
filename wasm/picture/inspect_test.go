package picture

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

func TestDiff(t *testing.T) {
	before := IndentJSON([]byte(`{"a":1,"b":{"c":[1,2]},"z":0}`))
	after := IndentJSON([]byte(`{"a":1,"b":{"c":[1,3]},"z":0}`))
	got := render(Diff(before, after))
	want := strings.Join([]string{
		` {`, `   "a": 1,`, `   "b": {`, `     "c": [`, `       1,`, `-      2`, `+      3`, `     ]`, `   },`, `   "z": 0`, ` }`, ``,
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := render(Diff("", "x\ny")); got != " x\n y\n" {
		t.Errorf("without a version before: %q", got)
	}
}

// TestMatches checks matches against the laws of a common subsequence, and its
// length against the plain quadratic way.
func TestMatches(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		text := func() []string {
			lines := make([]string, r.IntN(12))
			for i := range lines {
				lines[i] = string(rune('a' + r.IntN(4)))
			}
			return lines
		}
		a, b := text(), text()
		i, j, n := 0, 0, 0
		for _, m := range matches(a, b) {
			if m.a < i || m.b < j || !slices.Equal(a[m.a:m.a+m.n], b[m.b:m.b+m.n]) {
				t.Fatalf("seed %d: %v and %v: %v", seed, a, b, matches(a, b))
			}
			i, j, n = m.a+m.n, m.b+m.n, n+m.n
		}
		if want := longest(a, b); n != want {
			t.Fatalf("seed %d: %v and %v have %d lines in common, not %d", seed, a, b, want, n)
		}
	}
	lots := func(s string) []string { return strings.Split(strings.Repeat(s+"\n", 3*maxEdits), "\n") }
	if got := matches(lots("a"), lots("b")); len(got) != 2 || got[1].n != 1 {
		t.Errorf("texts with nothing in common but their last line: %v", got)
	}
}

func longest(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func TestDiffCut(t *testing.T) {
	lines, cut := Diff("", strings.Repeat("x\n", maxInspectLines+1))
	if !cut || len(lines) != maxInspectLines {
		t.Errorf("%d lines, cut %v", len(lines), cut)
	}
}

func TestIndentJSONKeepsWhatIsNotJSON(t *testing.T) {
	if got := IndentJSON([]byte(`{"a":`)); got != `{"a":` {
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
