package host

import (
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
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
	of     *machine.Run
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

// exprs are the expressions that are watched, and the timeline on which they are shown.
type exprs struct {
	*desk
	all     []*watch
	axis    link.Axis
	columns int
}

const kindExprs = "expressions"

// watchFor watches the expressions of a request, and no others. Those that were watched go on.
func (e *exprs) watchFor(_ int, q link.WatchFor) {
	old := e.all
	e.all = nil
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
		e.all = append(e.all, w)
	}
	e.watchOn()
}

// watchOn has the expressions evaluated as far as the run is known.
func (e *exprs) watchOn() {
	if len(e.all) > 0 && e.doc != nil {
		e.jobs.Start(e, schedule.Terms{Kind: kindExprs})
	}
}

// Work evaluates for one slice.
func (e *exprs) Work(until int64) (more bool) {
	if e.doc == nil {
		return false
	}
	r := e.doc.run()
	for _, w := range e.all {
		w.begin(r)
		for e.jobs.Now() < until && w.work(machine.ExtendBy) {
		}
		for e.jobs.Now() < until && w.row() {
		}
		again := w.works() || w.wantsRow()
		more = more || again
		e.tellWatched(w, !again)
	}
	return more
}

// Report does nothing, because an expression tells what was found first at once: tellWatched.
func (e *exprs) Report() {}

// Stop is never called: the expressions are evaluated in whatever is shown.
func (e *exprs) Stop(schedule.Event) {}

// find returns the watched expression of a text, or another one that isn't watched.
func (e *exprs) find(text string) *watch {
	for _, w := range e.all {
		if w.Text == text && !w.Likely {
			return w
		}
	}
	w := &watch{Watch: link.Watch{Text: text}}
	w.x, w.wrong = ask.Parse(text)
	return w
}

// begin has w evaluate the run that is shown, if it doesn't do so already.
func (w *watch) begin(r *machine.Run) {
	if w.x == nil || w.of == r && w.h == r.History() {
		return
	}
	w.of, w.h = r, r.History()
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
		w.likely = w.x.Likely(w.h, r.Informer, ask.LikelyBounds{})
		return
	}
	w.search = w.x.Search(w.h, r.Informer, w.see)
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
	said := picture.New(at, at.Informers[w.of.Informer], picture.DefaultWindow, w.of.Keys).Told().Said
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

// comesAbout reports whether w is true or false at a step, so that it can be gone to.
func (w *watch) comesAbout() bool { return w.wrong == nil && w.x.Type() == ask.Bool }

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
func (e *exprs) tellWatched(w *watch, last bool) {
	now := e.browser.Now()
	first := len(w.rows) > 0 && !w.shown
	if !w.news || !last && !first && w.said != 0 && now-w.said < reportEvery {
		return
	}
	w.said, w.news, w.shown = now, false, len(w.rows) > 0
	out := &link.Watched{Text: w.Text, Likely: w.Likely, Axis: e.axis, From: w.From, Done: last}
	switch {
	case w.wrong != nil:
		out.Wrong, out.Done = w.wrong.Error(), true
	case w.likely != nil:
		e.fillOdds(w, out)
	case w.search != nil:
		e.fillWatched(w, out)
	}
	e.send(&link.Reply{Watched: out})
}

// fillOdds tells the odds, and the curve of their shares.
func (e *exprs) fillOdds(w *watch, out *link.Watched) {
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
	out.Plot = timeline.PlotBetween(w.h, e.axis, e.columns, shares, 0, link.PlotScale)
}

func (e *exprs) fillWatched(w *watch, out *link.Watched) {
	out.Type, out.Lasts = w.x.Type().String(), !w.x.Momentary()
	out.Step, out.Steps, out.Hits = w.search.At(), w.h.Steps(), w.hits
	if w.x.Type() != ask.Bool {
		out.Plot, out.Least, out.Most = timeline.Plot(w.h, e.axis, e.columns, w.values)
		return
	}
	if w.open && w.hits == len(w.spans) {
		s := &w.spans[len(w.spans)-1]
		s.To, s.ToTime = w.search.At(), w.search.Now()
	}
	out.Ticks = timeline.Ticks(w.h, e.axis, e.columns, w.spans)
	for i, r := range w.rows {
		if s := w.spans[w.From+i]; out.Lasts && !(w.open && w.From+i == len(w.spans)-1) {
			r.To = s.To
		} else if !out.Lasts {
			r.To = r.Step
		}
		out.Rows = append(out.Rows, r)
	}
}

// showWatched puts the expressions on a timeline.
func (e *exprs) showWatched(axis link.Axis, columns int) {
	e.axis, e.columns = axis, columns
	for _, w := range e.all {
		w.news, w.said = true, 0
	}
	e.watchOn()
}
