package controller

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// TestRecordings reports recordings of real controllers, which "make recordings" makes: of client-go,
// of controller-runtime with and without its priority queue, and of Kubernetes' ReplicaSet controller with and
// without its guard against a stale cache. Their names have the numbers of
// stale reconciles and of duplicates. These numbers come from the API server and the cache of the
// recorded process, and not from the recording.
func TestRecordings(t *testing.T) {
	names, err := filepath.Glob("testdata/*.trace.jsonl.gz")
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	kinds := map[string]int{}
	for _, name := range names {
		base := strings.TrimSuffix(filepath.Base(name), ".trace.jsonl.gz")
		kind, counts, _ := strings.Cut(base, ".")
		kinds[kind[:strings.LastIndexByte(kind, '-')]]++
		r := read(t, name)
		c := onlyController(t, r)
		if got := fmt.Sprintf("stale%d.duplicates%d", len(c.Stale), len(c.Duplicates)); got != counts {
			t.Errorf("%s: %s", base, got)
		}
		failed := int64(0)
		for _, e := range c.Reconciles.Errors {
			failed += e.Count
		}
		errors := 0
		for _, p := range c.PutOff {
			if p.Delay == 0 || p.Until != 0 && p.Until < p.Time {
				t.Errorf("%s: %+v", base, p)
			}
			errors++
		}
		if int64(errors) != failed || failed == 0 && !strings.HasPrefix(kind, "replicaset-unguarded") || c.Queue == nil || c.Queue.Gets != c.Reconciles.Count {
			t.Errorf("%s: %d errors, %d put off, %+v", base, failed, errors, c.Queue)
		}
		switch {
		case strings.HasSuffix(kind, "-lost") != (c.Writes.Unanswered > 0):
			t.Errorf("%s: %d writes have no answer", base, c.Writes.Unanswered)
		case strings.HasSuffix(kind, "-refused") != check(c.Writes.Refused, "InternalError"):
			t.Errorf("%s: refused are %v", base, c.Writes.Refused)
		}
		for _, b := range c.Writes.Echoes {
			if b.Received == 0 || b.Duration > 3e9 {
				t.Errorf("%s: %+v", base, b)
			}
		}
	}
	for _, kind := range []string{"client-go", "workqueue", "priority", "replicaset-guarded", "replicaset-unguarded"} {
		if kinds[kind] < 4 {
			t.Errorf("%d recordings of %s", kinds[kind], kind)
		}
	}
}

func check(all []Class, name string) bool {
	for _, c := range all {
		if c.Error == name {
			return true
		}
	}
	return false
}

// read reports a recording.
func read(t *testing.T, name string) *Report {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var log worker.Log
	tr, err := file.Read(f, format.Options{OtherLine: log.Line})
	if err != nil || tr.ProblemCount > 0 {
		t.Fatal(name, err, tr.Problems)
	}
	return Summarise(tr, &log)
}
