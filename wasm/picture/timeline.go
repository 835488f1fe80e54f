package picture

import (
	"sort"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// maxMarks is how many flags a timeline has at most. If there are more moments, the
// more telling kinds get theirs.
const maxMarks = 300

// markKinds are the facts that get a flag, the most telling first.
var markKinds = []struct {
	kind event.Kind
	name link.MarkKind
}{
	{event.WatchErrorReceived, link.MarkError},
	{event.ListFailed, link.MarkError},
	{event.WatchFailed, link.MarkError},
	{event.VeryShortWatch, link.MarkError},
	{event.ListReceived, link.MarkList},
	{event.ListenerAdded, link.MarkJoined},
	{event.WatchClosed, link.MarkClosed},
	{event.BackoffStarted, link.MarkBackoff},
	{event.ResyncFired, link.MarkResync},
}

// Timeline puts the samples of a run that are about one of its informers into
// columns.
func Timeline(h *world.History, informer int, axis link.Axis, columns int) *link.Timeline {
	s := h.Samples()
	handlers := len(h.Front().Informers[informer].Config().Handlers)
	out := &link.Timeline{Axis: axis, Steps: h.Steps(), End: h.End(), Complete: h.Complete(), Pending: make([][]int, handlers), Events: make([][]int, link.NumRows)}
	if columns <= 0 {
		return out
	}
	out.Start = s.At(0).Time
	ints := func() []int { return make([]int, columns) }
	out.Step, out.Time, out.Queue, out.Cache = make([]int64, columns), make([]int64, columns), ints(), ints()
	for i := range out.Pending {
		out.Pending[i] = ints()
	}
	for i := range out.Events {
		out.Events[i] = ints()
	}
	column := func(x world.Sample) int {
		at, span := x.Step, out.Steps
		if axis == link.ByTime {
			at, span = x.Time-out.Start, out.End-out.Start
		}
		return int(min(int64(columns-1), at*int64(columns)/max(span, 1)))
	}
	own, last := 0, -1 // the informer's last sample, and the last column that has one
	for i := range s.Len() {
		x := s.At(i)
		if int(x.Informer) != informer && i > 0 {
			continue
		}
		c := column(x)
		if c != last {
			// In the columns between nothing happened, so they show what was before.
			for j := last + 1; j < c; j++ {
				carry(out, s, own, j)
			}
			out.Step[c], out.Time[c] = x.Step, x.Time
			last = c
		}
		take(out, s, i, c)
		own = i
	}
	for j := column(s.At(own)) + 1; j < columns; j++ {
		carry(out, s, own, j)
	}
	out.Marks = marks(s, informer)
	return out
}

// take adds sample i to column c.
func take(out *link.Timeline, s *world.Samples, i, c int) {
	x := s.At(i)
	out.Queue[c] = max(out.Queue[c], int(x.Depth))
	out.MaxQueue = max(out.MaxQueue, int(x.Depth))
	out.Cache[c] = int(x.Cache)
	for l, n := range behind(s, i, out) {
		out.Pending[l][c] = max(out.Pending[l][c], int(n))
		out.MaxPending = max(out.MaxPending, int(n))
	}
	if row := eventRow(x); row >= 0 {
		out.Events[row][c]++
	}
}

// behind is how far each handler was behind that the timeline has a row for.
func behind(s *world.Samples, i int, out *link.Timeline) []int32 {
	b := s.Behind(i)
	return b[:min(len(b), len(out.Pending))]
}

// carry fills column c, in which nothing happened, with the state after sample i.
func carry(out *link.Timeline, s *world.Samples, i, c int) {
	x := s.At(i)
	out.Step[c], out.Time[c], out.Cache[c] = x.Step, x.Time, int(x.Cache)
	for l, n := range behind(s, i, out) {
		out.Pending[l][c] = int(n)
	}
}

func eventRow(x world.Sample) int {
	switch x.Kind {
	case event.ListReceived:
		return link.RowList
	case event.WatchErrorReceived, event.ListFailed, event.WatchFailed, event.VeryShortWatch:
		return link.RowError
	case event.WatchEventReceived:
	default:
		return -1
	}
	switch x.Delta {
	case event.Added:
		return link.RowAdded
	case event.Updated:
		return link.RowModified
	case event.Deleted:
		return link.RowDeleted
	case event.Bookmark:
		return link.RowBookmark
	}
	return link.RowError
}

// marks picks the moments that get a flag, in the order of the run. Lists after the
// first one are relists.
func marks(s *world.Samples, informer int) []link.Mark {
	var out []link.Mark
	for i := 0; i < s.Len() && len(out) < maxMarks; i++ {
		if x := s.At(i); x.Kind.Outside() && int(x.Informer) == informer {
			out = append(out, link.Mark{Step: x.Step, Time: x.Time, Kind: link.MarkCommand})
		}
	}
	for _, k := range markKinds {
		lists := 0
		for i := 0; i < s.Len() && len(out) < maxMarks; i++ {
			x := s.At(i)
			if x.Kind != k.kind || int(x.Informer) != informer {
				continue
			}
			name := k.name
			if lists++; name == link.MarkList && lists > 1 {
				name = link.MarkRelist
			}
			out = append(out, link.Mark{Step: x.Step, Time: x.Time, Kind: name})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Step < out[j].Step })
	return out
}
