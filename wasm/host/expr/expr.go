// Package expr evaluates expressions over a run.
package expr

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// Expr is an expression that is evaluated over the whole run that is shown, slice by
// slice. It begins anew when another run, or another future of it, is shown, and it goes on
// when the run grows.
type Expr struct {
	link.Watch
	Parsed  *ask.Expr
	Wrong   error
	Run     *machine.Run
	History *history.History
	Series  *trace.Series // that Text names in the place of an expression
	Search  walk          // nil for one that random runs are made of
	Odds    *ask.Estimate
	ended   bool // the search has come to the last step known

	hits   int
	spans  []timeline.Span  // of a bool: the hits
	open   bool             // the last one lasts on
	values []timeline.Value // of a number or a duration

	Rows         []link.Hit // those that are listed, as far as they were made
	Reported     int64      // when the page was told last
	ListReported bool       // the page was told of a hit that is listed
	Changed      bool       // there is something to tell
}

// walk goes over a run from its first step on, as an ask.Search does.
type walk interface {
	Advance(steps int64) (ended bool)
	Step() int64
	Now() int64
}

// Bounds on what is kept of a search. There can be as many hits as steps.
const (
	maxSpans  = 1 << 20
	maxValues = 1 << 16
)

// Begin makes w evaluate the run that is shown, if it doesn't do so already.
func (w *Expr) Begin(r *machine.Run) {
	if w.Parsed == nil && w.Series == nil || w.Run == r && w.History == r.History() {
		return
	}
	w.Run, w.History = r, r.History()
	w.hits, w.spans, w.open, w.values, w.Rows = 0, nil, false, nil, nil
	w.ended, w.Changed, w.Reported, w.Search, w.Odds = false, true, 0, nil, nil
	if w.Series != nil {
		w.Wrong, w.Search = nil, w.measure()
		return
	}
	names := &ask.Names{Informers: []string{}, Handlers: []string{}}
	for _, x := range w.History.Front().Informers {
		names.Informers = append(names.Informers, x.Config().Name)
		for _, l := range x.Config().Handlers {
			names.Handlers = append(names.Handlers, l.Name)
		}
	}
	if w.Wrong = w.Parsed.Check(names); w.Wrong != nil {
		return
	}
	if w.Likely && w.Parsed.Type() == ask.Bool {
		w.Odds = w.Parsed.Estimate(w.History, r.Informer, ask.EstimateBounds{})
		return
	}
	w.Search = w.Parsed.Search(w.History, r.Informer, w.valueChanged)
}

func (w *Expr) valueChanged(c ask.Change) {
	w.Changed = true
	switch {
	case w.Parsed.Type() != ask.Bool:
		w.addValue(c.Step, c.Time, c.Value.N)
		return
	case w.open:
		w.open = false
		if last := len(w.spans) - 1; w.hits == len(w.spans) {
			w.spans[last].To, w.spans[last].ToTime = c.Step-1, c.Time
		}
	}
	if !c.Value.True() {
		return
	}
	w.open = !w.Parsed.Momentary()
	if w.hits++; len(w.spans) == maxSpans {
		return
	}
	w.spans = append(w.spans, timeline.Span{From: c.Step, To: c.Step, FromTime: c.Time, ToTime: c.Time})
	if w.From+len(w.Rows) == len(w.spans)-1 && w.WantsRow() {
		w.list(c.World)
	}
}

// list lists the next hit, with what its step did.
func (w *Expr) list(at *world.World) {
	s := &w.spans[w.From+len(w.Rows)]
	said := picture.New(at, at.Informers[w.Run.Informer], picture.DefaultWindow, w.Run.Keys).Summary().Sentence
	w.Rows, w.Changed = append(w.Rows, link.Hit{Step: s.From, Time: s.FromTime, Sentence: said}), true
}

// addValue keeps a value, and thins all out when there are too many.
func (w *Expr) addValue(step, time, v int64) {
	w.values = append(w.values, timeline.Value{Step: step, Time: time, Min: v, Max: v, Last: v})
	if len(w.values) == maxValues {
		w.thin()
	}
}

// thin joins each pair of values into one.
func (w *Expr) thin() {
	v := w.values
	for i := range len(v) / 2 {
		a, b := v[2*i], v[2*i+1]
		v[i] = timeline.Value{Step: a.Step, Time: a.Time, Min: min(a.Min, b.Min), Max: max(a.Max, b.Max), Last: b.Last}
	}
	w.values = v[:len(v)/2]
}

// HasWork reports whether there are steps to evaluate.
func (w *Expr) HasWork() bool {
	if w.Odds != nil {
		return !w.ended && !w.Stopped
	}
	return w.Search != nil && !w.Stopped && w.Search.Step() < w.History.Steps()
}

// IsBool reports whether w is true or false at a step, so that it can be gone to.
func (w *Expr) IsBool() bool {
	return w.Wrong == nil && w.Parsed != nil && w.Parsed.Type() == ask.Bool
}

// Work evaluates so many steps at most, and reports whether there may be more.
func (w *Expr) Work(steps int64) (more bool) {
	if !w.HasWork() {
		return false
	}
	w.Changed = true
	if w.Odds != nil {
		w.ended = w.Odds.Advance(int(steps) / 4) // a step of a random run costs more than one that is only looked at
		return !w.ended
	}
	return !w.Search.Advance(steps)
}

// WantsRow reports whether a hit is to be listed that isn't listed yet.
func (w *Expr) WantsRow() bool {
	i := w.From + len(w.Rows)
	return w.List && w.Odds == nil && w.IsBool() && len(w.Rows) < link.MaxHits && i < len(w.spans)
}

// Row lists a hit that was found before the page wanted it listed, and tells
// whether there may be more such hits.
func (w *Expr) Row() bool {
	if !w.WantsRow() {
		return false
	}
	w.History.Find(w.spans[w.From+len(w.Rows)].From-1, false, func(at *world.World) bool {
		w.list(at)
		return true
	}).Run(1)
	return true
}

// FillOdds tells the odds, and the curve of their shares.
func (w *Expr) FillOdds(out *link.Watched, axis link.Axis, columns int) {
	made, total := w.Odds.Runs()
	out.Type, out.Step, out.Steps, out.Within = w.Parsed.Type().String(), int64(made), int64(total), w.Odds.StepLimit()
	if w.ended {
		out.Steps = out.Step
	}
	var shares []timeline.Value
	for i, o := range w.Odds.Odds() {
		v := o.Share()
		shares = append(shares, timeline.Value{Step: o.Step, Time: o.Time, Min: v, Max: v, Last: v})
		out.Odds = append(out.Odds, link.Odds{Step: o.Step, Time: o.Time, Yes: o.Yes, Runs: o.Runs})
		if i == 0 {
			out.Min, out.Max = v, v
		}
		out.Min, out.Max = min(out.Min, v), max(out.Max, v)
	}
	out.Plot = timeline.PlotBetween(w.History, axis, columns, shares, 0, link.PlotScale)
}

// FillWatched tells the hits, or the plot of the values.
func (w *Expr) FillWatched(out *link.Watched, axis link.Axis, columns int) {
	out.Step, out.Steps, out.Hits = w.Search.Step(), w.History.Steps(), w.hits
	if w.Series != nil {
		w.fillMeasured(out, axis, columns)
		return
	}
	out.Type, out.Lasts = w.Parsed.Type().String(), !w.Parsed.Momentary()
	if w.Parsed.Type() != ask.Bool {
		out.Plot, out.Min, out.Max = timeline.Plot(w.History, axis, columns, w.values)
		return
	}
	if w.open && w.hits == len(w.spans) {
		s := &w.spans[len(w.spans)-1]
		s.To, s.ToTime = w.Search.Step(), w.Search.Now()
	}
	out.Ticks = timeline.Ticks(w.History, axis, columns, w.spans)
	for i, r := range w.Rows {
		if s := w.spans[w.From+i]; out.Lasts && !(w.open && w.From+i == len(w.spans)-1) {
			r.To = s.To
		} else if !out.Lasts {
			r.To = r.Step
		}
		out.Rows = append(out.Rows, r)
	}
}

// NextHit returns the first hit after a step, or with back the last one before it. ok is false
// if it isn't known yet, and the hit is nil if there is none.
func (w *Expr) NextHit(step int64, back bool) (hit *timeline.Span, ok bool) {
	lo, hi := 0, len(w.spans) // the first that begins after step, or at it with back
	for lo < hi {
		mid := (lo + hi) / 2
		if from := w.spans[mid].From; from > step || back && from == step {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	if back {
		if lo > 0 {
			hit = &w.spans[lo-1]
		}
		return hit, w.Search.Step() >= step-1 || !w.HasWork()
	}
	if lo < len(w.spans) {
		return &w.spans[lo], true
	}
	return nil, !w.HasWork()
}

// hunt looks for a hit of a watch, as a Finder looks for a step.
type hunt struct {
	w        *Expr
	step     int64
	backward bool
}

// Hunt looks for the next hit after a step, or for the last one before it.
func (w *Expr) Hunt(from int64, back bool) Finder { return &hunt{w, from, back} }

// Finder looks for a step, a few steps at a time, as a history.Finder does.
type Finder interface {
	Run(budget int64) (step int64, ended bool)
	Step() int64
}

func (s *hunt) Step() int64 { return s.w.Search.Step() }

func (s *hunt) Run(budget int64) (step int64, ended bool) {
	hit, ok := s.w.NextHit(s.step, s.backward)
	if !ok {
		s.w.Work(budget)
		hit, ok = s.w.NextHit(s.step, s.backward)
	}
	if hit != nil && ok {
		return hit.From, true
	}
	return 0, ok
}

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
		for ; next < len(s.Times) && s.Times[next] <= at.Now(); next++ {
			v, scaled := s.Values[next], 0.0
			if high > low { // the half of each, because their difference may be too large
				scaled = (v/2 - low/2) / (high/2 - low/2) * sampleScale
			}
			if len(w.values) == 0 {
				m.low, m.high = v, v
			}
			m.low, m.high = min(m.low, v), max(m.high, v)
			w.addValue(at.Steps(), s.Times[next], int64(scaled))
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
