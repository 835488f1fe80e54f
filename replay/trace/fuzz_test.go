package trace

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
)

// overwritten stands in a line that was read, in the place of each byte.
const overwritten = '~'

// FuzzLine feeds lines of any kind to the decoder: it may refuse them, but must
// neither fail nor build a Trace that makes no sense.
func FuzzLine(f *testing.F) {
	f.Add([]byte(strings.Join([]string{
		`{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}`,
		`{"t":1,"id":1,"body":{"kind":"PodList","metadata":{"resourceVersion":"9","continue":"x"},"items":[{"metadata":{"name":"a"}},{}]}}`,
		`{"t":1,"id":1,"body":{"kind":"Status","code":410,"details":{"causes":[{}]}}}`,
		`{"t":-5,"id":1,"end":{"how":"eof"}}`,
		`{"t":2,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}`,
		`{"t":2,"id":2,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","labels":{"b":"c"}}}}}`,
		`{"t":2,"id":2,"event":{"type":"ERROR","object":[]}}`,
		`{"t":3,"call":{"handler":"h","fn":"OnAdd","key":"a","rv":"9","took":-1}}`,
		`{"t":4,"mark":{"text":"x"}}`, `{"body":null,"event":null,"req":null}`, `[]`, ``, `{"t":1e99}`, `{"t":"1"}`,
		`{"t":9,"id":1,"body":{"kind":"PodList","items":7}}`,
		`{"t":9,"series":{"name":"up","at":[-1,0,9223372036854775807],"values":[1,2.5,-1e308]}}`, `{"t":9,"series":{"at":[1],"values":[1e999]}}`,
		`{"t":9,"problem":{"kind":"cut","reason":"r","why":{"id":"inItem","args":[{"name":"item","text":"3"},{"name":"why","why":{"id":"a"}}]}}}`,
		`{"t":9,"id":2,"event":{"type":"ADDED","object":{"metadata":{"labels":{"some label":7}}}}}`,
	}, "\n")))
	f.Fuzz(func(t *testing.T, b []byte) {
		tr := &Trace{}
		d, err := NewDecoder(tr, []byte(head))
		if err != nil {
			t.Fatal(err)
		}
		var offset int64
		for line := range bytes.Lines(b) {
			kept := bytes.Clone(line)
			said := []error{d.Line(line, offset)}
			for _, p := range tr.Problems {
				said = append(said, p)
			}
			before := fmt.Sprint(said)
			if !bytes.Equal(line, kept) {
				t.Fatal("the line was written to")
			}
			for i := range line {
				line[i] = overwritten // nothing may hold on to it
			}
			if after := fmt.Sprint(said); after != before {
				t.Fatalf("an error has become another: %s, %s", before, after)
			}
			offset += int64(len(line))
		}
		makesSense(t, tr, b)
	})
}

// makesSense checks what is true of each Trace.
func makesSense(t *testing.T, tr *Trace, input []byte) {
	var records int64
	for _, r := range tr.Resources {
		var last int64 = -1 << 63
		for _, x := range r.Records {
			if x.Time < last {
				t.Fatal("time goes back")
			}
			last = x.Time
			if x.Kind < ListBegin || x.Kind > WatchEnd || int(x.Obj) >= r.Table.Len() {
				t.Fatalf("a strange record: %+v", x)
			}
			r.Text(x)
		}
		records += int64(len(r.Records))
		run := strings.Repeat(string(overwritten), 4)
		for i := 1; i < r.Table.Len(); i++ {
			m := r.Table.Meta(object.Ref(i))
			if m.Source.Offset < 0 || m.Source.Offset+int64(m.Source.Length) > int64(len(input)) {
				t.Fatalf("a source outside of the input: %+v", m.Source)
			}
			if strings.Contains(r.Table.KeyText(m.Key), run) && !bytes.Contains(input, []byte(run)) {
				t.Fatal("a key was held in the line")
			}
		}
	}
	if records != tr.Records {
		t.Fatalf("%d records, and %d were counted", records, tr.Records)
	}
}
