package host

import (
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// after is the first hit after a step, or with back the last one before it. ok is false
// if it isn't known yet, and the hit is nil if there is none.
func (w *watch) after(step int64, back bool) (hit *timeline.Span, ok bool) {
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
		return hit, w.search.At() >= step-1 || !w.works()
	}
	if lo < len(w.spans) {
		return &w.spans[lo], true
	}
	return nil, !w.works()
}

// hunt looks for a hit of a watch, as a Finder looks for a step.
type hunt struct {
	w    *watch
	from int64
	back bool
}

func (s *hunt) At() int64 { return s.w.search.At() }

func (s *hunt) Run(budget int64) (step int64, ended bool) {
	hit, ok := s.w.after(s.from, s.back)
	if !ok {
		s.w.work(budget)
		hit, ok = s.w.after(s.from, s.back)
	}
	if hit != nil && ok {
		return hit.From, true
	}
	return 0, ok
}

// breakAfter returns the first hit of a breakpoint after one step and up to another.
func (e *exprs) breakAfter(from, to int64) (hit *timeline.Span, text string) {
	until := e.browser.Now() + slice
	for _, w := range e.all {
		if !w.Break {
			continue
		}
		if w.begin(e.doc.run()); w.search == nil || w.x.Type() != ask.Bool {
			continue
		}
		for w.search.At() < to && e.browser.Now() < until && w.work(machine.ExtendBy) {
		}
		if s, _ := w.after(from, false); s != nil && s.From <= to && (hit == nil || s.From < hit.From) {
			hit, text = s, w.Text
		}
	}
	return hit, text
}
