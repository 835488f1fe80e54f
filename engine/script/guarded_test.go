package script

import (
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/history"
)

// ofLibrary is the run that a script of the library makes.
func ofLibrary(t *testing.T, name string) *history.History {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for line := range strings.Lines(string(text)) {
		if said, ok := strings.CutPrefix(line, "> "); ok {
			lines.WriteString(said)
		}
	}
	r := NewRunner(func(Entry) {})
	if err := r.Play(lines.String()); err != nil {
		t.Fatal(err)
	}
	return r.History()
}

// mostPods is how many pods there are at most, and how many at the end. Each step is made.
func mostPods(t *testing.T, h *history.History) (most, last int) {
	t.Helper()
	for n := 0; h.Extend(1) == 1; n++ {
		if n > 100_000 {
			t.Fatal("the run does not end")
		}
	}
	for step := range h.Steps() + 1 {
		h.SeekTo(step)
		last = len(h.World().Objects(1))
		most = max(most, last)
	}
	return most, last
}

// A run that is made again with another guard does what the script with that guard does:
// none makes two pods in the place of one but the run without a guard.
func TestGuardedRunsAreTheScriptsWithThatGuard(t *testing.T) {
	h := ofLibrary(t, "29-two-are-created")
	at := h.World().Steps()
	for _, name := range guard.Names() {
		k, _ := guard.Named(name)
		g, err := h.WithGuard(history.Variant{Guard: k, Lag: -1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if is := g.Front().Informers[0].Config().Controller.Guard; is != k {
			t.Errorf("the run with %s has the guard %s", k, is)
		}
		most, last := mostPods(t, g)
		script := "29-two-are-created"
		if k != guard.None {
			script = "30-guard-" + name
		}
		if _, err := os.Stat("testdata/" + script + ".txt"); err != nil {
			continue // a guard that has no script
		}
		wantMost, wantLast := mostPods(t, ofLibrary(t, script))
		if most != wantMost || last != wantLast || (most > 3) != (k == guard.None) {
			t.Errorf("with %s there are at most %d pods, and %d at the end; the script has %d and %d", k, most, last, wantMost, wantLast)
		}
	}
	if h.World().Steps() != at {
		t.Errorf("the run itself has moved from step %d to %d", at, h.World().Steps())
	}
	if _, err := ofLibrary(t, "11-resync").WithGuard(history.Variant{Guard: guard.Live}, nil); err != history.ErrNoController {
		t.Errorf("a run without a controller is guarded: %v", err)
	}
}
