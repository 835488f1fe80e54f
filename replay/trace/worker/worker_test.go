package worker

import (
	"bytes"
	"os"
	"reflect"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

func read(t testing.TB, b []byte) *Log {
	t.Helper()
	var l Log
	tr, err := file.Read(bytes.NewReader(b), format.Options{OtherLine: l.Line})
	if err != nil {
		t.Fatal(err)
	}
	if tr.ProblemCount > 0 {
		t.Fatal(tr.Problems)
	}
	return &l
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	var out bytes.Buffer
	w, err := trace.NewWriter(&out, trace.Header{})
	if err != nil {
		t.Fatal(err)
	}
	begun := trace.ReconcileStart{Controller: "web", Key: "shop/web", Worker: 2}
	update := trace.Written{Verb: "update", URL: "/apis/apps/v1/namespaces/shop/replicasets/web/status", Key: "shop/web", RV: "17", UID: "u"}
	create := trace.Written{Verb: "create", URL: "/api/v1/namespaces/shop/pods?dryRun=All&x", GenerateName: "web-"}
	patch := trace.Written{Verb: "patch", Patch: "merge", URL: "/api/v1/nodes/n", Key: "n"}
	created := trace.WriteResult{Status: 201, Key: "shop/web-x7f2k", RV: "18", UID: "v"}
	conflict := trace.WriteResult{Status: 409, Reason: "Conflict"}
	reset := trace.WriteResult{Deleting: true, Ending: "reset", Error: "connection reset by peer"}
	again := trace.Finished{Duration: 5, Result: trace.ResultRequeueAfter, After: 6}
	failed := trace.Finished{Duration: 20, Result: trace.ResultError, Error: "Conflict", Message: "the object has been modified"}
	opts := trace.Queued{In: 3, From: "channel", Queue: "web", Fn: "AddWithOpts", Key: "shop/web", After: 5, RateLimited: true, Priority: -100}
	when := trace.Queued{Queue: "web", Fn: "When", Key: "shop/web", After: 5, Requeues: 2}
	get := trace.Queued{Queue: "web", Fn: "Get", Duration: 7, Empty: true}
	calling := trace.HandlerCall{ID: 9, Handler: "metrics", Fn: trace.OnUpdate, Key: "shop/web", OldRV: "4", RV: "6", Duration: 9, Initial: true, Tombstone: true}
	fault := trace.Fault{Kind: trace.FaultChanged, Name: "metrics", Fn: "OnUpdate", Key: "shop/web", RV: "6"}
	for _, err := range []error{
		w.Work(20, opts), w.Work(21, when), w.Work(22, get),
		w.Reconcile(23, 3, begun),
		w.Write(24, 4, 3, update), w.Write(25, 5, 3, create), w.Write(26, 6, 0, patch),
		w.Wrote(27, 5, created), w.Wrote(28, 4, conflict), w.Wrote(29, 6, reset),
		w.Wrote(29, 99, reset),
		w.Calling(30, calling),
		w.Fault(30, fault), w.Fault(31, fault),
		w.Reconciled(31, 3, again),
		w.Reconcile(32, 8, begun),
		w.Reconciled(50, 7, failed), // its beginning is not there
		w.Omitted(51, trace.Omitted{Calls: 1, Work: 2, Reconciles: 3, Writes: 4, Requests: 5, Marks: 6}),
		w.Omitted(52, trace.Omitted{Since: 7, Work: 2}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := read(t, out.Bytes())
	got.open = nil
	path := func(url string) trace.Path {
		p, _ := trace.ParsePath(url)
		return p
	}
	want := &Log{
		Worked: true,
		Faults: []Fault{{fault, 30, 31, 2}},
		Queued: []Queued{{20, opts}, {21, when}, {22, get}},
		Reconciles: []Reconcile{
			{ID: 3, ReconcileStart: begun, Began: 23, Ended: 31, Finished: again},
			{ID: 8, ReconcileStart: begun, Began: 32},
			{ID: 7, Began: 30, Ended: 50, Finished: failed},
		},
		Writes: []Write{
			{ID: 4, In: 3, Written: update, Path: path(update.URL), Sent: 24, Answered: 28, Answer: conflict},
			{ID: 5, In: 3, Written: create, Path: path(create.URL), DryRun: true, Sent: 25, Answered: 27, Answer: created},
			{ID: 6, Written: patch, Path: path(patch.URL), Sent: 26, Answered: 29, Answer: reset},
		},
		Calling: []Calling{{30, calling}},
		Losses:  []Loss{{0, 51}, {7, 52}},
		LeftOut: trace.Omitted{Calls: 1, Work: 4, Reconciles: 3, Writes: 4, Requests: 5, Marks: 6},
		Steps: []Step{
			{Called, 0}, {Called, 1}, {Called, 2}, {Began, 0}, {Sent, 0}, {Sent, 1}, {Sent, 2}, {Answered, 1}, {Answered, 0}, {Answered, 2},
			{Ended, 0}, {Began, 1}, {Ended, 2},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if w := &got.Writes[1]; w.Key() != "shop/web-x7f2k" || w.Changed() || w.Subresource != "" {
		t.Errorf("%+v", w)
	}
	if w := &got.Writes[0]; w.Key() != "shop/web" || w.Changed() || w.Subresource != "status" || w.Resource != "replicasets" {
		t.Errorf("%+v", w)
	}
}

// What has ended is forgotten, and the end of what goes on is read as before.
func TestForget(t *testing.T) {
	var l Log
	lines := func(all ...string) {
		for _, line := range all {
			if err := l.Line(7, []byte(line)); err != nil {
				t.Fatal(err)
			}
		}
	}
	lines(`{"id":1,"reconcile":{"controller":"web","key":"a"}}`, `{"id":1,"reconciled":{"result":"done"}}`, `{"id":2,"reconcile":{"controller":"web","key":"b"}}`,
		`{"id":3,"in":1,"write":{"verb":"update"}}`, `{"id":4,"in":2,"write":{"verb":"patch"}}`, `{"id":3,"wrote":{"status":200}}`, `{"work":{"queue":"web","fn":"Add"}}`)
	l.Forget()
	if len(l.Reconciles) != 1 || l.Reconciles[0].Key != "b" || len(l.Writes) != 1 || l.Writes[0].Verb != "patch" || len(l.Queued)+len(l.Steps) > 0 {
		t.Errorf("%+v", l)
	}
	lines(`{"id":4,"wrote":{"status":409}}`, `{"id":2,"reconciled":{"result":"error"}}`)
	if l.Reconciles[0].Result != trace.ResultError || l.Writes[0].Answer.Status != 409 || !reflect.DeepEqual(l.Steps, []Step{{Answered, 0}, {Ended, 0}}) {
		t.Errorf("%+v", l)
	}
	if l.Forget(); len(l.Reconciles)+len(l.Writes)+len(l.open) > 0 {
		t.Errorf("%+v", l)
	}
}

// A line of a kind that is younger than this package is passed over.
func TestUnknownKinds(t *testing.T) {
	var l Log
	if err := l.Line(1, []byte(`{"t":1,"younger":{"key":"a"}}`)); err != nil || !reflect.DeepEqual(l, Log{}) {
		t.Errorf("%v, %+v", err, l)
	}
	if err := l.Line(1, []byte(`{"t":1,"work":{"queue":7}}`)); err == nil {
		t.Error("a queue whose name is a number is read")
	}
}

func FuzzLine(f *testing.F) {
	sample, err := os.ReadFile("../testdata/worker.trace.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.Lines(sample) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if !jsonscan.WithinMaxDepth(line) { // as Readers see to it
			return
		}
		var l Log
		for range 2 {
			if err := l.Line(1, line); err != nil {
				return
			}
		}
		if len(l.Writes)+len(l.Reconciles)+len(l.Queued)+len(l.Calling) > 4 {
			t.Fatalf("%+v", l)
		}
	})
}
