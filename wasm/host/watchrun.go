package host

import (
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/link"
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

// runTo goes to the next step at which an expression comes about, or to the one
// before. An expression that is momentary and remembers nothing is looked for
// from where the viewer is. Any other is looked for among its hits.
func (h *Host) runTo(id int, q link.RunTo) {
	r := h.doc.run()
	none := link.Missed{Expr: q.Expr, Back: q.Back}
	w := &watch{}
	for _, o := range h.watches.all {
		if o.Text == q.Expr && !o.Likely {
			w = o
		}
	}
	if w.Text == "" {
		w.Text = q.Expr
		w.x, w.wrong = ask.Parse(q.Expr)
	}
	w.begin(r)
	if w.wrong != nil || w.x.Type() != ask.Bool {
		h.missed(id, none)
		return
	}
	from := r.history().At().Steps()
	x := &search{of: r, id: id, name: q.Expr, back: q.Back, none: none, s: &hunt{w, from, q.Back}, left: 1, told: h.browser.Now(), asFast: true}
	if w.x.Momentary() && !w.x.Remembers() {
		x.s = w.x.Find(r.history(), r.informer, from, q.Back)
	} else if w.Stopped {
		w.Stopped = false
	}
	h.search = x
	h.searchOn(x)
}

// breakAfter returns the first hit of a breakpoint after one step and up to another.
func (h *Host) breakAfter(from, to int64) (hit *timeline.Span, text string) {
	until := h.browser.Now() + slice
	for _, w := range h.watches.all {
		if !w.Break {
			continue
		}
		if w.begin(h.doc.run()); w.search == nil || w.x.Type() != ask.Bool {
			continue
		}
		for w.search.At() < to && h.browser.Now() < until && w.work(extendBy) {
		}
		if s, _ := w.after(from, false); s != nil && s.From <= to && (hit == nil || s.From < hit.From) {
			hit, text = s, w.Text
		}
	}
	return hit, text
}
