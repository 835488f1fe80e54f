package try

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace"
)

// TestThePort holds who gets an answer, how it is spoken to, and that nothing is left at the end.
func TestThePort(t *testing.T) {
	server := testserver.New(testserver.Options{})
	defer server.Close()
	p, err := open(newWire())
	if err != nil {
		t.Fatal(err)
	}
	p.serve(server)
	defer p.close()
	for path, want := range map[string]os.FileMode{filepath.Dir(p.kubeconfig()): 0o700, p.kubeconfig(): 0o600} {
		if is, err := os.Stat(path); err != nil || is.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", path, is.Mode(), err, want)
		}
	}
	t.Setenv("KUBECONFIG", p.kubeconfig())
	f := newFollower(nil)
	resp, err := f.get(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.ProtoMajor != 2 {
		t.Errorf("the server speaks %s", resp.Proto)
	}
	patch, err := f.Request(http.MethodPatch, "/apis/apps/v1/namespaces/shop/deployments/web")
	if err != nil {
		t.Fatal(err)
	}
	patch.Header.Set("Content-Type", "application/apply-patch+cbor")
	if resp, err := f.Do(patch); err != nil || resp.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("CBOR: %v, %v", resp, err)
	}
	p.wire.mu.Lock()
	if want := []string{"PATCH deployments.apps as application/apply-patch+cbor"}; !slices.Equal(p.wire.unknown, want) {
		t.Errorf("%q, want %q", p.wire.unknown, want)
	}
	p.wire.mu.Unlock()
	f.Token += "x"
	if _, err := f.get(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("with another token: %v", err)
	}
	if _, err := http.Get(f.Server); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("without the authority: %v", err)
	}
	p.close()
	if _, err := os.Stat(filepath.Dir(p.kubeconfig())); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the kubeconfig stays: %v", err)
	}
}

// TestInterrupted ends a run: what was found until then is returned, the process ends, and the trace is whole.
func TestInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	folder := t.TempDir()
	r, err := Run(ctx, Options{Command: []string{os.Args[0], "client"}, Faults: []string{"close", "503"}, Fast: true, Within: 2 * time.Minute, Folder: folder, Progress: func(text string) {
		if strings.HasPrefix(text, "503: requests") {
			interrupt()
		}
	}})
	if !errors.Is(err, context.Canceled) || len(r.Verdicts) != 1 || r.Verdicts[0].Result != Recovered {
		t.Errorf("%v: %+v", err, r)
	}
	b, err := os.ReadFile(filepath.Join(folder, "main.trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	trace, err := file.Read(strings.NewReader(string(b)), format.Options{})
	if err != nil || trace.ProblemCount > 0 || len(trace.Resources) != 1 || !strings.Contains(string(b), "fault: the server closes") {
		t.Errorf("%v: %v in %s", err, trace.Problems, b)
	}
}

// TestSeed runs the same seed twice and another one: faults and versions come in the same order, and the seed decides the uids.
func TestSeed(t *testing.T) {
	var all sync.WaitGroup
	var found [3][]string // what a trace has: faults, and versions of objects
	var uids [3][]string
	for i, seed := range []uint64{7, 7, 8} {
		all.Go(func() {
			folder := t.TempDir()
			if _, err := Run(t.Context(), Options{Command: []string{os.Args[0], "client"}, Faults: []string{"close", "reset", "410"}, Fast: true, Within: 2 * time.Minute, Seed: seed, Folder: folder}); err != nil {
				t.Error(err)
				return
			}
			b, err := os.ReadFile(filepath.Join(folder, "main.trace.jsonl"))
			if err != nil {
				t.Error(err)
			}
			for line := range strings.Lines(string(b)) {
				var l struct {
					Mark  struct{ Text string }
					Event struct{ Object sent }
				}
				json.Unmarshal([]byte(line), &l)
				o := &l.Event.Object
				what := o.key() + " " + o.Metadata.ResourceVersion
				if strings.HasPrefix(l.Mark.Text, "fault: ") {
					what = l.Mark.Text
				} else if o.Metadata.UID == "" || slices.Contains(found[i], what) {
					continue
				}
				found[i], uids[i] = append(found[i], what), append(uids[i], o.Metadata.UID)
			}
		})
	}
	all.Wait()
	if len(found[0]) < 20 || !slices.Equal(found[0], found[1]) || !slices.Equal(found[0], found[2]) {
		t.Errorf("there are\n%q\n%q\n%q", found[0], found[1], found[2])
	}
	if !slices.Equal(uids[0], uids[1]) || slices.Equal(uids[0], uids[2]) {
		t.Errorf("the uids are\n%q\n%q\n%q", uids[0], uids[1], uids[2])
	}
}

// TestNothingToTry holds what is said of commands that can't be tried.
func TestNothingToTry(t *testing.T) {
	for want, command := range map[string][]string{
		"no such file":        {filepath.Join(t.TempDir(), "none")},
		"open: exit status 3": {os.Args[0], "client", "quits"},
		"give some with --a":  {os.Args[0], "client", "selects"},
	} {
		_, err := Run(t.Context(), Options{Command: command, Fast: true, Faults: []string{"close"}, Within: time.Second})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", command, err, want)
		}
	}
	_, err := Run(t.Context(), Options{Command: []string{os.Args[0], "client"}, Fast: true, Faults: []string{"close"}, Resources: []string{"pods"}})
	if !errors.Is(err, ErrNothingAsked) || !strings.Contains(err.Error(), "the command follows configmaps") {
		t.Errorf("a script that writes pods alone: %v", err)
	}
}

// TestScenes holds that each failure of the README's table leads to a recording that the page brings along, and to a moment in it
// that is not later than its fault.
func TestScenes(t *testing.T) {
	table, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`#trace=([a-z0-9-]+)&handlers=recorded&search=time%28%29\+%3E%3D\+(\d+)ms`).FindAllSubmatch(table, -1)
	if len(links) < 20 || len(links) != strings.Count(string(table), "#trace=") {
		t.Fatalf("%d links", len(links))
	}
	for _, l := range links {
		f, err := os.Open("../../web/traces/" + string(l[1]) + ".trace.jsonl.gz")
		if err != nil {
			t.Error(err)
			continue
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		recording, err := file.Read(z, format.Options{})
		if err != nil || recording.ProblemCount > 0 {
			t.Errorf("%s: %v, %v", l[1], err, recording.Problems)
			continue
		}
		ms, _ := strconv.ParseInt(string(l[2]), 10, 64)
		if !slices.ContainsFunc(recording.Marks, func(m trace.Mark) bool {
			return strings.HasPrefix(m.Text, "fault: ") && m.Time/int64(time.Millisecond) >= ms
		}) {
			t.Errorf("%s: no fault after %d ms", l[1], ms)
		}
	}
}
