package ask_test

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script"
)

// likely estimates to the end, by so many steps at a time.
func likely(h *history.History, x *ask.Expr, steps int) []ask.Odds {
	l := x.Estimate(h, 0, ask.EstimateBounds{Points: 8, Runs: 40, Steps: 500})
	for !l.Advance(steps) {
	}
	return l.Odds()
}

// raced is the run of a script in which two handlers race.
func raced(t *testing.T) *history.History {
	t.Helper()
	r := script.NewRunner(func(script.Entry) {})
	for i, line := range []string{"profile classic", "informer pods", "handler a", "handler b", "create pod default/web", "run until synced", "create pod default/late", "run"} {
		if err := r.Line(line, i+1); err != nil {
			t.Fatal(err)
		}
	}
	return r.History()
}

func TestHowLikely(t *testing.T) {
	h := raced(t)
	first := likely(h, parse(t, `before(call("b"), call("a"))`), 1<<20)
	if begin, end := first[0], first[len(first)-1]; begin.Step != 0 || begin.Yes == 0 || begin.Yes == begin.Runs {
		t.Errorf("two handlers race from the first step on, and b wins in %d of %d runs", begin.Yes, begin.Runs)
	} else if end.Step != h.Steps() || end.Yes != 0 {
		t.Errorf("after the end, at step %d, it comes about in %d runs", end.Step, end.Yes)
	}
	for _, c := range []struct {
		text string
		yes  func(o ask.Odds) bool
	}{
		{`step() >= 0`, func(o ask.Odds) bool { return o.Yes == o.Runs }},
		{`tombstone()`, func(o ask.Odds) bool { return o.Yes == 0 }},
		// A command from outside is carried out again in each run.
		{`call("a", "OnAdd", "default/late")`, func(o ask.Odds) bool { return o.Step > h.Steps()/2 || o.Yes == o.Runs }},
	} {
		for _, o := range likely(h, parse(t, c.text), 1<<20) {
			if !c.yes(o) || o.Runs != 40 {
				t.Errorf("%s comes about from step %d in %d of %d runs", c.text, o.Step, o.Yes, o.Runs)
			}
		}
	}
}

// An estimate in slices is the same as one in one go, and leaves the run where it is.
func TestOddsDoNotDependOnSlices(t *testing.T) {
	seeds := uint64(6)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		name, h := randomRun(t, seed)
		at := h.SeekTo(h.Steps() / 2).Steps()
		for _, text := range []string{`behind() > 1`, `once(call("audit"))`, `within(1ms, pop(), call("metrics"))`} {
			x := parse(t, text)
			if a, b := likely(h, x, 1<<30), likely(h, x, 7); !slices.Equal(a, b) {
				t.Errorf("%s, %s: in one go\n%v\nand in slices\n%v", name, text, a, b)
			}
		}
		if h.World().Steps() != at {
			t.Errorf("%s: the run has moved from step %d to step %d", name, at, h.World().Steps())
		}
	}
}
