package compact_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/compact"
)

// FuzzSound: Sound takes all of a text if that is JSON in UTF-8 without spaces, and nothing else.
func FuzzSound(f *testing.F) {
	deep := func(n int) string { return strings.Repeat(`[{"a":`, n/2) + `[]` + strings.Repeat(`}]`, n/2) }
	for _, s := range []string{
		`{}`, `[]`, `[[],{}]`, `{"a":[1,{"b":"c"}],"d":{"e":[],"f":{}}}`, `{"a":1]`, `[1}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `[1,]`, `[,1]`, `{,}`, `{1:2}`, `[1 ,2]`, "[\n]", `{"a":1}}`, `[1`, `{"a":`, `{"a`, ``,
		`"é€😀"`, "\"\xff\"", "\"\xed\xa0\x80\"", "\"\xc0\x80\"", `"\u00e9\\\"\/\b\f\n\r\t"`, `"\u00g0"`, `"\u12"`, `"\x"`, `"\`, "\"\x1f\"", "\"\x7f\"", "\"1234567\n\"", `"12345678`, `"1234567\"`,
		`0`, `-0`, `01`, `-`, `1.`, `.5`, `1.5`, `1e`, `1e5`, `1E-05`, `1e+`, `-12.34e56`, `+1`, `true`, `false`, `null`, `tru`, `nulll`, `True`,
		deep(compact.Deepest - 2), deep(compact.Deepest), deep(compact.Deepest + 2),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var spaceless bytes.Buffer
		// Compact takes more than Valid does: it is not asked what is valid.
		want := json.Valid(b) && utf8.Valid(b) && json.Compact(&spaceless, b) == nil && bytes.Equal(spaceless.Bytes(), b)
		if got := compact.Sound(b, 0) == len(b) && len(b) > 0; got && !want {
			t.Fatalf("it takes %q", b)
		} else if !got && want && bytes.Count(b, []byte("["))+bytes.Count(b, []byte("{")) <= compact.Deepest {
			t.Fatalf("it refuses %q", b)
		}
		if compact.Sound(b, 0) >= 0 && !trace.Shallow(b[:compact.Sound(b, 0)]) {
			t.Fatalf("%q nests too deep", b)
		}
	})
}

// What nests at most Deepest is taken.
func TestDeepest(t *testing.T) {
	for _, brackets := range []string{"[]", "{}"} {
		for n, want := range map[int]bool{1: true, 64: true, compact.Deepest: true, compact.Deepest + 1: false, 100_000: false} {
			within := brackets[:1]
			if brackets == "{}" {
				within = `{"a":`
			}
			b := strings.Repeat(within, n-1) + brackets + strings.Repeat(brackets[1:], n-1)
			if got := compact.Sound([]byte(b), 0) == len(b); got != want {
				t.Errorf("%d of %s: %v", n, brackets, got)
			}
		}
	}
}

func TestObject(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"1","x":[2],"b":"3"}`: "a=1 b=3 ",
		`{"b":"","c":{"a":"2"}}`:    "b= ",
		`{}`:                        "",
		`{"a":"1","a":"2"}`:         "refused",
		`{"a":"1","A":"2"}`:         "refused", // a decoder ignores case
		`{"a":1}`:                   "refused",
		`{"a":null}`:                "refused",
		`{"x":01}`:                  "refused",
		`{"a":"1"`:                  "refused",
		`{"a":"1",}`:                "refused",
		`{"a": "1"}`:                "refused",
		`{"\u0061":"1"}`:            "refused",
		`["a"]`:                     "refused",
	} {
		got, names := "", []string{"a", "b"}
		end := compact.Object([]byte(text), 0, names, func(n, i int) int {
			var s string
			i = compact.Text([]byte(text), i, &s)
			got += names[n] + "=" + s + " "
			return i
		})
		if end != len(text) {
			got = "refused"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
