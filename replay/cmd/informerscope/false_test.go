package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/record"
)

// closedDisk takes nothing before it is opened.
type closedDisk struct {
	bytes.Buffer
	opened chan struct{}
}

func (d *closedDisk) Write(b []byte) (int, error) { <-d.opened; return d.Buffer.Write(b) }

// queueOfOne is a workqueue whose one key never ends.
type queueOfOne struct{}

func (queueOfOne) Add(string)                     {}
func (queueOfOne) Len() int                       { return 1 }
func (queueOfOne) Get() (string, bool)            { return "shop/web", false }
func (queueOfOne) Done(string)                    {}
func (queueOfOne) ShutDown()                      {}
func (queueOfOne) ShuttingDown() bool             { return false }
func (queueOfOne) AddAfter(string, time.Duration) {}
func (queueOfOne) AddRateLimited(string)          {}
func (queueOfOne) Forget(string)                  {}
func (queueOfOne) NumRequeues(string) int         { return 0 }

// hotLoop reconciles a key many times, as fast as it can.
func hotLoop(to record.Recording) {
	queue := record.Queue[string](to, "web", queueOfOne{})
	reconcile := record.Sync(to, "web", func(context.Context, string) error { queue.Add("shop/web"); return nil })
	for range 20_000 {
		key, _ := queue.Get()
		reconcile(context.Background(), key)
		queue.Done(key)
	}
}

// asserting is a handler that asserts a type and meets a tombstone.
type asserting struct{}

func (asserting) OnAdd(any, bool)   {}
func (asserting) OnUpdate(any, any) {}
func (asserting) OnDelete(obj any)  { _ = obj.(fmt.Stringer).String() }

// TestNothingFalse holds that what was once said of recordings and servers of this kind, and was false, is said no more, and that what
// is true of them is said. Of the eleven statements, two have tests elsewhere: what a consumer's go.mod gains
// (TestWhatAConsumersModuleGains), and a writer that hangs (TestAWriterThatHangs).
func TestNothingFalse(t *testing.T) {
	informerscope := func(args ...string) string {
		var out bytes.Buffer
		run(t.Context(), args, &out, &out)
		return regexp.MustCompile(`\s+`).ReplaceAllString(out.String(), " ")
	}
	file := func(lines string) string {
		name := filepath.Join(t.TempDir(), "a.trace.jsonl")
		if err := os.WriteFile(name, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	lossy := func() string {
		disk := &closedDisk{opened: make(chan struct{})}
		rec, err := record.New(disk, record.Options{Memory: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		hotLoop(rec)
		close(disk.opened)
		if err := rec.Close(); err != nil || rec.Lost() == 0 {
			t.Fatalf("%v, %d lost", err, rec.Lost())
		}
		return file(disk.String())
	}()
	const begins = `{"informerscope":"trace","version":1,"level":"transport"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"}}
`
	// server puts off what it is asked for, lists or watches, with a Status.
	server := func(path string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			watch := r.URL.Query().Get("watch") != ""
			switch {
			case watch == (path == "watch"):
				w.WriteHeader(http.StatusTooManyRequests)
				io.WriteString(w, `{"kind":"Status","code":429,"reason":"TooManyRequests","message":"later"}`)
			case !watch:
				io.WriteString(w, `{"metadata":{"resourceVersion":"40"},"items":[]}`)
			}
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	for _, c := range []struct {
		statement int
		says      func() string
		never     string
		always    []string
	}{
		{1, func() string { return informerscope("controller", "-q", "testdata/lostanswer.trace.jsonl.gz") },
			`duplicates 0`, []string{"duplicates 1", "created by a request whose answer was lost"}},
		{2, func() string { return informerscope("controller", "-q", lossy) }, `has not returned`, []string{"the recorder had no room for some of it"}},
		{2, func() string {
			ring, err := record.NewRing(record.RingOptions{Options: record.Options{Memory: 1 << 20}, MaxBytes: 64 << 10, Values: true})
			if err != nil {
				t.Fatal(err)
			}
			defer ring.Close()
			hotLoop(ring)
			page := httptest.NewRecorder()
			ring.ServeHTTP(page, httptest.NewRequest("GET", "/debug/informerscope/", nil))
			return page.Body.String()
		}, `shop/web for`, []string{"reconciles that have not ended: 0"}},
		{3, func() string { return informerscope("controller", "-q", lossy) }, `(reconciles|writes|duplicates|workqueue) \d`,
			[]string{"reconciles at least", "writes at least 0 accepted", "duplicates at least 0", "workqueue at least"}},
		{4, func() string {
			var crash bytes.Buffer
			triggered := ""
			ring, err := record.NewRing(record.RingOptions{CrashOutput: &crash, Triggers: record.Triggers{Panic: true}, OnTrigger: func(_ *record.Ring, why string) { triggered = why }})
			if err != nil {
				t.Fatal(err)
			}
			defer ring.Close()
			client := http.Client{Transport: ring.Wrap(nil)}
			if resp, err := client.Get(server("watch") + "/api/v1/configmaps"); err == nil {
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			func() {
				defer func() { recover() }() // the process goes on, so that the test does
				ring.Handler("web", asserting{}).OnDelete(struct {
					Key string
					Obj any
				}{"shop/web", nil})
			}()
			return triggered + "\n" + informerscope("report", "-q", file(crash.String()))
		}, `Nothing wrong`, []string{"OnDelete of the handler web, of shop/web, has panicked", "A handler panicked", "Handler web panicked in OnDelete, first for shop/web", "DeletedFinalStateUnknown", "The recording ends with it."}},
		{5, func() string {
			name := file(begins + `{"t":90000,"id":1,"end":{"how":"recorder-stopped"}}` + "\n")
			return informerscope("report", "-q", name) + informerscope("controller", "-q", name)
		}, `refused|never arrived|configmaps has not ended`, nil},
		{6, func() string { return informerscope("report", "-q", "testdata/onehandler.trace.jsonl.gz") },
			`removed|the engine makes|differ`, []string{"One handler’s name is in two informers", "configmaps, with 68 calls, and of one of configmaps #2, with 68"}},
		{7, func() string { return informerscope("doctor", "--for", "2s", "--server", server("watch")) },
			`hangs|lists again`, []string{"A watch is put off: 429", "asks for it again, without another list"}},
		{8, func() string { return informerscope("doctor", "--for", "2s", "--server", server("list")) },
			`hangs|can.t be read|can be read`, []string{"The list is put off: 429", "has its first list once it is let in"}},
		{11, func() string { // what controller-runtime's informers are given isn't recorded here, but its reconciles are
			return informerscope("report", "-q", file(begins+`{"t":10,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":20,"id":1,"event":{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","resourceVersion":"7"}}}}
{"t":30,"id":2,"reconcile":{"controller":"web","key":"shop/a","worker":1}}
{"t":2000000030,"id":2,"reconciled":{"result":"done","took":2000000000}}
`))
		}, `BEHIND|LATE|µs at most`, []string{"controller web: 1 reconcile"}},
	} {
		got := c.says()
		if m := regexp.MustCompile(c.never).FindString(got); m != "" {
			t.Errorf("statement %d: %q is said again:\n%s", c.statement, m, got)
		}
		for _, want := range c.always {
			if !strings.Contains(got, want) {
				t.Errorf("statement %d: %q is not said:\n%s", c.statement, want, got)
			}
		}
	}
}
