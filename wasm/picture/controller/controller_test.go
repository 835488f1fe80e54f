package controller

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

const scripts = "../../../engine/script/testdata/"

// run plays a script of the library, and calls look after each step of the first informer's
// controller, with the controller before the step and after it.
func run(t *testing.T, name string, look func(w *world.World, was, is *link.Controller)) {
	t.Helper()
	text, err := os.ReadFile(scripts + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if said, ok := strings.CutPrefix(line, "> "); ok {
			lines = append(lines, said)
		}
	}
	r := script.NewRunner(func(script.Entry) {})
	if err := r.Play(strings.Join(lines, "")); err != nil {
		t.Fatal(err)
	}
	h := r.History()
	var was *link.Controller
	for step := range h.Steps() + 1 {
		h.SeekTo(step)
		is := Show(h.World(), h.World().Informers[0])
		if step > 0 {
			look(h.World(), was, is)
		}
		was = is
	}
}

// Whenever a guard holds something back, the gate was shown shut, with what it waits for;
// and whenever the guard asks and lets a reconcile through, it was shown open.
func TestTheGateSaysWhatTheGuardWillDo(t *testing.T) {
	files, err := filepath.Glob(scripts + "30-guard-*.txt")
	if err != nil || len(files) < 5 {
		t.Fatalf("there are the scripts %q: %v", files, err)
	}
	back := map[string]int{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		run(t, name, func(w *world.World, was, is *link.Controller) {
			started, unmet := false, false
			for _, e := range w.Log.Events {
				switch e.Kind {
				case event.CacheStale, event.ExpectationsUnmet:
					unmet = true
					back[name]++
					if !was.Shut || len(was.Holds)+len(was.Unseen) == 0 {
						t.Errorf("%s, step %d: the guard holds a reconcile back, and the gate was %+v", name, w.Steps(), was)
					}
				case event.ReadWaits:
					back[name]++
					if !is.Shut || len(was.Holds) == 0 {
						t.Errorf("%s, step %d: a read waits, and the gate is %+v", name, w.Steps(), is)
					}
				case event.ReconcileStarted:
					started = true
				}
			}
			if asks := is.Guard == "consistency" || is.Guard == "expectations"; asks && started && !unmet && was.Shut {
				t.Errorf("%s, step %d: a reconcile begins, and the gate was shut: %+v", name, w.Steps(), was)
			}
		})
	}
	for _, name := range []string{"30-guard-consistency", "30-guard-expectations", "30-guard-readyourwrites"} {
		if back[name] == 0 {
			t.Errorf("%s holds nothing back", name)
		}
	}
}

// What the controller believes is what its program has read and made, and what is true is
// what the server holds. Without a guard, the two differ when it makes one child too many.
func TestBeliefIsWhatTheProgramReadAndMade(t *testing.T) {
	var counts []string
	run(t, "29-two-are-created", func(w *world.World, was, is *link.Controller) {
		b := is.Belief
		if b == nil {
			return
		}
		for _, e := range w.Log.Events {
			switch {
			case e.Kind == event.ChildrenRead && (!b.Asked || b.Count != int(e.N)):
				t.Errorf("step %d: %d children are read, and the belief is %+v", w.Steps(), e.N, b)
			case e.Kind == event.ObjectWritten && e.Delta == event.Added && was.Belief != nil && was.Belief.Asked:
				if b.Count != was.Belief.Count+1 || b.Actual != was.Belief.Actual+1 || b.Created != was.Belief.Created+1 {
					t.Errorf("step %d: a child is made, and the belief is %+v after %+v", w.Steps(), b, was.Belief)
				}
			}
		}
		has := func(f func(c link.Child) bool) (n int) {
			for _, c := range b.Children {
				if f(c) {
					n++
				}
			}
			return n
		}
		if held, cached := has(func(c link.Child) bool { return c.Exists }), has(func(c link.Child) bool { return c.Cached }); len(b.Children) < maxChildren && (held != b.Actual || cached != b.Cached) {
			t.Errorf("step %d: %d children are held and %d cached, by %+v", w.Steps(), held, cached, b)
		}
		if b.Asked && b.Count != b.Actual {
			counts = append(counts, b.Wants+" wanted")
			if b.Cached >= b.Actual {
				t.Errorf("step %d: the controller errs, and its cache is behind in nothing: %+v", w.Steps(), b)
			}
		}
	})
	if counts = slices.Compact(counts); !slices.Equal(counts, []string{"3 wanted"}) {
		t.Errorf("the controller errs while there are %q", counts)
	}
}

// Each worker is at the line of the program that it does.
func TestWorkersAreAtTheirLines(t *testing.T) {
	seen := map[string]bool{}
	text := func(c *link.Controller, line int) string {
		if line < link.LineGet+1 {
			return []string{"", "get"}[line]
		}
		return c.Program[line-link.LineGet-1]
	}
	run(t, "29-two-are-created", func(w *world.World, _, is *link.Controller) {
		for _, e := range w.Log.Events {
			if int(w.Last.Informer) != 0 {
				return
			}
			line := text(is, Line(w.Informers[0], 0))
			switch {
			case e.Kind == event.ReconcileStarted:
				seen["get "+line] = true
			case e.Kind == event.ChildrenRead:
				seen["read "+line] = true
			case e.Kind == event.ObjectWritten && w.Last.Actor >= 0:
				seen[e.Delta.String()+" "+line] = true
			}
		}
	})
	for _, want := range []string{"get get", "read list", "Added while children < .spec.replicas generate", "Updated set .status.replicas children"} {
		if !seen[want] {
			t.Errorf("nobody was seen to %q", want)
		}
		delete(seen, want)
	}
	for other := range seen {
		if !strings.HasPrefix(other, "Deleted while children > .spec.replicas delete") {
			t.Errorf("a worker was seen to %q", other)
		}
	}
}

// The list of what was written and not yet seen empties, and all guards have it.
func TestWhatWasWrittenIsSeenInTheEnd(t *testing.T) {
	for _, name := range []string{"29-two-are-created", "30-guard-expectations", "30-guard-consistency", "30-guard-readyourwrites", "30-guard-mutation"} {
		most, last := 0, 0
		run(t, name, func(_ *world.World, _, is *link.Controller) { last = len(is.Unseen); most = max(most, last) })
		if most == 0 || last != 0 {
			t.Errorf("%s: at most %d versions are unseen, and %d at the end", name, most, last)
		}
	}
}
