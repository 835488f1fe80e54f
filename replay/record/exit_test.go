package record

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A process that exits in the middle leaves a file that is read up to there: whole lines, and of
// what was recorded all but the last fraction of a second.
func TestAProcessThatExits(t *testing.T) {
	if name := os.Getenv("RECORD_AND_EXIT"); name != "" {
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := New(f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		queue := Queue(rec, "web", &fakeQueue[string]{})
		for range 1000 {
			queue.Add("shop/web")
		}
		Sync(rec, "web", func(context.Context, string) error {
			rec.flush()
			for range 100_000 {
				queue.Add("shop/late")
			}
			os.Exit(7)
			return nil
		})(t.Context(), "shop/web")
	}
	name := filepath.Join(t.TempDir(), "a.trace.jsonl")
	cmd := exec.Command(os.Args[0], "-test.run=^TestAProcessThatExits$")
	cmd.Env = append(os.Environ(), "RECORD_AND_EXIT="+name)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Fatalf("%v: %s", err, out)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if i := len(b) - 1; b[i] != '\n' { // the process may end in the middle of a write
		for b[i] != '\n' {
			i--
		}
		b = b[:i+1]
	}
	log := logOf(t, b)
	if len(log.Queued) < 1000 || len(log.Reconciles) != 1 || log.Reconciles[0].Ended != 0 {
		t.Errorf("%d calls of the queue, reconciles %+v", len(log.Queued), log.Reconciles)
	}
}

// The times of a recording come from the monotonic clock, so they neither jump nor go back when
// somebody sets the wall clock.
func TestTimesAreMonotonic(t *testing.T) {
	r := newRecorded(t, Options{}, ignore)
	defer r.rec.Close()
	if r.rec.start == r.rec.start.Round(0) { // Round takes the monotonic reading away
		t.Error("the start has no monotonic reading")
	}
}
