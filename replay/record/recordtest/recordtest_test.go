package recordtest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/recordtest"
	"github.com/informerscope/informerscope/replay/testserver"
)

// wrapper has client-go's type of the argument of rest.Config.Wrap.
type wrapper func(http.RoundTripper) http.RoundTripper

// restConfig does what a rest.Config does.
type restConfig struct {
	transport http.RoundTripper
	wraps     []wrapper
}

func (c *restConfig) Wrap(w wrapper) { c.wraps = append(c.wraps, w) }

// client returns what a client has that is made of the config.
func (c *restConfig) client() *http.Client {
	rt := c.transport
	for _, w := range c.wraps {
		rt = w(rt)
	}
	return &http.Client{Transport: rt}
}

// running is a test that runs within a test.
type running struct {
	name     string
	failed   bool
	said     strings.Builder
	cleanups []func()
}

func (r *running) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }
func (r *running) Failed() bool     { return r.failed }
func (r *running) Helper()          {}
func (r *running) Log(args ...any)  { fmt.Fprintln(&r.said, args...) }
func (r *running) Name() string     { return r.name }

// end does what package testing does at the end of a test.
func (r *running) end() {
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.cleanups[i]()
	}
}

// traces returns the names of the traces in a folder.
func traces(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// fails runs a controller that watches configmaps and fails each time, and returns what its test is told.
func fails(t *testing.T, r *running, o recordtest.Options, failed bool) string {
	t.Helper()
	server := testserver.New(testserver.Options{})
	defer server.Close()
	config := &restConfig{transport: server}
	ring := recordtest.New(r, config, o)
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	r.Cleanup(func() {
		stop()
		<-stopped
	})
	client := config.client()
	ask := func(method, query, body string) *http.Response {
		req, err := http.NewRequestWithContext(ctx, method, "http://testserver/api/v1/namespaces/shop/configmaps"+query, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	ask("POST", "", `{"metadata":{"name":"a"},"data":{"user":"not-on-the-list"}}`).Body.Close()
	ask("GET", "", "").Body.Close()
	watch := ask("GET", "?watch=true", "")
	events := bufio.NewReader(watch.Body)
	if _, err := events.ReadString('\n'); err != nil { // it comes before the reconciles, on any machine
		t.Fatal(err)
	}
	go func() {
		defer close(stopped)
		io.Copy(io.Discard, events)
		watch.Body.Close()
	}()
	sync := record.Sync(ring, "web", func(context.Context, string) error { return errors.New("user not-on-the-list is unknown") })
	for range 20 {
		sync(ctx, "shop/a")
	}
	r.failed = failed
	r.end()
	return r.said.String()
}

func TestATestThatPassesLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	if said := fails(t, &running{name: "TestWeb"}, recordtest.Options{Folder: folder}, false); said != "" || len(traces(t, folder)) > 0 {
		t.Errorf("it says %q and leaves %q", said, traces(t, folder))
	}
}

func TestATestThatFails(t *testing.T) {
	t.Setenv("CI", "") // in which the link would hold the recording
	folder := t.TempDir()
	said := fails(t, &running{name: "TestWeb/with a/slash"}, recordtest.Options{Folder: folder}, true)
	name := filepath.Join(folder, "TestWeb-with-a-slash.trace.jsonl")
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("everybody can read the trace: %v", info.Mode())
	}
	b, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(b), "not-on-the-list") {
		t.Errorf("the trace is for its owner, and lacks values: %v", err)
	}
	if strings.Contains(said, "not-on-the-list") {
		t.Error("the output has a value")
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if len(lines) > evidence.Lines+1 {
		t.Errorf("%d lines are too many", len(lines))
	}
	for _, want := range []string{
		"TestWeb-with-a-slash.trace.jsonl: A key fails each time. ",
		"\n  stuck, 0:0",
		": The last 20 reconciles of shop/a by controller web have all failed",
		"\nThe step: " + evidence.Site + fmt.Sprintf("#file=TestWeb-with-a-slash.trace.jsonl&size=%d&informer=configmaps+in+shop&profile=", len(b)),
		"&search=time%28%29+%3E%3D+",
		"\ninformerscope open " + name + " shows it, too.\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	if strings.Contains(said, "have not ended") {
		t.Errorf("the recording ends before the test's cleanups:\n%s", said)
	}

	// Each failure of a test that runs many times is kept.
	for _, want := range []string{"TestAgain.trace.jsonl", "TestAgain-2.trace.jsonl"} {
		fails(t, &running{name: "TestAgain"}, recordtest.Options{Folder: folder}, false)
		fails(t, &running{name: "TestAgain"}, recordtest.Options{Folder: folder, Values: true}, true)
		if _, err := os.Stat(filepath.Join(folder, want)); err != nil {
			t.Error(err)
		}
	}
}

func TestInCIALinkHoldsTheShape(t *testing.T) {
	t.Setenv("CI", "true")
	said := fails(t, &running{name: "TestWeb"}, recordtest.Options{Folder: t.TempDir()}, true)
	if link := "\nThe step: " + evidence.Site + "#s1:"; !strings.Contains(said, link) {
		t.Errorf("%q is missing in\n%s", link, said)
	}
}

func TestValues(t *testing.T) {
	said := fails(t, &running{name: "TestWeb"}, recordtest.Options{Folder: t.TempDir(), Values: true}, true)
	if !strings.Contains(said, "user not-on-the-list is unknown") {
		t.Errorf("it says\n%s", said)
	}
}

// TestNothingIsRecorded: the output says that no client was made of the config, as with a fake clientset, or that a request hasn't ended.
func TestNothingIsRecorded(t *testing.T) {
	r := &running{name: "TestFake", failed: true}
	recordtest.New(r, &restConfig{}, recordtest.Options{Folder: t.TempDir()})
	r.end()
	if said := r.said.String(); !strings.Contains(said, "A fake clientset has no transport.") {
		t.Errorf("it says\n%s", said)
	}

	server := testserver.New(testserver.Options{})
	defer server.Close()
	r = &running{name: "TestGoesOn", failed: true}
	config := &restConfig{transport: server}
	recordtest.New(r, config, recordtest.Options{Folder: t.TempDir()})
	resp, err := config.client().Get("http://testserver/api/v1/configmaps?watch=true")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	r.end()
	if said := r.said.String(); !strings.Contains(said, "1 request, call or reconcile has not ended") {
		t.Errorf("it says\n%s", said)
	}
}

// TestAPanicLeavesATrace: the process would end before the cleanups. Where it goes on and the test passes, nothing is left. A busy
// machine may need longer than a panic waits, so that what led to it isn't in the trace: then the test panics again.
func TestAPanicLeavesATrace(t *testing.T) {
	folder := t.TempDir()
	for again := 1; ; again++ {
		r := &running{name: "TestPanics" + strconv.Itoa(again)}
		ring := recordtest.New(r, &restConfig{}, recordtest.Options{Folder: folder})
		sync := record.Sync(ring, "web", func(context.Context, string) error { panic("it does") })
		func() {
			defer func() { recover() }()
			sync(t.Context(), "shop/a")
		}()
		var b []byte
		for tick := time.Tick(time.Millisecond); len(b) == 0; <-tick {
			b, _ = os.ReadFile(filepath.Join(folder, r.name+".trace.jsonl"))
		}
		if r.end(); len(traces(t, folder)) > 0 {
			t.Fatalf("%q is left", traces(t, folder))
		}
		if strings.Contains(string(b), `"result":"panic"`) {
			return
		}
		if again == 20 {
			t.Fatalf("the trace never has the panic: %s", b)
		}
	}
}
