package record

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// logOf reads a recording, which must be whole.
func logOf(t testing.TB, recording []byte) *worker.Log {
	t.Helper()
	var log worker.Log
	tr, err := file.Read(bytes.NewReader(recording), format.Options{OtherLine: log.Line})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range tr.Problems {
		if !strings.Contains(p.Error(), "an object that the trace doesn't have") { // a handler's
			t.Fatal(p)
		}
	}
	return &log
}

// Many workers, handlers that come and go, writes and lists at once: nothing is lost, and each
// write belongs to its reconcile.
func TestEverythingAtOnce(t *testing.T) {
	r := newRecorded(t, Options{}, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if req.Method == "GET" {
			io.WriteString(w, list)
			return
		}
		io.WriteString(w, object("a", "u1", "20", ""))
	})
	queue := Queue(r.rec, "web", &fakeQueue[string]{})
	reconcile := Sync(r.rec, "web", func(ctx context.Context, key string) error {
		r.send(ctx, "PUT", "/api/v1/namespaces/shop/pods/"+key, "application/json", "{}")
		if key == "7-3" {
			panic("reconcilers may")
		}
		return nil
	})
	const workers, times = 8, 20
	var all sync.WaitGroup
	for n := range workers {
		all.Go(func() {
			for i := range times {
				h := r.rec.Handler(fmt.Sprint("h", n, "-", i), blocking{}) // added and removed
				h.OnUpdate(&meta{"shop", "a", "5"}, &meta{"shop", "a", "5"})
				func() {
					defer func() { recover() }()
					reconcile(t.Context(), fmt.Sprint(n, "-", i))
				}()
				r.get("/api/v1/pods")
			}
		})
	}
	all.Go(func() {
		for range workers * times {
			queue.AddAfter("web", time.Second)
		}
	})
	all.Wait()
	if n := r.rec.Lost(); n > 0 {
		t.Errorf("%d things are lost", n)
	}
	if err := r.rec.Close(); err != nil {
		t.Fatal(err)
	}
	log := logOf(t, r.out.Bytes())
	if len(log.Reconciles) != workers*times || len(log.Writes) != workers*times || len(log.Queued) != workers*times {
		t.Errorf("%d reconciles, %d writes and %d calls of the queue", len(log.Reconciles), len(log.Writes), len(log.Queued))
	}
	keys, panics, busy := map[int64]string{}, 0, 0
	for _, x := range log.Reconciles {
		keys[x.ID] = x.Key
		busy = max(busy, x.Worker)
		if x.Ended == 0 {
			t.Errorf("the reconcile of %s has no end", x.Key)
		}
		if x.Result == "panic" {
			panics++
		}
	}
	for _, w := range log.Writes {
		if keys[w.In] != w.Name || w.Answer.RV != "20" {
			t.Errorf("the write of %s belongs to the reconcile of %s: %+v", w.Name, keys[w.In], w)
		}
	}
	if panics != 1 || busy > workers {
		t.Errorf("%d panics, %d workers", panics, busy)
	}
}

// A disk that stands still holds no worker up, and the trace says what is missing, by kind.
func TestWhatHasNoRoomIsCounted(t *testing.T) {
	disk := &slow{news: make(chan struct{}, 1)}
	rec, err := New(disk, Options{Memory: 1 << 20, KeepSecrets: true})
	if err != nil {
		t.Fatal(err)
	}
	disk.mu.Lock()
	queue := Queue(rec, "web", &fakeQueue[string]{})
	h := rec.Handler("metrics", blocking{})
	reconcile := Sync(rec, "web", func(ctx context.Context, key string) error { return nil })
	made := 0
	for ; rec.Lost() < 10 || made < 1000; made++ {
		queue.Add("shop/web")
		h.OnUpdate(&meta{"shop", "web", "7"}, &meta{"shop", "web", "8"})
		if err := reconcile(t.Context(), "shop/web"); err != nil {
			t.Fatal(err)
		}
		rec.Mark("x")
	}
	lost := rec.Lost()
	disk.mu.Unlock()
	disk.catchUp(rec)
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	log := logOf(t, disk.out.Bytes())
	var ends int
	for _, x := range log.Reconciles {
		if x.Ended > 0 {
			ends++
		}
	}
	left := log.LeftOut
	if int(left.Work)+len(log.Queued) != made || int(left.Reconciles)+len(log.Reconciles)+ends != 2*made {
		t.Errorf("of %d: %d calls of the queue, %d beginnings and %d ends of reconciles are there; left out are %+v", made, len(log.Queued), len(log.Reconciles), ends, left)
	}
	if calls := strings.Count(disk.out.String(), `"call":`); calls+int(left.Calls) != made {
		t.Errorf("of %d calls %d are there; left out are %+v", made, calls, left)
	}
	if sum := left.Calls + left.Work + left.Reconciles + left.Writes + left.Requests + left.Marks; sum != rec.Lost() || sum < lost {
		t.Errorf("left out are %+v, and Lost says %d", left, rec.Lost())
	}
}

// A write of 100 MB is recorded with its metadata, and costs the memory of its beginning.
func TestAWriteOf100MB(t *testing.T) {
	size := 0
	r := newRecorded(t, Options{}, func(w http.ResponseWriter, req *http.Request) {
		n, _ := io.Copy(io.Discard, req.Body)
		size = int(n)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, object("a", "u1", "20", ""))
	})
	body := object("a", "u1", "19", "") + strings.Repeat(" ", 100<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r.send(t.Context(), "PUT", "/api/v1/namespaces/shop/pods/a", "application/json", body)
	runtime.ReadMemStats(&after)
	if size != len(body) {
		t.Errorf("the server got %d bytes", size)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
		t.Errorf("%d bytes were allocated", took)
	}
	compare(t, r.lines(), `
{"t":0,"id":1,"write":{"verb":"update","url":"/api/v1/namespaces/shop/pods/a","key":"shop/a","rv":"19","uid":"u1"}}
{"t":0,"id":1,"wrote":{"status":200,"rv":"20","uid":"u1"}}
`)
}

// An answer of 100 MB comes to the controller as it is. The recorder leaves it out if it is longer
// than it may hold, and says so.
func TestAnAnswerOf100MB(t *testing.T) {
	line := []byte(strings.Repeat("x", 1<<20-1) + "\n")
	r := newRecorded(t, Options{Memory: 64 << 20}, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", req.URL.Query().Get("type"))
		for range 100 {
			w.Write(line)
		}
	})
	for _, path := range []string{"/api/v1/pods?type=application/json", "/api/v1/pods?type=application/vnd.kubernetes.protobuf", "/api/v1/pods?watch=1&type=application/vnd.kubernetes.protobuf", "/api/v1/pods?watch=1&type=application/cbor-seq"} {
		r.rec.flush() // where the last answer still waits to be written, a request may be left out whole
		resp, err := r.client.Get(r.server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, resp.Body); n != 100<<20 || err != nil {
			t.Errorf("the controller got %d bytes, %v", n, err)
		}
		resp.Body.Close()
	}
	got := r.lines()
	rest := 0 // the bytes of what tells of no loss: how often something is left out depends on the machine
	for line := range strings.Lines(got) {
		if !strings.Contains(line, "left out of request") {
			rest += len(line)
		}
	}
	if strings.Count(got, "left out of request") < 4 || strings.Count(got, `"end":{"how":"eof","error":"`) != 4 || rest > 3000 {
		t.Errorf("%.3000s", got)
	}
}

// After Close, which may come twice and from several goroutines, everything goes on without being
// recorded.
func TestCloseTwice(t *testing.T) {
	r := newRecorded(t, Options{}, func(w http.ResponseWriter, req *http.Request) { io.WriteString(w, "{}") })
	queue := Queue(r.rec, "web", &fakeQueue[string]{items: []string{"a"}})
	h := r.rec.Handler("metrics", blocking{})
	inside, over := make(chan struct{}), make(chan struct{})
	reconcile := Sync(r.rec, "web", func(ctx context.Context, key string) error {
		close(inside)
		<-over
		r.send(ctx, "DELETE", "/api/v1/nodes/n", "", "")
		return nil
	})
	var all sync.WaitGroup
	all.Go(func() {
		if err := reconcile(context.Background(), "a"); err != nil {
			t.Error(err)
		}
	})
	<-inside
	for range 4 {
		all.Go(func() {
			if err := r.rec.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	if err := r.rec.Close(); err != nil {
		t.Error(err)
	}
	written := r.out.String()
	close(over)
	all.Wait()
	queue.Add("a")
	if key, _ := queue.Get(); key != "a" {
		t.Error("the queue is not passed on")
	}
	h.OnUpdate(nil, nil)
	r.rec.Mark("late")
	if r.out.String() != written || !strings.Contains(written, `"reconcile":{"controller":"web"`) {
		t.Errorf("after Close it is %s", r.out.String())
	}
}
