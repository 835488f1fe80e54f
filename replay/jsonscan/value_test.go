package jsonscan

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCheck: Check takes what encoding/json takes, and says the same of the rest. Compact and Indent write the
// same. A Reader knows whether it has read UTF-8.
func FuzzCheck(f *testing.F) {
	deep := func(n int) string { return strings.Repeat(`[{"a":`, n/2) + `[]` + strings.Repeat(`}]`, n/2) }
	for _, s := range []string{
		` { "a" : [ 1 , { } , [ ] ] , "b" : null } `, "{\"a\"\t:\r\n1}", `{} {}`, `"'"x`, `{"a":\x00}`,
		`{}`, `[]`, `[[],{}]`, `{"a":[1,{"b":"c"}],"d":{"e":[],"f":{}}}`, `{"a":1]`, `[1}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `[1,]`, `[,1]`, `{,}`, `{1:2}`, `[1 ,2]`, "[\n]", `{"a":1}}`, `[1`, `{"a":`, `{"a`, ``,
		`"é€😀"`, "\"\xff\"", "\"\xed\xa0\x80\"", "\"\xc0\x80\"", `"\u00e9\\\"\/\b\f\n\r\t"`, `"\u00g0"`, `"\u12"`, `"\x"`, `"\`, "\"\x1f\"", "\"\x7f\"", "\"1234567\n\"", `"12345678`, `"1234567\"`,
		`0`, `-0`, `01`, `-`, `1.`, `.5`, `1.5`, `1e`, `1e5`, `1E-05`, `1e+`, `-12.34e56`, `+1`, `true`, `false`, `null`, `tru`, `nulll`, `True`,
		deep(MaxDepth - 2), deep(MaxDepth), deep(MaxDepth + 2),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got := Check(b)
		if !WithinMaxDepth(b) {
			if s, is := got.(*SyntaxError); !is {
				t.Fatalf("it takes %q, which nests too deep", b)
			} else if s.IsTooDeep() && s.Error() == "" {
				t.Fatal("the error says nothing")
			}
			return
		}
		var want error
		if !json.Valid(b) {
			want = json.Unmarshal(b, new(any))
		}
		if (got == nil) != (want == nil) {
			t.Fatalf("of %q it says %v, and should say %v", b, got, want)
		}
		if got != nil {
			x, y := got.(*SyntaxError), want.(*json.SyntaxError)
			cut := strings.Contains(y.Error(), "unexpected end") || int(y.Offset) == len(b) && strings.Contains(y.Error(), "character ' '") // the end is a space to encoding/json within a token
			if !(x.Cut() && cut) && (x.Error() != y.Error() || x.Offset != int(y.Offset)) {
				t.Fatalf("of %q it says %v at %d, and should say %v at %d", b, x, x.Offset, y, y.Offset)
			}
			return
		}
		r := NewReader(b)
		r.Skip()
		if r.End(); r.UTF8() != utf8.Valid(b) {
			t.Fatalf("that %q is UTF-8 it says is %v", b, r.UTF8())
		}
		var compact bytes.Buffer
		json.Compact(&compact, b)
		if got, err := Compact(nil, b); err != nil || string(got) != compact.String() {
			t.Fatalf("%q is compacted to %q: %v", b, got, err)
		}
	})
}

// What nests at most MaxDepth is taken, and no more, in any call.
func TestMaxDepth(t *testing.T) {
	for _, brackets := range []string{"[]", "{}"} {
		for n, want := range map[int]bool{1: true, 64: true, MaxDepth: true, MaxDepth + 1: false, 1_000_000: false} {
			within := brackets[:1]
			if brackets == "{}" {
				within = `{"a":`
			}
			b := []byte(strings.Repeat(within, n-1) + brackets + strings.Repeat(brackets[1:], n-1))
			if got := Valid(b); got != want {
				t.Errorf("%d of %s: %v", n, brackets, got)
			}
			if got := new(Tape).Parse(b); got != want {
				t.Errorf("%d of %s on a tape: %v", n, brackets, got)
			}
			var read func(r *Reader)
			read = func(r *Reader) {
				for range r.Members() {
					read(r)
				}
			}
			if r := NewReader(b); brackets == "{}" && n < 10_000 {
				if read(&r); (r.End() == nil) != want {
					t.Errorf("%d of %s read one by one: %v", n, brackets, r.End())
				}
			}
		}
	}
}

// FuzzTape: a Tape has the values of a text in their places.
func FuzzTape(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"c"},[]],"d":{},"e": [ {"f" : null} ]}`))
	f.Add([]byte(` "x" `))
	f.Fuzz(func(t *testing.T, b []byte) {
		var tape Tape
		if ok := tape.Parse(b); ok != Valid(b) {
			t.Fatalf("it takes %q: %v", b, ok)
		} else if !ok {
			return
		}
		var compare func(n int32, b []byte) (next int32)
		compare = func(n int32, b []byte) (next int32) {
			if got := tape.Text(n); !bytes.Equal(got, b) {
				t.Fatalf("node %d is %q, and should be %q", n, got, b)
			}
			next = n + 1
			Fields(b, func(name []byte, from, to int) bool {
				if got := tape.Text(next); !bytes.Equal(got, name) {
					t.Fatalf("node %d is %q, and should be %q", next, got, name)
				}
				next = compare(next+1, b[from:to])
				return true
			})
			Elements(b, func(_, from, to int) bool {
				next = compare(next, b[from:to])
				return true
			})
			if got := tape.Nodes[n].Next; got != next {
				t.Fatalf("after node %d comes %d, and should come %d", n, got, next)
			}
			return next
		}
		if compare(0, bytes.Trim(b, " \t\r\n")) != int32(len(tape.Nodes)) {
			t.Fatal("there are more nodes")
		}
	})
}
