package trace

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// olderLine is what the reader of commit 5be6a76 read of a line. It knew nothing of a
// controller's own work.
type olderLine struct {
	T     int64 `json:"t"`
	ID    int64 `json:"id"`
	Event struct {
		Type   string `json:"type"`
		Object struct {
			Kind string `json:"kind"`
		} `json:"object"`
	} `json:"event"`
	Req  *struct{} `json:"req"`
	Resp *struct {
		Status     int    `json:"status"`
		RetryAfter string `json:"retryAfter"`
	} `json:"resp"`
	Body struct {
		Kind     string `json:"kind"`
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	} `json:"body"`
	End  *struct{} `json:"end"`
	Call *struct{} `json:"call"`
	Mark *struct{} `json:"mark"`

	Remark  *struct{} `json:"remark"`
	Problem *struct{} `json:"problem"`
	Future  *struct{} `json:"future"`
}

// worked writes one line of each kind that tells of a controller's own work.
func worked(t testing.TB, w *Writer) {
	t.Helper()
	for _, err := range []error{
		w.Work(20, Queued{Queue: "web", Fn: "AddWithOpts", Key: "shop/web", After: 5, RateLimited: true, Priority: -100}),
		w.Work(20, Queued{Queue: "web", Fn: "When", Key: "shop/web", After: 5, Requeues: 2}),
		w.Work(21, Queued{Queue: "web", Fn: "Get", Key: "shop/web", Took: 7}),
		w.Reconcile(22, 3, Begun{Controller: "web", Key: "shop/web", Worker: 1}),
		w.Write(23, 4, 3, Written{Verb: "update", URL: "/apis/apps/v1/namespaces/shop/replicasets/web/status", Key: "shop/web", RV: "17", UID: "u"}),
		w.Write(23, 5, 3, Written{Verb: "create", URL: "/api/v1/namespaces/shop/pods?dryRun=All", GenerateName: "web-"}),
		w.Write(24, 6, 0, Written{Verb: "patch", Patch: "merge", URL: "/api/v1/namespaces/shop/pods/a", Key: "shop/a"}),
		w.Wrote(25, 5, Answered{Status: 201, Key: "shop/web-x7f2k", RV: "18", UID: "v"}),
		w.Wrote(25, 4, Answered{Status: 409, Reason: "Conflict"}),
		w.Wrote(26, 6, Answered{Deleting: true, How: "reset", Error: "connection reset by peer"}),
		w.Calling(26, Called{Handler: "metrics", Fn: OnUpdate, Key: "shop/web", OldRV: "4", RV: "6", Took: 9}),
		w.Reconciled(27, 3, Finished{Took: 5, Result: ResultRequeueAfter, After: 6}),
		w.Reconciled(27, 7, Finished{Took: 5, Result: ResultError, Error: "Conflict", Message: "the object has been modified"}),
		w.Work(28, Queued{Queue: "web", Fn: "Get", Empty: true}),
		w.LeftOut(29, LeftOut{Calls: 1, Work: 2, Reconciles: 3, Writes: 4, Requests: 5, Marks: 6}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Readers that don't know the lines of a controller's own work pass over them: nothing in such a
// line is what the reader of 5be6a76 looked for.
func TestOlderReadersPassOverTheControllersWork(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{})
	if err != nil {
		t.Fatal(err)
	}
	worked(t, w)
	_, lines, _ := strings.Cut(out.String(), "\n")
	for line := range strings.Lines(lines) {
		var old olderLine
		if err := json.Unmarshal([]byte(line), &old); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		if old.T == 0 {
			t.Errorf("no time: %s", line)
		}
		old.T, old.ID = 0, 0
		if !reflect.DeepEqual(old, olderLine{}) {
			t.Errorf("an older reader takes it for something else: %s", line)
		}
	}
	if err := w.ResponseAt(1, 1, LevelMetadata, 200, "application/vnd.kubernetes.protobuf", ""); err != nil {
		t.Fatal(err)
	}
}

// The sample is what a recorder within a controller writes, and what the reader of 5be6a76 made of
// it stands beside it.
func TestOlderReadersReadTheRest(t *testing.T) {
	sample, err := os.ReadFile("testdata/worker.trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/worker-5be6a76.txt")
	if err != nil {
		t.Fatal(err)
	}
	tr := decodeSample(t, sample)
	var got strings.Builder
	for _, r := range tr.Resources {
		got.WriteString(r.Name() + "\n" + tell(r))
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	if tr.ProblemCount != 0 || len(tr.Marks) != 1 || len(tr.Resources[0].Handlers) != 1 {
		t.Errorf("%d problems, %d marks, handlers %v", tr.ProblemCount, len(tr.Marks), tr.Resources[0].Handlers)
	}
}

// Who asks for the lines that are passed over gets them all, with their times.
func TestOthers(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Mark(1, "x"); err != nil {
		t.Fatal(err)
	}
	worked(t, w)
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	var times []int64
	tr := &Trace{Others: func(at int64, line []byte) error {
		times = append(times, at)
		return nil
	}}
	d, err := NewDecoder(tr, lines[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		if err := d.Line(line, 0); err != nil {
			t.Error(err)
		}
	}
	if len(times) != len(lines)-2 || !slices.IsSorted(times) || times[0] != 20 {
		t.Error(times)
	}
}
