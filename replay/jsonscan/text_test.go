package jsonscan

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAppendString(t *testing.T) {
	for s, want := range map[string]string{
		"":                     `""`,
		"pods":                 `"pods"`,
		"a\"b\\c/d":            `"a\"b\\c/d"`,
		"a\nb\tc\rd\x00e\x1f":  `"a\nb\tc\rd\u0000e\u001f"`,
		"?watch=1&limit=<500>": `"?watch=1&limit=<500>"`,
		"号\u2028\U0001F680":    "\"号\u2028\U0001F680\"",
		"a\xffb\xc3":           "\"a\ufffdb\ufffd\"",
		"\ufffd":               "\"\ufffd\"",
	} {
		if got := string(AppendString([]byte("x"), s)); got != "x"+want {
			t.Errorf("%q becomes %s, want %s", s, got, want)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\"\\\n\xff号\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		b := AppendString(nil, s)
		var got string
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatalf("%q becomes %s: %v", s, b, err)
		}
		want := strings.Map(func(r rune) rune { return r }, s) // a byte that is no UTF-8 is one replacement character
		if got != want {
			t.Errorf("%q is read as %q", s, got)
		}
	})
}

// FuzzUnquote: what Unquote reads is what encoding/json reads.
func FuzzUnquote(f *testing.F) {
	for _, s := range []string{`"a"`, `"\u00e9\ud83d\ude80\ud800x\udc00\ud800\u0041"`, "\"\xff\\n\"", `"a`, ` "a" `, `5`, ``, `null`, `"\`, `"\ud8"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var want string
		trimmed := strings.TrimSpace(string(b))
		valid := json.Unmarshal(b, &want) == nil && strings.HasPrefix(trimmed, `"`)
		if got, ok := Unquote(b); got != want || ok != valid {
			t.Fatalf("%q is read as %q, %v, and should be %q, %v", b, got, ok, want, valid)
		}
		if valid {
			if got := string([]rune(string(AppendUnquoted(nil, []byte(trimmed))))); got != want {
				t.Fatalf("%q says %q, and should say %q", b, got, want)
			}
		}
	})
}
