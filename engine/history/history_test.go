package history

import (
	"fmt"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/world"
)

// TestHistory checks that the state after n steps is the same whichever way
// leads there.
func TestHistory(t *testing.T) {
	seeds := uint64(20)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := actor.Rand(seed)
			cfg := randomConfig(&r, randomFeed(&r, 40))
			var states []string
			w, err := newPoint(cfg)
			if err != nil {
				t.Fatal(err)
			}
			for ok := true; ok; {
				states = append(states, dump(w.World()))
				var id actor.ID
				if id, ok = w.Next(); ok {
					if r.Intn(50) == 0 {
						w = w.clone()
					}
					w.Step(id)
				}
			}
			h, err := New(cfg, nil)
			if err != nil {
				t.Fatal(err)
			}
			h.runs.interval = 64
			for h.Extend(int64(1+r.Intn(100))) > 0 {
			}
			if !h.Complete() || h.Steps() != int64(len(states)-1) {
				t.Fatalf("complete %v after %d steps, not %d", h.Complete(), h.Steps(), len(states)-1)
			}
			at := int64(0)
			check := func(n int64) {
				t.Helper()
				at = n
				if got := dump(h.SeekTo(n)); got != states[n] {
					t.Fatalf("the state at step %d differs:\n%s\nnot\n%s", n, got, states[n])
				}
			}
			for range 60 {
				check(int64(r.Intn(len(states))))
				for range 3 {
					check(max(0, at-1))
				}
				check(min(h.Steps(), at+1))
				check(h.NextOperation(at))
				check(h.PrevWatchEvent(at))
				if n := h.StepOf(h.World().Now()); n < at || h.World().Now() != h.SeekTo(at).Now() {
					t.Fatalf("StepOf gives step %d, and the world stood at %d", n, at)
				}
			}
		})
	}
}

// growing is a feed that is still being read. If it tells,
// nothing comes before its next record, as in the feed of a cluster that is followed.
type growing struct {
	apiserver.Records
	n     int
	tells bool
}

func (g *growing) Len() int { return g.n }
func (g *growing) Now() int64 {
	switch {
	case g.n == len(g.Records):
		return g.Records.Now()
	case !g.tells:
		return 0
	}
	return g.Records[g.n].Time
}
func (g *growing) Complete() bool { return g.n == len(g.Records) }

// TestGrowingFeed checks that a run does not depend on how its feed arrives.
func TestGrowingFeed(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := actor.Rand(seed)
			f := randomFeed(&r, 40)
			cfg := randomConfig(&r, f)
			w, err := newPoint(cfg)
			if err != nil {
				t.Fatal(err)
			}
			w.run(1 << 30)
			g := &growing{Records: f.recs, tells: seed%2 == 1}
			cfg.Informers[0].Feed = g
			h, err := New(cfg, nil)
			if err != nil {
				t.Fatal(err)
			}
			for !h.Complete() {
				if h.Extend(50) == 0 && h.Starved() {
					g.n = min(g.n+1+r.Intn(5), len(g.Records))
				}
			}
			if got, want := dump(h.SeekTo(h.Steps())), dump(w.World()); got != want || h.Steps() != w.Steps() {
				t.Fatalf("the run ends after %d steps as\n%s\nand with the whole feed after %d as\n%s", h.Steps(), got, w.Steps(), want)
			}
		})
	}
}

// A seek from afar leaves copies a little before its goal, because the page shows the steps before
// it. What is at the end of a history is not played again.
func TestAFarSeekLeavesCopies(t *testing.T) {
	cfg := manyConfig(manyEvents(50, 6000))
	h, err := New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	for h.Extend(1<<20) > 0 {
	}
	for range 4 {
		h.runs.thin()
	}
	check := func(h *History, to int64) {
		t.Helper()
		again, err := Replay(cfg, nil, h.Inputs())
		if err != nil {
			t.Fatal(err)
		}
		again.Extend(to)
		for _, step := range []int64{to, to - 1, to - 70, to - 900, to - 2000, to} {
			again.SeekTo(step)
			if got, want := dump(h.SeekTo(step)), dump(again.World()); got != want {
				t.Errorf("from step %d, the state at step %d is\n%s\nnot\n%s", to, step, got, want)
			}
		}
	}
	for _, to := range []int64{30_000, 90_000, 45_000, 60_000} {
		h.SeekTo(to)
		for _, before := range []int64{70, copiesBefore[0]} {
			if from := h.nearest(to - before).Steps(); from < to-copiesBefore[0] {
				t.Errorf("a step %d before %d is played from %d on", before, to, from)
			}
		}
		check(h, to)
	}
	b := h.Branch(50_000)
	if !b.Do(world.Command{Kind: world.Compact}) || b.nearest(b.Steps()) != b.front {
		t.Errorf("step %d is played again", b.Steps())
	}
	check(b, b.Steps())
}

// TestBranch checks that a branch shares its past with the run that it has left,
// and that a command changes its future alone.
func TestBranch(t *testing.T) {
	for seed := range uint64(10) {
		r := actor.Rand(seed)
		h, err := New(randomConfig(&r, randomFeed(&r, 40)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for h.Extend(1000) > 0 {
		}
		last := dump(h.SeekTo(h.Steps()))
		at := int64(r.Intn(int(h.Steps())))
		b := h.Branch(at)
		if dump(b.World()) != dump(h.SeekTo(at)) {
			t.Fatalf("seed %d: the branch at %d has another past", seed, at)
		}
		if !b.Do(world.Command{Kind: world.BreakWatch}) || b.World().Steps() != at || b.Steps() != at+1 {
			t.Fatalf("seed %d: a command after step %d is step %d", seed, at, b.Steps())
		}
		for b.Extend(1000) > 0 {
		}
		if got := dump(h.SeekTo(h.Steps())); got != last {
			t.Fatalf("seed %d: the branch has changed its parent:\n%s\nand before that\n%s", seed, got, last)
		}
		b.SeekTo(b.Steps())
		newWatcher(t, b.cur).settled()
	}
}

// A long history has more checkpoints than a short one, so two neighbours are fewer steps apart than they would be under
// a limit that stays the same.
func TestCheckpointsOfALongHistory(t *testing.T) {
	r := actor.Rand(1)
	h, err := New(randomConfig(&r, randomFeed(&r, 4)), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, w, step := &h.runs, h.front, int64(minEvery)
	for ; step <= 1<<26; step += minEvery {
		c.add(w, step)
		if n := len(c.worlds); n > maxCheckpoints*times(step) || step > maxCheckpoints*minEvery && n < maxCheckpoints/2 {
			t.Fatalf("there are %d checkpoints after %d steps", n, step)
		}
	}
	if apart := step / int64(len(c.worlds)); apart > 1<<26/maxCheckpoints/2 {
		t.Errorf("%d checkpoints are %d steps apart", len(c.worlds), apart)
	}
	m := NewMemory(10 * w.size())
	short, err := New(h.cfg, m)
	if err != nil {
		t.Fatal(err)
	}
	for step := int64(0); step < long; {
		step += minEvery
		short.runs.add(short.front, step)
	}
	if m.Used() > 10*w.size() && len(short.runs.worlds) > leastOfRoot {
		t.Errorf("%d checkpoints take %d bytes of %d", len(short.runs.worlds), m.Used(), 10*w.size())
	}
}
