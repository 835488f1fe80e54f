package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"

	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	featuregatetesting "k8s.io/component-base/featuregate/testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/internal/rounds"
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

// The command, through kubectl's proxy: creation, change and deletion, and a
// clean stop. What it recorded can be played.
func TestRecordCommand(t *testing.T) {
	t.Parallel()
	rounds.Command(t, startServer(t, true).throughKubectl(), func(ctx context.Context, stdout io.Writer, args ...string) error {
		if err := build(); err != nil {
			return err
		}
		c := exec.CommandContext(ctx, built, args...)
		c.Cancel = func() error { return c.Process.Signal(syscall.SIGINT) }
		var stderr bytes.Buffer
		c.Stdout, c.Stderr = stdout, &stderr
		err := c.Run()
		if ctx.Err() != nil && c.ProcessState.ExitCode() == 0 {
			return nil // the clean stop that the end of ctx asked for
		}
		if err != nil {
			return fmt.Errorf("%w: %s", err, &stderr)
		}
		return nil
	})
}

func TestPaging(t *testing.T) {
	t.Parallel()
	withAndWithoutCache(t, rounds.Paging)
}

func TestStreamingList(t *testing.T) {
	t.Parallel()
	withAndWithoutCache(t, rounds.Streaming)
}

// While the connection is lost, etcd forgets what was missed.
func TestCompaction(t *testing.T) {
	t.Parallel()
	rounds.Compaction(t, startServer(t, false).throughKubectl())
}

// withAndWithoutCache plays a round on a server with a watch cache and on one without.
func withAndWithoutCache(t *testing.T, round func(*testing.T, rounds.Server)) {
	for name, watchCache := range map[string]bool{"watch cache": true, "etcd": false} {
		t.Run(name, func(t *testing.T) { round(t, startServer(t, watchCache).throughKubectl()) })
	}
}

// A server that knows no streaming lists refuses one, and a list follows.
func TestStreamingListRefused(t *testing.T) {
	s := startServer(t, true)
	featuregatetesting.SetFeatureGateDuringTest(t, utilfeature.DefaultFeatureGate, features.WatchList, false)
	proxy := s.startProxy("", "", "/")
	s.Create("a")
	r := rounds.Record(t, proxy.URL, follow.Options{Streaming: true})
	r.Has("watch=true", 2)
	s.Delete("a")
	r.Has("DELETED", 1)
	if got, want := rounds.Summary(r.End()), "WatchError, ListBegin, item shop/a, ListEnd, WatchOpen, DELETED shop/a"; got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
}
