package timeline

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/wasm/link"
)

// Telling returns the step after one and up to another that has the most
// telling mark, and that mark, "" if no step has one. Of two steps with marks
// of the same kind it is the later one.
func Telling(s *history.Samples, informer int, after, upTo int64) (step int64, mark link.MarkKind) {
	best := len(link.Marks)
	for i := s.MarkAfter(after); i < s.Marks() && s.Mark(i).Step <= upTo; i++ {
		x := s.Mark(i)
		if int(x.Informer) != informer && x.Kind != 0 {
			continue
		}
		kind := markKind(x, listsBefore(s, informer, i))
		if rank := slices.Index(link.Marks, kind); rank <= best {
			step, mark, best = x.Step, kind, rank
		}
	}
	return step, mark
}

// listsBefore returns 1 if one of the first n marks is an informer's list, and else 0.
func listsBefore(s *history.Samples, informer, n int) int {
	for i := range n {
		if x := s.Mark(i); x.Kind == event.ListReceived && int(x.Informer) == informer {
			return 1
		}
	}
	return 0
}
