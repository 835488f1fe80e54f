package world

import (
	"fmt"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// randomFeed records what happens to a few objects, with everything that can go
// wrong on the way.
func randomFeed(r *actor.Rand, events int) *feed {
	f := newFeed()
	alive := map[string]string{}
	rv := 10
	names := []string{"a/a", "a/b", "a/c", "b/a", "b/b", "c"}
	snapshot := func() []string {
		var items []string
		for _, n := range names {
			if v, ok := alive[n]; ok {
				items = append(items, n+"@"+v)
			}
		}
		return items
	}
	change := func(seen bool) {
		rv++
		n, v := names[r.Below(len(names))], fmt.Sprint(rv)
		text := "~"
		if _, ok := alive[n]; !ok {
			text = "+"
		} else if r.Below(3) == 0 {
			text = "-"
		}
		if delete(alive, n); text != "-" {
			alive[n] = v
		}
		if seen {
			f.event(text + n + "@" + v)
		}
	}
	// list is how the recorder lists and then watches: by a list, or by watching.
	list := func() {
		if r.Below(2) == 0 {
			f.stream(fmt.Sprint(rv), snapshot()...)
			return
		}
		f.list(fmt.Sprint(rv), snapshot()...).wait(ms).open()
	}
	for range r.Below(6) {
		change(false)
	}
	if r.Below(5) > 0 {
		list()
	} else {
		clear(alive)
		f.open()
	}
	for range events {
		f.wait(int64(r.Below(int(40 * ms))))
		switch r.Below(24) {
		case 0:
			f.event(fmt.Sprintf("b@%d", rv))
		case 1:
			f.end().wait(sec).open()
		case 2: // the recorder's watch expires, and it lists again
			f.event("error").end().wait(2 * sec)
			for range r.Below(4) {
				change(false)
			}
			list()
		case 3: // a watch is refused
			f.end().add(apiserver.Record{Kind: apiserver.WatchError, Failure: apiserver.Refused}).wait(sec).open()
		case 4: // as 2, but the list fails first
			f.event("error").end().wait(sec).add(apiserver.Record{Kind: apiserver.ListError, Failure: apiserver.InternalError, Code: 500}).wait(2 * sec)
			list()
		case 5: // the recorder went away and lists again, nobody knows why
			f.wait(sec)
			list()
		case 6:
			f.wait(30 * sec)
		case 7:
			f.event("error")
		default:
			change(true)
		}
	}
	return f
}

func randomConfig(r *actor.Rand, f *feed) *Config {
	resync := []int64{0, 2 * sec, 5 * sec}[r.Below(3)]
	cfg := f.config(
		informer.Handler{Name: "quick", Resync: resync},
		informer.Handler{Name: "slow", Takes: int64(r.Below(int(200 * ms))), Workqueue: true},
		informer.Handler{Name: "late", Takes: int64(r.Below(int(ms))), From: 1 + int64(r.Below(int(3*sec))), Resync: 3 * sec},
	)
	cfg.Seed = r.Next()
	cfg.Informers[0].Profile = Profiles()[r.Below(len(Profiles()))]
	cfg.Informers[0].Resync = resync
	cfg.Informers[0].Indexers = append(cfg.Informers[0].Indexers, indexer.Named{Name: "app", Func: indexer.LabelIndexFunc(f.t.Sym("app"))})
	cfg.Informers[0].Workers = 1 + r.Below(3)
	cfg.Informers[0].WorkFails = func(k object.Key, n int) bool { return (int(k)+n)%3 == 0 }
	return cfg
}

// watcher checks the laws of a run step by step.
type watcher struct {
	t      *testing.T
	w      *World
	stored [][]object.Ref // by key: the versions that have been in the store
	told   [][]processor.Notification
}

func newWatcher(t *testing.T, w *World) *watcher {
	x := w.Informers[0]
	return &watcher{t: t, w: w, stored: make([][]object.Ref, x.Config().Table.Keys()), told: make([][]processor.Notification, len(x.Config().Handlers))}
}

func (c *watcher) step(id actor.ID) {
	c.t.Helper()
	c.w.Step(id)
	x := c.w.Informers[0]
	tbl := x.Config().Table
	for _, e := range c.w.Log.Events {
		switch e.Kind {
		case event.StoreAdded, event.StoreUpdated:
			c.stored[e.Key] = append(c.stored[e.Key], e.New)
		case event.StoreReplaced:
			for _, r := range x.Indexer.List(nil) {
				k := tbl.Meta(r).Key
				c.stored[k] = append(c.stored[k], r)
			}
		case event.Distributed:
			if e.New != 0 {
				if r, ok := x.Indexer.GetByKey(e.Key); !ok || r != e.New {
					c.t.Fatalf("step %d: %s is notified before it is in the store", c.w.Steps(), tbl.KeyText(e.Key))
				}
			}
		case event.HandlerCalled:
			l := &x.Processor.Listeners[e.Listener]
			n := l.InHand
			if n.New != 0 && !slices.Contains(c.stored[n.Key], n.New) {
				c.t.Fatalf("step %d: a handler sees %s before the store", c.w.Steps(), say(tbl, n))
			}
			c.told[e.Listener] = append(c.told[e.Listener], n)
		}
	}
	seen := map[object.Key]bool{}
	for i := range x.Queue.Depth() {
		if x.Config().Profile.InOrder {
			break // no key is told from another there
		}
		k, n := x.Queue.Row(i)
		d := x.Queue.RowDeltas(i, nil)
		switch {
		case seen[k]:
			c.t.Fatalf("step %d: key twice in queue", c.w.Steps())
		case n == 0 || n != len(d):
			c.t.Fatalf("step %d: %d deltas, not %d", c.w.Steps(), len(d), n)
		case n > 1 && d[n-1].Type == event.Deleted && d[n-2].Type == event.Deleted:
			c.t.Fatalf("step %d: two Deleted at the tail", c.w.Steps())
		}
		seen[k] = true
	}
	for id := range actor.ID(c.w.Set.Len()) {
		if st := c.w.Set.State(id); st.Wait == actor.OnLock && x.Locks[st.On].Holder() == actor.Nobody && !slices.ContainsFunc(c.w.Ready(nil), func(actor.ID) bool { return true }) {
			c.t.Fatalf("step %d: actor %d waits for a free lock and nobody moves", c.w.Steps(), id)
		}
	}
}

// settled checks what holds once nothing moves any more.
func (c *watcher) settled() {
	c.t.Helper()
	x := c.w.Informers[0]
	tbl := x.Config().Table
	want := x.Playback().Objects(nil, x.Playback().Feed().Len())
	got := x.Indexer.List(nil)
	if p := x.Config().Profile; !p.InOrder && !p.Queue.DeletesQueued {
		// Up to v0.26 an object that was deleted in a gap of the watch lives on if
		// it had got no further than the queue by the time of the relist: a ghost.
		got = slices.DeleteFunc(got, func(r object.Ref) bool {
			return !slices.ContainsFunc(want, func(o object.Ref) bool { return tbl.Meta(o).Key == tbl.Meta(r).Key })
		})
	}
	// Of one version there are several rows: a list's and an event's. A handler
	// that is not syncing is not told of the second.
	same := func(a, b object.Ref) bool {
		return tbl.Meta(a).Key == tbl.Meta(b).Key && tbl.Meta(a).RV == tbl.Meta(b).RV
	}
	if !slices.EqualFunc(got, want, same) {
		c.t.Fatalf("the indexer holds %v, the server %v", names(tbl, got), names(tbl, want))
	}
	for i, told := range c.told {
		if l := &x.Processor.Listeners[i]; l.Behind() != 0 {
			c.t.Fatalf("listener %d is %d behind at the end", i, l.Behind())
		}
		// What a handler was told last of each key is what the store holds, and
		// each update begins where the notification before it ended.
		last := map[object.Key]object.Ref{}
		for _, n := range told {
			if have := last[n.Key]; n.Type == processor.Update && have != 0 && !same(n.Old, have) {
				c.t.Fatalf("listener %d: %s comes after version %s", i, say(tbl, n), tbl.RVText(tbl.Meta(have).RV))
			}
			last[n.Key] = n.New
		}
		for k, r := range last {
			if have, _ := x.Indexer.GetByKey(k); !same(have, r) {
				c.t.Fatalf("listener %d was told version %d of %s last, the store holds %d", i, r, tbl.KeyText(k), have)
			}
		}
	}
	if x.Work.Queue.Len()+x.Work.Queue.DirtyLen()+x.Work.Queue.ProcessingLen()+x.Work.Queue.WaitingLen() != 0 {
		c.t.Fatal("the workqueue is not empty")
	}
}

func names(t *object.Table, refs []object.Ref) []string {
	var s []string
	for _, r := range refs {
		s = append(s, t.KeyText(t.Meta(r).Key)+"@"+t.RVText(t.Meta(r).RV))
	}
	return s
}

// TestLaws runs random recordings under the default schedule and under random
// ones.
func TestLaws(t *testing.T) {
	for seed := range uint64(150) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := actor.Rand(seed)
			f := randomFeed(&r, 10+r.Below(60))
			cfg := randomConfig(&r, f)
			w, err := New(cfg)
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
					ready = slices.DeleteFunc(ready, w.idle)
					id = ready[r.Below(len(ready))]
				}
				c.step(id)
				if w.Steps() > 200_000 {
					t.Fatal("the run does not end")
				}
			}
			c.settled()
		})
	}
}

// TestHistory checks that the state after n steps is the same however one gets
// there.
func TestHistory(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := actor.Rand(seed)
			cfg := randomConfig(&r, randomFeed(&r, 40))
			var states []string
			w, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			for ok := true; ok; {
				states = append(states, dump(w))
				var id actor.ID
				if id, ok = w.Next(); ok {
					if r.Below(50) == 0 {
						w = w.Clone()
					}
					w.Step(id)
				}
			}
			h, err := NewHistory(cfg)
			if err != nil {
				t.Fatal(err)
			}
			h.runs.every = 64
			for h.Extend(int64(1+r.Below(100))) > 0 {
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
				check(int64(r.Below(len(states))))
				for range 3 {
					check(max(0, at-1))
				}
				check(min(h.Steps(), at+1))
				check(h.NextOperation(at))
				check(h.PrevWatchEvent(at))
				if n := h.StepOf(h.At().Now()); n < at || h.At().Now() != h.SeekTo(at).Now() {
					t.Fatalf("StepOf goes to %d from %d", n, at)
				}
			}
		})
	}
}

// growing is a feed that is still being read.
type growing struct {
	apiserver.Records
	n int
}

func (g *growing) Len() int       { return g.n }
func (g *growing) Complete() bool { return g.n == len(g.Records) }

// TestGrowingFeed checks that a run does not depend on how its feed arrives.
func TestGrowingFeed(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := actor.Rand(seed)
			f := randomFeed(&r, 40)
			cfg := randomConfig(&r, f)
			w, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			w.Run(1 << 30)
			g := &growing{Records: f.recs}
			cfg.Informers[0].Feed = g
			h, err := NewHistory(cfg)
			if err != nil {
				t.Fatal(err)
			}
			for !h.Complete() {
				if h.Extend(50) == 0 && h.Starved() {
					g.n = min(g.n+1+r.Below(5), len(g.Records))
				}
			}
			if got, want := dump(h.SeekTo(h.Steps())), dump(w); got != want {
				t.Fatalf("ends as\n%s\nnot\n%s", got, want)
			}
		})
	}
}

// TestBranch checks that a branch shares its past with the run it comes from,
// can be sought like any other, and that both end with the server's state.
func TestBranch(t *testing.T) {
	for seed := range uint64(10) {
		r := actor.Rand(seed)
		cfg := randomConfig(&r, randomFeed(&r, 40))
		h, err := NewHistory(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for h.Extend(1000) > 0 {
		}
		at := int64(r.Below(int(h.Steps())))
		b, err := h.Branch(at, Command{Kind: BreakWatch})
		if err != nil {
			t.Fatal(err)
		}
		if dump(b.SeekTo(at)) != dump(h.SeekTo(at)) {
			t.Fatalf("seed %d: the branch at %d has another past", seed, at)
		}
		for b.Extend(1000) > 0 {
		}
		last := dump(b.SeekTo(b.Steps()))
		b.SeekTo(at / 2)
		if dump(b.SeekTo(b.Steps())) != last {
			t.Fatalf("seed %d: the branch does not come to the same end twice", seed)
		}
		c := newWatcher(t, b.SeekTo(b.Steps()))
		c.settled()
	}
}

// TestStop stops random runs at random points, and checks that they end.
func TestStop(t *testing.T) {
	for seed := range uint64(60) {
		r := actor.Rand(seed)
		w, err := New(randomConfig(&r, randomFeed(&r, 30)))
		if err != nil {
			t.Fatal(err)
		}
		w.Run(1 + int64(r.Below(1500)))
		w.Do(Command{Kind: StopInformer})
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
				t.Fatalf("seed %d: it does not end", seed)
			}
			w.Step(ready[r.Below(len(ready))])
		}
		if !x.Stopped() || left > 0 && !x.Config().Profile.StopsAtOnce {
			t.Fatalf("seed %d: stopped %v with %d in the queue", seed, x.Stopped(), left)
		}
		for i := range x.Locks {
			if l := &x.Locks[i]; l.Holder() != actor.Nobody || len(l.Waiters()) > 0 {
				t.Fatalf("seed %d: lock %d is left held", seed, i)
			}
		}
	}
}

// TestSteadyStateAllocates next to nothing, whatever is on its way.
func TestSteadyStateAllocates(t *testing.T) {
	const events = 20_000
	w, err := New(manyConfig(manyEvents(500, events)))
	if err != nil {
		t.Fatal(err)
	}
	var c World
	for w.Informers[0].Playback().Events() < events/4 {
		w.Run(100)
	}
	from := w.Informers[0].Playback().Events()
	n := testing.AllocsPerRun(1, func() { w.Run(20_000) })
	took := float64(w.Informers[0].Playback().Events()-from) / 2 // AllocsPerRun runs it once before
	if n/took > 0.1 {
		t.Errorf("%.0f allocations for %.0f events", n, took)
	}
	c.CopyFrom(w)
	if n := testing.AllocsPerRun(10, func() { c.CopyFrom(w) }); n > 1 {
		t.Errorf("%.0f allocations to copy a world again", n)
	}
}

// TestAnyRecording: a world plays whatever is in a recording, in whatever
// order, to an end.
func TestAnyRecording(t *testing.T) {
	for seed := range uint64(200) {
		r := actor.Rand(seed)
		f := newFeed()
		for range r.Below(50) {
			rec := apiserver.Record{Kind: apiserver.RecordKind(1 + r.Below(int(apiserver.WatchEnd))), Delta: event.Delta(r.Below(int(event.Unknown) + 1)),
				Failure: apiserver.Failure(r.Below(int(apiserver.OtherFailure) + 1)), RV: object.RV(r.Below(3))}
			if r.Below(5) > 0 {
				rec.Obj = f.obj(string(rune('a'+r.Below(5))), fmt.Sprint(r.Below(20)))
			}
			f.wait(int64(r.Below(int(sec)))).add(rec)
		}
		w, err := New(randomConfig(&r, f))
		if err != nil {
			t.Fatal(err)
		}
		if w.Run(100_000) == 100_000 {
			t.Fatalf("seed %d: it does not end", seed)
		}
	}
}

// TestMutationDetector: an object that somebody changes in the cache is found
// within a second, and the process dies of it, but not of one that was changed
// longer ago than the detector remembers it.
func TestMutationDetector(t *testing.T) {
	for _, p := range Profiles() {
		f := newFeed().list("10", "a/x@1", "a/y@2").wait(ms).open().wait(10*60*sec).event("~a/y@11", "b@12")
		cfg := f.config(informer.Handler{Name: "h"})
		cfg.Informers[0].Profile, cfg.Informers[0].DetectMutations = p, true
		mutateAt := func(at int64) (*World, int64) {
			w, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			x := w.Informers[0]
			for mutated := false; ; {
				id, ok := w.Next()
				if !ok {
					return w, 0
				}
				if !mutated && w.Set.At(id) >= at {
					r, _ := x.Indexer.GetByKey(f.t.Key("a/x"))
					x.Indexer.Mutate(r, f.obj("a/x", "1", "app=changed"))
					mutated = true
				}
				if w.Step(id); x.Crash() == nil {
					w = w.Clone()
					x = w.Informers[0]
				} else if e := w.Log.Events[len(w.Log.Events)-1]; e.Kind != event.ObjectMutated || f.t.KeyText(e.Key) != "a/x" || e.Old == e.New {
					t.Fatalf("%s: it dies of %+v", p.Name, e)
				} else {
					return w, w.Now()
				}
			}
		}
		if _, died := mutateAt(5*sec + sec/2); died < 5*sec || died > 7*sec {
			t.Errorf("%s: found after %d", p.Name, died)
		}
		if w, died := mutateAt(8 * 60 * sec); died != 0 || len(w.Ready(nil)) == 0 {
			t.Errorf("%s: found after %d, though it was forgotten", p.Name, died)
		}
	}
}
