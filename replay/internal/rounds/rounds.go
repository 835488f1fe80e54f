// Package rounds tries the recorder on an API server whose objects are widgets. The same rounds run on the simulated
// server of replay/testserver, which takes no time to compile, and in replay/record/e2e on a real one.
package rounds

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record/cluster"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace"
)

// The custom resource of the rounds, whose objects are in the namespace shop.
const (
	Group     = "test.informerscope.dev"
	Version   = "v1"
	Plural    = "widgets"
	Kind      = "Widget"
	ShortName = "wd"
	Namespace = "shop"
)

// Server is an API server that has widgets, and the way to it, which can be broken. What goes wrong fails the test.
type Server interface {
	// URL is where the way begins.
	URL() string
	// Create makes a widget.
	Create(name string)
	// Resize changes a widget.
	Resize(name string, size int64)
	// Delete deletes a widget.
	Delete(name string)
	// Break breaks all connections. New ones are refused until Mend is called.
	Break()
	// Mend makes the way passable at the same URL.
	Mend()
	// Compact has the server forget all revisions but the newest. The way is broken while it does.
	Compact()
}

// Summary returns what a resource's recording holds, in short.
func Summary(r *trace.Resource) string {
	var out []string
	for _, rec := range r.Records {
		s := rec.Kind.String()
		switch rec.Kind {
		case trace.ListItem:
			s = "item " + r.Table.KeyText(r.Table.KeyOf(rec.Obj))
		case trace.WatchEvent:
			s = rec.Type.String()
			if rec.Type == trace.TypeError {
				s += " " + rec.Failure.String()
			} else {
				s += " " + r.Table.KeyText(r.Table.KeyOf(rec.Obj))
			}
		case trace.ListEnd:
			if rec.Code > 0 {
				s += fmt.Sprintf(" of %d pages", rec.Code)
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// Recording is one of widgets, in memory.
type Recording struct {
	*cluster.Recording
	t     *testing.T
	mu    sync.Mutex
	out   bytes.Buffer
	stop  func()
	ended chan error
}

// Write appends to the recording.
func (r *Recording) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Write(b)
}

func (r *Recording) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.String()
}

// Record records the widgets of the server at url until End is called. If o has no Path, they are discovered by their
// short name.
func Record(t *testing.T, url string, o follow.Options) *Recording {
	t.Helper()
	c, err := cluster.NewClient(url, nil, "a round")
	if err != nil {
		t.Fatal(err)
	}
	if o.Path == "" {
		all, err := c.Discover(t.Context(), func(text string) { t.Error(text) })
		if err != nil {
			t.Fatal(err)
		}
		widget, ok := follow.Find(all, ShortName)
		if !ok || widget.Kind != Kind || !widget.Namespaced {
			t.Fatalf("discovered %+v", all)
		}
		o.Path = widget.Path(Namespace)
	}
	r := &Recording{t: t, ended: make(chan error, 1)}
	if r.Recording, err = cluster.NewRecording(c, r, func() error { return nil }, trace.Header{Recorder: "a round"}); err != nil {
		t.Fatal(err)
	}
	r.Add(Plural, o)
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	t.Cleanup(stop)
	go func() { r.ended <- r.Run(ctx) }()
	return r
}

// Has waits until text has been recorded so many times.
func (r *Recording) Has(text string, times int) {
	r.t.Helper()
	eventually(r.t, func() bool { return strings.Count(r.String(), text) >= times }, func() string {
		return fmt.Sprintf("%s is never recorded, or too seldom:\n%s", text, r)
	})
}

// End stops, and reads what was recorded.
func (r *Recording) End() *trace.Resource {
	r.t.Helper()
	r.stop()
	if err := <-r.ended; err != nil {
		r.t.Fatal(err)
	}
	tr, err := file.Read(strings.NewReader(r.String()), format.Options{})
	if err != nil || tr.ProblemCount > 0 || len(tr.Resources) != 1 {
		r.t.Fatal(err, tr.Problems, len(tr.Resources))
	}
	return tr.Resources[0]
}

// eventually waits until is true. If that never happens, the test fails with what otherwise says.
func eventually(t *testing.T, is func() bool, otherwise func() string) {
	t.Helper()
	over := time.NewTimer(30 * time.Second)
	defer over.Stop()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for !is() {
		select {
		case <-again.C:
		case <-over.C:
			t.Fatal(otherwise())
		}
	}
}

// Paging lists in pages.
func Paging(t *testing.T, s Server) {
	t.Helper()
	for i := range 7 {
		s.Create(fmt.Sprint("w", i))
	}
	r := Record(t, s.URL(), follow.Options{PageSize: 3})
	r.Has("watch=true", 1)
	s.Resize("w5", 1)
	r.Has("MODIFIED", 1)
	const want = "ListBegin, item shop/w0, item shop/w1, item shop/w2, item shop/w3, item shop/w4, item shop/w5, item shop/w6, ListEnd of 3 pages, WatchOpen, MODIFIED shop/w5"
	if got := Summary(r.End()); got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
}

// Streaming asks for a streaming list.
func Streaming(t *testing.T, s Server) {
	t.Helper()
	s.Create("a")
	s.Create("b")
	r := Record(t, s.URL(), follow.Options{Streaming: true})
	r.Has("initial-events-end", 1)
	s.Delete("a")
	r.Has("DELETED", 1)
	if state := r.Progress()[0]; state.State != follow.Watching {
		t.Errorf("it is %v", state.State)
	}
	resource := r.End()
	if got, want := Summary(resource), "WatchOpen, ADDED shop/a, ADDED shop/b, InitialEnd, DELETED shop/a"; got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
	if !resource.Records[0].Streaming {
		t.Error("it does not say that it streams")
	}
}

// Compaction makes the server forget what the recorder missed while the way was broken: the server answers 410, and
// another list follows. All of that is recorded as it happens.
func Compaction(t *testing.T, s Server) {
	t.Helper()
	s.Create("a")
	s.Create("gone")
	r := Record(t, s.URL(), follow.Options{})
	r.Has("watch=true", 1)
	s.Resize("a", 1)
	r.Has("MODIFIED", 1)

	s.Break()
	r.Has(`"end":{"how":"reset"`, 1)
	s.Resize("a", 2)
	s.Delete("gone")
	s.Create("new")
	s.Compact()
	r.Has(`"end":{"how":"refused"`, 1)
	s.Mend()
	r.Has(`"kind":"WidgetList"`, 2)
	r.Has("watch=true", 3)
	s.Resize("new", 3)
	r.Has("MODIFIED", 2)

	got := Summary(r.End())
	want := regexp.MustCompile(`^ListBegin, item shop/a, item shop/gone, ListEnd, WatchOpen, MODIFIED shop/a, WatchEnd, (WatchError, )+` +
		`(WatchError|WatchOpen, ERROR Expired, WatchEnd), ListBegin, item shop/a, item shop/new, ListEnd, WatchOpen, MODIFIED shop/new$`)
	if !want.MatchString(got) {
		t.Errorf("recorded %s, want %s", got, want)
	}
	if !strings.Contains(r.String(), `"code":410`) {
		t.Error("there is no 410")
	}
	if p := r.Progress()[0]; p.Relists != 1 {
		t.Errorf("%d relists", p.Relists)
	}
}

// Command records with the command, which run runs until ctx ends: then it is stopped as Ctrl-C stops it. It prints to
// stdout. The recording can be played.
func Command(t *testing.T, s Server, run func(ctx context.Context, stdout io.Writer, args ...string) error) {
	t.Helper()
	s.Create("a")
	out := filepath.Join(t.TempDir(), "shop.trace.jsonl")
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, io.Discard, "record", "--server", s.URL(), "--namespace", Namespace, "-o", out, Plural)
	}()
	recorded := func() string {
		b, _ := os.ReadFile(out)
		return string(b)
	}
	has := func(text string) {
		t.Helper()
		eventually(t, func() bool { return strings.Contains(recorded(), text) }, func() string {
			return fmt.Sprintf("%s is never recorded:\n%s", text, recorded())
		})
	}
	has("watch=true")
	s.Create("b")
	s.Resize("a", 3)
	s.Delete("b")
	has(`"type":"DELETED"`)
	interrupt()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}

	tr, err := file.Read(strings.NewReader(recorded()), format.Options{})
	if err != nil || len(tr.Resources) != 1 || tr.ProblemCount > 0 {
		t.Fatal(err, len(tr.Resources), tr.Problems)
	}
	if got, want := Summary(tr.Resources[0]), "ListBegin, item shop/a, ListEnd, WatchOpen, ADDED shop/b, MODIFIED shop/a, DELETED shop/b"; got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
	if !regexp.MustCompile(`^v\d+\.\d+`).MatchString(tr.Header.Server) {
		t.Errorf("the server's version is %q", tr.Header.Server)
	}
	has(`"end":{"how":"recorder-stopped"}`)

	var calls bytes.Buffer
	if err := run(t.Context(), &calls, "report", out, "--notifications"); err != nil {
		t.Fatal(err)
	}
	var played []string
	for _, m := range regexp.MustCompile(`"fn":"(\w+)","key":"([^"]+)"`).FindAllStringSubmatch(calls.String(), -1) {
		played = append(played, m[1]+" "+m[2])
	}
	if got, want := strings.Join(played, ", "), "OnAdd shop/a, OnAdd shop/b, OnUpdate shop/a, OnDelete shop/b"; got != want {
		t.Errorf("played %s, want %s", got, want)
	}
}

// Simulated is a Server that is simulated.
type Simulated struct {
	t          *testing.T
	server     *testserver.Server
	connection Connection
}

// Simulate starts a simulated server, which ends with the test.
func Simulate(t *testing.T) *Simulated {
	t.Helper()
	s := &Simulated{t: t, server: testserver.New(testserver.Options{Resources: []testserver.Resource{{
		Group: Group, Version: Version, Name: Plural, Kind: Kind, ShortNames: []string{ShortName}, Generation: true, Conditional: true,
	}}})}
	t.Cleanup(s.server.Close)
	s.connection.Serve(t, s.server)
	return s
}

// URL returns where the server listens.
func (s *Simulated) URL() string { return s.connection.URL }

// Create makes a widget.
func (s *Simulated) Create(name string) {
	s.t.Helper()
	s.request(http.MethodPost, "", fmt.Sprintf(`{"apiVersion":"%s/%s","kind":"%s","metadata":{"name":"%s","labels":{"app":"%s"}},"spec":{"size":0}}`, Group, Version, Kind, name, name))
}

// Resize changes a widget.
func (s *Simulated) Resize(name string, size int64) {
	s.t.Helper()
	o := s.request(http.MethodGet, name, "")
	o["spec"] = map[string]any{"size": size}
	b, err := json.Marshal(o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.request(http.MethodPut, name, string(b))
}

// Delete deletes a widget.
func (s *Simulated) Delete(name string) {
	s.t.Helper()
	s.request(http.MethodDelete, name, "")
}

// request sends a request to the server directly.
func (s *Simulated) request(method, name, body string) (o map[string]any) {
	s.t.Helper()
	url := "http://server/apis/" + Group + "/" + Version + "/namespaces/" + Namespace + "/" + Plural
	if name != "" {
		url += "/" + name
	}
	req, err := http.NewRequestWithContext(s.t.Context(), method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	answer, err := s.server.RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&o); err != nil || answer.StatusCode >= 300 {
		s.t.Fatal(method, url, answer.Status, o, err)
	}
	return o
}

// Break breaks all connections.
func (s *Simulated) Break() { s.connection.Break() }

// Mend listens again.
func (s *Simulated) Mend() { s.connection.Mend(s.t) }

// Compact restarts the server, which forgets all revisions but the newest.
func (s *Simulated) Compact() { s.server.Restart() }

// Connection serves a handler, and can be broken.
type Connection struct {
	*httptest.Server
	handler http.Handler
}

// Serve serves handler at a free port until the test ends.
func (w *Connection) Serve(t *testing.T, handler http.Handler) {
	t.Helper()
	w.handler = handler
	w.listen(t, "127.0.0.1:0")
}

// Break breaks all connections, and listens no more.
func (w *Connection) Break() {
	w.Listener.Close()
	w.CloseClientConnections()
}

// Mend listens again, at the same port.
func (w *Connection) Mend(t *testing.T) {
	t.Helper()
	w.listen(t, w.Listener.Addr().String())
}

func (w *Connection) listen(t *testing.T, address string) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: w.handler}}
	server.Start()
	t.Cleanup(func() { // whoever watches would hold it up
		server.Listener.Close()
		server.CloseClientConnections()
		server.Close()
	})
	w.Server = server
}
