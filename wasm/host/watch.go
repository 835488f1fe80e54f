package host

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// watch is an expression that is evaluated over the whole run that is shown, slice by
// slice. It begins anew when another run, or another future of it, is shown, and it goes on
// when the run grows.
type watch struct {
	link.Watch
	x      *ask.Expr
	wrong  error
	of     *run
	h      *world.History
	search *ask.Search // nil for one that random runs are made of
	likely *ask.Likely
	ended  bool // the search has come to the last step known

	hits   int
	spans  []timeline.Span  // of a bool: the hits
	open   bool             // the last one lasts on
	values []timeline.Value // of a number or a duration

	rows  []link.Hit // those that are listed, as far as they were made
	said  int64      // when the page was told last
	shown bool       // the page was told of a hit that is listed
	news  bool       // there is something to tell
}

// Bounds on what is kept of a search. There can be as many hits as steps.
const (
	maxSpans  = 1 << 20
	maxValues = 1 << 16
)

// watching are the expressions that are watched, and the timeline on which they are shown.
type watching struct {
	all     []*watch
	axis    link.Axis
	columns int
	due     bool // a slice has its turn soon
}

// watchFor watches the expressions of a request, and no others. Those that were watched go on.
func (h *Host) watchFor(_ int, q link.WatchFor) {
	old := h.watches.all
	h.watches.all = nil
	for i, want := range q.Watches {
		if i == link.MaxWatches {
			break
		}
		var w *watch
		for _, o := range old {
			if o.Text == want.Text && o.Likely == want.Likely {
				w = o
			}
		}
		if w == nil {
			w = &watch{}
			w.x, w.wrong = ask.Parse(want.Text)
		}
		if w.From != want.From || w.List != want.List {
			w.rows = nil
		}
		w.Watch, w.news, w.said = want, true, 0
		h.watches.all = append(h.watches.all, w)
	}
	h.watchOn()
}

// watchOn has the expressions evaluated as far as the run is known.
func (h *Host) watchOn() {
	if len(h.watches.all) == 0 || h.watches.due || h.doc == nil {
		return
	}
	h.watches.due = true
	h.browser.Later(h.watchSlice)
}

// watchSlice evaluates for one slice.
func (h *Host) watchSlice() {
	h.watches.due = false
	if h.doc == nil {
		return
	}
	r := h.doc.run()
	until := h.browser.Now() + slice
	more := false
	for _, w := range h.watches.all {
		w.begin(r)
		for h.browser.Now() < until && w.work(extendBy) {
		}
		for h.browser.Now() < until && w.row() {
		}
		again := w.works() || w.wantsRow()
		more = more || again
		h.tellWatched(w, !again)
	}
	if more {
		h.watchOn()
	}
}

// begin has w evaluate the run that is shown, if it doesn't do so already.
func (w *watch) begin(r *run) {
	if w.x == nil || w.of == r && w.h == r.history() {
		return
	}
	w.of, w.h = r, r.history()
	w.hits, w.spans, w.open, w.values, w.rows = 0, nil, false, nil, nil
	w.ended, w.news, w.said, w.search, w.likely = false, true, 0, nil, nil
	names := &ask.Names{Informers: []string{}, Handlers: []string{}}
	for _, x := range w.h.Front().Informers {
		names.Informers = append(names.Informers, x.Config().Name)
		for _, l := range x.Config().Handlers {
			names.Handlers = append(names.Handlers, l.Name)
		}
	}
	if w.wrong = w.x.Check(names); w.wrong != nil {
		return
	}
	if w.Likely && w.x.Type() == ask.Bool {
		w.likely = w.x.Likely(w.h, r.informer, ask.LikelyBounds{})
		return
	}
	w.search = w.x.Search(w.h, r.informer, w.see)
}

// see takes a change of the expression.
func (w *watch) see(c ask.Change) {
	w.news = true
	switch {
	case w.x.Type() != ask.Bool:
		v := c.Value.N
		w.values = append(w.values, timeline.Value{Step: c.Step, Time: c.Time, Least: v, Most: v, Last: v})
		if len(w.values) == maxValues {
			w.thin()
		}
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
	w.open = !w.x.Momentary()
	if w.hits++; len(w.spans) == maxSpans {
		return
	}
	w.spans = append(w.spans, timeline.Span{From: c.Step, To: c.Step, FromTime: c.Time, ToTime: c.Time})
	if w.From+len(w.rows) == len(w.spans)-1 && w.wantsRow() {
		w.list(c.World)
	}
}

// list lists the next hit, with what its step did.
func (w *watch) list(at *world.World) {
	s := &w.spans[w.From+len(w.rows)]
	said := picture.New(at, at.Informers[w.of.informer], picture.DefaultWindow, w.of.keys).Told().Said
	w.rows, w.news = append(w.rows, link.Hit{Step: s.From, Time: s.FromTime, Said: said}), true
}

// thin joins each pair of values into one.
func (w *watch) thin() {
	v := w.values
	for i := range len(v) / 2 {
		a, b := v[2*i], v[2*i+1]
		v[i] = timeline.Value{Step: a.Step, Time: a.Time, Least: min(a.Least, b.Least), Most: max(a.Most, b.Most), Last: b.Last}
	}
	w.values = v[:len(v)/2]
}

// works tells whether there are steps to evaluate.
func (w *watch) works() bool {
	if w.likely != nil {
		return !w.ended && !w.Stopped
	}
	return w.search != nil && !w.Stopped && w.search.At() < w.h.Steps()
}

// work evaluates so many steps at most, and tells whether there may be more.
func (w *watch) work(steps int64) (more bool) {
	if !w.works() {
		return false
	}
	w.news = true
	if w.likely != nil {
		w.ended = w.likely.Go(int(steps) / 4) // a step of a random run costs more than one that is only looked at
		return !w.ended
	}
	return !w.search.Go(steps)
}

// wantsRow tells whether a hit is to be listed that isn't listed yet.
func (w *watch) wantsRow() bool {
	i := w.From + len(w.rows)
	return w.List && w.likely == nil && w.wrong == nil && w.x != nil && w.x.Type() == ask.Bool && len(w.rows) < link.MaxHits && i < len(w.spans)
}

// row lists a hit that was found before the page wanted it listed, and tells
// whether there may be more such hits.
func (w *watch) row() bool {
	if !w.wantsRow() {
		return false
	}
	w.h.Find(w.spans[w.From+len(w.rows)].From-1, false, func(at *world.World) bool {
		w.list(at)
		return true
	}).Run(1)
	return true
}

// tellWatched tells the page how far w is: every reportEvery, and at once when something was
// found first, or when nothing more is to be done.
func (h *Host) tellWatched(w *watch, last bool) {
	now := h.browser.Now()
	first := len(w.rows) > 0 && !w.shown
	if !w.news || !last && !first && w.said != 0 && now-w.said < reportEvery {
		return
	}
	w.said, w.news, w.shown = now, false, len(w.rows) > 0
	out := &link.Watched{Text: w.Text, Likely: w.Likely, Axis: h.watches.axis, From: w.From, Done: last}
	switch {
	case w.wrong != nil:
		out.Wrong, out.Done = w.wrong.Error(), true
	case w.likely != nil:
		h.fillOdds(w, out)
	case w.search != nil:
		h.fillWatched(w, out)
	}
	h.send(&link.Reply{Watched: out})
}

// fillOdds tells the odds, and the curve of their shares.
func (h *Host) fillOdds(w *watch, out *link.Watched) {
	made, of := w.likely.Runs()
	out.Type, out.Step, out.Steps, out.Within = w.x.Type().String(), int64(made), int64(of), w.likely.Within()
	if w.ended {
		out.Steps = out.Step
	}
	var shares []timeline.Value
	for i, o := range w.likely.Odds() {
		v := o.Share()
		shares = append(shares, timeline.Value{Step: o.Step, Time: o.Time, Least: v, Most: v, Last: v})
		out.Odds = append(out.Odds, link.Odds{Step: o.Step, Time: o.Time, Yes: o.Yes, Of: o.Of})
		if i == 0 {
			out.Least, out.Most = v, v
		}
		out.Least, out.Most = min(out.Least, v), max(out.Most, v)
	}
	out.Plot = timeline.PlotBetween(w.h, h.watches.axis, h.watches.columns, shares, 0, link.PlotScale)
}

func (h *Host) fillWatched(w *watch, out *link.Watched) {
	out.Type, out.Lasts = w.x.Type().String(), !w.x.Momentary()
	out.Step, out.Steps, out.Hits = w.search.At(), w.h.Steps(), w.hits
	if w.x.Type() != ask.Bool {
		out.Plot, out.Least, out.Most = timeline.Plot(w.h, h.watches.axis, h.watches.columns, w.values)
		return
	}
	if w.open && w.hits == len(w.spans) {
		s := &w.spans[len(w.spans)-1]
		s.To, s.ToTime = w.search.At(), w.search.Now()
	}
	out.Ticks = timeline.Ticks(w.h, h.watches.axis, h.watches.columns, w.spans)
	for i, r := range w.rows {
		if s := w.spans[w.From+i]; out.Lasts && !(w.open && w.From+i == len(w.spans)-1) {
			r.To = s.To
		} else if !out.Lasts {
			r.To = r.Step
		}
		out.Rows = append(out.Rows, r)
	}
}

// savePlot gives the viewer a file of the values of an expression that is plotted, as CSV.
func (h *Host) savePlot(id int, q link.SavePlot) {
	for _, w := range h.watches.all {
		if w.Text != q.Expr || w.search == nil {
			continue
		}
		x, kept := w.x, h.browser.Store()
		head := ask.Quote(x.Text())
		kept.Append([]byte("step,seconds," + strconv.Quote(head[1:len(head)-1]) + "\n"))
		var b []byte
		s := x.Search(w.h, w.of.informer, func(c ask.Change) {
			b = append(b, strconv.FormatInt(c.Step, 10)+","+ask.Seconds(c.Time)+","+c.Value.Decimal(x.Type())+"\n"...)
		})
		h.export(id, s, func() { kept.Append(b); b = b[:0] }, func() {
			name := "plot.csv"
			h.browser.Give(kept, name, func(size int64, err error) {
				if err != nil {
					h.fail(id, link.Sentence{ID: "fail.save"}, err)
				}
			})
		})
		return
	}
}

// export makes a search slice by slice, with what is to be done after each slice and at the
// end.
func (h *Host) export(id int, s *ask.Search, each, done func()) {
	ended := false
	for until := h.browser.Now() + slice; !ended && h.browser.Now() < until; {
		ended = s.Go(extendBy)
	}
	each()
	if ended {
		done()
		return
	}
	h.browser.Later(func() { h.export(id, s, each, done) })
}

// showWatched puts the expressions on a timeline.
func (h *Host) showWatched(axis link.Axis, columns int) {
	h.watches.axis, h.watches.columns = axis, columns
	for _, w := range h.watches.all {
		w.news, w.said = true, 0
	}
	h.watchOn()
}

// playStep makes the steps of a request. While the page plays, it stops where a breakpoint comes about.
func (h *Host) playStep(q link.Step, r *run) *link.Frame {
	if q.Play {
		from := r.history().At().Steps()
		if hit, text := h.breakAfter(from, r.units(q.Unit, q.N)); hit != nil {
			f := r.walk(hit.From, q.N == 1, q.Brief, h.window)
			f.Break = text
			return f
		}
	}
	return r.step(q.Unit, q.N, q.Brief, h.window)
}

// playTo is playStep for a time that has not come yet.
func (h *Host) playTo(q link.SeekTime, r *run) *link.Frame {
	from := r.history().At().Steps()
	if hit, text := h.breakAfter(from, from+maxAhead); hit != nil && hit.FromTime <= q.Time {
		f := r.walk(hit.From, true, q.Brief, h.window)
		f.Break = text
		return f
	}
	return r.playTo(q.Time, q.Brief, h.window)
}
