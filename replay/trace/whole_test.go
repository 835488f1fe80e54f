package trace

import (
	"maps"
	"strings"
	"testing"
)

// FuzzWhole: what Whole reads of an object is what a decoder reads, wherever the object is cut.
func FuzzWhole(f *testing.F) {
	for _, s := range []string{
		`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"x","uid":"u","resourceVersion":"5","labels":{"app":"web","tier":"gold"},"annotations":{"k8s.io/a":"b"},"managedFields":[]},"spec":{"x":[-1.5e3,null]}}`,
		`{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}`, `{"metadata":{"labels":{"b":"1","a":"2"}}}`, `{"metadata":{"labels":{}}}`, `{"metadata":{"labels":null}}`,
		`{"metadata":{"annotations":[]}}`, `{"metadata":{"name":"\u0061"}}`, `{"metadata":{"labels":`, `{"metadata":{"annotations":`, `{"metadata":`, `{"Kind":"a","kind":"b"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for cut := range b[:min(len(b), 2000)] {
			new(Object).Whole(b[:cut:cut], 0)
		}
		var got, want Object
		if len(b) == 0 || got.Whole(b, 0) != len(b) {
			return
		}
		if err := Decode(b, &want); err != nil {
			t.Fatalf("%q is taken: %v", b, err)
		}
		labels := maps.Clone(want.Metadata.Labels)
		for _, l := range got.Metadata.sorted {
			if v, ok := labels[l.name]; !ok || v != l.value {
				t.Fatalf("%q has the label %s=%s", b, l.name, l.value)
			}
			delete(labels, l.name)
		}
		for k, v := range got.Metadata.Labels {
			if labels[k] != v {
				t.Fatalf("%q has the label %s=%s", b, k, v)
			}
			delete(labels, k)
		}
		told := func(o *Object) string {
			m := &o.Metadata
			return strings.Join([]string{o.Kind, o.APIVersion, m.Name, m.Namespace, m.UID, m.ResourceVersion}, "\x00")
		}
		if len(labels) > 0 || told(&got) != told(&want) || got.Metadata.Annotations != want.Metadata.Annotations {
			t.Fatalf("%q is read as\n%+v\nand should be\n%+v", b, got, want)
		}
	})
}
