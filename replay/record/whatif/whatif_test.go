package whatif_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
)

const host = "http://server"

// bench is a server with faults before it, and a watch of its configmaps.
type bench struct {
	t      *testing.T
	faults *whatif.Faults
	lines  *bufio.Reader
	close  func()
}

// inBubble runs a test in a bubble.
func inBubble(t *testing.T, before string, f func(b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := testserver.New(testserver.Options{})
		defer server.Close()
		b := &bench{t: t, faults: whatif.New(server)}
		b.play("exists configmaps shop/a\n" + before)
		resp := b.ask("/api/v1/configmaps?watch=1&resourceVersion=2")
		defer resp.Body.Close()
		b.lines, b.close = bufio.NewReader(resp.Body), func() { resp.Body.Close() }
		f(b)
	})
}

func (b *bench) play(text string) {
	b.t.Helper()
	if err := b.faults.Play(b.t.Context(), host, text); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) ask(path string) *http.Response {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, host+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	resp, err := b.faults.RoundTrip(r)
	if err != nil {
		b.t.Fatal(err)
	}
	return resp
}

// expectNext checks what the watch brings next.
func (b *bench) expectNext(parts ...string) {
	b.t.Helper()
	line, err := b.lines.ReadString('\n')
	for _, p := range parts {
		if !strings.Contains(line, p) {
			b.t.Errorf("%q comes, %v, without %q", line, err, p)
		}
	}
}

// The lines are compared with the engine by the module replay/testserver/clientgo. These are
// for what a client can't tell.
func TestOtherResourcesStayAsTheyAre(t *testing.T) {
	inBubble(t, "drop event pods\nfail requests internal n=all pods\n", func(b *bench) {
		b.play("update configmaps shop/a n=1")
		b.expectNext("MODIFIED", `"n":"1"`)
	})
}

func TestADropIsOfOneEvent(t *testing.T) {
	inBubble(t, "drop event configmaps\n", func(b *bench) {
		b.play("update configmaps shop/a n=1\nupdate configmaps shop/a n=2\n")
		b.expectNext("MODIFIED", `"n":"2"`)
	})
}

func TestABreakIsAReset(t *testing.T) {
	inBubble(t, "", func(b *bench) {
		b.play("break watch pods")
		b.play("break watch configmaps")
		if _, err := b.lines.ReadByte(); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the watch ends with %v", err)
		}
	})
}

func TestFailuresCount(t *testing.T) {
	inBubble(t, "", func(b *bench) {
		b.play("fail requests toomany n=2 after=7s")
		for i, want := range []int{429, 429, 200} {
			resp := b.ask("/api/v1/configmaps")
			resp.Body.Close()
			if resp.StatusCode != want || want == 429 && resp.Header.Get("Retry-After") != "7" {
				t.Errorf("request %d is answered with %d, Retry-After %q", i, resp.StatusCode, resp.Header.Get("Retry-After"))
			}
		}
	})
}

// TestASilentWatchEnds has the client close a watch on which nothing comes.
func TestASilentWatchEnds(t *testing.T) {
	inBubble(t, "", func(b *bench) {
		b.play("silence watch for=forever")
		go func() {
			time.Sleep(time.Minute)
			b.close()
		}()
		if _, err := b.lines.ReadByte(); err != io.ErrClosedPipe {
			t.Errorf("it ends with %v", err)
		}
	})
}

func TestWhatIsNoFault(t *testing.T) {
	f := whatif.New(nil)
	for _, line := range []string{"compact", "kill process", "run", "handler h", "create pods shop/a", "spoil event metadata", "drop", "fail requests nonsense", "no such line", "delay event x"} {
		if err := f.Do(line); err == nil {
			t.Errorf("%q is done", line)
		}
	}
	for _, line := range []string{"", "# nothing", "drop event", "lag server 2s deployments.apps"} {
		if err := f.Do(line); err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
	if err := f.Play(context.Background(), host, "drop event\nrestore server 3\n"); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("the error is %v", err)
	}
}

// TestFieldsAreWritten writes objects with fields, finalizers and without a namespace.
func TestFieldsAreWritten(t *testing.T) {
	inBubble(t, "", func(b *bench) {
		b.play("create deployments.apps shop/web app=web .spec.replicas=3 .finalizers=x/y\nupdate deployments.apps shop/web app=db .spec.replicas=4\nupdate deployments.apps shop/web\ncreate nodes n1\ndelete nodes n1\n")
		resp := b.ask("/apis/apps/v1/deployments")
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		for _, part := range []string{`"replicas":4`, `"finalizers":["x/y"]`, `"informerscope/updates":"2"`} {
			if err != nil || !strings.Contains(string(text), part) {
				t.Errorf("%s is not in %s, %v", part, text, err)
			}
		}
	})
}

// TestAPatchLeavesTheRest patches an object: what the line names is written or removed, and all else stays.
func TestAPatchLeavesTheRest(t *testing.T) {
	inBubble(t, "", func(b *bench) {
		b.play("create deployments.apps shop/web app=web tier=gold .spec.replicas=3 .spec.paused=yes .finalizers=x/y\npatch deployments.apps shop/web tier= new=1 .spec.replicas=4 .spec.paused=\n")
		resp := b.ask("/apis/apps/v1/namespaces/shop/deployments/web")
		defer resp.Body.Close()
		var o struct {
			Metadata struct {
				Labels     map[string]string
				Finalizers []string
			}
			Spec map[string]any
		}
		if err := json.NewDecoder(resp.Body).Decode(&o); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(o.Metadata.Labels, map[string]string{"app": "web", "new": "1"}) || !slices.Equal(o.Metadata.Finalizers, []string{"x/y"}) || len(o.Spec) != 1 || o.Spec["replicas"] != 4.0 {
			t.Errorf("the object is %+v", o)
		}
		b.play("patch deployments.apps shop/web .finalizers=\n")
		again := b.ask("/apis/apps/v1/namespaces/shop/deployments/web")
		defer again.Body.Close()
		if text, err := io.ReadAll(again.Body); err != nil || strings.Contains(string(text), "finalizers") {
			t.Errorf("the finalizer is still in %s, %v", text, err)
		}
	})
}
