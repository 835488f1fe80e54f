package world

import (
	"fmt"
	"hash/fnv"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// The random runs of the first seeds are as they were when the kinds were drawn by their
// numbers.
func TestRandomRunsStay(t *testing.T) {
	kinds := slices.Concat(randomKinds[0], replicaKinds[:])
	for _, c := range []struct {
		replicas int
		want     uint64
	}{
		{0, 0x2c5aa6b38130e4e1},
		{2, 0x6ca4205479f094f2},
	} {
		x := informer.Config{Name: "pods", Profile: Current, Table: object.NewTable(nil), Handlers: []informer.Handler{{Name: "a"}, {Name: "b"}}}
		cfg := &Config{Informers: []informer.Config{x, x}, Replicas: c.replicas, Election: &election.Config{LeaseDuration: 15e9, RenewDeadline: 10e9, RetryPeriod: 2e9}}
		w, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		h := fnv.New64a()
		for seed := range uint64(1000) {
			r := actor.Rand(seed)
			for range 50 {
				c := AnyCommand(&r, w.World(), seed)
				fmt.Fprintln(h, slices.Index(kinds, c.Kind), c.Informer, c.Index, c.Warm, c.Object.Name, c.Object.Labels, c.Failure, c.RetryAfter, c.N, c.Listener, c.Handler.Name)
			}
		}
		if got := h.Sum64(); got != c.want {
			t.Errorf("%d replicas: %#x, want %#x", c.replicas, got, c.want)
		}
	}
}

func TestEachKindIsDrawn(t *testing.T) {
	drawn := slices.Concat(append(randomKinds[:], shardKinds)...)
	for k := BreakWatch; k <= NotifyDelete; k++ {
		if !k.ByHand() && !slices.Contains(drawn, k) && k != Patch && k != WriteBack { // AnyCommand makes these two of others
			t.Errorf("no random run has the command %d", k)
		}
	}
}
