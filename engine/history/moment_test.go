package history

import (
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/world"
)

// Each step has a Moment of its own. The Moment leads back to the step, on the same run, on a
// branch, and on a run that has not come so far yet.
func TestAMomentLeadsBackToItsStep(t *testing.T) {
	seeds := uint64(30)
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		r := actor.Rand(seed)
		cfg := simulated(&r, world.Profiles()[r.Intn(len(world.Profiles()))])
		if seed%2 == 0 {
			cfg = randomConfig(&r, randomFeed(&r, 40))
		}
		h, err := New(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		l := &lived{History: h, sums: []string{sum(h.front)}}
		l.run(&r, seed, 200)
		for h.Steps() < 3000 && h.Extend(100) > 0 {
		}
		known := map[Moment]int64{}
		for range 60 {
			step := int64(r.Intn(int(h.Steps() + 1)))
			m, ok := h.MomentAt(step)
			if !ok {
				t.Fatalf("seed %d: step %d has no Moment", seed, step)
			}
			if other, is := known[m]; is && other != step {
				t.Fatalf("seed %d: steps %d and %d have the same Moment %s", seed, other, step, m)
			}
			known[m] = step
			parsed, ok := ParseMoment(m.String())
			if !ok || parsed != m {
				t.Fatalf("seed %d: %q is read as %+v, %v", seed, m, parsed, ok)
			}
			if got := h.FindMoment(m); got != step {
				t.Fatalf("seed %d: %s leads to step %d and not to %d", seed, m, got, step)
			}
			again, err := Replay(cfg, nil, h.Inputs())
			if err != nil {
				t.Fatal(err)
			}
			if got := again.FindMoment(m); got != step {
				t.Fatalf("seed %d: on a run that has not begun, %s leads to step %d and not to %d", seed, m, got, step)
			}
			b := h.Branch(step)
			if got := b.FindMoment(m); got != step {
				t.Fatalf("seed %d: on a branch, %s leads to step %d and not to %d", seed, m, got, step)
			}
			b.Drop()
		}
	}
}

// A Moment outlives a change of the machine that has steps elsewhere: here each handler's call
// is another number of steps away from the start, because another handler has joined.
func TestAMomentOutlivesAChange(t *testing.T) {
	r := actor.Rand(4)
	cfg := randomConfig(&r, randomFeed(&r, 40))
	h, err := New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	for h.Extend(1000) > 0 {
	}
	other := *cfg
	other.Informers = append(other.Informers[:0:0], cfg.Informers...)
	in := &other.Informers[0]
	in.Handlers = append(in.Handlers[:len(in.Handlers):len(in.Handlers)], in.Handlers[0])
	in.Handlers[len(in.Handlers)-1].Name = "one more"
	changed, err := New(&other, nil)
	if err != nil {
		t.Fatal(err)
	}
	moved, found, every := 0, 0, int64(1)
	if testing.Short() {
		every = 7
	}
	for step := int64(1); step <= h.Steps(); step += every {
		m, _ := h.MomentAt(step)
		got := changed.FindMoment(m)
		if got < 0 {
			continue
		}
		found++
		if got != step {
			moved++
		}
		if again, _ := changed.MomentAt(got); again != m {
			t.Fatalf("step %d is %s, and its Moment leads to %s", step, m, again)
		}
	}
	if found < int(h.Steps()/every)/2 || moved == 0 {
		t.Errorf("%d steps: %d are found, %d of them elsewhere", h.Steps(), found, moved)
	}
}

// What isn't in the run is not found, and text that is no Moment is refused.
func TestAMomentThatIsNotThere(t *testing.T) {
	r := actor.Rand(4)
	h, err := New(randomConfig(&r, randomFeed(&r, 10)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"99999", "0-1", "3.1.loop.Nothing", "3.90000.loop.Popped"} {
		m, ok := ParseMoment(text)
		if !ok {
			t.Errorf("%s is refused", text)
		}
		if step := h.FindMoment(m); step >= 0 {
			t.Errorf("%s is found at step %d", text, step)
		}
	}
	if m, ok := ParseMoment("0"); !ok || h.FindMoment(m) != 0 {
		t.Error("the start is not found")
	}
	for _, text := range []string{"", ".", "x", "-1", "+1", "1-", "1.0.loop", "1.1.", "1.1", "1.1.<b>", "1.1.a b", "99999999999999999999", "1.-1.loop", "1--2", "1+2"} {
		if m, ok := ParseMoment(text); ok {
			t.Errorf("%q is read as %+v", text, m)
		}
	}
}

func FuzzMoment(f *testing.F) {
	for _, s := range []string{"0", "47-1.3.run/2.HandlerCalled", "1-", "1.1.x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if m, ok := ParseMoment(s); ok {
			if again, ok := ParseMoment(m.String()); !ok || again != m {
				t.Errorf("%q is %+v, which is written %q", s, m, m)
			}
		}
	})
}
