package picture

import (
	"sort"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// Telling returns the step after one and up to another that gets the most telling mark,
// and that mark, "" if none gets one. Of two that are as telling it is the later one.
func Telling(s *world.Samples, informer int, after, upTo int64) (step int64, mark link.MarkKind) {
	best := len(markKinds)
	for i := sort.Search(s.Len(), func(i int) bool { return s.At(i).Step > after }); i < s.Len() && s.At(i).Step <= upTo; i++ {
		x := s.At(i)
		for rank, k := range markKinds[:min(best+1, len(markKinds))] {
			if x.Kind == k.kind && int(x.Informer) == informer {
				step, mark, best = x.Step, k.name, rank
			}
		}
	}
	return step, mark
}
