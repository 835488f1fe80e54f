package e2e

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	featuregatetesting "k8s.io/component-base/featuregate/testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record/cluster"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/trace"
)

// build builds informerscope, once.
var build = sync.OnceValue(func() error {
	c := exec.Command("go", "build", "-o", built, "./replay/cmd/informerscope")
	c.Dir = "../../.."
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
})

func informerscope(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(t.Context(), built, args...)
}

// read reads a trace that may still be written.
func read(t *testing.T, name string) *trace.Trace {
	t.Helper()
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	tr, err := file.Read(in, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// tell is what a resource's recording holds, in short.
func tell(r *trace.Resource) string {
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

// recording is one of widgets, in memory.
type recording struct {
	t   *testing.T
	r   *cluster.Recording
	mu  sync.Mutex
	out bytes.Buffer
	end func() *trace.Resource // stops, and reads what was recorded
}

func (r *recording) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Write(b)
}

// record records the widgets at server. Without a Path they are discovered.
func record(t *testing.T, server string, o follow.Options) *recording {
	t.Helper()
	c, err := cluster.NewClient(server, nil, "e2e")
	if err != nil {
		t.Fatal(err)
	}
	if o.Path == "" {
		all, err := c.Discover(t.Context(), func(text string) { t.Error(text) })
		if err != nil {
			t.Fatal(err)
		}
		widget, ok := follow.Find(all, "wd")
		if !ok || widget.Kind != "Widget" || !widget.Namespaced {
			t.Fatalf("discovered %+v", all)
		}
		o.Path = widget.Path("shop")
	}
	r := &recording{t: t}
	if r.r, err = cluster.NewRecording(c, r, func() error { return nil }, trace.Header{Recorder: "e2e"}); err != nil {
		t.Fatal(err)
	}
	r.r.Add("widgets", o)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.r.Run(ctx) }()
	t.Cleanup(stop)
	r.end = func() *trace.Resource {
		t.Helper()
		stop()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		tr, err := file.Read(bytes.NewReader(r.out.Bytes()), format.Options{})
		if err != nil || tr.ProblemCount > 0 || len(tr.Resources) != 1 {
			t.Fatal(err, tr.Problems, len(tr.Resources))
		}
		return tr.Resources[0]
	}
	return r
}

// has waits until text was recorded so many times.
func (r *recording) has(text string, times int) {
	r.t.Helper()
	defer func() {
		if r.t.Failed() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.t.Logf("it recorded\n%s", &r.out)
		}
	}()
	eventually(r.t, text, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return strings.Count(r.out.String(), text) >= times
	})
}

// The command, through kubectl's proxy: creation, change and deletion, and a
// clean stop. What it recorded can be played.
func TestRecordCommand(t *testing.T) {
	t.Parallel()
	s := startServer(t, true)
	proxy := s.startProxy("", "", "/")
	s.create("a")
	out := filepath.Join(t.TempDir(), "shop.trace.jsonl")
	c := informerscope(t, "record", "--server", proxy.URL, "--namespace", "shop", "-o", out, "widgets")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	has := func(text string) {
		t.Helper()
		eventually(t, text, func() bool {
			b, _ := os.ReadFile(out)
			return bytes.Contains(b, []byte(text))
		})
	}
	has("watch=true")
	s.create("b")
	s.resize("a", 3)
	s.delete("b")
	has(`"type":"DELETED"`)
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatal(err, stderr.String())
	}
	tr := read(t, out)
	if len(tr.Resources) != 1 || tr.ProblemCount > 0 {
		t.Fatal(len(tr.Resources), tr.Problems)
	}
	if got, want := tell(tr.Resources[0]), "ListBegin, item shop/a, ListEnd, WatchOpen, ADDED shop/b, MODIFIED shop/a, DELETED shop/b"; got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
	if !regexp.MustCompile(`^v\d+\.\d+`).MatchString(tr.Header.Server) {
		t.Errorf("the server's version is %q", tr.Header.Server)
	}
	b, _ := os.ReadFile(out)
	if !bytes.Contains(b, []byte(`"end":{"how":"recorder-stopped"}`)) {
		t.Error("the trace does not say that it was stopped")
	}
	calls, err := informerscope(t, "report", out, "--notifications").Output()
	if err != nil {
		t.Fatal(err)
	}
	var played []string
	for lines := bufio.NewScanner(bytes.NewReader(calls)); lines.Scan(); {
		m := regexp.MustCompile(`"fn":"(\w+)","key":"([^"]+)"`).FindStringSubmatch(lines.Text())
		played = append(played, strings.Join(m[1:], " "))
	}
	if got, want := strings.Join(played, ", "), "OnAdd shop/a, OnAdd shop/b, OnUpdate shop/a, OnDelete shop/b"; got != want {
		t.Errorf("played %s, want %s", got, want)
	}
}

func TestPaging(t *testing.T) {
	t.Parallel()
	for _, watchCache := range []bool{true, false} {
		s := startServer(t, watchCache)
		proxy := s.startProxy("", "", "/")
		for i := range 7 {
			s.create(fmt.Sprint("w", i))
		}
		r := record(t, proxy.URL, follow.Options{PageSize: 3})
		r.has("watch=true", 1)
		s.resize("w5", 1)
		r.has("MODIFIED", 1)
		got := tell(r.end())
		if want := "ListBegin, item shop/w0, item shop/w1, item shop/w2, item shop/w3, item shop/w4, item shop/w5, item shop/w6, ListEnd of 3 pages, WatchOpen, MODIFIED shop/w5"; got != want {
			t.Errorf("watch cache %v: recorded %s, want %s", watchCache, got, want)
		}
	}
}

func TestStreamingList(t *testing.T) {
	t.Parallel()
	for _, watchCache := range []bool{true, false} {
		s := startServer(t, watchCache)
		proxy := s.startProxy("", "", "/")
		s.create("a")
		s.create("b")
		r := record(t, proxy.URL, follow.Options{Streaming: true})
		r.has("initial-events-end", 1)
		s.delete("a")
		r.has("DELETED", 1)
		if state := r.r.Progress()[0]; state.State != follow.Watching {
			t.Errorf("it is %v", state.State)
		}
		resource := r.end()
		if got, want := tell(resource), "WatchOpen, ADDED shop/a, ADDED shop/b, InitialEnd, DELETED shop/a"; got != want {
			t.Errorf("watch cache %v: recorded %s, want %s", watchCache, got, want)
		}
		if !resource.Records[0].Streaming {
			t.Error("it does not say that it streams")
		}
	}
}

// A server that knows no streaming lists refuses one, and a list follows.
func TestStreamingListRefused(t *testing.T) {
	s := startServer(t, true)
	featuregatetesting.SetFeatureGateDuringTest(t, utilfeature.DefaultFeatureGate, features.WatchList, false)
	proxy := s.startProxy("", "", "/")
	s.create("a")
	r := record(t, proxy.URL, follow.Options{Streaming: true})
	r.has("watch=true", 2)
	s.delete("a")
	r.has("DELETED", 1)
	if got, want := tell(r.end()), "WatchError, ListBegin, item shop/a, ListEnd, WatchOpen, DELETED shop/a"; got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
}

// While the connection is lost, etcd forgets what was missed: the server answers
// 410, and another list follows. All of that is recorded as it happens.
func TestCompaction(t *testing.T) {
	t.Parallel()
	s := startServer(t, false)
	proxy := s.startProxy("", "", "/")
	s.create("a")
	s.create("gone")
	r := record(t, proxy.URL, follow.Options{})
	r.has("watch=true", 1)
	s.resize("a", 1)
	r.has("MODIFIED", 1)

	address := proxy.stop()
	r.has(`"end":{"how":"reset"`, 1)
	s.resize("a", 2)
	s.delete("gone")
	s.create("new")
	s.compact()
	r.has(`"end":{"how":"refused"`, 1)
	proxy.serve(t, address)
	r.has(`"kind":"WidgetList"`, 2)
	r.has("watch=true", 3)
	s.resize("new", 3)
	r.has("MODIFIED", 2)

	got := tell(r.end())
	want := regexp.MustCompile(`^ListBegin, item shop/a, item shop/gone, ListEnd, WatchOpen, MODIFIED shop/a, WatchEnd, (WatchError, )+` +
		`(WatchError|WatchOpen, ERROR Expired, WatchEnd), ListBegin, item shop/a, item shop/new, ListEnd, WatchOpen, MODIFIED shop/new$`)
	if !want.MatchString(got) {
		t.Errorf("recorded %s, want %s", got, want)
	}
	if !strings.Contains(r.out.String(), `"code":410`) {
		t.Error("there is no 410")
	}
	if p := r.r.Progress()[0]; p.Relists != 1 {
		t.Errorf("%d relists", p.Relists)
	}
}
