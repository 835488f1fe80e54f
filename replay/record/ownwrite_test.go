package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// send sends a request with a body, and reads the answer to its end.
func (r *recorded) send(ctx context.Context, method, path, contentType, body string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, r.server.URL+path, strings.NewReader(body))
	if err != nil {
		r.t.Error(err)
		return
	}
	req.Header.Set("Content-Type", contentType)
	resp, err := r.client.Do(req)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	if _, err := io.ReadAll(resp.Body); err != nil {
		r.t.Log(err)
	}
}

// object is one as the API server answers it.
func object(name, uid, rv, more string) string {
	return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"shop","uid":"` + uid + `","resourceVersion":"` + rv + `"` + more + `},"spec":{"metadata":{"resourceVersion":"0"}}}`
}

func TestWrites(t *testing.T) {
	var mu sync.Mutex // a connection that breaks off says nothing of the handler before
	var bodies []string
	r := newRecorded(t, Options{}, func(w http.ResponseWriter, req *http.Request) {
		b, _ := io.ReadAll(req.Body)
		mu.Lock()
		bodies = append(bodies, string(b))
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		answer := func(status int, body string) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
		switch name := req.URL.Query().Get("case"); {
		case name == "conflict":
			answer(409, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the object has been modified","reason":"Conflict","details":{"name":"a","uid":"u1"},"code":409}`)
		case name == "gone":
			answer(200, `{"kind":"Status","apiVersion":"v1","status":"Success","details":{"name":"a","kind":"pods","uid":"u1"}}`)
		case name == "reset":
			panic(http.ErrAbortHandler)
		case name == "text":
			w.Header().Set("Content-Type", "text/plain")
			answer(503, "no")
		case name == "deleting":
			answer(200, object("a", "u1", "21", `,"deletionTimestamp":"2026-11-20T21:06:42Z"`))
		case strings.HasSuffix(req.URL.Path, "/pods"):
			answer(201, object("web-x7f2k", "u2", "20", ""))
		default:
			answer(200, object("a", "u1", "20", ""))
		}
	})
	ctx := t.Context()
	const json = "application/json"
	r.send(ctx, "POST", "/api/v1/namespaces/shop/pods", json, `{"kind":"Pod","metadata":{"generateName":"web-","namespace":"shop"}}`)
	r.send(ctx, "POST", "/api/v1/namespaces/shop/pods?fieldManager=me", json, `{"kind":"Pod","metadata":{"name":"web-x7f2k","labels":{"a":"b"}},"spec":{}}`)
	r.send(ctx, "PUT", "/api/v1/namespaces/shop/pods/a/status", json, object("a", "u1", "19", ""))
	r.send(ctx, "PUT", "/api/v1/namespaces/shop/pods/a?case=conflict", json, object("a", "u1", "18", ""))
	r.send(ctx, "PATCH", "/api/v1/namespaces/shop/pods/a", "application/merge-patch+json", `{"spec":{},"metadata":{"resourceVersion":"19"}}`)
	r.send(ctx, "PATCH", "/api/v1/namespaces/shop/pods/a", "application/strategic-merge-patch+json", `{"spec":{}}`)
	r.send(ctx, "PATCH", "/api/v1/namespaces/shop/pods/a", "application/json-patch+json", `[{"op":"remove","path":"/spec"}]`)
	r.send(ctx, "PATCH", "/api/v1/namespaces/shop/pods/a", "application/apply-patch+yaml", "kind: Pod")
	r.send(ctx, "DELETE", "/api/v1/namespaces/shop/pods/a?case=gone", json, `{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"u1","resourceVersion":"20"}}`)
	r.send(ctx, "DELETE", "/api/v1/namespaces/shop/pods/a?case=deleting", json, "")
	r.send(ctx, "DELETE", "/api/v1/namespaces/shop/pods?labelSelector=a", json, "{}")
	r.send(ctx, "POST", "/api/v1/namespaces/shop/pods/a/eviction?case=text", json, `{"metadata":{"name":"a"}}`)
	r.send(ctx, "PUT", "/apis/g.io/v1/things/t?case=reset", json, object("t", "u1", "18", ""))
	// These are no writes.
	r.send(ctx, "POST", "/api/v1/namespaces/shop/pods/a/exec?command=ls", json, "")
	r.send(ctx, "POST", "/elsewhere", json, "{}")
	r.send(ctx, "OPTIONS", "/api/v1/pods", json, "")
	mu.Lock()
	defer mu.Unlock()
	if got := bodies[3]; got != object("a", "u1", "18", "") || len(bodies) != 16 {
		t.Errorf("%d requests came to the server, the fourth is %s", len(bodies), got)
	}
	compare(t, r.lines(), `
{"t":0,"id":1,"write":{"verb":"create","url":"/api/v1/namespaces/shop/pods","generateName":"web-"}}
{"t":0,"id":1,"wrote":{"status":201,"key":"shop/web-x7f2k","rv":"20","uid":"u2"}}
{"t":0,"id":2,"write":{"verb":"create","url":"/api/v1/namespaces/shop/pods?fieldManager=me","key":"shop/web-x7f2k"}}
{"t":0,"id":2,"wrote":{"status":201,"rv":"20","uid":"u2"}}
{"t":0,"id":3,"write":{"verb":"update","url":"/api/v1/namespaces/shop/pods/a/status","key":"shop/a","rv":"19","uid":"u1"}}
{"t":0,"id":3,"wrote":{"status":200,"rv":"20","uid":"u1"}}
{"t":0,"id":4,"write":{"verb":"update","url":"/api/v1/namespaces/shop/pods/a?case=conflict","key":"shop/a","rv":"18","uid":"u1"}}
{"t":0,"id":4,"wrote":{"status":409,"reason":"Conflict"}}
{"t":0,"id":5,"write":{"verb":"patch","url":"/api/v1/namespaces/shop/pods/a","patch":"merge","key":"shop/a","rv":"19"}}
{"t":0,"id":5,"wrote":{"status":200,"rv":"20","uid":"u1"}}
{"t":0,"id":6,"write":{"verb":"patch","url":"/api/v1/namespaces/shop/pods/a","patch":"strategic","key":"shop/a"}}
{"t":0,"id":6,"wrote":{"status":200,"rv":"20","uid":"u1"}}
{"t":0,"id":7,"write":{"verb":"patch","url":"/api/v1/namespaces/shop/pods/a","patch":"json","key":"shop/a"}}
{"t":0,"id":7,"wrote":{"status":200,"rv":"20","uid":"u1"}}
{"t":0,"id":8,"write":{"verb":"patch","url":"/api/v1/namespaces/shop/pods/a","patch":"apply","key":"shop/a"}}
{"t":0,"id":8,"wrote":{"status":200,"rv":"20","uid":"u1"}}
{"t":0,"id":9,"write":{"verb":"delete","url":"/api/v1/namespaces/shop/pods/a?case=gone","key":"shop/a","rv":"20","uid":"u1"}}
{"t":0,"id":9,"wrote":{"status":200,"uid":"u1"}}
{"t":0,"id":10,"write":{"verb":"delete","url":"/api/v1/namespaces/shop/pods/a?case=deleting","key":"shop/a"}}
{"t":0,"id":10,"wrote":{"status":200,"rv":"21","uid":"u1","deleting":true}}
{"t":0,"id":11,"write":{"verb":"deletecollection","url":"/api/v1/namespaces/shop/pods?labelSelector=a"}}
{"t":0,"id":11,"wrote":{"status":201,"rv":"20","uid":"u2"}}
{"t":0,"id":12,"write":{"verb":"create","url":"/api/v1/namespaces/shop/pods/a/eviction?case=text","key":"shop/a"}}
{"t":0,"id":12,"wrote":{"status":503}}
{"t":0,"id":13,"write":{"verb":"update","url":"/apis/g.io/v1/things/t?case=reset","key":"t","rv":"18","uid":"u1"}}
{"t":0,"id":13,"wrote":{"status":0,"how":"eof"}}
`)
}

// A request's body is looked at only where it can be had a second time.
func TestABodyIsReadOnce(t *testing.T) {
	r := newRecorded(t, Options{}, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.Copy(w, req.Body)
	})
	body := object("a", "u1", "18", "")
	req, err := http.NewRequest("PUT", r.server.URL+"/api/v1/namespaces/shop/pods/a", io.NopCloser(strings.NewReader(body)))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(resp.Body); err != nil || string(b) != body {
		t.Errorf("the server got %s, %v", b, err)
	}
	resp.Body.Close()
	compare(t, r.lines(), `
{"t":0,"id":1,"write":{"verb":"update","url":"/api/v1/namespaces/shop/pods/a","key":"shop/a"}}
{"t":0,"id":1,"wrote":{"status":200,"rv":"18","uid":"u1"}}
`)
}

// A write that is under way when the recording ends is told as such.
func TestAWriteWithoutAnAnswer(t *testing.T) {
	release := make(chan struct{})
	arrived := make(chan struct{})
	r := newRecorded(t, Options{}, func(w http.ResponseWriter, req *http.Request) {
		close(arrived)
		waitClosed(t, release)
	})
	go r.send(context.Background(), "DELETE", "/api/v1/nodes/n", "", "")
	<-arrived
	compare(t, r.lines(), `
{"t":0,"id":1,"write":{"verb":"delete","url":"/api/v1/nodes/n","key":"n"}}
{"t":0,"id":1,"wrote":{"status":0,"how":"recorder-stopped"}}
`)
	close(release)
}

// released is a writer that closes a channel when a write is written.
type released struct{ release chan struct{} }

func (r released) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(`"write":{`)) {
		close(r.release)
	}
	return len(b), nil
}

// answering answers writes when they are to be.
type answering struct{ arrived, release chan struct{} }

func (a answering) RoundTrip(*http.Request) (*http.Response, error) {
	close(a.arrived)
	<-a.release
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: http.NoBody}, nil
}

// An answer that comes while the recording ends harms nobody: with -race, the two have nothing in common.
func TestAnAnswerAtTheEnd(t *testing.T) {
	a := answering{make(chan struct{}), make(chan struct{})}
	rec, err := New(released{a.release}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan error)
	go func() {
		req, err := http.NewRequest(http.MethodDelete, "http://server/api/v1/nodes/n", http.NoBody)
		if err == nil {
			_, err = rec.Wrap(a).RoundTrip(req)
		}
		answered <- err
	}()
	<-a.arrived
	if err := errors.Join(rec.Close(), <-answered); err != nil {
		t.Fatal(err)
	}
}

// Two recorders on one transport both record all, and the client gets what came.
func TestTwoRecordersOnOneTransport(t *testing.T) {
	var second bytes.Buffer
	rec, err := New(&second, Options{KeepSecrets: true})
	if err != nil {
		t.Fatal(err)
	}
	r := newRecorded(t, Options{}, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if req.Method == "GET" {
			io.WriteString(w, list)
			return
		}
		io.WriteString(w, object("a", "u1", "20", ""))
	})
	r.client.Transport = rec.Wrap(r.client.Transport)
	reconcile := Sync(rec, "outer", Sync(r.rec, "inner", func(ctx context.Context, key string) error {
		r.send(ctx, "PUT", "/api/v1/namespaces/shop/pods/a", "application/json", "{}")
		return nil
	}))
	if err := reconcile(t.Context(), "shop/a"); err != nil {
		t.Fatal(err)
	}
	if got := r.get("/api/v1/pods"); got != list {
		t.Errorf("the controller got %s", got)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(second.String(), "\n")
	want := `
{"t":0,"id":1,"reconcile":{"controller":"NAME","key":"shop/a","worker":1}}
{"t":0,"id":2,"in":1,"write":{"verb":"update","url":"/api/v1/namespaces/shop/pods/a","key":"shop/a"}}
{"t":0,"id":2,"wrote":{"status":200,"rv":"20","uid":"u1"}}
{"t":0,"id":1,"reconciled":{"result":"done","took":0}}
{"t":0,"id":3,"req":{"method":"GET","url":"/api/v1/pods"}}
{"t":0,"id":3,"resp":{"status":200,"contentType":"application/json"}}
{"t":0,"id":3,"body":` + list + `}
{"t":0,"id":3,"end":{"how":"eof"}}
`
	compare(t, r.lines(), strings.Replace(want, "NAME", "inner", 1))
	compare(t, times.ReplaceAllString(lines, `"$1":0`), strings.Replace(want, "NAME", "outer", 1)+`{"t":0}`+"\n")
}
