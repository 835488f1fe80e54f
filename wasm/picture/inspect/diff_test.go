package inspect

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"a changed element", `{"a":1,"b":{"c":[1,2]},"z":0}`, `{"a":1,"b":{"c":[1,3]},"z":0}`, `
 {
   "a": 1,
   "b": {
     "c": [
       1,
-      2
+      3
     ]
   },
   "z": 0
 }
`},
		{"a comma is no change", `{"labels":{"tier":"gold"}}`, `{"labels":{"tier":"gold","zone":"b"}}`, `
 {
   "labels": {
     "tier": "gold",
+    "zone": "b"
   }
 }
`},
		{"the last field is gone", `{"a":1,"b":{"c":2}}`, `{"a":1}`, `
 {
   "a": 1
-  "b": {
-    "c": 2
-  }
 }
`},
		{"the order of fields is no change", `{"a":1,"b":2,"c":3}`, `{"c":3,"a":1,"b":4}`, `
 {
   "c": 3,
   "a": 1,
-  "b": 2,
+  "b": 4
 }
`},
		{"the spelling of a string is no change", `{"a":"x\u003cy","b":"q\"\\"}`, `{"a":"x<y","b":"q\"\\"}`, `
 {
   "a": "x<y",
   "b": "q\"\\"
 }
`},
		{"elements are known by their names", `[{"name":"a","n":1},{"name":"b","n":1}]`, `[{"name":"c","n":1},{"name":"a","n":2},{"name":"b","n":1}]`, `
 [
+  {
+    "name": "c",
+    "n": 1
+  },
   {
     "name": "a",
-    "n": 1
+    "n": 2
   },
   {
     "name": "b",
     "n": 1
   }
 ]
`},
		{"a value of another kind", `{"a":[]}`, `{"a":{"b":[]}}`, `
 {
-  "a": []
+  "a": {
+    "b": []
+  }
 }
`},
		{"a null and no field are not the same", `{"a":null}`, `{}`, `
-{
-  "a": null
-}
+{}
`},
	} {
		got := render(Diff(IndentJSON([]byte(c.before)), IndentJSON([]byte(c.after))))
		if got != c.want[1:] {
			t.Errorf("%s: got\n%swant%s", c.name, got, c.want)
		}
	}
	if got := render(Diff("", "x\ny")); got != " x\n y\n" {
		t.Errorf("without a version before: %q", got)
	}
	if got := render(Diff("x,\ny", "x\ny")); got != "-x,\n+x\n y\n" {
		t.Errorf("text that is no JSON is compared by lines: %q", got)
	}
}

// TestDiffTellsWhatDiffers: of any two values, what is unmarked or new is the text of
// the one after, and something is marked exactly if the values differ.
func TestDiffTellsWhatDiffers(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		a := anyJSON(r, 4)
		b := a
		if r.IntN(4) > 0 {
			b = anyJSON(r, 4)
		}
		before, after := IndentJSON([]byte(a)), IndentJSON([]byte(b))
		lines, _ := Diff(before, after)
		var now []string
		marked := false
		for _, l := range lines {
			marked = marked || l.Mark != ""
			if l.Mark != "-" {
				now = append(now, l.Text)
			}
		}
		if strings.Join(now, "\n") != after {
			t.Fatalf("seed %d: the lines of %s became\n%s", seed, b, render(lines, false))
		}
		if marked == equalJSON(t, a, b) {
			t.Fatalf("seed %d: the diff of %s and %s is wrong:\n%s", seed, a, b, render(lines, false))
		}
	}
}

func anyJSON(r *rand.Rand, depth int) string {
	switch n := r.IntN(8); {
	case depth == 0 || n < 3:
		return []string{"1", "2", `"a"`, `"b,"`, `"{"`, "null", "true", "{}", "[]", `"\u0061"`}[r.IntN(10)]
	case n < 5:
		var all []string
		for range r.IntN(4) {
			all = append(all, anyJSON(r, depth-1))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	names := []string{`"name"`, `"a"`, `"b"`, `"x: \" y"`}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var all []string
	for _, name := range names[:r.IntN(len(names)+1)] {
		all = append(all, name+":"+anyJSON(r, depth-1))
	}
	return "{" + strings.Join(all, ",") + "}"
}

func equalJSON(t *testing.T, a, b string) bool {
	t.Helper()
	canonical := func(s string) string {
		var v any
		if err := json.Unmarshal([]byte(s), &v); err != nil {
			t.Fatal(err)
		}
		out, _ := json.Marshal(v)
		return string(out)
	}
	return canonical(a) == canonical(b)
}

// TestMatches checks that matches returns a common subsequence, as long as the
// one that the plain quadratic way finds.
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
				t.Fatalf("seed %d: %v and %v have the matches %v", seed, a, b, matches(a, b))
			}
			i, j, n = m.a+m.n, m.b+m.n, n+m.n
		}
		if want := longest(a, b); n != want {
			t.Fatalf("seed %d: %v and %v have %d lines in common, not %d", seed, a, b, want, n)
		}
	}
	lots := func(s string) []string { return strings.Split(strings.Repeat(s+"\n", 3*maxEdits), "\n") }
	if got := matches(lots("a"), lots("b")); len(got) != 2 || got[1].n != 1 {
		t.Errorf("two texts that share their last line only have the matches %v", got)
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
		t.Errorf("the diff has %d lines, cut: %v", len(lines), cut)
	}
}

func TestIndentJSONKeepsWhatIsNotJSON(t *testing.T) {
	if got := IndentJSON([]byte(`{"a":`)); got != `{"a":` {
		t.Errorf("a cut object becomes %q", got)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add(`{"a":[1,{"name":"x"}]}`, `{"a":[{"name":"x","b":2}]}`)
	f.Add("}\n{", "{\n}\n]")
	f.Fuzz(func(t *testing.T, a, b string) {
		lines, cut := Diff(a, b)
		kept := 0
		for _, l := range lines {
			if l.Mark != "-" {
				kept++
			}
		}
		if n := len(strings.Split(b, "\n")); !cut && kept != n {
			t.Errorf("the diff has %s lines of %d", strconv.Itoa(kept), n)
		}
	})
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
