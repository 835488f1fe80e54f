package rounds

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record/follow"
)

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
