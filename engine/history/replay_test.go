package history

import (
	"fmt"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/world"
)

// sum is the whole state of w as far as anyone can tell, with the facts of the
// last step.
func sum(w *point) string {
	var h actor.Hash
	w.Hash(&h)
	return fmt.Sprint(h, w.Now(), w.Steps(), w.inputs, w.Horizon(), w.Last, w.Log.Events)
}

// lived is a history with what its front has been after each step.
type lived struct {
	*History
	sums []string // from the first step on, the parent's included
}

// run makes a few random steps: the default schedule's next step, a step of any actor
// that can move, or a command.
func (l *lived) run(r *actor.Rand, seed uint64, steps int) {
	var ready []actor.ID
	for range steps {
		made := false
		switch w := l.front; r.Intn(8) {
		case 0:
			made = l.Do(world.AnyCommand(r, w.World(), seed))
		case 1, 2:
			if ready = slices.DeleteFunc(w.Ready(ready[:0]), w.Idle); len(ready) > 0 {
				made = l.Choose(ready[r.Intn(len(ready))])
			}
		default:
			made = l.Extend(1) == 1
		}
		if made {
			l.sums = append(l.sums, sum(l.front))
		}
	}
}

// TestAnyWay holds that a state is the same whichever way it was reached: by
// stepping, by seeking, from a branch, or by replaying the log; and that reaching
// it again makes no new versions of objects.
func TestAnyWay(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 5
	}
	world.RandomSeeds(0, seeds, func(seed uint64) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := actor.Rand(seed)
			cfg := simulated(&r, world.Profiles()[r.Intn(len(world.Profiles()))])
			if seed%2 == 0 {
				cfg = randomConfig(&r, randomFeed(&r, 40))
			}
			cfg.Informers[len(cfg.Informers)-1].Factory = seed%3 == 0
			m := NewMemory(200 << 10) // always too small for the checkpoints
			h, err := New(cfg, m)
			if err != nil {
				t.Fatal(err)
			}
			h.runs.interval = 64
			all := []*lived{{History: h, sums: []string{sum(h.front)}}}
			for range 12 {
				l := all[r.Intn(len(all))]
				l.run(&r, seed, r.Intn(300))
				at := int64(r.Intn(len(l.sums)))
				b := l.Branch(at)
				b.runs.interval = 64
				all = append(all, &lived{History: b, sums: slices.Clone(l.sums[:at+1])})
			}
			made := tables(cfg)
			for range 200 {
				l := all[r.Intn(len(all))]
				at := int64(r.Intn(len(l.sums)))
				l.SeekTo(at)
				if got := sum(l.cur); got != l.sums[at] {
					t.Fatalf("step %d, when it was sought, is:\n%s\nand when it was made:\n%s", at, got, l.sums[at])
				}
			}
			for _, l := range all {
				compare(t, l)
			}
			if now := tables(cfg); !slices.Equal(now, made) {
				t.Errorf("seeking has made versions of objects: %v, and before that %v", now, made)
			}
		})
	})
}

// compare compares the history with one that is replayed from its log.
func compare(t *testing.T, l *lived) {
	t.Helper()
	again, err := Replay(l.Config(), nil, l.Inputs())
	if err != nil {
		t.Fatal(err)
	}
	for again.Steps() < l.Steps() {
		if again.Extend(1) == 0 {
			t.Fatalf("the replayed run ends after %d of %d steps: %v", again.Steps(), l.Steps(), again.Err())
		}
		if got, want := sum(again.front), l.sums[again.Steps()]; got != want {
			t.Fatalf("step %d, when it was replayed, is:\n%s\nand when it was made:\n%s", again.Steps(), got, want)
		}
	}
	a, b := again.Samples(), l.Samples()
	if a.Received() != b.Received() || a.Marks() != b.Marks() {
		t.Fatalf("the replayed run has %d samples and %d marks, the branch %d and %d", a.Received(), a.Marks(), b.Received(), b.Marks())
	}
	for i := range a.Received() {
		if x, y := a.Receipt(i), b.Receipt(i); x != y {
			t.Fatalf("sample %d of the replayed run is %+v, and of the branch %+v", i, x, y)
		}
	}
	for i := range a.Marks() {
		if x, y := a.Mark(i), b.Mark(i); x != y {
			t.Fatalf("mark %d of the replayed run is %+v, and of the branch %+v", i, x, y)
		}
	}
	for i := range a.levels {
		if x, y := fmt.Sprint(slices.Collect(a.Levels(i))), fmt.Sprint(slices.Collect(b.Levels(i))); x != y {
			t.Fatalf("the levels of informer %d are %s in the replayed run, and %s in the branch", i, x, y)
		}
	}
	for s := range l.Steps() + 1 {
		at := []int64{again.NextOperation(s), again.PrevOperation(s), again.NextWatchEvent(s), again.PrevWatchEvent(s)}
		stops := []int64{l.NextOperation(s), l.PrevOperation(s), l.NextWatchEvent(s), l.PrevWatchEvent(s)}
		if !slices.Equal(at, stops) {
			t.Fatalf("the steps around %d are %v in the replayed run, and %v in the branch", s, at, stops)
		}
	}
	for s := int64(0); s <= l.Steps(); s += 37 {
		now := again.SeekTo(s).Now()
		if at, want := again.StepOf(now), l.StepOf(now); at != want || at < s {
			t.Fatalf("StepOf %d is %d in the replayed run and %d in the branch, and the clock was read at step %d", now, at, want, s)
		}
	}
}

// tables is how many versions of objects there are.
func tables(cfg *world.Config) (n []int) {
	for i := range cfg.Informers {
		n = append(n, cfg.Informers[i].Table.Len())
	}
	return n
}

// TestBrokenLog holds that a log from elsewhere ends the run at an input that
// cannot be done, and keeps what was good.
func TestBrokenLog(t *testing.T) {
	cfg := newFeed().list("10", "a/x@1").wait(ms).open().config()
	for _, c := range []struct {
		input Input
		err   error
		steps int64
	}{
		{Input{Step: 5, Actor: 99}, ErrCannotMove, 4},
		{Input{Step: 5, Actor: actor.Nobody}, ErrCannotMove, 4},
		{Input{Step: 5, Command: &world.Command{Kind: world.MutateCached}}, ErrNoEffect, 4}, // no object has the key 0
		{Input{Step: 5, Command: &world.Command{Kind: world.BreakWatch, Informer: 7}}, ErrNoEffect, 4},
		{Input{Step: 1 << 40, Command: &world.Command{Kind: world.BreakWatch}}, ErrNotReached, -1},
	} {
		h, err := Replay(cfg, nil, []Input{c.input})
		if err != nil {
			t.Fatal(err)
		}
		for h.Extend(100) > 0 {
		}
		if h.Err() != c.err || !h.Complete() || c.steps >= 0 && h.Steps() != c.steps {
			t.Errorf("%+v: %v after %d steps, complete %v", c.input, h.Err(), h.Steps(), h.Complete())
		}
	}
}
