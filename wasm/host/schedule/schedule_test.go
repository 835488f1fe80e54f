package schedule

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
)

var seed = flag.Uint64("seed", 1, "of the random walks")

// clock stands for the browser. Each look at it takes a millisecond.
type clock struct {
	now   int64
	turns []func()
}

func (c *clock) Now() int64     { c.now += 1_000_000; return c.now }
func (c *clock) Later(f func()) { c.turns = append(c.turns, f) }

// turn lets the first of those that wait have its turn. It reports whether there was one.
func (c *clock) turn() bool {
	if len(c.turns) == 0 {
		return false
	}
	f := c.turns[0]
	c.turns = c.turns[1:]
	f()
	return true
}

const (
	anotherRun Event = 1 << iota
	moved
	lastEvent
)

// work is a job of so many slices. It fails when it is called after its end.
type work struct {
	t       *testing.T
	name    string
	left    int
	slices  int
	reports int
	over    bool
	ended   []Event
	during  func()
}

func (w *work) alive(what string) {
	w.t.Helper()
	if w.over {
		w.t.Fatalf("%s of %s after its end", what, w.name)
	}
}

func (w *work) Work(int64) bool {
	w.alive("a slice")
	w.slices++
	w.left--
	if w.during != nil {
		w.during()
	}
	w.over = w.over || w.left <= 0
	return w.left > 0
}

func (w *work) Report() { w.alive("a report"); w.reports++ }

func (w *work) Stop(on Event) { w.alive("the end"); w.over, w.ended = true, append(w.ended, on) }

func quiet() Event { return 0 }

func TestJobsTakeTurns(t *testing.T) {
	c := &clock{}
	s := New(c, quiet)
	a, b := &work{t: t, name: "a", left: 3}, &work{t: t, name: "b", left: 100}
	s.Start(a, Terms{Kind: "a"})
	s.Start(b, Terms{Kind: "b"})
	s.Start(a, Terms{Kind: "a"}) // it is under way
	for i := range 6 {
		if len(c.turns) != 1 {
			t.Fatalf("%d turns are due", len(c.turns))
		}
		if c.turn(); a.slices != min(i/2+1, 3) || a.slices+b.slices != i+1 {
			t.Fatalf("after %d turns a has worked %d times, and b %d times", i+1, a.slices, b.slices)
		}
	}
	if s.Running("a") != nil || s.Running("b") != Job(b) {
		t.Error("a is under way, or b isn't")
	}
	s.Stop("b", moved)
	s.Stop("b", moved)
	if c.turn(); c.turn() || fmt.Sprint(b.ended) != "[2]" {
		t.Errorf("b was ended by %v, and there is more to do", b.ended)
	}
}

func TestAJobReports(t *testing.T) {
	c := &clock{}
	s := New(c, quiet)
	a := &work{t: t, name: "a", left: 1000}
	s.Start(a, Terms{Kind: "a"})
	for began := c.now; c.now < began+3*ReportEvery+ReportEvery/2; {
		c.turn()
	}
	if a.reports != 3 {
		t.Errorf("in three and a half times ReportEvery it has reported %d times", a.reports)
	}
}

func TestWhatEndsAJob(t *testing.T) {
	c := &clock{}
	var seen Event
	s := New(c, func() Event { e := seen; seen = 0; return e })
	a, b := &work{t: t, name: "a", left: 9}, &work{t: t, name: "b", left: 9}
	s.Start(a, Terms{Kind: "a", Ends: moved | anotherRun})
	s.Start(b, Terms{Kind: "b", Ends: moved})
	s.End(anotherRun)
	if fmt.Sprint(a.ended, b.ended) != "[1] []" {
		t.Errorf("a was ended by %v, and b by %v", a.ended, b.ended)
	}
	seen = moved
	c.turn()
	if fmt.Sprint(b.ended, b.slices) != "[2] 0" {
		t.Errorf("b was ended by %v, after %d slices", b.ended, b.slices)
	}
	// What has happened before a job was started doesn't end it.
	seen = moved
	d := &work{t: t, name: "d", left: 9}
	s.Start(d, Terms{Kind: "d", Ends: moved})
	c.turn()
	other := &work{t: t, name: "other", left: 1}
	s.Start(other, Terms{Kind: "d", AtOnce: true})
	if fmt.Sprint(d.ended, d.slices, other.slices) != "[0] 1 1" {
		t.Errorf("d was ended by %v, after %d slices, and the other one has made %d", d.ended, d.slices, other.slices)
	}
}

func TestAJobWaitsAndRests(t *testing.T) {
	c := &clock{}
	s := New(c, quiet)
	run, compare, search := &work{t: t, name: "run", left: 2}, &work{t: t, name: "compare", left: 2}, &work{t: t, name: "search", left: 9}
	s.Start(compare, Terms{Kind: "compare", After: "run", Rests: true})
	s.Start(run, Terms{Kind: "run", Rests: true})
	s.SetPainting(true)
	if c.turn(); c.turn() || run.slices+compare.slices > 0 {
		t.Fatal("a job works while the page paints")
	}
	s.Start(search, Terms{Kind: "search"})
	c.turn()
	s.SetPainting(false)
	if search.slices != 1 {
		t.Error("the search waits for the painting")
	}
	for run.left > 0 {
		if c.turn(); compare.slices > 0 {
			t.Fatal("the comparison doesn't wait for the run")
		}
	}
	for c.turn() {
	}
	if compare.left != 0 || search.left != 0 {
		t.Error("a job is not done")
	}
}

// A job that is started again while it works has another turn, whatever it returns.
func TestAJobIsStartedWhileItWorks(t *testing.T) {
	c := &clock{}
	s := New(c, quiet)
	a := &repeat{s: s, twice: true}
	s.Start(a, Terms{Kind: "a"})
	for c.turn() {
	}
	if a.slices != 2 {
		t.Errorf("it has worked %d times", a.slices)
	}
}

type repeat struct {
	s      *Schedule
	slices int
	twice  bool
}

func (a *repeat) Work(int64) bool {
	if a.slices++; a.twice {
		a.twice = false
		a.s.Start(a, Terms{Kind: "a"})
	}
	return false
}
func (a *repeat) Report()    {}
func (a *repeat) Stop(Event) {}

// TestWalk starts, ends and rests jobs at random, also while one of them works. A job that
// has ended is never called again, ends once, and none that can work waits for more turns
// than there are jobs.
func TestWalk(t *testing.T) {
	t.Logf("-seed %d", *seed)
	for n := range uint64(300) {
		r := rand.New(rand.NewPCG(*seed, n))
		c := &clock{}
		var seen Event
		s := New(c, func() Event { e := seen; seen = 0; return e })
		kinds := []string{"a", "b", "c", "d", "e"}
		var all []*work
		random := func() {
			kind := kinds[r.IntN(len(kinds))]
			switch r.IntN(8) {
			case 0, 1, 2:
				w := &work{t: t, name: fmt.Sprintf("%s%d", kind, len(all)), left: 1 + r.IntN(20)}
				all = append(all, w)
				terms := Terms{Kind: kind, Ends: Event(r.IntN(int(lastEvent))), Rests: r.IntN(3) == 0, AtOnce: r.IntN(4) == 0}
				if kind != "a" && r.IntN(4) == 0 {
					terms.After = "a"
				}
				s.Start(w, terms)
			case 3:
				s.End(Event(r.IntN(int(lastEvent))))
			case 4:
				s.Stop(kind, moved)
			case 5:
				seen |= Event(r.IntN(int(lastEvent)))
			case 6:
				s.SetPainting(r.IntN(2) == 0)
			}
		}
		for range 200 {
			if r.IntN(3) == 0 {
				random()
			}
			for _, w := range all {
				w.during = nil
				if r.IntN(20) == 0 {
					w.during = func() { w.during = nil; random() }
				}
			}
			c.turn()
			if len(c.turns) > 1 {
				t.Fatalf("walk %d: %d turns are due", n, len(c.turns))
			}
		}
		for _, w := range all {
			w.during = nil
		}
		s.SetPainting(false)
		for range 1000 {
			c.turn()
		}
		for _, w := range all {
			if !w.over || w.left > 0 && len(w.ended) != 1 {
				t.Fatalf("walk %d: %s was not done, and ended %d times", n, w.name, len(w.ended))
			}
		}
		if len(s.jobs) > 0 || len(c.turns) > 0 {
			t.Fatalf("walk %d: %d jobs and %d turns are left", n, len(s.jobs), len(c.turns))
		}
	}
}

// Whatever is started and ended, a job that can work has its turn before any other one has
// its second.
func TestNothingStarves(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 1))
	t.Logf("-seed %d", *seed)
	c := &clock{}
	s := New(c, quiet)
	steady := &work{t: t, name: "steady", left: 1 << 30}
	s.Start(steady, Terms{Kind: "steady"})
	for waited, had := 0, 0; had < 1000; {
		if r.IntN(2) == 0 {
			kind := fmt.Sprint(r.IntN(10))
			s.Start(&work{t: t, name: kind, left: 1 + r.IntN(9)}, Terms{Kind: kind})
		}
		c.turn()
		if steady.slices > had {
			had, waited = steady.slices, 0
		} else if waited++; waited > 10 {
			t.Fatalf("after slice %d it has waited for %d turns, with 10 others at most", had, waited)
		}
	}
}
