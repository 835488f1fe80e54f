package world

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
)

// TestSamples checks that a sample says how much there was at most from its step
// to the next sample's, looking at every step.
func TestSamples(t *testing.T) {
	for seed := range uint64(50) {
		r := actor.Rand(seed)
		h, err := NewHistory(randomConfig(&r, randomFeed(&r, 40)), nil)
		if err != nil {
			t.Fatal(err)
		}
		var depths, caches []int32
		var behind [][]int32
		for more := true; more; more = h.Extend(1) > 0 {
			s := h.Samples()
			from := max(len(depths)-1, 0)
			for len(depths) < s.Len() {
				depths, caches, behind = append(depths, 0), append(caches, 0), append(behind, make([]int32, len(s.Behind(len(depths)))))
			}
			for n := from; n < s.Len(); n++ {
				x := h.front.Informers[s.At(n).Informer]
				depths[n] = max(depths[n], int32(x.Queue.Depth()))
				caches[n] = int32(x.Indexer.Len())
				for i := range x.Processor.Listeners {
					behind[n][i] = max(behind[n][i], int32(x.Processor.Listeners[i].Behind()))
				}
			}
		}
		for i := range h.Samples().Len() {
			got := h.Samples().At(i)
			if got.Depth != depths[i] || got.Cache != caches[i] || !slices.Equal(h.Samples().Behind(i), behind[i]) {
				t.Fatalf("seed %d, sample %d: %+v, behind %v; seen: depth %d, cache %d, behind %v",
					seed, i, got, h.Samples().Behind(i), depths[i], caches[i], behind[i])
			}
		}
	}
}
