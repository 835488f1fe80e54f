package cluster

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/trace"
)

// server is an API server with pods: their watches end when told to.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
	next  chan string // what a watch sends next; "end" ends it
}

func newServer(t *testing.T) *server {
	s := &server{next: make(chan string)}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, req.Method+" "+req.URL.Path)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case req.URL.Path == "/version":
		io.WriteString(w, `{"gitVersion":"v1.37.2"}`)
	case req.URL.Path == "/api":
		io.WriteString(w, `{"kind":"APIVersions","versions":["v1"]}`)
	case req.URL.Path == "/apis":
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, "no")
	case req.URL.Path == "/api/v1":
		io.WriteString(w, `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","kind":"Pod","namespaced":true,"verbs":["list","watch"]}]}`)
	case req.URL.Query().Get("watch") == "":
		io.WriteString(w, `{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[]}`)
	default:
		w.(http.Flusher).Flush()
		for {
			select {
			case text := <-s.next:
				if text == "end" {
					return
				}
				io.WriteString(w, text)
				w.(http.Flusher).Flush()
			case <-req.Context().Done():
				return
			}
		}
	}
}

func pod(name, rv string) string {
	return fmt.Sprintf(`{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"%s","resourceVersion":"%s"}}}`+"\n", name, rv)
}

// record records pods into a file until the server has done all that it is told.
func recordTo(t *testing.T, s *server, f *File, do func(r *Recording, stop func())) error {
	t.Helper()
	c, err := NewClient(s.URL, nil, "a test")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	found, err := c.Discover(ctx, func(string) {})
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	r, err := NewRecording(c, f, f.Flush, trace.Header{Recorder: "a test", Server: c.Version(ctx)})
	if err != nil {
		t.Fatal(err)
	}
	r.Add("pods", follow.Options{Path: found[0].Path("")})
	ended := make(chan error)
	go func() { ended <- r.Run(ctx) }()
	do(r, stop)
	return <-ended
}

// kinds is what a trace holds, in short.
func kinds(tr *trace.Trace) string {
	var out []string
	for _, r := range tr.Resources {
		for _, rec := range r.Records {
			out = append(out, rec.Kind.String()+" "+r.Table.RVText(rec.RV))
		}
	}
	return strings.Join(out, ", ")
}

func TestRecording(t *testing.T) {
	for _, name := range []string{"a.trace.jsonl", "a.trace.jsonl.gz", "a.trace.jsonl.zst"} {
		s := newServer(t)
		name = filepath.Join(t.TempDir(), name)
		f, err := Create(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		var progress []Progress
		err = recordTo(t, s, f, func(r *Recording, stop func()) {
			s.next <- pod("a", "8")
			s.next <- "end"
			s.next <- pod("b", "9")
			// When the next watch is asked for, the client has seen all that was sent.
			s.next <- pod("c", "10") + `{"type":"MOD`
			for progress = r.Progress(); progress[0].Events < 3; progress = r.Progress() {
				select {
				case s.next <- " ":
				case <-t.Context().Done():
				}
			}
			stop()
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if p := progress[0]; p.Name != "pods" || p.State != follow.Watching || p.Lists != 1 {
			t.Errorf("%+v", p)
		}
		tr := open(t, name)
		if got := kinds(tr); got != "ListBegin , ListEnd 7, WatchOpen 7, WatchEvent 8, WatchEnd , WatchOpen 8, WatchEvent 9, WatchEvent 10" || tr.ProblemCount != 0 {
			t.Errorf("%s: %s, %v", name, got, tr.Problems)
		}
		if tr.Header.Server != "v1.37.2" || tr.Header.Recorder != "a test" {
			t.Errorf("%+v", tr.Header)
		}
		if slices.ContainsFunc(s.asked, func(a string) bool { return !strings.HasPrefix(a, "GET ") }) {
			t.Errorf("asked for %q", s.asked)
		}
		if _, err := Create(name, nil); err == nil || !strings.Contains(err.Error(), "is there already") {
			t.Errorf("a file was overwritten: %v", err)
		}
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() != f.Size() {
			t.Errorf("%v, %v", info, err)
		}
	}
}

// open reads a trace, whole or cut.
func open(t *testing.T, name string) *trace.Trace {
	t.Helper()
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	plain := io.Reader(in)
	if strings.HasSuffix(name, ".zst") {
		z, err := zstd.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		plain = z
	}
	tr, err := file.Read(plain, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestClientRefuses(t *testing.T) {
	for _, url := range []string{"", "127.0.0.1:8001", "ftp://a", "http://", "http://a?b=c", "://"} {
		if _, err := NewClient(url, nil, ""); err == nil {
			t.Errorf("%q is taken for a URL", url)
		}
	}
	login := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		http.Redirect(w, req, "https://login.example/", http.StatusFound)
	}))
	defer login.Close()
	c, err := NewClient(login.URL+"/", nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Discover(t.Context(), func(string) {}); err == nil || !strings.HasPrefix(err.Error(), `/api: 302 Found, to "https://login.example/": `) {
		t.Error(err)
	}
}
