package timeline

import (
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/wasm/link"
)

// Span is a stretch of a run at which something is so, from one step and time to another.
type Span struct{ From, To, FromTime, ToTime int64 }

// Value is a number from a step on, or the least and the greatest value that it has until the next Value.
type Value struct{ Step, Time, Least, Most, Last int64 }

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
	least, most = values[0].Least, values[0].Most
	for i := range values {
		least, most = min(least, values[i].Least), max(most, values[i].Most)
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
	out := &link.Levels{Most: make([]int, n), Last: make([]int, n)}
	k, last := 0, scaled(values[0].Least)
	for c := range n {
		out.Most[c] = last
		for ; k < len(values) && t.column(t.offset(values[k].Step, values[k].Time)) <= c; k++ {
			out.Most[c] = max(out.Most[c], scaled(values[k].Most))
			last = scaled(values[k].Last)
		}
		out.Last[c] = last
	}
	return out
}
