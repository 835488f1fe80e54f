package expr

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// measured walks over a run, and finds the step after which each sample of a series was taken.
type measured struct {
	f         *history.Finder
	low, high float64 // of the samples so far
}

// sampleScale is how many whole numbers there are between the least and the greatest value of a series.
const sampleScale = 1e9

// measure makes w get the samples of its series that were taken while the run lasts, as whole numbers.
func (w *Expr) measure() *measured {
	s, m, next := w.Series, &measured{}, 0
	low, high := slices.Min(s.Values), slices.Max(s.Values)
	m.f = w.History.Find(0, false, func(at *world.World) bool {
		for ; next < len(s.At) && s.At[next] <= at.Now(); next++ {
			v, scaled := s.Values[next], 0.0
			if high > low { // the half of each, because their difference may be too large
				scaled = (v/2 - low/2) / (high/2 - low/2) * sampleScale
			}
			if len(w.values) == 0 {
				m.low, m.high = v, v
			}
			m.low, m.high = min(m.low, v), max(m.high, v)
			w.keep(at.Steps(), s.At[next], int64(scaled))
			w.Changed = true
		}
		return false
	})
	return m
}

func (m *measured) Advance(steps int64) (ended bool) {
	_, ended = m.f.Run(steps)
	return ended
}

func (m *measured) Step() int64 { return m.f.Step() }
func (m *measured) Now() int64  { return m.f.Now() }

// fillMeasured tells the plot of the series.
func (w *Expr) fillMeasured(out *link.Watched, axis link.Axis, columns int) {
	m := w.Search.(*measured)
	out.Ends = []string{short(m.low), short(m.high)}
	out.Plot, _, _ = timeline.Plot(w.History, axis, columns, w.values)
}

// short returns a value with four digits: 0.25, 41.94M.
func short(v float64) string {
	units := "kMGT"
	unit := ""
	for len(units) > 0 && (v >= 1e4 || v <= -1e4 || unit != "" && (v >= 1e3 || v <= -1e3)) {
		v, unit, units = v/1e3, units[:1], units[1:]
	}
	return strconv.FormatFloat(v, 'g', 4, 64) + unit
}
