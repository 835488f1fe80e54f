package feed

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/trace"
)

// TestSweepingChangesNoStep plays recordings of anything to two machines. One keeps every
// object. In the other one, any step may be followed by a sweep of every object that the
// machine doesn't refer to.
func TestSweepingChangesNoStep(t *testing.T) {
	swept, keys := 0, 0
	for seed := range uint64(600) {
		profiles := world.Profiles()
		profile := profiles[seed%uint64(len(profiles))]
		kept, passing := anyTrace(seed), anyTrace(seed)
		pace := []int64{100, 10_000, 10_000_000}[seed%3] // the server's: a step takes hundreds of nanoseconds
		for _, tr := range []*trace.Trace{kept, passing} {
			for i := range tr.Resources[0].Records {
				tr.Resources[0].Records[i].Time *= pace
			}
		}
		allRun := machine(t, kept, Feed{Trace: kept, Resource: kept.Resources[0]}, profile, pace)
		gone := 0
		feed := &Passing{Feed: Feed{Trace: passing, Resource: passing.Resources[0]}, Sweeper: trace.Sweeper{MinVersions: 1, Keys: 1, Deleted: func(object.Key) { gone++ }}}
		someRun := machine(t, passing, feed, profile, pace)
		all, some := allRun.Front(), someRun.Front()
		before, after := kept.Resources[0].Table, passing.Resources[0].Table
		rnd := rand.New(rand.NewPCG(seed, 3))
		for range 1500 {
			ready, too := all.Ready(nil), some.Ready(nil)
			if !slices.Equal(ready, too) {
				t.Fatalf("seed %d: %v can move, and after sweeping %v", seed, ready, too)
			}
			if len(ready) == 0 {
				break
			}
			id, ok := all.Next()
			if favoured := actor.ID(rnd.IntN(20)); !ok || slices.Contains(ready, favoured) {
				id = favoured // so that others are late
			}
			if !slices.Contains(ready, id) {
				id = ready[rnd.IntN(len(ready))]
			}
			allRun.Choose(id)
			someRun.Choose(id)
			if !slices.Equal(all.Log.Events, some.Log.Events) {
				t.Fatalf("seed %d, step %d: %+v, and after sweeping %+v", seed, all.Steps(), all.Log.Events, some.Log.Events)
			}
			for _, e := range all.Log.Events {
				if before.KeyText(e.Key) != after.KeyText(e.Key) {
					t.Fatalf("seed %d, step %d: of %+v the key has been swept away", seed, all.Steps(), e)
				}
				for _, r := range []object.Ref{e.Old, e.New} {
					if before.Meta(r) != after.Meta(r) || before.Text(before.Meta(r).Name) != after.Text(after.Meta(r).Name) {
						t.Fatalf("seed %d, step %d: of %+v object %d has been swept away", seed, all.Steps(), e, r)
					}
				}
			}
			if rnd.IntN(2) == 0 {
				feed.Forget(some.Informers[0].Server.View(0, 0).Played)
				feed.Remaining = 0 // since nothing is added
				feed.Sweep(some.Informers[0].Mark)
			}
		}
		swept += after.Len() - 1 - after.LiveRows()
		if gone != before.HeldKeys()-after.HeldKeys() {
			t.Fatalf("seed %d: the sweep reports %d keys, and %d are gone", seed, gone, before.HeldKeys()-after.HeldKeys())
		}
		keys += gone
	}
	if swept < 3000 || keys < 100 {
		t.Errorf("only %d objects and %d keys were swept away", swept, keys)
	}
}

// machine is an informer with three handlers: one is slow, one resyncs, and one joins
// late.
func machine(t *testing.T, tr *trace.Trace, from apiserver.Feed, profile world.Profile, pace int64) *history.History {
	t.Helper()
	h, err := history.NewPassing(&world.Config{Seed: 1, Informers: []informer.Config{{
		Profile: profile, Table: tr.Resources[0].Table, Feed: from, Resync: 1_000_000_000, DetectMutations: pace == 100,
		Handlers: []informer.Handler{{Name: "a", Resync: 1_000_000_000}, {Name: "slow", Duration: 60 * pace}, {Name: "late", From: 900 * pace}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}
