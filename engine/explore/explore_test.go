package explore

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/world"
)

// calledBefore asks whether handler a can be called with type ta before handler b was
// called with tb.
func calledBefore(a int, ta processor.Type, b int, tb processor.Type) Question {
	return Question{
		Visible: []actor.PC{actor.RunCall},
		Look: func(w *world.World, seen uint64) (uint64, bool) {
			for _, e := range w.Log.Events {
				if e.Kind != event.HandlerCalled {
					continue
				}
				n := w.Informers[0].Processor.Listeners[e.Listener].PairAt(0).InHand
				if int(e.Listener) == b && n.Type == tb {
					seen = 1
				}
				if int(e.Listener) == a && n.Type == ta && seen == 0 {
					return seen, true
				}
			}
			return seen, false
		},
	}
}

const (
	ms  = int64(1_000_000)
	sec = 1000 * ms
)

// config is an informer of a recording that has a list with one object, and some updates of it.
func config(p world.Profile, updates int, handlers ...informer.Handler) *world.Config {
	t := object.NewTable(nil)
	version := func(rv string) object.Ref {
		return t.Add(object.Meta{Namespace: t.Sym("a"), Name: t.Sym("x"), RV: t.RV(rv)})
	}
	feed := apiserver.Records{
		{Kind: apiserver.ListBegin}, {Kind: apiserver.ListItem, Obj: version("1")}, {Kind: apiserver.ListEnd, RV: t.RV("10")},
		{Kind: apiserver.WatchOpen, Time: ms},
	}
	for i := range updates {
		rv := strconv.Itoa(11 + i)
		feed = append(feed, apiserver.Record{Kind: apiserver.WatchEvent, Time: 2 * ms, Delta: event.Updated, RV: t.RV(rv), Obj: version(rv)})
	}
	return &world.Config{Seed: 1, Informers: []informer.Config{{
		Name: "pods", Profile: p, Table: t, Feed: feed, Handlers: handlers,
		Indexers: []indexer.Named{{Name: indexer.NamespaceIndex, Func: indexer.MetaNamespaceIndexFunc}},
	}}}
}

// The goroutine that starts the listeners may be late. Up to v0.35 a deadlock can come of it: the
// process loop waits for a listener, a resync for the process loop, and the late goroutine for the
// resync.
func TestExploreLateListeners(t *testing.T) {
	for _, p := range world.Profiles() {
		cfg := config(p, 0, informer.Handler{Name: "h"})
		cfg.Informers[0].Resync, cfg.Informers[0].StartsApart = 50*ms, true
		waits := Question{Look: func(w *world.World, _ uint64) (uint64, bool) {
			id := w.Last.Actor
			return 0, id != actor.Nobody && w.Set.Role(id).Kind == actor.Processor && w.Set.State(id).Wait == actor.OnLock
		}}
		got, err := Explore(cfg, waits, Limits{Clock: 300 * ms})
		if err != nil {
			t.Fatal(err)
		}
		if got.Yes == p.AwaitsListeners || got.Reached.States+got.Reached.Depth > 0 {
			t.Errorf("%s: %+v", p.Name, got)
		}
		if !got.Yes {
			continue
		}
		h, err := history.New(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !h.Follow(got.Schedule) {
			t.Fatalf("%s: no such schedule", p.Name)
		}
		for h.Step() {
		}
		w := h.Front()
		loop := w.Set.State(w.Informers[0].Locks[actor.ListenersLock].Holder())
		if loop.Wait != actor.OnSend || w.Informers[0].Processor.Listeners[0].Calls > 0 {
			t.Errorf("%s: the process loop %+v", p.Name, loop)
		}
	}
}

func TestExplore(t *testing.T) {
	for _, p := range world.Profiles() {
		for _, c := range []struct {
			name string
			q    Question
			yes  bool
		}{
			{"one handler's update before the other's add", calledBefore(0, processor.Update, 1, processor.Add), true},
			{"the other way round", calledBefore(1, processor.Update, 0, processor.Add), true},
			{"a handler's update before its own add", calledBefore(0, processor.Update, 0, processor.Add), false},
			{"a deletion", calledBefore(0, processor.Delete, 0, processor.Delete), false},
		} {
			t.Run(p.Name+", "+c.name, func(t *testing.T) {
				cfg := config(p, 2, informer.Handler{Name: "one"}, informer.Handler{Name: "two"})
				got, err := Explore(cfg, c.q, Limits{})
				if err != nil {
					t.Fatal(err)
				}
				// What is left out must not change the answer.
				whole := c.q
				whole.Visible = nil
				all, err := Explore(cfg, whole, Limits{})
				if err != nil {
					t.Fatal(err)
				}
				if got.Yes != c.yes || all.Yes != c.yes || !c.yes && (!got.Complete || !all.Complete || got.States > all.States) {
					t.Fatalf("the answer is %+v, and %+v if nothing is left out", got, all)
				}
				if c.yes && (!got.Shortest || len(got.Schedule) != len(all.Schedule)) {
					t.Errorf("the shortest schedule has %d steps, and %d if nothing is left out", len(got.Schedule), len(all.Schedule))
				}
				if bit := inPieces(t, cfg, c.q); !reflect.DeepEqual(bit, got) {
					t.Errorf("explored three steps at a time: %+v, want %+v", bit, got)
				}
				if c.yes && !answers(t, cfg, c.q, got.Schedule) {
					t.Error("the schedule doesn't lead to what was asked")
				}
				t.Logf("%d states of %d, %d steps", got.States, all.States, got.Steps)
			})
		}
	}
}

// inPieces explores a few steps at a time, and looks at what is known between them.
func inPieces(t *testing.T, cfg *world.Config, q Question) Result {
	t.Helper()
	w, err := world.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSearch(w.World(), q, Limits{})
	for steps := 0; !s.Advance(3); {
		f := s.Result()
		if f.Steps != steps+3 || f.States < 1 || f.Yes && len(f.Schedule) == 0 {
			t.Fatalf("after %d steps: %+v", steps+3, f)
		}
		steps = f.Steps
	}
	return s.Result()
}

// answers plays a schedule on a branch.
func answers(t *testing.T, cfg *world.Config, q Question, schedule []actor.ID) bool {
	t.Helper()
	h, err := history.New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := h.Branch(h.Steps())
	ok := b.Follow(schedule)
	if !ok {
		t.Fatalf("after %d steps an actor of the schedule cannot move", b.Steps())
	}
	first := b.Steps() - int64(len(schedule))
	w := b.SeekTo(first)
	memory, yes := q.Look(w, 0)
	for n := range schedule {
		if yes {
			t.Fatal("what was asked happens before the schedule's end")
		}
		memory, yes = q.Look(b.SeekTo(first+1+int64(n)), memory)
	}
	return yes
}

// TestExploreAgreesWithRuns checks that random runs come to no state of the store and
// the handlers that the exploration doesn't come to.
func TestExploreAgreesWithRuns(t *testing.T) {
	outcome := func(w *world.World) string {
		var b strings.Builder
		for i := range w.Informers[0].Processor.Listeners {
			l := &w.Informers[0].Processor.Listeners[i]
			fmt.Fprint(&b, l.Calls, l.Pending(), l.PairAt(0).Slot.Type, " ")
		}
		return b.String() + fmt.Sprint(w.Informers[0].Queue.Depth())
	}
	for _, p := range []world.Profile{world.Classic, world.Current} {
		cfg := config(p, 2, informer.Handler{Name: "one"}, informer.Handler{Name: "two"})
		found := map[string]bool{}
		x, err := Explore(cfg, Question{Look: func(w *world.World, _ uint64) (uint64, bool) {
			found[outcome(w)] = true
			return 0, false
		}}, Limits{})
		if err != nil || !x.Complete {
			t.Fatal(x, err)
		}
		for seed := range uint64(200) {
			r := actor.Rand(seed)
			w, _ := world.New(cfg)
			var ready []actor.ID
			for {
				if _, ok := w.Next(); !ok {
					break
				}
				ready = w.Ready(ready[:0])
				w.Step(ready[r.Intn(len(ready))])
				if !found[outcome(w.World())] {
					t.Fatalf("%s, seed %d, step %d: %s was not explored", p.Name, seed, w.Steps(), outcome(w.World()))
				}
			}
		}
	}
}

func TestExploreKeepsItsLimits(t *testing.T) {
	cfg := config(world.Classic, 3, informer.Handler{Name: "one"}, informer.Handler{Name: "two"})
	cfg.Informers[0].Workers, cfg.Informers[0].WorkTime = 1, 3*ms
	never := Question{Look: func(*world.World, uint64) (uint64, bool) { return 0, false }}
	if x, _ := Explore(cfg, never, Limits{States: 1000}); x.Complete || x.States != 1000 || x.Reached != (Limits{States: 1000}) {
		t.Errorf("with a limit of a thousand states it saw %d; complete: %v, limits met: %+v", x.States, x.Complete, x.Reached)
	}
	if x, _ := Explore(cfg, never, Limits{Depth: 10}); x.Complete || x.Yes || x.Reached != (Limits{Depth: 10}) {
		t.Errorf("with a limit of ten steps it says that it is complete: %+v", x)
	}
}

// TestExploreLetsTimePass: Explore finds what only a resync causes, if the clock may go
// that far.
func TestExploreLetsTimePass(t *testing.T) {
	for _, p := range world.Profiles() {
		cfg := config(p, 0, informer.Handler{Name: "h", Resync: 30 * sec})
		cfg.Informers[0].Resync = 60 * sec
		h, err := history.New(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		for {
			id, ok := h.Front().Next()
			if !ok {
				break
			}
			h.Choose(id)
		}
		w := h.Front()
		resynced := Question{Visible: []actor.PC{actor.RunCall}, Look: func(w *world.World, _ uint64) (uint64, bool) {
			return 0, slices.ContainsFunc(w.Log.Events, func(e event.Event) bool {
				return e.Kind == event.HandlerCalled && e.Delta == event.Delta(processor.Update)
			})
		}}
		never := Question{Look: func(*world.World, uint64) (uint64, bool) { return 0, false }}
		if x := Run(w, resynced, Limits{}); !x.Yes || !x.Shortest {
			t.Errorf("%s: a resync is not found: %+v", p.Name, x)
		} else if b := h.Branch(h.Steps()); !b.Follow(x.Schedule) || b.Front().Now() < 30*sec {
			t.Errorf("%s: the schedule cannot be played, or takes no time", p.Name)
		}
		if x := Run(w, resynced, Limits{Clock: 10 * sec}); x.Yes || x.Complete || x.Reached != (Limits{Clock: 10 * sec}) {
			t.Errorf("%s: with a limit of ten seconds the answer is %+v", p.Name, x)
		}
		// All resyncs are alike, so the answer is no when one of them has been tried.
		if x := Run(w, never, Limits{}); x.Yes || !x.Complete || x.States < 4 {
			t.Errorf("%s: asked for what never happens, the answer is %+v", p.Name, x)
		}
	}
}

func BenchmarkExplore(b *testing.B) {
	for _, p := range []world.Profile{world.Classic, world.Current} {
		b.Run(p.Name, func(b *testing.B) {
			cfg := config(p, 3, informer.Handler{Name: "one"}, informer.Handler{Name: "two"})
			cfg.Informers[0].Workers, cfg.Informers[0].WorkTime = 1, 3*ms
			never := Question{Look: func(*world.World, uint64) (uint64, bool) { return 0, false }}
			states, steps := 0, 0
			for b.Loop() {
				x, err := Explore(cfg, never, Limits{States: 200_000})
				if err != nil {
					b.Fatal(err)
				}
				states += x.States
				steps += x.Steps
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
