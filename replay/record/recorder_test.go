package record

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/record/internal/wire"
	"github.com/informerscope/informerscope/replay/trace"
)

const list = `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","namespace":"shop","resourceVersion":"5"}}]}`

func pod(event, name, rv string) string {
	return `{"type":"` + event + `","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"shop","resourceVersion":"` + rv + `"}}}` + "\n"
}

// recorded is a server's answers, as a Recorder and a client see them. Unless Options
// say how to redact, what comes over the wire is kept as it is.
type recorded struct {
	t      *testing.T
	server *httptest.Server
	client *http.Client
	rec    *Recorder
	out    bytes.Buffer
}

func newRecorded(t *testing.T, o Options, answer http.HandlerFunc) *recorded {
	t.Helper()
	r := &recorded{t: t, server: httptest.NewServer(answer)}
	t.Cleanup(r.server.Close)
	o.KeepSecrets = o.Redact == nil
	var err error
	if r.rec, err = New(&r.out, o); err != nil {
		t.Fatal(err)
	}
	r.client = &http.Client{Transport: r.rec.Wrap(&http.Transport{})}
	return r
}

// get reads an answer to its end.
func (r *recorded) get(path string, header ...string) string {
	r.t.Helper()
	req, err := http.NewRequest("GET", r.server.URL+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return string(b) + err.Error()
	}
	return string(b)
}

var times = regexp.MustCompile(`"(t|took)":\d+`)

// returns is how long an Add took, which a line has if the Add returned before it was written.
var returns = regexp.MustCompile(`("fn":"Add[^}]*),"took":\d+`)

// lines ends the recording and returns it without header and times, and without the last line, which says until when it was recorded.
func (r *recorded) lines() string {
	r.t.Helper()
	if err := r.rec.Close(); err != nil {
		r.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(r.out.String(), "\n")
	rest, ends := strings.CutSuffix(times.ReplaceAllString(returns.ReplaceAllString(rest, "$1"), `"$1":0`), `{"t":0}`+"\n")
	if !ends && r.rec.counter == nil {
		r.t.Errorf("the recording doesn't say until when it goes: %s", rest)
	}
	return rest
}

// waitClosed waits until c is closed, or the test is over: a server waits for its
// answers before it closes.
func waitClosed(t *testing.T, c <-chan struct{}) {
	select {
	case <-c:
	case <-t.Context().Done():
	}
}

func compare(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestListAndWatch(t *testing.T) {
	r := newRecorded(t, Options{}, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if req.URL.Query().Get("watch") == "" {
			io.WriteString(w, list)
			return
		}
		for _, part := range strings.SplitAfter(pod("ADDED", "b", "8")+pod("MODIFIED", "b", "9"), "meta") {
			io.WriteString(w, part)
			w.(http.Flusher).Flush()
		}
	})
	if got := r.get("/api/v1/pods?limit=500&resourceVersion=0"); got != list {
		t.Errorf("the controller got %s", got)
	}
	if got := r.get("/k8s/api/v1/namespaces/shop/pods?watch=true&resourceVersion=7"); got != pod("ADDED", "b", "8")+pod("MODIFIED", "b", "9") {
		t.Errorf("the controller got %s", got)
	}
	for _, other := range []string{"/api/v1/namespaces/shop/pods/a", "/api/v1/namespaces/shop/pods/a/log", "/apis/apps/v1", "/version", "/api/v1/nodes/n"} {
		r.get(other)
	}
	if resp, err := r.client.Post(r.server.URL+"/api/v1/pods", "application/json", strings.NewReader("{}")); err == nil {
		resp.Body.Close()
	}
	compare(t, r.lines(), `
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?limit=500&resourceVersion=0"}}
{"t":0,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":0,"id":1,"body":`+list+`}
{"t":0,"id":1,"end":{"how":"eof"}}
{"t":0,"id":2,"req":{"method":"GET","url":"/k8s/api/v1/namespaces/shop/pods?watch=true&resourceVersion=7"}}
{"t":0,"id":2,"resp":{"status":200,"contentType":"application/json"}}
{"t":0,"id":2,"event":`+strings.TrimSpace(pod("ADDED", "b", "8"))+`}
{"t":0,"id":2,"event":`+strings.TrimSpace(pod("MODIFIED", "b", "9"))+`}
{"t":0,"id":2,"end":{"how":"eof"}}
{"t":0,"id":3,"write":{"verb":"create","url":"/api/v1/pods"}}
{"t":0,"id":3,"wrote":{"status":200}}
`)
}

func TestHowAnswersEnd(t *testing.T) {
	half := strings.TrimSpace(pod("ADDED", "b", "8"))[:40]
	release := make(chan struct{})
	r := newRecorded(t, Options{}, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch req.URL.Query().Get("case") {
		case "cut":
			io.WriteString(w, pod("ADDED", "a", "7")+half)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "open":
			io.WriteString(w, pod("ADDED", "a", "7"))
			w.(http.Flusher).Flush()
			waitClosed(t, release)
		case "status":
			w.WriteHeader(410)
			io.WriteString(w, `{"kind":"Status","code":410}`)
		case "text":
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(403)
			io.WriteString(w, "Forbidden")
		case "pretty":
			io.WriteString(w, "{\n  \"kind\": \"PodList\",\n  \"items\": []\n}\n")
		case "broken":
			io.WriteString(w, `{"kind":"PodList",`)
		case "protobuf":
			w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf;stream=watch")
			io.WriteString(w, "\x00\x00\x00\x09k8s\x00\n\n\n")
		case "strange":
			io.WriteString(w, "hello\n"+pod("ADDED", "a", "7"))
		}
	})
	defer close(release)
	if got := r.get("/api/v1/pods?watch=1&case=cut"); !strings.HasSuffix(got, "unexpected EOF") {
		t.Errorf("the controller got %q", got)
	}
	// The controller stops watching.
	ctx, cancel := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, "GET", r.server.URL+"/api/v1/pods?watch=1&case=open", nil)
	resp, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, len(pod("ADDED", "a", "7")))); err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	cancel()
	for _, c := range []string{"status", "text", "pretty", "broken"} {
		r.get("/api/v1/pods?case=" + c)
	}
	for _, c := range []string{"protobuf", "strange"} {
		r.get("/api/v1/pods?watch=1&case=" + c)
	}
	compare(t, r.lines(), `
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1&case=cut"}}
{"t":0,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":0,"id":1,"event":`+strings.TrimSpace(pod("ADDED", "a", "7"))+`}
{"t":0,"id":1,"end":{"how":"reset","error":"unexpected EOF","rest":"eyJ0eXBlIjoiQURERUQiLCJvYmplY3QiOnsia2luZCI6IlBvZCIsIg=="}}
{"t":0,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=1&case=open"}}
{"t":0,"id":2,"resp":{"status":200,"contentType":"application/json"}}
{"t":0,"id":2,"event":`+strings.TrimSpace(pod("ADDED", "a", "7"))+`}
{"t":0,"id":2,"end":{"how":"canceled"}}
{"t":0,"id":3,"req":{"method":"GET","url":"/api/v1/pods?case=status"}}
{"t":0,"id":3,"resp":{"status":410,"contentType":"application/json"}}
{"t":0,"id":3,"body":{"kind":"Status","code":410}}
{"t":0,"id":3,"end":{"how":"eof"}}
{"t":0,"id":4,"req":{"method":"GET","url":"/api/v1/pods?case=text"}}
{"t":0,"id":4,"resp":{"status":403,"contentType":"text/plain"}}
{"t":0,"id":4,"end":{"how":"eof","error":"the answer is text/plain, which can't be recorded"}}
{"t":0,"id":5,"req":{"method":"GET","url":"/api/v1/pods?case=pretty"}}
{"t":0,"id":5,"resp":{"status":200,"contentType":"application/json"}}
{"t":0,"id":5,"body":{"kind":"PodList","items":[]}}
{"t":0,"id":5,"end":{"how":"eof"}}
{"t":0,"id":6,"req":{"method":"GET","url":"/api/v1/pods?case=broken"}}
{"t":0,"id":6,"resp":{"status":200,"contentType":"application/json"}}
{"t":0,"id":6,"end":{"how":"eof","error":"the answer is not JSON: {\"kind\":\"PodList\","}}
{"t":0,"id":7,"req":{"method":"GET","url":"/api/v1/pods?watch=1&case=protobuf"}}
{"t":0,"id":7,"resp":{"status":200,"contentType":"application/vnd.kubernetes.protobuf;stream=watch","level":"metadata"}}
{"t":0,"remark":{"id":"metadataAlone","detail":"pods"}}
{"t":0,"id":7,"end":{"how":"eof","error":"11 bytes of an event that was cut"}}
{"t":0,"id":8,"req":{"method":"GET","url":"/api/v1/pods?watch=1&case=strange"}}
{"t":0,"id":8,"resp":{"status":200,"contentType":"application/json"}}
{"t":0,"mark":{"text":"the recorder left out of request 8: 5 bytes that are no watch event"}}
{"t":0,"id":8,"event":`+strings.TrimSpace(pod("ADDED", "a", "7"))+`}
{"t":0,"id":8,"end":{"how":"eof"}}
`)
}

func TestNobodyThere(t *testing.T) {
	r := newRecorded(t, Options{}, nil)
	r.server.URL = "http://127.0.0.1:1"
	if got := r.get("/api/v1/pods"); !strings.Contains(got, "refused") {
		t.Errorf("the controller got %s", got)
	}
	if got := r.lines(); !strings.Contains(got, `"end":{"how":"refused","error":"dial tcp `) {
		t.Error(got)
	}
}

func TestAccept(t *testing.T) {
	for in, want := range map[string]string{
		"application/json": "application/json",
		"*/*":              "*/*",
		"application/vnd.kubernetes.protobuf,application/json":                           "application/json",
		"application/vnd.kubernetes.protobuf, */*":                                       "application/json,*/*",
		"application/vnd.kubernetes.protobuf;stream=watch,application/json;stream=watch": "application/json,application/json;stream=watch",
		"application/cbor,application/json;q=0.9":                                        "application/json,application/json;q=0.9",
		"application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json": "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
		"application/json;as=Table;v=v1;g=meta.k8s.io,application/json": "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
	} {
		if got := wire.Accept(in); got != want {
			t.Errorf("%s becomes\n%s, want\n%s", in, got, want)
		}
	}
	const typed = "application/vnd.kubernetes.protobuf,application/json"
	for _, ask := range []bool{false, true} {
		var asked []string
		r := newRecorded(t, Options{AskJSON: ask}, func(w http.ResponseWriter, req *http.Request) {
			asked = append(asked, req.Header.Get("Accept"))
		})
		req, _ := http.NewRequest("GET", r.server.URL+"/api/v1/pods", nil)
		req.Header.Set("Accept", typed)
		if resp, err := r.client.Do(req); err == nil {
			resp.Body.Close()
		}
		r.get("/api/v1/namespaces/a/pods/b", "Accept", typed)
		r.lines()
		want := typed
		if ask {
			want = "application/json"
		}
		if len(asked) != 2 || asked[0] != want || asked[1] != typed || req.Header.Get("Accept") != typed {
			t.Errorf("AskJSON %v: asked for %q, the request says %s", ask, asked, req.Header.Get("Accept"))
		}
	}
}

func TestCompressed(t *testing.T) {
	r := newRecorded(t, Options{Memory: 1 << 20}, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		switch req.URL.Query().Get("case") {
		case "bomb":
			z.Write(bytes.Repeat([]byte(" "), 10<<20))
		default:
			io.WriteString(z, list)
		}
		z.Close()
	})
	// First the transport asks for gzip and unpacks the answer, and then the controller does both.
	if got := r.get("/api/v1/pods"); got != list {
		t.Errorf("got %q", got)
	}
	r.get("/api/v1/pods", "Accept-Encoding", "gzip")
	r.get("/api/v1/pods?case=bomb", "Accept-Encoding", "gzip")
	r.get("/api/v1/pods?watch=1", "Accept-Encoding", "gzip")
	got := r.lines()
	if strings.Count(got, `"body":`+list) != 2 || !strings.Contains(got, "it holds more than 131072 bytes") || !strings.Contains(got, "the watch is compressed") {
		t.Error(got)
	}
}

func TestClosedWhileWatching(t *testing.T) {
	release := make(chan struct{})
	r := newRecorded(t, Options{Recorder: "a test", Server: "v1.37.2", Note: "of this", Redact: func(line []byte) []byte {
		if bytes.Contains(line, []byte(`"resp"`)) {
			return nil
		}
		return bytes.ReplaceAll(line, []byte(`"a"`), []byte(`"-"`))
	}}, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, pod("ADDED", "a", "7")+"{")
		w.(http.Flusher).Flush()
		waitClosed(t, release)
	})
	resp, err := r.client.Get(r.server.URL + "/api/v1/pods?watch=1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, len(pod("ADDED", "a", "7"))+1)); err != nil {
		t.Fatal(err)
	}
	if got := r.lines(); !strings.HasSuffix(got, `"event":`+strings.ReplaceAll(pod("ADDED", "-", "7"), "\n", "}\n")+`{"t":0,"id":1,"end":{"how":"recorder-stopped","rest":"ew=="}}`+"\n") {
		t.Error(got)
	}
	close(release)
	io.Copy(io.Discard, resp.Body) // the controller goes on
	resp.Body.Close()
	r.get("/api/v1/pods?watch=1")
	tr := &trace.Trace{}
	header, _, _ := bytes.Cut(r.out.Bytes(), []byte("\n"))
	if _, err := trace.NewDecoder(tr, header); err != nil || tr.Header.Recorder != "a test" || tr.Header.Server != "v1.37.2" || tr.Header.Note != "of this" || strings.Contains(r.out.String(), `"resp"`) {
		t.Errorf("the header says %+v, %v", tr.Header, err)
	}
	if _, err := time.Parse(time.RFC3339Nano, tr.Header.Start); err != nil {
		t.Error(err)
	}
}

// Nobody has to ask for secrets to be taken out, and what was taken out is told.
func TestSecretsAreTakenOutUnlessTheyAreToBeKept(t *testing.T) {
	const env = `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","namespace":"shop","resourceVersion":"5"},` +
		`"spec":{"containers":[{"name":"c","env":[{"name":"GREETING","value":"hunter2"}]}]}}]}`
	const secrets = `{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","namespace":"shop"},"data":{"greeting":"aHVudGVyMg=="}}]}`
	for keep, want := range map[bool]int{false: 0, true: 2} {
		var out bytes.Buffer
		rec, err := New(&out, Options{KeepSecrets: keep})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, map[string]string{"/api/v1/pods": env, "/api/v1/secrets": secrets}[req.URL.Path])
		}))
		t.Cleanup(server.Close)
		r := &recorded{t: t, server: server, client: &http.Client{Transport: rec.Wrap(&http.Transport{})}}
		if got := r.get("/api/v1/pods"); got != env {
			t.Errorf("the controller got %s", got)
		}
		if got := r.get("/api/v1/secrets"); got != secrets {
			t.Errorf("the controller got %s", got)
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		got := out.String()
		if n := strings.Count(got, "hunter2") + strings.Count(got, "aHVudGVyMg=="); n != want {
			t.Errorf("with KeepSecrets %v a secret is %d times in\n%s", keep, n, got)
		}
		if said := strings.Contains(got, `"redacted":["values kept: redact before you share","secret data","env values",`) && strings.Contains(got, `,"redacted":{"secret data":1,"env values":1,`); said == keep {
			t.Errorf("with KeepSecrets %v what was taken out is told wrongly:\n%s", keep, got)
		}
		read := format.NewReader(format.Options{})
		if err := read.Write(out.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := read.Close(); err != nil || read.Trace().ProblemCount != 0 {
			t.Error(err, read.Trace().Problems)
		}
	}
}
