// Package timeline puts a run into the columns of the page's timeline: how deep the queue
// was, how far the handlers were behind, the events by type, the marks, and what the
// viewer has asked for.
package timeline

import (
	"math/bits"
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/wasm/link"
)

// Draw puts what the samples of a run say about one of its informers into columns.
func Draw(h *history.History, informer int, axis link.Axis, columns int, texts Texts) *link.Timeline {
	handlers := h.Front().Informers[informer].Config().Handlers
	t := &timeline{handlers: handlers, out: &link.Timeline{Axis: axis, Steps: h.Steps(), Start: h.Config().Start, End: h.End(), Complete: h.Complete(), Columns: max(columns, 0), Events: make([][]int, link.NumRows)}}
	t.out.Pending = make([]link.Levels, len(handlers))
	if columns <= 0 {
		return t.out
	}
	t.span = h.Steps()
	if axis == link.ByTime {
		t.span = h.End() - t.out.Start
	}
	t.levels(h.Samples(), informer)
	for i := range t.out.Events {
		t.out.Events[i] = make([]int, columns)
	}
	s := h.Samples()
	for i := range s.Received() {
		if x := s.Receipt(i); int(x.Informer) == informer {
			t.out.Events[eventRow(x)][t.column(t.offset(x.Step, x.Time))]++
		}
	}
	for i := range s.Marks() {
		if x := s.Mark(i); int(x.Informer) == informer && isError(x.Kind) && x.Kind != event.WatchErrorReceived {
			t.out.Events[link.RowError][t.column(t.offset(x.Step, x.Time))]++
		}
	}
	t.marks(s, informer, texts)
	return t.out
}

type timeline struct {
	out      *link.Timeline
	handlers []informer.Handler
	span     int64 // of the axis, in steps or in nanoseconds
}

// offset returns where on the axis something is, from 0 to span.
func (t *timeline) offset(step, time int64) int64 {
	if t.out.Axis == link.ByTime {
		return min(max(time-t.out.Start, 0), t.span)
	}
	return min(step, t.span)
}

// column returns the column of a place on the axis.
func (t *timeline) column(at int64) int {
	if t.span <= 0 || at >= t.span {
		return t.out.Columns - 1
	}
	hi, lo := bits.Mul64(uint64(at), uint64(t.out.Columns)) // the nanoseconds of a year, times the columns, need more than 64 bits
	c, _ := bits.Div64(hi, lo, uint64(t.span))
	return int(c)
}

// begin returns the first place of a column.
func (t *timeline) begin(column int) int64 {
	hi, lo := bits.Mul64(uint64(column), uint64(max(t.span, 0)))
	at, rest := bits.Div64(hi, lo, uint64(t.out.Columns))
	if rest > 0 {
		at++
	}
	return int64(at)
}

// IsImplicit reports whether nobody has recorded or described a handler: it is there because an informer
// without one tells nobody anything. So nothing is said of how far it is behind. That it gets resyncs, as the second of
// two machines does, says nothing of how long it takes.
func IsImplicit(h *informer.Handler) bool {
	return h.Name == link.Simulated && h.DurationOf == nil && h.Duration == 0 && !h.Workqueue
}

// levels draws how deep the queue was, and how far each handler was behind. A handler that is implicit has no row.
// Between two changes the depth stays, so a column also has the depth at its
// beginning.
func (t *timeline) levels(s *history.Samples, informer int) {
	rows := make([]*link.Levels, 1+len(t.handlers))
	rows[0] = &t.out.Queue
	for i := range t.handlers {
		rows[1+i] = &t.out.Pending[i]
	}
	for _, r := range rows {
		r.Max, r.Last = make([]int, t.out.Columns), make([]int, t.out.Columns)
	}
	now := make([]int, len(rows)) // after the last change
	open := -1                    // the column of that change
	fill := func(to int) {        // the columns up to, but not including, to
		for c := open + 1; c < to; c++ {
			for k, r := range rows {
				r.Max[c], r.Last[c] = now[k], now[k]
			}
		}
	}
	for l := range s.Levels(informer) {
		first, last := t.offset(l.Step, l.Time), t.offset(l.EndStep, l.EndTime)
		from, to := t.column(first), t.column(last)
		fill(from)
		carried := open < from && open >= 0 && t.begin(from) < first // the column begins before the change
		for c := from; c <= to; c++ {
			for k, r := range rows {
				if carried {
					r.Max[c] = now[k]
				}
				if k < len(l.Max) {
					r.Max[c], r.Last[c] = max(r.Max[c], int(l.Max[k])), int(l.Last[k])
				}
			}
			carried = false
		}
		for k := range min(len(rows), len(l.Last)) {
			now[k] = int(l.Last[k])
		}
		open = to
	}
	fill(t.out.Columns)
	shown := 0
	for i := range t.handlers {
		if IsImplicit(&t.handlers[i]) {
			*rows[1+i] = link.Levels{}
		} else {
			shown++
		}
	}
	if shown == 0 {
		t.out.Pending = nil
	}
	for k, r := range rows {
		for _, v := range r.Max {
			if k == 0 {
				t.out.MaxQueue = max(t.out.MaxQueue, v)
			} else {
				t.out.MaxPending = max(t.out.MaxPending, v)
			}
		}
	}
}

func eventRow(x history.Sample) int {
	if x.Kind == event.ListReceived {
		return link.RowList
	}
	if x.Kind == event.WatchEventReceived {
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
	}
	return link.RowError
}

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

// Span is a stretch of a run at which something is so, from one step and time to another.
type Span struct{ From, To, FromTime, ToTime int64 }

// Value is a number from a step on, or the least and the greatest value that it has until the next Value.
type Value struct{ Step, Time, Min, Max, Last int64 }

// columns returns a timeline of a run without anything on it.
func columns(h *history.History, axis link.Axis, n int) *timeline {
	t := &timeline{out: &link.Timeline{Axis: axis, Start: h.Config().Start, Columns: n}, span: h.Steps()}
	if axis == link.ByTime {
		t.span = h.End() - t.out.Start
	}
	return t
}

// Ticks returns how many spans begin or go on in each of n columns of a run.
func Ticks(h *history.History, axis link.Axis, n int, spans []Span) []int {
	if n <= 0 {
		return nil
	}
	t, out := columns(h, axis, n), make([]int, n)
	for i := range spans {
		s := &spans[i]
		for c := t.column(t.offset(s.From, s.FromTime)); c <= t.column(t.offset(s.To, s.ToTime)); c++ {
			out[c]++
		}
	}
	return out
}

// Plot puts values into n columns of a run, on a scale from 0 to
// link.PlotScale. It also returns the values for which the two ends of the
// scale stand.
func Plot(h *history.History, axis link.Axis, n int, values []Value) (out *link.Levels, least, most int64) {
	if n <= 0 || len(values) == 0 {
		return &link.Levels{}, 0, 0
	}
	least, most = values[0].Min, values[0].Max
	for i := range values {
		least, most = min(least, values[i].Min), max(most, values[i].Max)
	}
	return PlotBetween(h, axis, n, values, least, most), least, most
}

// PlotBetween returns Plot on a scale from least to most.
func PlotBetween(h *history.History, axis link.Axis, n int, values []Value, least, most int64) *link.Levels {
	if n <= 0 || len(values) == 0 {
		return &link.Levels{}
	}
	scaled := func(v int64) int {
		if most == least {
			return link.PlotScale / 2
		}
		return int(float64(v-least) / float64(most-least) * link.PlotScale)
	}
	t := columns(h, axis, n)
	out := &link.Levels{Max: make([]int, n), Last: make([]int, n)}
	k, last := 0, scaled(values[0].Min)
	for c := range n {
		out.Max[c] = last
		for ; k < len(values) && t.column(t.offset(values[k].Step, values[k].Time)) <= c; k++ {
			out.Max[c] = max(out.Max[c], scaled(values[k].Max))
			last = scaled(values[k].Last)
		}
		out.Last[c] = last
	}
	return out
}
