package trace

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
)

func TestRaw(t *testing.T) {
	for _, c := range []struct {
		line string
		item int32
		want string
	}{
		{`{"type":"ADDED","object":{"a":[1,{"object":2}]}}`, -1, `{"a":[1,{"object":2}]}`},
		{`{"t":1,"id":2,"event":{"type":"ADDED", "object" : {"a":"}\""} }}`, -1, `{"a":"}\""}`},
		{`{"a":1}`, -2, `{"a":1}`},
		{`{"kind":"List","items":[{"a":1}, {"a":2},{"a":3}]}`, 1, `{"a":2}`},
		{`{"t":1,"body":{"items":[{"a":1}]}}`, 0, `{"a":1}`},
		{`{"body":{"items":[{"a":1}]}}`, 1, ``},
		{`{"type":"ADDED"}`, -1, ``},
		{`{"type":"ADDED","object":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`, -1, ``},
		{`{"\u006fbject":{"a":1}}`, -1, `{"a":1}`},
		{``, -1, ``}, {`{`, -1, ``}, {`{"object`, -1, ``}, {`{"object":`, -1, ``}, {`{"object":"`, -1, ``}, {`[`, 0, ``},
	} {
		got, err := Raw([]byte(c.line), object.Source{Item: c.item})
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%.60s [%d]: %s, %v", c.line, c.item, got, err)
		}
	}
}

func TestHead(t *testing.T) {
	for in, want := range map[string]string{
		`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"kind":"x"}}`: `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}`,
		`{ "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"} }`:             `{ "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}`,
		`{"metadata":{"name":"a"},"spec":{},"kind":"Pod"}`:                             `{"metadata":{"name":"a"},"spec":{},"kind":"Pod"}`,
		`{"kind":"Status","code":410}`:                                                 `{"kind":"Status","code":410}`,
		`{"kind":"Pod","metadata":{"name"`:                                             `{"kind":"Pod","metadata":{"name"`,
		`[1]`:                                                                          `[1]`,
		``:                                                                             ``,
	} {
		if got := string(Head([]byte("x"), []byte(in))); got != "x"+want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// Whatever stands in the place of an object, looking for it ends, and a Cursor finds the same, in whatever order.
func FuzzRaw(f *testing.F) {
	f.Add([]byte(`{"t":1,"event":{"type":"ADDED","object":{"a":[1]}}}`))
	f.Add([]byte(`{"body":{"items":[{"a":1},{},{},{"b":"\""}]}}`))
	f.Add([]byte(`{"object":"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var c Cursor
		for _, item := range []int32{1, 0, 2, 2, 3, -1, 3} {
			src := object.Source{Item: item}
			got, _ := c.Raw(b, src)
			if want, _ := Raw(b, src); string(got) != string(want) {
				t.Fatalf("of %q, item %d is %q, and should be %q", b, item, got, want)
			}
		}
		for _, item := range []int32{-2, -1, 0, 3} {
			if raw, err := Raw(b, object.Source{Item: item}); err == nil && len(raw) == 0 {
				t.Fatalf("nothing was found in %q", b)
			}
		}
	})
}
