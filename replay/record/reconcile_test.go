package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// result has the fields of controller-runtime's reconcile.Result.
type result struct {
	Requeue      bool
	RequeueAfter time.Duration
}

// namespacedName has the fields and the text of types.NamespacedName.
type namespacedName struct{ Namespace, Name string }

func (n namespacedName) String() string { return n.Namespace + "/" + n.Name }

// request is a reconcile.Request.
type request struct{ namespacedName }

// apiError is an apierrors.StatusError.
type apiError struct{ status status }

type status struct {
	Reason reason
	Code   int32
}

type reason string

func (e *apiError) Error() string  { return "the server says " + string(e.status.Reason) }
func (e *apiError) Status() status { return e.status }

// rude panics when it is asked.
type rude struct{}

func (rude) Error() string { panic("rude") }

// What a reconcile reads is recorded if it begins soon after a write for its key, and belongs to it.
func TestSaw(t *testing.T) {
	r := newRecorded(t, Options{}, ignore)
	asked := 0
	read := func(ctx context.Context, key, version string) {
		Saw(ctx, r.rec, "Pod", key, func() string { asked++; return version })
	}
	reconcile := func(key string, f func(ctx context.Context)) {
		Sync(r.rec, "web", func(ctx context.Context, _ string) error { f(ctx); return nil })(t.Context(), key)
	}
	write := func(ctx context.Context) {
		req, err := http.NewRequestWithContext(ctx, "DELETE", r.server.URL+"/api/v1/namespaces/shop/pods/a", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := r.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	reconcile("shop/a", func(ctx context.Context) { read(ctx, "", "7"); write(ctx); read(ctx, "", "7") })
	reconcile("shop/b", func(ctx context.Context) { read(ctx, "", "7") })
	read(t.Context(), "", "7")
	Saw(t.Context(), (*Recorder)(nil), "Pod", "", nil)
	if asked != 0 {
		t.Errorf("%d reads are recorded without a write before", asked)
	}
	reconcile("shop/a", func(ctx context.Context) {
		read(ctx, "", "8")
		read(ctx, "shop/a", "6")
		read(ctx, "shop/a", "")
		for range 2 * mostLooks {
			read(ctx, "", "9")
		}
	})
	if asked != mostLooks {
		t.Errorf("%d reads are looked at, of %d", asked, mostLooks)
	}
	begins := strings.LastIndex(r.lines(), `"reconcile":{`)
	last := r.lines()[begins:]
	for _, want := range []string{`"saw":{"kind":"Pod","rv":"8"}}`, `"saw":{"kind":"Pod","key":"shop/a","rv":"6"}}`} {
		if strings.Count(last, want) != 1 {
			t.Errorf("%s isn't in\n%s", want, last)
		}
	}
	if n := strings.Count(r.lines(), `"saw"`); n != mostLooks-1 {
		t.Errorf("%d reads are recorded:\n%s", n, r.lines())
	}
}

func TestReconcile(t *testing.T) {
	r := newRecorded(t, Options{}, ignore)
	reconcile := func(res result, err error) {
		t.Helper()
		f := Reconcile(r.rec, "web", func(_ context.Context, req request) (result, error) { return res, err })
		if got, same := f(t.Context(), request{namespacedName{"shop", "web"}}); got != res || same != err {
			t.Errorf("it returned %v, %v", got, same)
		}
	}
	reconcile(result{}, nil)
	reconcile(result{Requeue: true}, nil)
	reconcile(result{Requeue: true, RequeueAfter: time.Second}, nil)
	reconcile(result{RequeueAfter: -1}, nil)
	reconcile(result{RequeueAfter: 1}, errors.New("no"))
	reconcile(result{}, fmt.Errorf("updating: %w", &apiError{status{"Conflict", 409}}))
	reconcile(result{}, errors.Join(errors.New("a"), fmt.Errorf("b: %w", &apiError{status{"", 500}})))
	reconcile(result{}, fmt.Errorf("c: %w", context.Canceled))
	reconcile(result{}, context.DeadlineExceeded)
	reconcile(result{}, fmt.Errorf("d: %w", &http.MaxBytesError{}))
	reconcile(result{}, rude{})
	reconcile(result{}, (*apiError)(nil))
	if _, err := Reconcile(r.rec, "web", func(_ context.Context, req request) (*result, error) { return nil, nil })(t.Context(), request{namespacedName{"", "n"}}); err != nil {
		t.Error(err)
	}
	if err := Sync(r.rec, "node", func(context.Context, string) error { return nil })(t.Context(), "n"); err != nil {
		t.Error(err)
	}
	func() {
		defer func() {
			if recover() != "reconcilers may" {
				t.Error("the panic is lost")
			}
		}()
		Sync(r.rec, "node", func(context.Context, string) error { panic("reconcilers may") })(t.Context(), "n")
	}()
	begin := `"reconcile":{"controller":"web","key":"shop/web","worker":1}}`
	var want strings.Builder
	for i, end := range []string{
		`"result":"done"`, `"result":"requeue"`, `"result":"requeueAfter","after":1000000000`, `"result":"done"`,
		`"result":"error","error":"error","message":"no"`,
		`"result":"error","error":"Conflict","message":"updating: the server says Conflict"`,
		`"result":"error","error":"Unknown","message":"a\nb: the server says "`,
		`"result":"error","error":"Canceled","message":"c: context canceled"`,
		`"result":"error","error":"DeadlineExceeded","message":"context deadline exceeded"`,
		`"result":"error","error":"*http.MaxBytesError","message":"d: http: request body too large"`,
		`"result":"error","error":"record.rude"`,
		`"result":"error","error":"error"`,
		`"result":"done"`, `"result":"done"`, `"result":"panic"`,
	} {
		switch i {
		case 12:
			begin = strings.Replace(begin, "shop/web", "n", 1)
		case 13:
			begin = strings.Replace(begin, `"web"`, `"node"`, 1)
		}
		result, more, _ := strings.Cut(end, ",")
		if more != "" {
			more = "," + more
		}
		fmt.Fprintf(&want, "{\"t\":0,\"id\":%d,%s\n{\"t\":0,\"id\":%d,\"reconciled\":{%s,\"took\":0%s}}\n", i+1, begin, i+1, result, more)
	}
	compare(t, r.lines(), want.String())
}

// Each reconcile has the lowest worker that is free, and the writes made with its context.
func TestWorkers(t *testing.T) {
	r := newRecorded(t, Options{}, func(w http.ResponseWriter, req *http.Request) { io.WriteString(w, "{}") })
	inside, done := make(chan string), map[string]chan struct{}{"a": make(chan struct{}), "b": make(chan struct{}), "c": make(chan struct{})}
	sync1 := Sync(r.rec, "web", func(ctx context.Context, key string) error {
		r.send(ctx, "DELETE", "/api/v1/nodes/"+key, "", "")
		inside <- key
		<-done[key]
		return nil
	})
	var all sync.WaitGroup
	start := func(key string) {
		all.Go(func() {
			if err := sync1(context.Background(), key); err != nil {
				t.Error(err)
			}
			inside <- "end"
		})
		<-inside
	}
	start("a")
	start("b")
	close(done["a"])
	<-inside
	start("c")
	close(done["b"])
	<-inside
	close(done["c"])
	<-inside
	all.Wait()
	r.send(t.Context(), "DELETE", "/api/v1/nodes/d", "", "")
	compare(t, r.lines(), `
{"t":0,"id":1,"reconcile":{"controller":"web","key":"a","worker":1}}
{"t":0,"id":2,"in":1,"write":{"verb":"delete","url":"/api/v1/nodes/a","key":"a"}}
{"t":0,"id":2,"wrote":{"status":200}}
{"t":0,"id":3,"reconcile":{"controller":"web","key":"b","worker":2}}
{"t":0,"id":4,"in":3,"write":{"verb":"delete","url":"/api/v1/nodes/b","key":"b"}}
{"t":0,"id":4,"wrote":{"status":200}}
{"t":0,"id":1,"reconciled":{"result":"done","took":0}}
{"t":0,"id":5,"reconcile":{"controller":"web","key":"c","worker":1}}
{"t":0,"id":6,"in":5,"write":{"verb":"delete","url":"/api/v1/nodes/c","key":"c"}}
{"t":0,"id":6,"wrote":{"status":200}}
{"t":0,"id":3,"reconciled":{"result":"done","took":0}}
{"t":0,"id":5,"reconciled":{"result":"done","took":0}}
{"t":0,"id":7,"write":{"verb":"delete","url":"/api/v1/nodes/d","key":"d"}}
{"t":0,"id":7,"wrote":{"status":200}}
`)
}

// A call of a handler that runs for long is seen while it runs, and again when it returns.
func TestAHandlerThatBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out syncBuffer
		rec, err := New(&out, Options{KeepSecrets: true})
		if err != nil {
			t.Fatal(err)
		}
		release := make(chan struct{})
		h := rec.Handler("metrics", blocking{release})
		returned := make(chan struct{})
		go func() {
			h.OnAdd(&meta{"shop", "web", "7"}, true)
			close(returned)
		}()
		time.Sleep(2 * time.Second)
		if got := out.String(); !strings.HasSuffix(got, `{"t":1000000000,"id":1,"calling":{"handler":"metrics","fn":"OnAdd","kind":"meta","key":"shop/web","rv":"7","took":1000000000,"initial":true}}`+"\n") {
			t.Error(got)
		}
		close(release)
		<-returned
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.HasSuffix(got, `{"t":2000000000,"id":1,"call":{"handler":"metrics","fn":"OnAdd","kind":"meta","key":"shop/web","rv":"7","took":2000000000,"initial":true}}`+"\n{\"t\":2000000000}\n") {
			t.Error(got)
		}
	})
}

type blocking struct{ release chan struct{} }

func (b blocking) OnAdd(obj any, initial bool) { <-b.release }
func (b blocking) OnUpdate(oldObj, newObj any) {}
func (b blocking) OnDelete(obj any)            {}

// syncBuffer is a Buffer that may be looked at while it is written.
type syncBuffer struct {
	mu  sync.Mutex
	out strings.Builder
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out.String()
}
