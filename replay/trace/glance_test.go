package trace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// FuzzGlance: Glance and Decode read the same from an event, if it is JSON and Glances
// says so.
func FuzzGlance(f *testing.F) {
	const pod = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"c","resourceVersion":"7","labels":{"x":"1","y":""},"managedFields":[{"f:\\":{"k:{\"a\"}":["]","\\\\"]}}]},"spec":{"a":[1,{}]}}`
	for _, s := range []string{
		`{"type":"ADDED","object":` + pod + `}`, `{"object":` + pod + `,"type":"ADDED"}`, `{"type":"A","type":"B","object":` + pod + `}`,
		`{"type":"A","object":{"kind":"Pod","metadata":{"Name":"x","name":"a"}}}`, `{"type":"A","object":{"kind":"Pod","Kind":"x"}}`,
		`{"type":"A","object":{"kind":"Pod","metadata":{"labels":{"b":"","a":""}}}}`, `{"type":"A","object":{"kind":"Pod","metadata":{"labels":{}},"metadata":{"labels":{"a":"b"}}}}`,
		`{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}}`,
		`{"type":"A","object":{"kind":"Pod","metadata":{"annotations":{"a":"b"}}}}`, `{"type":"A","object":{"kind":"P\u006fd"}}`, `{"type":"A","object":{"kind":"P\xff"}}`,
		`{"type":"A","object":{"kind":"Pod","metadata":null}}`, `{"type":"A" ,"object":{"kind":"Pod"}}`, `{"type":"A","object":{"kind":"Pod","x":[}]}}`, `{"type":"A","object":{"kind":"Pod"}}}`,
		`{"type":"A","object":{"kind":"Pod","metadata":{"x":` + strings.Repeat("[", jsonscan.MaxDepth-3) + strings.Repeat("]", jsonscan.MaxDepth-3) + `}}}`,
		`{"type":"A","object":{"kind":"Pod","x":` + strings.Repeat("[", jsonscan.MaxDepth) + strings.Repeat("]", jsonscan.MaxDepth) + `}}`,
	} {
		f.Add([]byte(s + "\n"))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var got, want Event
		n := got.Glance(b)
		if n == 0 {
			return
		}
		if bytes.IndexByte(b[:n], '\n') >= 0 {
			t.Fatal("more than one line")
		}
		if _, same := Glances(b, false); !same {
			return
		}
		b = b[:n]
		if !jsonscan.WithinMaxDepth(b) {
			t.Fatal("nested too deep")
		}
		err := want.Decode(b)
		if err != nil && json.Valid(b) {
			t.Fatalf("Decode refuses an event that Glance takes and that is JSON: %v", err)
		}
		if err != nil {
			return
		}
		g, w := got.Object.Metadata, want.Object.Metadata
		if got.Type != want.Type || got.Object.Kind != want.Object.Kind || got.Object.APIVersion != want.Object.APIVersion ||
			g.Name != w.Name || g.Namespace != w.Namespace || g.UID != w.UID || g.ResourceVersion != w.ResourceVersion || g.InitialEventsEnd != w.InitialEventsEnd {
			t.Fatalf("Glance: %+v\nDecode: %+v", got, want)
		}
		if !slices.Equal(g.labels, w.labels) {
			t.Fatalf("labels: Glance %v, Decode %v", g.labels, w.labels)
		}
		if !slices.IsSortedFunc(g.labels, func(a, b label) int { return cmp.Compare(a.name, b.name) }) {
			t.Fatalf("labels are not sorted: %v", g.labels)
		}
	})
}

// The order of the members and the end of the line don't matter.
func TestGlances(t *testing.T) {
	for text, want := range map[string]bool{
		`{"type":"A","object":{"kind":"Pod"}}`:                                       true,
		`{"object":{"kind":"Pod"},"type":"A"}`:                                       true,
		`{"object":{"spec":{},"metadata":{},"kind":"Pod"},"type":"A"}`:               true,
		`{"type":"A","object":{"kind":"Pod"}} `:                                      false,
		`{"type":"A","object":{"kind":"Pod"}`:                                        false,
		`{"type":"A","object":{"kind":"Pod"},"more":1}`:                              false,
		`{"type":"A","object":{"metadata":{}}}`:                                      false,
		`{"object":{"kind":"Pod"},"type":"A`:                                         false,
		`{"object":{"kind":"Pod"},"type":"\u0041"}`:                                  false,
		`{"type":"A","object":{"kind":"Pod","metadata":{"labels":{"a":1}}}}`:         false,
		`{"type":"A","object":{"kind":"Pod","metadata":{"labels":{"a":"","a":""}}}}`: false,
	} {
		if n, same := Glances([]byte(text+"\n"), false); want != (n == len(text) && same) {
			t.Errorf("%s: the length is %d, and the same is read: %v", text, n, same)
		}
	}
	for text, want := range map[string]bool{
		`{"t":12,"id":1,"event":{"type":"A","object":{"kind":"Pod"}}}`:                  true,
		`{"event":{"type":"A","object":{"kind":"Pod"}},"id":1,"t":12}`:                  true,
		`{"t":-1,"id":1,"event":{"type":"A","object":{"kind":"Pod"}}}`:                  false,
		`{"t":01,"id":1,"event":{"type":"A","object":{"kind":"Pod"}}}`:                  false,
		`{"t":1e3,"id":1,"event":{"type":"A","object":{"kind":"Pod"}}}`:                 false,
		`{"t":9999999999999999999,"id":1,"event":{"type":"A","object":{"kind":"Pod"}}}`: false,
		`{"t":1,"id":1,"end":{"how":"eof"}}`:                                            false,
	} {
		if n, same := Glances([]byte(text+"\n"), true); want != (n == len(text) && same) {
			t.Errorf("%s: the length is %d, and the same is read: %v", text, n, same)
		}
	}
	const event = `{"type":"A","object":{"kind":"Pod"}}`
	for end, want := range map[string]int{"\n": len(event), "\r\n": len(event), "\n" + event: len(event), "": 0, "\r": 0, "\r\r\n": 0, " \n": 0, event + "\n": 0} {
		if got, _ := Glances([]byte(event+end), false); got != want {
			t.Errorf("with %q behind it the length is %d, want %d", end, got, want)
		}
	}
}

// A glance stops at managedFields, and Glances finds out if it should not have.
func TestAGlanceThatStops(t *testing.T) {
	event := func(metadata, behind string) string {
		return `{"type":"A","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"c","resourceVersion":"7",` + metadata + `}` + behind + `}}`
	}
	const fields = `"managedFields":[{"f:a":{}}]`
	deep := strings.Repeat("[", jsonscan.MaxDepth) + strings.Repeat("]", jsonscan.MaxDepth)
	for text, want := range map[string]bool{
		event(fields, ""): true,
		event(`"labels":{"a":"b"},`+fields, `,"a":1`): true,
		event(fields, `,"spec":{"a";1}`):              true, // a check finds it
		event(fields+`,"labels":{"a":"b"}`, ""):       false,
		event(fields+`,"name":"b"`, ""):               false,
		event(fields, `,"kind":"Node"`):               false,
		event(fields, `,"spec":`+deep):                false,
		event(fields, `,"spec":{`):                    false,
		event(fields, "") + event(fields, ""):         false,
	} {
		n, same := Glances([]byte(text+"\r\n"), false)
		if n != len(text) || same != want {
			t.Errorf("%s: the length is %d, and the same is read: %v", text, n, same)
		}
		line := `{"t":1,"id":2,"event":` + text + `}`
		if n, same := Glances([]byte(line+"\n"), true); n != len(line) || same != want {
			t.Errorf("%s: the length is %d, and the same is read: %v", line, n, same)
		}
	}
	// A glance doesn't stop where more is to come, nor at the end of a line that was cut.
	late := `{"id":2,"event":` + event(fields, "") + `,"t":1}`
	if n, same := Glances([]byte(late+"\n"), true); n != len(late) || !same {
		t.Errorf("with a time behind the event the length is %d, and the same is read: %v", n, same)
	}
	if n, _ := Glances([]byte(event(fields, `,"spec":{}`)[:120]+"\n"), false); n != 0 {
		t.Errorf("a line that was cut has the length %d", n)
	}
}

// FuzzObject: Object.Decode reads what encoding/json decodes, and finds no fault in anything else.
func FuzzObject(f *testing.F) {
	for _, s := range []string{
		`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"c","resourceVersion":"7","labels":{"x":"1","y":""},"managedFields":[{}]},"spec":{}}`,
		`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"x","uid":"u","resourceVersion":"5","labels":{"app":"web","tier":"gold"},"annotations":{"k8s.io/a":"b"},"managedFields":[]},"spec":{"x":[-1.5e3,null]}}`,
		`{"metadata": {"name" : "a", "labels": {"b": "1", "a": "2"}}, "kind": "\u0041"}`, `{"metadata":null,"kind":"A"}`, `{"metadata":{}}`, `{"metadata":5}`, `{"metadata":{"name":5}}`,
		`{"kind":"A"}`, `[]`, `null`, `{"metadata":{"name":"a"}`, `{"Metadata":{"Name":"a"}}`, `{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}`,
		`{"metadata":{"labels":{"b":"1","a":"2","a":"3"}}}`, `{"metadata":{"labels":{"a":"1"},"labels":{"b":"2","a":"3"}}}`, `{"metadata":{"labels":{}}}`, `{"metadata":{"labels":null}}`, `{"metadata":{"labels":{"a":null}}}`,
		`{"metadata":{"annotations":[]}}`, `{"metadata":{"name":"\u0061"}}`, `{"metadata":{"labels":`, `{"metadata":{"annotations":`, `{"metadata":`, `{"Kind":"a","kind":"b"}`, `{"metadata":{"name":"a"},"metadata":{"uid":"b"}}`,
	} {
		f.Add([]byte(s))
	}
	var got Object // its memory is used again
	f.Fuzz(func(t *testing.T, b []byte) {
		if !jsonscan.WithinMaxDepth(b) {
			return
		}
		var want struct {
			Kind       string `json:"kind"`
			APIVersion string `json:"apiVersion"`
			Metadata   struct {
				Name            string            `json:"name"`
				Namespace       string            `json:"namespace"`
				UID             string            `json:"uid"`
				ResourceVersion string            `json:"resourceVersion"`
				Labels          map[string]string `json:"labels"`
				Annotations     struct {
					InitialEventsEnd string `json:"k8s.io/initial-events-end"`
				} `json:"annotations"`
			} `json:"metadata"`
		}
		gotErr, wantErr := got.Decode(b), json.Unmarshal(b, &want)
		if (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("the error is %v, and should be %v", gotErr, wantErr)
		}
		if gotErr != nil {
			return
		}
		g, w := &got.Metadata, &want.Metadata
		labels := map[string]string{}
		for name, value := range g.Labels() {
			labels[name] = value
		}
		if got.Kind != want.Kind || got.APIVersion != want.APIVersion || g.Name != w.Name || g.Namespace != w.Namespace || g.UID != w.UID || g.ResourceVersion != w.ResourceVersion ||
			g.InitialEventsEnd != w.Annotations.InitialEventsEnd || len(labels) != len(g.labels) || len(labels)+len(w.Labels) > 0 && !maps.Equal(labels, w.Labels) {
			t.Fatalf("%q is read as %+v, and should be %+v", b, got, want)
		}
	})
}
