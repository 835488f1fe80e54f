package ask_test

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/world"
)

// A search that passes over parts of a long run finds what a look at every step finds: in a run
// whose checkpoints were thinned out, and in a branch of it.
func TestASearchMayPassOver(t *testing.T) {
	seeds := uint64(2)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		rand := actor.Rand(seed)
		h := bigRunToMake(t, 9_000, history.NewMemory(4<<20))
		troubled(h, &rand)
		b := h.Branch(h.Steps()/3 + int64(rand.Intn(1000)))
		troubled(b, &rand)
		if h.Steps() < 100_000 || b.Steps() < 100_000 {
			t.Fatal(h.Steps(), b.Steps())
		}
		for _, h := range []*history.History{h, b} {
			for _, text := range []string{
				"list()", "!list()", "relist()", `fact("WatchClosed")`, `fact("BackoffStarted") || resync()`, "once(relist())", "count(list()) > 2", "before(resync(), relist())",
				`within(300ms, list(), fact("WatchClosed"))`, `fact("ListenerPending", "", "audit")`, `list() && depth() > 0`, `1 == 1`,
			} {
				x := parse(t, text)
				var want, got []ask.Change
				e := x.Eval(0)
				h.Find(0, false, func(w *world.World) bool {
					if v, changed := e.Look(w); changed {
						want = append(want, ask.Change{Step: w.Steps(), Time: w.Now(), Value: v})
					}
					return false
				}).Run(1 << 40)
				s := x.Search(h, 0, func(c ask.Change) {
					c.World = nil
					got = append(got, c)
				})
				far, at := int64(0), int64(0)
				for !s.Advance(1 + int64(rand.Intn(2000))) {
					far, at = max(far, s.Step()-at), s.Step()
				}
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d, %s: found\n%v\nand should find\n%v", seed, text, got, want)
				}
				if text == "list()" && far < 8000 {
					t.Errorf("seed %d: the search for %s looks at %d steps and more at once", seed, text, far)
				}
				if s.Step() != h.Steps() || x.Begin(h, 0).Value() != s.Value() {
					t.Errorf("seed %d, %s: the search has ended at step %d of %d", seed, text, s.Step(), h.Steps())
				}
				if !x.Momentary() || x.Remembers() {
					continue
				}
				for range 3 {
					from, next, last := int64(rand.Intn(int(h.Steps()))), int64(0), int64(0)
					for _, c := range want {
						switch {
						case !c.Value.True():
						case c.Step < from:
							last = c.Step
						case c.Step > from && next == 0:
							next = c.Step
						}
					}
					if found := find(x, h, from, false); found != next {
						t.Errorf("seed %d: after step %d, %s is found at %d, and should be at %d", seed, from, text, found, next)
					}
					if found := find(x, h, from, true); found != last {
						t.Errorf("seed %d: before step %d, %s is found at %d, and should be at %d", seed, from, text, found, last)
					}
				}
			}
		}
	}
}

// find is the step that x.Find finds.
func find(x *ask.Expr, h *history.History, from int64, back bool) (found int64) {
	f, ended := x.Find(h, 0, from, back), false
	for !ended {
		found, ended = f.Run(4096)
	}
	return found
}

// troubled runs h to its end. A few times on the way the watch breaks.
func troubled(h *history.History, rand *actor.Rand) {
	for range 3 {
		h.Extend(int64(rand.Intn(60_000)))
		h.Do(world.Command{Kind: world.BreakWatch})
	}
	for h.Extend(1<<20) > 0 {
	}
}
