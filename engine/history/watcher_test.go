package history

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
	"github.com/informerscope/informerscope/engine/world"
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
		n, v := names[r.Intn(len(names))], fmt.Sprint(rv)
		text := "~"
		if _, ok := alive[n]; !ok {
			text = "+"
		} else if r.Intn(3) == 0 {
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
		if r.Intn(2) == 0 {
			f.stream(fmt.Sprint(rv), snapshot()...)
			return
		}
		f.list(fmt.Sprint(rv), snapshot()...).wait(ms).open()
	}
	for range r.Intn(6) {
		change(false)
	}
	if r.Intn(5) > 0 {
		list()
	} else {
		clear(alive)
		f.open()
	}
	for range events {
		f.wait(int64(r.Intn(int(40 * ms))))
		switch r.Intn(24) {
		case 0:
			f.event(fmt.Sprintf("b@%d", rv))
		case 1:
			f.end().wait(sec).open()
		case 2: // the recorder's watch expires, and it lists again
			f.event("error").end().wait(2 * sec)
			for range r.Intn(4) {
				change(false)
			}
			list()
		case 3: // a watch is refused
			f.end().add(apiserver.Record{Kind: apiserver.WatchError, Failure: apiserver.Refused}).wait(sec).open()
		case 4: // as 2, but the list fails first
			f.event("error").end().wait(sec).add(apiserver.Record{Kind: apiserver.ListError, Failure: apiserver.InternalError, Code: 500}).wait(2 * sec)
			list()
		case 5: // the recorder lists again, and the recording doesn't say why
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

func randomConfig(r *actor.Rand, f *feed) *world.Config {
	resync := []int64{0, 2 * sec, 5 * sec}[r.Intn(3)]
	cfg := f.config(
		informer.Handler{Name: "quick", Resync: resync},
		informer.Handler{Name: "slow", Duration: int64(r.Intn(int(200 * ms))), Workqueue: true},
		informer.Handler{Name: "late", Duration: int64(r.Intn(int(ms))), From: 1 + int64(r.Intn(int(3*sec))), Resync: 3 * sec},
	)
	cfg.Seed = r.Next()
	cfg.Informers[0].Profile = world.Profiles()[r.Intn(len(world.Profiles()))]
	cfg.Informers[0].Resync = resync
	cfg.Informers[0].Indexers = append(cfg.Informers[0].Indexers, indexer.Named{Name: "app", Func: indexer.LabelIndexFunc(f.t.Sym("app"))})
	cfg.Informers[0].Workers = 1 + r.Intn(3)
	cfg.Informers[0].WorkFails = func(k object.Key, n int) bool { return (int(k)+n)%3 == 0 }
	return cfg
}

// randomRun plays a recording to a random process, to its end.
func randomRun(t *testing.T, r *actor.Rand, f *feed) *History {
	t.Helper()
	h, err := New(randomConfig(r, f), nil)
	if err != nil {
		t.Fatal(err)
	}
	for h.Extend(1000) > 0 {
	}
	return h
}

// watcher checks the laws of a run step by step.
type watcher struct {
	t             *testing.T
	w             *point
	stored        [][]object.Ref // by key: the versions that have been in the store, or that another one in their batch has overtaken
	notifications [][]processor.Notification

	overtaken []object.Ref // what another version in its batch has overtaken

	reached []object.RV // by handler
	newest  object.RV   // that was sent
	back    bool        // something older was sent after something newer
	lost    bool        // something that was sent is not stored, since it has no key, or a transformer failed
	exact   int         // how often the cache was compared with the server where it had reached all that was sent
}

func newWatcher(t *testing.T, w *point) *watcher {
	x := w.Informers[0]
	return &watcher{t: t, w: w, stored: make([][]object.Ref, x.Config().Table.Keys()), notifications: make([][]processor.Notification, len(x.Config().Handlers)), reached: make([]object.RV, len(x.Config().Handlers))}
}

func (c *watcher) step(id actor.ID) {
	c.t.Helper()
	c.w.Step(id)
	c.look()
}

// look checks the step that was just made.
func (c *watcher) look() {
	c.t.Helper()
	x := c.w.Informers[0]
	tbl := x.Config().Table
	for i, e := range c.w.Log.Events {
		switch e.Kind {
		case event.ProcessFailed, event.WatchEventSkipped:
			c.lost = true
		case event.Popped:
			if e.New != 0 && e.Key != 0 && x.Config().Profile.RealFIFO.Repeats && slices.ContainsFunc(c.w.Log.Events[i+1:], func(later event.Event) bool { return later.Kind == event.Popped && later.Key == e.Key }) {
				c.stored[e.Key] = append(c.stored[e.Key], e.New)
				c.overtaken = append(c.overtaken, e.New)
			}
		case event.StoreAdded, event.StoreUpdated:
			c.stored[e.Key] = append(c.stored[e.Key], e.New)
		case event.StoreReplaced:
			for _, r := range x.Indexer.List(nil) {
				k := tbl.KeyOf(r)
				c.stored[k] = append(c.stored[k], r)
			}
		case event.Distributed:
			if e.New != 0 {
				if r, ok := x.Indexer.GetByKey(e.Key); (!ok || r != e.New) && !slices.Contains(c.overtaken, e.New) {
					c.t.Fatalf("step %d: %s is notified before it is in the store", c.w.Steps(), tbl.KeyText(e.Key))
				}
			}
		case event.HandlerCalled:
			l := &x.Processor.Listeners[e.Listener]
			n := l.PairAt(0).InHand
			if n.New != 0 && !slices.Contains(c.stored[n.Key], n.New) {
				c.t.Fatalf("step %d: a handler sees %s before the store", c.w.Steps(), describe(tbl, n))
			}
			c.notifications[e.Listener] = append(c.notifications[e.Listener], n)
		}
	}
	c.checkReached()
	seen := map[object.Key]bool{}
	for i := range x.Queue.Depth() {
		if x.Config().Profile.InOrder {
			break // its rows are deltas, and a key may have several
		}
		k, n := x.Queue.Row(i)
		d := x.Queue.RowDeltas(i, nil)
		switch {
		case seen[k]:
			c.t.Fatalf("step %d: a key is in the queue twice", c.w.Steps())
		case n == 0 || n != len(d):
			c.t.Fatalf("step %d: a key has %d deltas, not %d", c.w.Steps(), len(d), n)
		case n > 1 && d[n-1].Type == event.Deleted && d[n-2].Type == event.Deleted:
			c.t.Fatalf("step %d: a key's last two deltas are both Deleted", c.w.Steps())
		}
		seen[k] = true
	}
	for id := range actor.ID(c.w.Set.Len()) {
		if st := c.w.Set.State(id); st.Wait == actor.OnLock && x.Locks[st.Target].Holder() == actor.Nobody && !slices.ContainsFunc(c.w.Ready(nil), func(actor.ID) bool { return true }) {
			c.t.Fatalf("step %d: actor %d waits for a free lock and nobody moves", c.w.Steps(), id)
		}
	}
}

// checkReached checks the revisions that the stations have reached, as long as the server
// sends only newer events and the queue keeps their order. No handler is ahead of the
// cache, the cache is not ahead of the server, and none of them goes back. A cache that
// has reached the last event holds what the server holds.
func (c *watcher) checkReached() {
	c.t.Helper()
	x := c.w.Informers[0]
	tbl, p := x.Config().Table, x.Server.(*apiserver.Playback)
	c.back = c.back || p.Newest() < c.newest
	c.newest = p.Newest()
	if c.back || !x.Config().Profile.InOrder {
		return
	}
	cache := x.CacheReached()
	if cache > c.newest {
		c.t.Fatalf("step %d: the cache has reached %s, and only %s was sent", c.w.Steps(), tbl.RVText(cache), tbl.RVText(c.newest))
	}
	for i := range c.reached {
		rv := x.HandlerReached(i)
		if rv > cache || rv < c.reached[i] {
			c.t.Fatalf("step %d: handler %d has gone from %s to %s, and the cache has reached %s", c.w.Steps(), i, tbl.RVText(c.reached[i]), tbl.RVText(rv), tbl.RVText(cache))
		}
		c.reached[i] = rv
	}
	if c.lost || cache == 0 || cache < c.newest || p.View(0, 0).Amid || x.Listed() > 0 {
		return
	}
	c.exact++
	for _, want := range p.Objects(nil, p.Pos()) {
		if got, ok := x.Indexer.GetByKey(tbl.KeyOf(want)); !ok || tbl.RVOf(got) != tbl.RVOf(want) {
			c.t.Fatalf("step %d: the cache has reached %s, and holds version %s of %v", c.w.Steps(), tbl.RVText(cache), tbl.RVText(tbl.RVOf(got)), names(tbl, []object.Ref{want}))
		}
	}
}

// settled checks what holds once nothing moves any more.
func (c *watcher) settled() {
	c.t.Helper()
	x := c.w.Informers[0]
	tbl := x.Config().Table
	p := x.Server.(*apiserver.Playback)
	want := p.Objects(nil, p.Feed().Len())
	got := x.Indexer.List(nil)
	if p := x.Config().Profile; !p.InOrder && !p.Queue.DeletesQueued {
		// Up to v0.26, an object can be deleted in a gap of the watch while it is only
		// in the queue. The relist doesn't notice, and the object lives on: a ghost.
		got = slices.DeleteFunc(got, func(r object.Ref) bool {
			return !slices.ContainsFunc(want, func(o object.Ref) bool { return tbl.KeyOf(o) == tbl.KeyOf(r) })
		})
	}
	// One version can have several rows, such as one from a list and one from an
	// event. A handler that isn't syncing doesn't hear of the second.
	same := func(a, b object.Ref) bool {
		return tbl.KeyOf(a) == tbl.KeyOf(b) && tbl.RVOf(a) == tbl.RVOf(b)
	}
	if !slices.EqualFunc(got, want, same) {
		c.t.Fatalf("the indexer holds %v, the server %v", names(tbl, got), names(tbl, want))
	}
	for i := range c.notifications {
		if rv := x.HandlerReached(i); rv != x.Reflector.RV() {
			c.t.Fatalf("handler %d has reached %s in the end, and the reflector %s", i, tbl.RVText(rv), tbl.RVText(x.Reflector.RV()))
		}
	}
	for i, notifications := range c.notifications {
		if l := &x.Processor.Listeners[i]; l.Backlog() != 0 {
			c.t.Fatalf("listener %d is %d behind at the end", i, l.Backlog())
		}
		// For each key, a handler's last notification has the object that the store
		// holds, and each update begins where the notification before it ended.
		last := map[object.Key]object.Ref{}
		for _, n := range notifications {
			if have := last[n.Key]; n.Type == processor.Update && have != 0 && !same(n.Old, have) {
				c.t.Fatalf("listener %d: %s comes after version %s", i, describe(tbl, n), tbl.RVText(tbl.RVOf(have)))
			}
			last[n.Key] = n.New
		}
		for k, r := range last {
			if have, _ := x.Indexer.GetByKey(k); !same(have, r) {
				c.t.Fatalf("listener %d heard last of version %d of %s, and the store holds %d", i, r, tbl.KeyText(k), have)
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
		s = append(s, t.KeyText(t.KeyOf(r))+"@"+t.RVText(t.RVOf(r)))
	}
	return s
}
