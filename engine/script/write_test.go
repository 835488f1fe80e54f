package script

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/explore"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// rerun makes a run again from its Lines, and compares the two.
func rerun(t *testing.T, h *history.History) {
	t.Helper()
	lines, err := Lines(h)
	if err != nil {
		t.Fatal(err)
	}
	again, err := history.New(h.Config(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := Attach(again, func(Entry) {})
	for n, line := range lines {
		if err := r.Line(line, n+1); err != nil {
			t.Fatalf("%v, in\n%s", err, strings.Join(lines, "\n"))
		}
	}
	for again.Steps() < h.Steps() && again.Extend(1) == 1 {
	}
	if again.Steps() != h.Steps() || len(again.Inputs()) != len(h.Inputs()) {
		t.Fatalf("%d steps and %d inputs became %d and %d by\n%s", h.Steps(), len(h.Inputs()), again.Steps(), len(again.Inputs()), strings.Join(lines, "\n"))
	}
	for s := range h.Steps() + 1 {
		if want, got := stepText(h.SeekTo(s)), stepText(again.SeekTo(s)); got != want {
			t.Fatalf("step %d is %s, and was %s, by\n%s", s, got, want, strings.Join(lines, "\n"))
		}
	}
}

// stepText is a step's facts as text, in which Refs are replaced: two runs may
// give one version different Refs.
func stepText(w *world.World) string {
	x := w.Informers[w.Last.Informer]
	facts := []string{fmt.Sprint(w.Now(), w.Last)}
	for _, e := range w.Log.Events {
		facts = append(facts, factText(x, e))
	}
	return strings.Join(facts, "; ")
}

// TestLinesOfScripts plays every script of testdata, writes its inputs as lines,
// and plays those.
func TestLinesOfScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			r := NewRunner(func(Entry) {})
			for n, line := range strings.Split(scriptOf(string(text)), "\n") {
				if r.Line(line, n+1) != nil {
					break // the golden test says what is wrong
				}
			}
			if r.History() != nil {
				rerun(t, r.History())
			}
		})
	}
}

// TestLinesOfRandomRuns does the same for runs with random choices and random
// commands, and for branches that leave them while an advance lasts.
func TestLinesOfRandomRuns(t *testing.T) {
	done := map[world.CommandKind]int{}
	seeds := uint64(40)
	if testing.Short() {
		seeds = 2
	}
	world.RandomSeeds(0, seeds+4, func(seed uint64) { // the last four of each generation are of processes with shards
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			rnd := actor.Rand(seed)
			r := NewRunner(func(Entry) {})
			profiles := world.Profiles()
			setup := []string{
				"profile " + profiles[rnd.Intn(len(profiles))].Name, "server compact=5m", "informer pods resync=7s index=app writes=seen=yes",
				"informer jobs.batch factory workers=2", "exists pod a/first app=web", "handler metrics", "handler audit takes=20ms workqueue", "handler other informer=jobs.batch", "handler worker informer=jobs.batch workqueue",
			}
			if seed%8 == 7 {
				setup = []string{setup[0], "server compact=5m", "informer pods resync=7s", "informer jobs workers=2", "controller pods owns=jobs", "handler metrics", "exists pod a/first .spec.replicas=1", "replicas 2 release"}
			}
			if uint64(uint32(seed)) >= seeds {
				setup = []string{"profile v0.38", "server shards=ignored", "informer pods", "handler audit takes=20ms workqueue", "shards 2 by=namespace processes=3", "exists pod a/first"}
			}
			for n, line := range setup {
				if err := r.Line(line, n+1); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.begin(1); err != nil {
				t.Fatal(err)
			}
			playRandom(t, &rnd, seed, r, 120, done)
			h := r.History()
			rerun(t, h)
			for _, at := range whileTimePasses(&rnd, h, 3) {
				b := h.Branch(at)
				playRandom(t, &rnd, seed, Attach(b, func(Entry) {}), 12, done)
				rerun(t, b)
			}
		})
	})
	for kind := world.BreakWatch; !kind.ByHand(); kind++ {
		if done[kind] == 0 && !testing.Short() {
			t.Errorf("no random run does %q", syntax.Line(kind))
		}
	}
}

// playRandom plays random lines, and notes the kinds of the commands that they do.
func playRandom(t *testing.T, rnd *actor.Rand, seed uint64, r *Runner, lines int, done map[world.CommandKind]int) {
	t.Helper()
	for range lines {
		if r.w.Set.Now > syntax.MaxTime/2 {
			return // no line has a longer time
		}
		r.Limit(3000, explore.Limits{}) // without a limit, a server that fails would be asked for ever
		if rnd.Intn(3) > 0 {
			_ = r.Line(randomMove(rnd, r), 1) // the run may end before
			continue
		}
		c := world.AnyCommand(rnd, r.w, seed)
		if !r.w.Can(&c) {
			continue
		}
		line, ok := syntax.CommandLine(&c, func(i int) *informer.Config { return r.w.Informers[i].Config() })
		if !ok {
			t.Fatalf("no line is %+v", c)
		}
		if err := r.Line(line, 1); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		done[c.Kind]++
	}
}

// whileTimePasses picks steps of a run, each after the beginning of an advance and before
// its end.
func whileTimePasses(rnd *actor.Rand, h *history.History, most int) (steps []int64) {
	for s := range h.Steps() {
		if h.SeekTo(s).Horizon() != 0 {
			steps = append(steps, s)
		}
	}
	for len(steps) > most {
		i := rnd.Intn(len(steps))
		steps = slices.Delete(steps, i, i+1)
	}
	return steps
}

// randomMove is a line that lets the machine run.
func randomMove(rnd *actor.Rand, r *Runner) string {
	pick := func(from ...string) string { return from[rnd.Intn(len(from))] }
	switch rnd.Intn(10) {
	case 0, 1:
		return fmt.Sprintf("run random %d until ", rnd.Intn(100)) + pick("Popped", "LockAcquired", "Enqueued a/x", "call metrics")
	case 2, 3, 4:
		return fmt.Sprintf("run until step %d", r.w.Steps()+int64(rnd.Intn(20)))
	case 5:
		return "advance " + pick("10ms", "1.5s", "8s")
	}
	if ready := r.w.Ready(nil); len(ready) > 0 && rnd.Intn(2) == 0 {
		return "step " + r.actorName(ready[rnd.Intn(len(ready))])
	}
	return fmt.Sprint("step ", 1+rnd.Intn(9))
}

// TestLinesAreNotAlike checks that a choice of the scheduler is written as a line of its own.
func TestLinesAreNotAlike(t *testing.T) {
	r := NewRunner(func(Entry) {})
	for n, line := range []string{"informer pods", "handler h", "create pod a/x", "step 3", "step reflector", "create pod a/y", "run"} {
		if err := r.Line(line, n+1); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Lines(r.History())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) < 4 || !slices.Contains(got, "create pods a/x") || !slices.Contains(got, "create pods a/y") || !strings.HasPrefix(got[0], "run until step ") {
		t.Errorf("the lines are %q", got)
	}
}
