package jsonscan

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestShallow(t *testing.T) {
	nest := func(n int) []byte { return []byte(strings.Repeat(`[{"a":`, n/2) + `1` + strings.Repeat(`}]`, n/2)) }
	many := []byte(`{"a":[` + strings.Repeat(`{"x":[]},`, 5000) + `{}]}`)
	text := []byte(`{"a":"` + strings.Repeat(`[\"`, 5000) + `"}`)
	for _, c := range []struct {
		b    []byte
		want bool
	}{{nil, true}, {nest(MaxDepth), true}, {nest(MaxDepth + 2), false}, {nest(1_000_000), false}, {many, true}, {text, true}} {
		if got := WithinMaxDepth(c.b); got != c.want {
			t.Errorf("%.40q… of %d bytes: %v", c.b, len(c.b), got)
		}
	}
	for i := range 256 { // each byte at each place of a word
		for at := range 17 {
			b := bytes.Repeat([]byte{'x'}, 17)
			b[at] = byte(i)
			want := 0
			if i == '{' || i == '[' {
				want = 1
			}
			if got := opens(b); got != want {
				t.Fatalf("of the byte %#x at %d, it counts %d brackets", i, at, got)
			}
		}
	}
}

// FuzzScan compares what the scanner finds in JSON with what encoding/json does.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		`{}`, `[]`, `{"a":1,"items":[{"a":"\\\""},[],null,-1e5,"x"]}`, `{"items":[],"items":[1]}`, ` {"a" : {"items":[2]} , "items" : [ ] } `,
		`{"items":"[1]","":0}`, `{"ite\u006ds":[1,2]}`, `[[1],[2]]`, `{"a":"\u0000","items":[true,false]}`, `{"items":[1}`, `{"items"`, `"`, `{"a\\":1,"items":[{}]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if !WithinMaxDepth(b) {
			return // Field and Elements are only asked about valid JSON
		}
		from, to, ok := Field(b, "items")
		var elements []string
		Elements(b[from:to], func(_, i, j int) bool {
			elements = append(elements, string(b[from+i:from+j]))
			return true
		})
		var fields map[string]json.RawMessage
		if json.Unmarshal(b, &fields) != nil || fields == nil {
			return // in a value that is no object, any result will do
		}
		want, has := fields["items"]
		if ok != has || string(b[from:to]) != string(want) {
			t.Fatalf("the scanner finds %q, and the field is %q", b[from:to], want)
		}
		var items []json.RawMessage
		if has && json.Unmarshal(want, &items) == nil {
			var texts []string
			for _, x := range items {
				texts = append(texts, string(x))
			}
			if !reflect.DeepEqual(texts, elements) {
				t.Fatalf("the scanner finds the elements %q, and they are %q", elements, texts)
			}
		}
		if deep := depth(b); deep > opens(b) || deep != naiveDepth(t, b) {
			t.Fatalf("the scanner finds the depth %d, with %d brackets, and it is %d", deep, opens(b), naiveDepth(t, b))
		}
	})
}

func naiveDepth(t *testing.T, b []byte) int {
	d := json.NewDecoder(bytes.NewReader(b))
	deepest, now := 0, 0
	for {
		token, err := d.Token()
		if err != nil {
			return deepest
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			now++
			deepest = max(deepest, now)
		case json.Delim('}'), json.Delim(']'):
			now--
		}
	}
}
