package feed

import (
	"os"
	"testing"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
)

func TestTheBundledTrace(t *testing.T) {
	f, err := os.Open("../../web/traces/shop.trace.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tr, err := file.Read(f, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range tr.Resources {
		f := Feed{Trace: tr, Resource: r}
		if !f.Complete() || f.Len() != len(r.Records) {
			t.Fatalf("%s: %d of %d records, complete %v", r.Name(), f.Len(), len(r.Records), f.Complete())
		}
		events := 0
		for i, rec := range r.Records {
			got := f.At(i)
			if got.Kind == 0 || got.Kind == apiserver.WatchEvent && got.Delta == event.None {
				t.Fatalf("%s, record %d: %v became %v", r.Name(), i, rec.Kind, got.Kind)
			}
			if got.IsEvent() {
				events++
			}
		}
		if events != r.Events {
			t.Errorf("%s: %d events of %d", r.Name(), events, r.Events)
		}
	}
}

func TestErrorsKeepTheServersWords(t *testing.T) {
	r := format.NewReader(format.Options{})
	input := `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","resourceVersion":"7"}}}
{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old resource version: 461 (476)","reason":"Expired","code":410}}
`
	if err := r.Write([]byte(input)); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	res := r.Trace().Resources[0]
	f := Feed{Trace: r.Trace(), Resource: res}
	last := -1
	for i := range res.Records {
		if f.At(i).Delta == event.Error {
			last = i
		}
	}
	if last < 0 || f.At(last).Failure != apiserver.Expired || f.At(last).Code != 410 || f.Message(last) != "too old resource version: 461 (476)" {
		t.Errorf("record %d: %+v %q", last, f.At(max(last, 0)), f.Message(last))
	}
	if f.Message(-1) != "" || f.Message(f.Len()) != "" {
		t.Error("there are words where there is no record")
	}
}
