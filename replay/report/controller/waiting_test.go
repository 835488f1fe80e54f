package controller

import (
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// TestDumpsOfStuckControllers reads dumps of real controllers that were stuck, which "make recordings"
// makes.
func TestDumpsOfStuckControllers(t *testing.T) {
	for name, want := range map[string]Waiting{
		"streaming": {Kind: AStreamingList, Resource: "configmaps in shop", Events: 2},
		"handler":   {Kind: ACall, Handler: "web", Fn: "OnUpdate", Key: "shop/a", Behind: 4},
		"halfopen":  {Kind: AWatch, Resource: "configmaps in shop", Events: 1},
	} {
		f, err := os.Open("testdata/stuck/" + name + ".trace.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		var log worker.Log
		tr, err := file.Read(f, format.Options{OtherLine: log.Line})
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		all := Summarise(tr, &log).Waiting
		if len(all) != 1 || (all[0].Unseen != nil) != (name == "halfopen") || all[0].Duration <= 0 {
			t.Errorf("%s: %+v", name, all)
			continue
		}
		got := all[0]
		got.Unseen, got.Since, got.Last, got.Duration = nil, 0, 0, 0
		if got.Kind == AWatch {
			got.Events = 1 // as many as had come
		}
		if got != want {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

func TestWaiting(t *testing.T) {
	const calling = `{"t":500,"calling":{"handler":"web","fn":"OnAdd","key":"shop/a","rv":"9","took":100}}`
	returned := strings.Replace(strings.Replace(calling, `"calling"`, `"call"`, 1), `"t":500`, `"t":600`, 1)
	const asked, came = `{"t":390,"id":2,"end":{"how":"eof"}}`, `{"t":400,"id":3,"req":{"method":"GET","url":"/api/v1/pods"}}`
	streams := `{"t":400,"id":3,"req":{"method":"GET","url":"/api/v1/pods?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"}}`
	answered := `{"t":401,"id":3,"resp":{"status":200,"contentType":"application/json"}}`
	minutes := `{"t":600000000000}`
	bookmark := `{"t":500000000000,"id":2,"event":{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"12"}}}}`
	unseen := []string{begin("100", "11"), create("110", "12", "11"), wrote("120", "12", `"status":201,"key":"shop/web-a","rv":"12","uid":"a"`), end("130", "11", done)}
	for _, c := range []struct {
		what  string
		lines []string
		want  string
	}{
		{"a watch that is open", nil, ""},
		{"a silent watch", []string{minutes}, AWatch},
		{"a watch with a bookmark", []string{bookmark, minutes}, ""},
		{"an own write that has just been accepted", append(unseen, `{"t":2000000}`), ""},
		{"an own write that never came", append(unseen, `{"t":2000000000}`), AWatch},
		{"an own write that came", append(unseen, event("200", "ADDED", "web-a", "a", "12"), `{"t":2000000000}`), ""},
		{"a watch that ended", append(unseen, asked, `{"t":2000000000}`), ""},
		{"a call", []string{calling}, ACall},
		{"a call that returned", []string{calling, returned}, ""},
		{"a call that was seen twice", []string{calling, strings.Replace(strings.Replace(calling, "500", "700", 1), "100", "300", 1)}, ACall},
		{"a reconcile", []string{begin("100", "11"), `{"t":2000000000}`}, AReconcile},
		{"a list", []string{asked, came, answered, `{"t":2000000000}`}, AList},
		{"a streaming list without the head of an answer", []string{asked, streams, `{"t":2000000000}`}, AStreamingList},
		{"the same, where the recorder has stopped", []string{asked, streams, `{"t":2000000000,"id":3,"end":{"how":"recorder-stopped"}}`}, AStreamingList},
		{"a streaming list that was refused", []string{asked, streams, `{"t":500,"id":3,"end":{"how":"refused","error":"dial"}}`, `{"t":2000000000}`}, ""},
		{"a list that has just begun", []string{asked, came, answered, `{"t":900}`}, ""},
		{"a reconcile whose worker has begun another one", []string{begin("100", "11"), begin("200", "12"), end("300", "12", done), `{"t":2000000000}`}, ""},
		{"a reconcile that has just begun", []string{begin("100", "11")}, ""},
	} {
		r := reportOf(t, c.lines...)
		got := ""
		for _, w := range r.Waiting {
			got += w.Kind
		}
		if got != c.want {
			t.Errorf("%s: %+v", c.what, r.Waiting)
		}
	}
}
