package history

import (
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// A Finder finds the steps that a look at every step finds, in both directions, from
// anywhere, and on branches. It may be interrupted, and the world that is shown stays.
func TestAFinderFindsWhatIsThere(t *testing.T) {
	for seed := range uint64(20) {
		r := actor.Rand(seed)
		h, err := New(randomConfig(&r, randomFeed(&r, 60)), nil)
		if err != nil {
			t.Fatal(err)
		}
		key := object.Key(1 + r.Intn(3))
		concerns := func(w *world.World) bool {
			for _, e := range w.Log.Events {
				if e.Key == key && e.Kind != event.IndexAdded {
					return true
				}
			}
			return false
		}
		var all []int64
		for h.Extend(1) > 0 {
			if concerns(h.front.World()) {
				all = append(all, h.Steps())
			}
		}
		b := h.Branch(h.Steps() / 2)
		for b.Extend(100) > 0 {
		}
		for range 40 {
			x := h
			if r.Intn(2) == 0 {
				x = b
			}
			shown := int64(r.Intn(int(h.Steps() + 1)))
			x.SeekTo(shown)
			from := int64(r.Intn(int(h.Steps() + 1)))
			for _, back := range []bool{false, true} {
				want := int64(0)
				for _, step := range all {
					if back && step < from || !back && step > from && want == 0 {
						want = step
					}
				}
				s := x.Find(from, back, concerns)
				got, ended := int64(0), false
				for !ended {
					got, ended = s.Run(int64(1 + r.Intn(50)))
				}
				if got != want {
					t.Fatalf("seed %d: from step %d, back %v, the Finder finds %d, not %d of %v", seed, from, back, got, want, all)
				}
			}
			if x.World().Steps() != shown {
				t.Fatalf("seed %d: a Finder moves the world from %d to %d", seed, shown, x.World().Steps())
			}
		}
	}
}

// NextTime says when the next step is made.
func TestNextTime(t *testing.T) {
	r := actor.Rand(3)
	h, err := New(randomConfig(&r, randomFeed(&r, 20)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for h.Extend(1000) > 0 {
	}
	for step := range h.Steps() {
		h.SeekTo(step)
		next := h.NextTime()
		if now := h.SeekTo(step + 1).Now(); next != now {
			t.Fatalf("step %d is made at %d, not at %d", step+1, now, next)
		}
	}
	if next := h.NextTime(); next != -1 {
		t.Errorf("after the last step NextTime is %d", next)
	}
}
