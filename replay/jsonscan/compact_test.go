package jsonscan

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzNested compares nested, which looks at eight bytes at a time, with slowly.
func FuzzNested(f *testing.F) {
	for _, s := range []string{
		`{}`, `[[],{"a":"b"}]x`, `{"a\\":"\\\\","b\"}":["]{","\\\""]}`, `{"12345\\"":"}"}`, `{"123456\\":"}"}`, "{\"\xfd\xdd\":1}", `[[[[[[[[]]]]]]]]`, `{"a":"`, `{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":1}`,
		strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), `{"a":[{"b":{"c":"0123456789"}}],"d":"\"",` + "\n" + `"e":[{"f":{"g":"0123456789"}}]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append([]byte("{"), b...)
		want, json := slowly(b)
		if got := nested(b, 0, MaxDepth, false); got != want && json && WithinMaxDepth(b) {
			t.Fatalf("%q ends at %d, and should end at %d", b, got, want)
		}
		control := func(r rune) bool { return r < ' ' }
		if want >= 0 && bytes.ContainsFunc(b[:want], control) || want < 0 && bytes.ContainsFunc(b, control) {
			want = -1
		}
		if got := nested(b, 0, MaxDepth, true); got != want && json && WithinMaxDepth(b) {
			t.Fatalf("%q ends at %d on its line, and should end at %d", b, got, want)
		}
	})
}

// slowly does what nested does, and looks at each byte. json is false for text that
// nested may misread: outside of strings, it has a backslash, or letters that look like
// brackets to nested. JSON has neither there.
func slowly(b []byte) (end int, json bool) {
	depth, within, escaped := 0, false, false
	for i, c := range b {
		switch {
		case escaped:
			escaped = false
		case within:
			escaped, within = c == '\\', c != '"'
		case c == '\\' || c|0x20 == 'y' || c|0x20 == 0x7f:
			return 0, false
		case c == '"':
			within = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
	}
	return -1, true
}

// What is printable doesn't depend on where in eight bytes a byte stands.
func TestPrintable(t *testing.T) {
	for c := range 256 {
		for at := range 40 {
			b := bytes.Repeat([]byte{' '}, 40)
			b[at] = byte(c)
			if got, want := Printable(b), c >= ' ' && c < 0x80; got != want {
				t.Fatalf("with the byte %#x at %d: %v", c, at, got)
			}
		}
	}
}

// PlainText ends at the first quote, wherever it stands, and takes nothing unusual before it.
func TestPlainText(t *testing.T) {
	for c := range 256 {
		for at := range 39 {
			b := append(bytes.Repeat([]byte{'~'}, 40), '"', '\\', '\n', 0xff)
			b[0], b[at+1] = '"', byte(c)
			want := 41
			if c == '"' {
				want = at + 2
			} else if c == '\\' || c < ' ' || c >= 0x80 {
				want = -1
			}
			var s string
			if got := PlainText(b, 0, &s); got != want {
				t.Fatalf("with the byte %#x at %d: %d, want %d", c, at, got, want)
			} else if got > 2 && s != string(b[1:got-1]) {
				t.Fatalf("it reads %q", s)
			}
		}
	}
}
