package history

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// TestGoesOn leaves random recordings at random steps by a command that no
// recording can answer. From there on the server is simulated: it holds what the
// recording came to, and the informer's cache ends equal to it.
func TestGoesOn(t *testing.T) {
	for seed := range uint64(200) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := actor.Rand(seed)
			f := randomFeed(&r, 40)
			h := randomRun(t, &r, f)
			b := h.Branch(int64(r.Intn(int(h.Steps()))))
			played := b.Front().Informers[0].Server.(*apiserver.Playback)
			amid := played.View(0, 0).Amid
			want := played.Objects(nil, played.Pos())
			c := world.Command{Kind: world.Create, Object: object.Meta{Namespace: f.t.Sym("new"), Name: f.t.Sym("pod"), UID: f.t.Sym("uid")}}
			if !b.Do(c) {
				t.Fatal("nothing can be created")
			}
			w := b.Front()
			if w.Simulated(0) == nil || h.World().Simulated(0) != nil {
				t.Fatal("the branch has no simulated server, or its parent has one")
			}
			if last := w.Log.Events[len(w.Log.Events)-1]; last.Kind != event.ServerGoesOn || w.Log.Events[0].Kind != event.ObjectWritten {
				t.Errorf("the facts are %v", w.Log.Events)
			}
			got := slices.DeleteFunc(w.Simulated(0).Storage.Objects(nil), func(o object.Ref) bool { return f.t.KeyText(f.t.KeyOf(o)) == "new/pod" })
			if !amid && !slices.Equal(got, want) {
				t.Fatalf("the server holds %v, and the recording came to %v", names(f.t, got), names(f.t, want))
			}
			for range 8 {
				b.Do(randomCommand(&r, w))
				b.Extend(int64(r.Intn(60)))
			}
			b.Do(world.Command{Kind: world.FailRequests})
			b.Do(world.Command{Kind: world.LagServer})
			b.Do(world.Command{Kind: world.BreakWatch})
			for n := 0; b.Extend(1) == 1; n++ {
				if n > 100_000 {
					t.Fatal("the run does not end")
				}
			}
			want = w.Simulated(0).Storage.Objects(nil)
			got = w.Informers[0].Indexer.List(nil)
			if w.Informers[0].Config().Profile.Name == "classic" { // which can keep ghosts
				got = slices.DeleteFunc(got, func(o object.Ref) bool { return !slices.Contains(want, o) })
			}
			if !slices.Equal(got, want) {
				t.Fatalf("the cache holds %v, and the server %v", names(f.t, got), names(f.t, want))
			}
		})
	}
}

// TestNothingToWrite writes to objects that a recording holds only in part: an item of a
// list without an end, and initial events that are still to come. The server that goes on
// takes such a command, or refuses it.
func TestNothingToWrite(t *testing.T) {
	cut := newFeed()
	cut.list("5", "a/a@1").recs = cut.recs[:2]
	cut.wait(ms).open().wait(ms).event("+a/b@7").wait(ms).event("~a/b@8")
	amid := newFeed().stream("9", "a/a@1", "a/b@2")
	for i := range amid.recs {
		amid.recs[i].Time = int64(i) * ms
	}
	for _, c := range []struct {
		name string
		feed *feed
	}{{"a list without an end", cut}, {"amid initial events", amid}} {
		for _, profile := range world.Profiles() {
			cfg := c.feed.config(informer.Handler{Name: "h"})
			cfg.Informers[0].Profile = profile
			h, err := New(cfg, nil)
			if err != nil {
				t.Fatal(err)
			}
			for h.Extend(1000) > 0 {
			}
			for step := range h.Steps() {
				for _, key := range []string{"a/a", "a/b"} {
					ns, name, _ := strings.Cut(key, "/")
					m := object.Meta{Namespace: c.feed.t.Sym(ns), Name: c.feed.t.Sym(name), UID: c.feed.t.Sym("uid")}
					m.Key = c.feed.t.MakeKey(m)
					done := 0
					for _, kind := range []world.CommandKind{world.Create, world.Delete} {
						if b := h.Branch(step); b.Do(world.Command{Kind: kind, Object: m}) {
							done++
							if e := b.Front().Log.Events[0]; e.Kind != event.ObjectWritten || e.Key != m.Key {
								t.Errorf("%s, %s, step %d: the fact of a write to %s is %v", c.name, profile.Name, step, key, e)
							}
						}
					}
					if done != 1 {
						t.Errorf("%s, %s, step %d: for %s, %d of the commands Create and Delete are possible, not 1", c.name, profile.Name, step, key, done)
					}
				}
			}
		}
	}
}
