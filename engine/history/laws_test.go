package history

import (
	"fmt"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// TestLaws runs random recordings under the default schedule and under random
// ones.
func TestLaws(t *testing.T) {
	exact := 0
	for seed := range uint64(150) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := actor.Rand(seed)
			f := randomFeed(&r, 10+r.Intn(60))
			cfg := randomConfig(&r, f)
			w, err := newPoint(cfg)
			if err != nil {
				t.Fatal(err)
			}
			c := newWatcher(t, w)
			var ready []actor.ID
			for {
				id, ok := w.Next()
				if !ok {
					break
				}
				if seed%3 != 0 {
					ready = w.Ready(ready[:0])
					ready = slices.DeleteFunc(ready, w.Idle)
					id = ready[r.Intn(len(ready))]
				}
				c.step(id)
				if w.Steps() > 200_000 {
					t.Fatal("the run does not end")
				}
			}
			c.settled()
			exact += c.exact
		})
	}
	if exact < 1000 {
		t.Errorf("only after %d steps had a cache reached all that was sent", exact)
	}
}

// TestStop stops random runs at random points, and checks that they end.
func TestStop(t *testing.T) {
	for seed := range uint64(60) {
		r := actor.Rand(seed)
		w, err := newPoint(randomConfig(&r, randomFeed(&r, 30)))
		if err != nil {
			t.Fatal(err)
		}
		w.run(1 + int64(r.Intn(1500)))
		w.Do(&world.Command{Kind: world.StopInformer})
		x := w.Informers[0]
		_, _, _, loop := x.Actors()
		left := -1 // in the queue when the process loop returned; a Replace under way may go on then
		var ready []actor.ID
		for n := 0; ; n++ {
			if left < 0 && w.Set.State(loop).Wait == actor.Stopped {
				left = x.Queue.Depth()
			}
			if ready = w.Ready(ready[:0]); len(ready) == 0 {
				break
			}
			if n > 100_000 {
				t.Fatalf("seed %d: the run does not end", seed)
			}
			w.Step(ready[r.Intn(len(ready))])
		}
		if !x.Stopped() || left > 0 && !x.Config().Profile.StopsAtOnce {
			t.Fatalf("seed %d: stopped: %v, and %d deltas were left in the queue", seed, x.Stopped(), left)
		}
		for i := range x.Locks {
			if l := &x.Locks[i]; l.Holder() != actor.Nobody || len(l.Waiters()) > 0 {
				t.Fatalf("seed %d: lock %d is still held", seed, i)
			}
		}
	}
}

// TestSteadyStateAllocates checks that a world that is warm allocates next to nothing.
func TestSteadyStateAllocates(t *testing.T) {
	const events = 20_000
	w, err := newPoint(manyConfig(manyEvents(500, events)))
	if err != nil {
		t.Fatal(err)
	}
	var c point
	for w.Informers[0].Server.View(0, 0).Sent < events/4 {
		w.run(100)
	}
	from := w.Informers[0].Server.View(0, 0).Sent
	n := testing.AllocsPerRun(1, func() { w.run(20_000) })
	took := float64(w.Informers[0].Server.View(0, 0).Sent-from) / 2 // AllocsPerRun runs it once before
	if n/took > 0.1 {
		t.Errorf("%.0f allocations for %.0f events", n, took)
	}
	c.copyFrom(w)
	if n := testing.AllocsPerRun(10, func() { c.copyFrom(w) }); n > 1 {
		t.Errorf("%.0f allocations to copy a world again", n)
	}
}

// TestAnyRecording: a world plays whatever is in a recording, in whatever
// order, to an end.
func TestAnyRecording(t *testing.T) {
	for seed := range uint64(200) {
		r := actor.Rand(seed)
		f := newFeed()
		for range r.Intn(50) {
			rec := apiserver.Record{Kind: apiserver.RecordKind(1 + r.Intn(int(apiserver.WatchEnd))), Delta: event.Delta(r.Intn(int(event.Unknown) + 1)),
				Failure: apiserver.Failure(r.Intn(int(apiserver.OtherFailure) + 1)), RV: object.RV(r.Intn(3))}
			if r.Intn(5) > 0 {
				rec.Obj = f.obj(string(rune('a'+r.Intn(5))), fmt.Sprint(r.Intn(20)))
			}
			f.wait(int64(r.Intn(int(sec)))).add(rec)
		}
		w, err := newPoint(randomConfig(&r, f))
		if err != nil {
			t.Fatal(err)
		}
		if w.run(100_000) == 100_000 {
			t.Fatalf("seed %d: the run does not end", seed)
		}
	}
}

// TestMutationDetector: if somebody changes an object in the cache, the detector finds
// it within a second, and the process ends. It doesn't find an object that it has
// forgotten by then.
func TestMutationDetector(t *testing.T) {
	for _, p := range world.Profiles() {
		f := newFeed().list("10", "a/x@1", "a/y@2").wait(ms).open().wait(10*60*sec).event("~a/y@11", "b@12")
		cfg := f.config(informer.Handler{Name: "h"})
		cfg.Informers[0].Profile, cfg.Informers[0].DetectMutations = p, true
		mutateAt := func(at int64) (*point, int64) {
			w, err := newPoint(cfg)
			if err != nil {
				t.Fatal(err)
			}
			x := w.Informers[0]
			for mutated := false; ; {
				id, ok := w.Next()
				if !ok {
					return w, 0
				}
				if !mutated && w.Set.ReadyAt(id) >= at {
					r, _ := x.Indexer.GetByKey(f.t.Key("a/x"))
					x.Indexer.Mutate(r, f.obj("a/x", "1", "app=changed"))
					mutated = true
				}
				if w.Step(id); x.Crash() == nil {
					w = w.clone()
					x = w.Informers[0]
				} else if e := w.Log.Events[len(w.Log.Events)-1]; e.Kind != event.ObjectMutated || f.t.KeyText(e.Key) != "a/x" || e.Old == e.New {
					t.Fatalf("%s: the process ends with %+v", p.Name, e)
				} else {
					return w, w.Now()
				}
			}
		}
		if _, died := mutateAt(5*sec + sec/2); died < 5*sec || died > 7*sec {
			t.Errorf("%s: the change is found at %d", p.Name, died)
		}
		if w, died := mutateAt(8 * 60 * sec); died != 0 || len(w.Ready(nil)) == 0 {
			t.Errorf("%s: the change is found at %d, though the object was forgotten", p.Name, died)
		}
	}
}
