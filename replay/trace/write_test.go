package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	var out bytes.Buffer
	h := Header{Version: Version, Start: "2026-11-20T21:06:42Z", Recorder: "r", Server: "s", Note: "<\"\n\u2028>", Redacted: []string{"a", "b"}, Truncated: true, From: "audit", Level: AtClient, Spaced: true}
	w, err := NewWriter(&out, h)
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.Request(1, 1, "GET", "/api/v1/pods?limit=500"))
	must(w.Response(2, 1, 200, "application/json", "5"))
	must(w.Body(3, 1, []byte("{\n  \"kind\": \"PodList\",\n  \"metadata\": {\"resourceVersion\": \"5\"},\n  \"items\": [{\"metadata\": {\"name\": \"a\", \"namespace\": \"x\", \"resourceVersion\": \"4\"}}]\n}\n")))
	must(w.End(4, 1, "eof", "", nil))
	must(w.Request(5, 2, "GET", "/api/v1/pods?watch=true&resourceVersion=5"))
	must(w.Response(6, 2, 200, "application/json", ""))
	must(w.Event(7, 2, []byte(`{"type":"MODIFIED","object":{"kind":"Pod","metadata":{"name":"a","namespace":"x","resourceVersion":"6"}}}`)))
	must(w.EventOf(7, 2, "ADDED", []byte("{\n\"kind\":\"Pod\",\"metadata\":{\"name\":\"b\",\"resourceVersion\":\"7\"}}")))
	must(w.Call(8, HandlerCall{Handler: "h", Fn: OnUpdate, Key: "x/a", OldRV: "4", RV: "6", Duration: 12000, Tombstone: true, Initial: true}))
	must(w.Mark(9, "note"))
	must(w.Remark(9, Remark{ID: "deletions", Count: 2, Detail: "pods"}))
	must(w.Remark(9, Remark{ID: "deletions", Count: 1, Detail: "pods"}))
	must(w.Problem(9, Problem{Damaged, 3, 40, ItemError{1, errNoItems}, 2}))
	must(w.End(10, 2, "reset", "broken", []byte(`{"type":`)))
	must(w.Tick(11))

	for line := range bytes.Lines(out.Bytes()) {
		if !json.Valid(line) {
			t.Errorf("this line is no JSON: %s", line)
		}
	}
	tr := decodeSample(t, out.Bytes())
	if !reflect.DeepEqual(tr.Header, h) {
		t.Errorf("the header is %+v", tr.Header)
	}
	r := tr.Resources[0]
	expect(t, writeRecords(r), `
1 1 ListBegin
3 1 ListItem x/a @4
3 1 ListEnd @5
6 2 WatchOpen @5 200
7 2 WatchEvent MODIFIED x/a @6
7 2 WatchEvent ADDED b @7
10 2 WatchEnd Reset "broken"
`)
	want := Call{Time: 8, Duration: 12000, OldRV: r.Table.RV("4"), RV: r.Table.RV("6"), Key: r.Table.Key("x/a"), Fn: OnUpdate, Initial: true, Tombstone: true}
	if len(r.Handlers) != 1 || r.Handlers[0].Name != "h" || len(r.Handlers[0].Calls) != 1 || r.Handlers[0].Calls[0] != want {
		t.Errorf("the calls are %+v", r.Handlers)
	}
	if len(tr.Marks) != 1 || tr.Marks[0] != (Mark{9, "note"}) {
		t.Error(tr.Marks)
	}
	if tr.Format != "audit" || !tr.NoTimes || tr.Now != 11 {
		t.Error(tr.Format, tr.NoTimes, tr.Now)
	}
	if len(tr.Remarks) != 1 || tr.Remarks[0] != (Remark{"deletions", 3, "pods"}) {
		t.Error(tr.Remarks)
	}
	if tr.ProblemCount != 1 || tr.Lost != 2 || !slices.EqualFunc(tr.Problems, []Problem{{Damaged, 3, 40, ItemError{1, errNoItems}, 2}}, sameProblem) {
		t.Error(tr.Problems)
	}
}

type full struct{ left int }

var errFull = errors.New("disk full")

func (f *full) Write(b []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestWriterKeepsTheFirstError(t *testing.T) {
	w, err := NewWriter(&full{1}, Header{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Mark(1, "x"); !errors.Is(err, errFull) {
			t.Error(err)
		}
	}
}

// Edits stand after the header, and older ones are left out. Readers find them, with and
// without a glance.
func TestEditsFollowTheHeader(t *testing.T) {
	const header, event = `{"informerscope":"trace","version":1}` + "\n", `{"t":5,"mark":{"text":"x"}}` + "\n"
	write := func(lines, edits string) string {
		var b bytes.Buffer
		w := WithEdits(&b, edits)
		for line := range strings.Lines(lines) {
			if n, err := w.Write([]byte(line)); n != len(line) || err != nil {
				t.Fatal(n, err)
			}
		}
		return b.String()
	}
	const first, second = `{"way":[{"step":3,"line":"break watch pods"}]}`, `{"way":[]}`
	single := write(header+event, first)
	if want := header + `{"t":0,"future":` + first + "}\n" + event; single != want {
		t.Fatalf("with edits the trace is\n%s", single)
	}
	if two := write(single, second); two != header+`{"t":0,"future":`+second+"}\n"+event {
		t.Errorf("with other edits the trace is\n%s", two)
	}
	if none := write(single, ""); none != header+event {
		t.Errorf("without edits the trace is\n%s", none)
	}

	read := func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		tr := &Trace{}
		d, err := NewDecoder(tr, []byte(lines[0]))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[1:] {
			if line == "" {
				continue
			}
			if err := d.Line([]byte(line), 0); err != nil {
				t.Fatal(err)
			}
		}
		if len(tr.Marks) != 1 {
			t.Errorf("there are %d marks", len(tr.Marks))
		}
		return string(tr.Edits)
	}
	if got := read(single); got != first {
		t.Errorf("the edits are read as %s", got)
	}
	if got := read(header + event); got != "" {
		t.Errorf("where there are no edits, they are read as %s", got)
	}
	if got := read(write(header+event, `{"way":"`+strings.Repeat("x", maxEdits)+`"}`)); got != "" {
		t.Errorf("edits of %d bytes are read", len(got))
	}
}
