package costs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
)

func TestParsePath(t *testing.T) {
	for text, want := range map[string]string{
		"status":                            "[status]",
		"spec.containers.env":               "[spec containers env]",
		`metadata.annotations["a.b/c"]`:     "[metadata annotations a.b/c]",
		`data["x"].y`:                       "[data x y]",
		"":                                  "",
		".spec":                             "",
		"spec.":                             "",
		"spec..x":                           "",
		`["spec"]`:                          "",
		`spec[0]`:                           "",
		`spec["x"`:                          "",
		"spec x":                            "",
		strings.Repeat("a.", maxPath) + "a": "",
	} {
		p, ok := ParsePath(text)
		if got := fmt.Sprint([]string(p)); ok != (want != "") || ok && (got != want || p.String() != strings.Replace(text, `["x"]`, ".x", 1)) {
			t.Errorf("%s: %s as %s, %v", text, got, p, ok)
		}
	}
}

// without returns v without the fields that a path names.
func without(v any, p Path) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = without(v[i], p)
		}
	case map[string]any:
		if len(p) == 1 {
			delete(v, p[0])
		} else if inner, ok := v[p[0]]; ok {
			v[p[0]] = without(inner, p[1:])
		}
	}
	return v
}

// TestWeigh compares weights with the sizes of objects that are written anew without the fields, for
// objects of random shapes.
func TestWeigh(t *testing.T) {
	const seed = 604
	rnd := rand.New(rand.NewSource(seed))
	names := []string{"metadata", "managedFields", "spec", "a", "b", `q"\`, "ü"}
	var value func(depth int) any
	value = func(depth int) any {
		switch rnd.Intn(7 - min(depth, 4)) {
		case 0:
			return map[bool]any{true: nil, false: rnd.Intn(2) == 0}[rnd.Intn(2) == 0]
		case 1:
			return rnd.Intn(1000)
		case 2:
			return strings.Repeat(`x"{[\`, rnd.Intn(4))
		case 3:
			all := []any{}
			for range rnd.Intn(4) {
				all = append(all, value(depth+1))
			}
			return all
		}
		all := map[string]any{}
		for range rnd.Intn(5) {
			all[names[rnd.Intn(len(names))]] = value(depth + 1)
		}
		return all
	}
	size := func(v any) int {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return len(b)
	}
	for range 3000 {
		object := map[string]any{"metadata": value(0), "spec": value(0), "a": value(0)}
		compact, _ := json.Marshal(object)
		indented, _ := json.MarshalIndent(object, "", "\t")
		var drop []Path
		for range rnd.Intn(3) {
			var p Path
			for range 1 + rnd.Intn(3) {
				p = append(p, names[rnd.Intn(len(names))])
			}
			drop = append(drop, p)
		}
		s := &scale{fields: newFields()}
		managed := Path{"metadata", "managedFields"}
		s.wanted.leaveOut(managed, noManaged)
		for _, p := range drop {
			s.wanted.leaveOut(p, dropping)
		}
		w, ok := s.weigh(indented)
		metadata := size(object["metadata"])
		if !ok || w.whole != len(compact) || w.metadata != metadata {
			t.Fatalf("seed %d: %s weighs %+v", seed, compact, w)
		}
		var parts int
		for _, p := range w.parts {
			if len(s.fields.nodes[p.field].path) == 1 {
				parts += int(p.bytes)
			}
		}
		if parts+1 != w.whole { // each has a comma here, and the brackets are two
			t.Fatalf("seed %d: the parts of %s weigh %d, all of it %d", seed, compact, parts, w.whole)
		}
		lighter := func(paths ...Path) int {
			var v any
			json.Unmarshal(compact, &v)
			for _, p := range paths {
				v = without(v, p)
			}
			return size(v)
		}
		if got := w.whole - w.saved[noManaged]; got != lighter(managed) {
			t.Fatalf("seed %d: %s weighs %d without managedFields", seed, compact, got)
		}
		if got := w.whole - w.saved[dropping]; got != lighter(drop...) {
			t.Fatalf("seed %d: %s weighs %d without %v, want %d", seed, compact, got, drop, lighter(drop...))
		}
	}
}

func FuzzWeigh(f *testing.F) {
	f.Add([]byte(`{"metadata":{"name":"x","managedFields":[{}]},"spec":{"a":[1,{"b":"\""}]}}`))
	f.Add([]byte(`{"a":[[[{"a":`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := &scale{fields: newFields()}
		s.wanted.leaveOut(Path{"metadata", "managedFields"}, noManaged)
		s.wanted.leaveOut(Path{"spec", "a"}, dropping)
		w, ok := s.weigh(b)
		var compact bytes.Buffer
		if !json.Valid(b) || json.Compact(&compact, b) != nil || b[0] != '{' {
			return
		}
		if !ok || w.whole != compact.Len() {
			t.Errorf("%q weighs %+v, %v", b, w, ok)
		}
	})
}

// read weighs a capture that comes in chunks.
func read(t *testing.T, lines []string, o Options) *Report {
	t.Helper()
	r := format.NewReader(format.Options{})
	var all []byte
	o.Bytes = func(offset int64, length int) []byte { return all[offset:][:length] }
	m := New(r.Trace(), o)
	for _, l := range lines {
		all = append(append(all, l...), '\n')
		if err := r.Write([]byte(l + "\n")); err != nil {
			t.Fatal(err)
		}
		m.Grown()
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	m.Grown()
	return m.Report()
}

func pod(name, rest string) string {
	return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"shop","uid":"` + name + `","resourceVersion":"7"}` + rest + `}`
}

// TestCache: the cache holds what a list and the events after it leave there, and a list that is
// broken off changes nothing. The largest moment keeps its fields.
func TestCache(t *testing.T) {
	a, long := pod("a", ""), pod("a", `,"spec":{"nodeName":"`+strings.Repeat("n", 1000)+`"}`)
	b := pod("b", "")
	event := func(at int, typ, object string) string {
		return fmt.Sprintf(`{"t":%d,"id":2,"event":{"type":"%s","object":%s}}`, at, typ, object)
	}
	list := func(items string) string {
		return `{"t":2,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[` + items + `]}}`
	}
	begin := []string{
		`{"informerscope":"trace","version":1}`,
		`{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}`,
		`{"t":1,"id":1,"resp":{"status":200}}`,
		list(a + "," + b),
		`{"t":2,"id":1,"end":{"how":"eof"}}`,
		`{"t":3,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=9"}}`,
		`{"t":3,"id":2,"resp":{"status":200}}`,
		event(4, "MODIFIED", long),
		event(2_000_000_000, "DELETED", b),
		event(2_000_000_001, "MODIFIED", a),
	}
	r := read(t, begin, Options{Drop: []Path{{"spec"}, {"nothing"}}}).Resources[0]
	size := func(all ...string) int64 { return int64(len(strings.Join(all, ""))) }
	if h := r.Largest; h.Objects != 2 || h.Bytes != size(long, b) || h.Time != 4 || h.Dropped != size(a, b) || h.Unmanaged != h.Bytes {
		t.Errorf("at its largest: %+v", h)
	}
	if h := r.End; h.Objects != 1 || h.Bytes != size(a) {
		t.Errorf("at the end: %+v", h)
	}
	if l := r.Lists; l.Objects != 2 || l.Bytes != size(a, b)+2 {
		t.Errorf("lists: %+v", l)
	}
	if w := r.Watches; w.Objects != 3 || w.Bytes != size(long, b, a)+size(`{"type":"MODIFIED","object":}`, `{"type":"DELETED","object":}`, `{"type":"MODIFIED","object":}`)+3 {
		t.Errorf("watches: %+v", w)
	}
	if r.Second.Time != 0 || r.Second.Objects != 1 || r.Minute.Objects != 3 {
		t.Errorf("busiest: %+v, %+v", r.Second, r.Minute)
	}
	fields := fmt.Sprint(r.Fields)
	if len(r.Fields) < 4 || r.Fields[0].Path != "spec" || r.Fields[1].Path != "spec.nodeName" || r.Fields[1].Objects != 1 || r.Fields[2].Path != "metadata" {
		t.Errorf("fields: %s", fields)
	}

	again := append(begin, `{"t":2000000002,"id":2,"end":{"how":"eof"}}`,
		`{"t":2000000003,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}`, `{"t":2000000003,"id":1,"resp":{"status":200}}`)
	if h := read(t, append(again, list(b), `{"t":2000000003,"id":1,"end":{"how":"eof"}}`), Options{}).Resources[0].End; h.Objects != 1 || h.Bytes != size(b) {
		t.Errorf("after a relist: %+v", h)
	}
	if got := read(t, begin, Options{Drop: []Path{{"spec"}, {"nothing"}}}).Unknown; len(got) != 1 || got[0] != "nothing" {
		t.Errorf("unknown: %v", got)
	}
	if got := read(t, begin, Options{Resource: "nodes"}).Resources; got != nil {
		t.Errorf("another resource: %v", got)
	}
}
