package format

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// FuzzRead reads anything at all, in chunks of two sizes, which must make no
// difference, and checks what came of it against encoding/json.
func FuzzRead(f *testing.F) {
	a, b := event("Pod", "a"), event("ConfigMap", "b")
	for _, s := range []string{
		a + "\n" + b + "\n", a + b, a[:30] + "\n" + b, "\ufeff" + a, "{\n \"type\":\"ADDED\",\n \"object\":{\n{\n " + a[1:],
		ownHead + ownEvent(a) + ownEvent(b), ownHead + `{"t":3,"id":1,"end":{"how":"eof"}}`,
		`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1","continue":"x"},"items":[{"metadata":{"name":"a","labels":{"x":"y"}}}]}` + a,
		`{"type":"ERROR","object":{"kind":"Status","code":410}}` + a, `{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}}`,
		"[1]", "{", "{]}\n" + a, "\x1f\x8b", "k8s\x00", a + "\xff\n" + b, a + "#" + b + b + "\n" + a, `{"informerscope":"trace","version":2}`, a + "\n!\n" + a,
	} {
		f.Add([]byte(s), 5)
	}
	f.Fuzz(func(t *testing.T, input []byte, chunk int) {
		o := Options{MaxLine: 4000}
		tr, err := read(input, len(input)+1, o)
		whole := summarize(tr, err)
		parts, err := read(input, max(1, chunk%97), o)
		if got := summarize(parts, err); got != whole || parts.Lost != tr.Lost {
			t.Fatalf("in chunks of %d\n%s, %d events lost\nwhole\n%s, %d events lost", max(1, chunk%97), got, parts.Lost, whole, tr.Lost)
		}
		for _, p := range tr.Problems {
			if p.Offset < 0 || p.Offset > int64(len(input)) || p.Line < 1 && p.Kind != trace.Missing || p.Lost < 0 || p.Line > int64(bytes.Count(input, newline))+1 {
				t.Fatalf("a problem outside of the input: %v", p)
			}
		}
		for _, r := range tr.Resources {
			for i := 1; i < r.Table.Len(); i++ {
				m := r.Table.Meta(object.Ref(i))
				place := input[m.Source.Offset : m.Source.Offset+int64(m.Source.Length)]
				raw, err := trace.Raw(place, m.Source)
				if err != nil {
					continue // of several fields of a name that differ in case, decoders take either
				}
				var x struct{ Metadata struct{ Name string } }
				if json.Unmarshal(raw, &x) != nil {
					t.Fatalf("an object that is no JSON: %q", raw)
				}
			}
		}
	})
}

// TestLinesAsEncodingJSONReadsThem compares what is read of well-formed events
// with what encoding/json reads of them, on real captures.
func TestLinesAsEncodingJSONReadsThem(t *testing.T) {
	for _, name := range []string{"pods.watch.ndjson.gz", "pods-streaminglist.ndjson.gz", "kubectl-get-configmaps-w-events.json"} {
		input := sample(t, name)
		tr, err := read(input, 1000, Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := tr.Resources[0]
		d := json.NewDecoder(bytes.NewReader(input))
		for _, x := range r.Records[1:] {
			var e struct {
				Type   string
				Object struct {
					Metadata struct{ Name, ResourceVersion string }
				}
			}
			if err := d.Decode(&e); err != nil {
				t.Fatal(err)
			}
			kind := e.Type
			if x.Kind == trace.WatchEvent {
				kind = x.Type.String()
			}
			if kind != e.Type || r.Table.RVText(x.RV) != e.Object.Metadata.ResourceVersion || r.Table.Text(r.Table.Meta(x.Obj).Name) != e.Object.Metadata.Name {
				t.Fatalf("%s: %+v is not %+v", name, x, e)
			}
		}
		if d.More() {
			t.Errorf("%s: not all was read", name)
		}
	}
}
