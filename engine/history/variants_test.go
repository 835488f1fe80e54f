package history

import (
	"fmt"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// TestApart runs random recordings, to which random things were done, with an informer
// for each handler. Each of these has one handler, a list and a watch of its own, and its
// cache ends equal to its server, and all servers end equal. The run that its own inputs
// make is the same.
func TestApart(t *testing.T) {
	seeds := uint64(150)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := actor.Rand(seed)
			f := randomFeed(&r, 40)
			h := randomRun(t, &r, f)
			done := r.Intn(3) * 4
			b := h.Branch(int64(r.Intn(int(h.Steps()))))
			for range done {
				b.Do(randomCommand(&r, b.Front()))
				b.Extend(int64(r.Intn(60)))
			}
			if done > 0 {
				b.Do(world.Command{Kind: world.AddHandler, Handler: informer.Handler{Name: "later"}})
				b.Do(world.Command{Kind: world.PaceHandler, Listener: 1, N: ms})
				b.Do(world.Command{Kind: world.FailRequests})
				b.Do(world.Command{Kind: world.LagServer})
				b.Do(world.Command{Kind: world.BreakWatch})
			}
			for n := 0; b.Extend(1) == 1 && n < 100_000; n++ {
			}
			handlers := b.HandlersOf(0)
			a, informers, err := b.SplitHandlers(0, nil)
			if err != nil || len(informers) != len(handlers) || informers[0] != 0 {
				t.Fatalf("%d handlers are at %v: %v", len(handlers), informers, err)
			}
			called := make([]int, len(informers))
			for n := 0; ; n++ {
				if n > 200_000 {
					t.Fatal("the run does not end")
				}
				if a.Extend(1) == 0 {
					break
				}
				w := a.Front()
				for _, e := range w.Log.Events {
					if e.Kind == event.HandlerCalled {
						called[w.Last.Informer]++
						if e.Handler() != 0 {
							t.Fatalf("informer %d calls its handler %d", w.Last.Informer, e.Handler())
						}
					}
				}
			}
			if a.Planned() || a.Err() != nil {
				t.Fatalf("not all was done: %v, %v", a.planned, a.Err())
			}
			w := a.Front()
			for k, i := range informers {
				x := w.Informers[i]
				if left := x.Config().Handlers; len(left) != 1 || left[0].Name != handlers[k].Name {
					t.Fatalf("informer %d has %d handlers", i, len(left))
				}
				if !slices.Equal(w.Objects(i), w.Objects(0)) {
					t.Errorf("server %d holds %v, and the first one %v", i, names(f.t, w.Objects(i)), names(f.t, w.Objects(0)))
				}
				if x.Config().Profile.Name == "classic" || x.Stopped() || w.Simulated(i) == nil {
					continue // it can keep ghosts, or the recording breaks off
				}
				if cached := x.Indexer.List(nil); !slices.Equal(cached, w.Objects(i)) {
					t.Errorf("informer %d has cached %v of %v", i, names(f.t, cached), names(f.t, w.Objects(i)))
				}
			}
			again, err := NewPassing(a.Config(), a.Inputs()...)
			if err != nil {
				t.Fatal(err)
			}
			for again.Extend(1000) > 0 {
			}
			if dump(again.Front()) != dump(w) {
				t.Error("its inputs make another run")
			}
		})
	}
}

// TestApartWritesOnce holds that each write of the run is one revision of the cluster in the run with an informer for each handler.
func TestApartWritesOnce(t *testing.T) {
	f := newFeed()
	h, err := New(f.config(informer.Handler{Name: "a"}, informer.Handler{Name: "b"}), nil)
	if err != nil {
		t.Fatal(err)
	}
	o := object.Meta{Namespace: f.t.Sym("x"), Name: f.t.Sym("a")}
	for n, kind := range []world.CommandKind{world.Create, world.Update, world.Patch, world.Delete} {
		if o.Labels = f.t.LabelSet([]object.Label{{Name: f.t.Sym("n"), Value: f.t.Sym(fmt.Sprint(n))}}); kind == world.Delete {
			o.Key = f.t.MakeKey(o)
		}
		if !h.Do(world.Command{Kind: kind, Object: o}) {
			t.Fatalf("command %d can't be done", n)
		}
		for h.Extend(1000) > 0 {
		}
	}
	apart, _, err := h.SplitHandlers(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for apart.Extend(1000) > 0 {
	}
	if got, want := apart.Front().Revision(0), h.Front().Revision(0); got != want || apart.Err() != nil {
		t.Errorf("the revision is %d, want %d: %v", got, want, apart.Err())
	}
}

// TestApartByHand: a station that is used by hand has no handlers to be set apart.
func TestApartByHand(t *testing.T) {
	f := newFeed()
	h, err := New(f.config(informer.Handler{Name: "a"}, informer.Handler{Name: "b"}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !h.Do(world.Command{Kind: world.NotifyAdd, Refs: nil}) && !h.Do(world.Command{Kind: world.WorkAdd}) {
		t.Fatal("nothing can be done by hand")
	}
	if _, _, err := h.SplitHandlers(0, nil); err != ErrByHand {
		t.Errorf("it can be set apart: %v", err)
	}
}
