package host

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/expr"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// exprs are the expressions that are watched, and the timeline on which they are shown.
type exprs struct {
	*desk
	schedule.Silent // report tells at once what was found first; the job goes on with whatever is shown, so nothing stops it
	watched         []*expr.Expr
	axis            link.Axis
	columns         int
}

const kindExprs = "expressions"

// watchFor watches the expressions of a request, and no others. Those that were watched go on.
func (e *exprs) watchFor(_ int, q link.WatchFor) {
	old := e.watched
	e.watched = nil
	for i, want := range q.Watches {
		if i == link.MaxWatches {
			break
		}
		var w *expr.Expr
		for _, o := range old {
			if o.Text == want.Text && o.Likely == want.Likely {
				w = o
			}
		}
		if w == nil {
			w = &expr.Expr{}
			w.Parsed, w.Wrong = ask.Parse(want.Text)
		}
		if w.From != want.From || w.List != want.List {
			w.Rows = nil
		}
		w.Watch, w.Changed, w.Reported = want, true, 0
		e.watched = append(e.watched, w)
	}
	e.evaluate()
}

// evaluate makes the job that evaluates the expressions as far as the run is known.
func (e *exprs) evaluate() {
	if len(e.watched) > 0 && e.doc != nil {
		e.jobs.Start(e, schedule.Terms{Kind: kindExprs})
	}
}

// Work evaluates for one slice.
func (e *exprs) Work(until int64) (more bool) {
	if e.doc == nil {
		return false
	}
	r := e.doc.run()
	for _, w := range e.watched {
		if w.Parsed == nil {
			w.Series = e.series(w.Text)
		}
		w.Begin(r)
		for e.jobs.Now() < until && w.Work(machine.ExtendBy) {
		}
		for e.jobs.Now() < until && w.Row() {
		}
		again := w.HasWork() || w.WantsRow()
		more = more || again
		e.report(w, !again)
	}
	return more
}

// series returns the measured series of a name, nil for none.
func (e *exprs) series(name string) *trace.Series {
	if e.doc.script == nil {
		all := e.doc.trace().Series
		for i := range all {
			if all[i].Name == name {
				return &all[i]
			}
		}
	}
	return nil
}

// find returns the watched expression of a text, or another one that isn't watched.
func (e *exprs) find(text string) *expr.Expr {
	for _, w := range e.watched {
		if w.Text == text && !w.Likely {
			return w
		}
	}
	w := &expr.Expr{Watch: link.Watch{Text: text}}
	w.Parsed, w.Wrong = ask.Parse(text)
	return w
}

// report tells the page how far w is: every reportEvery, and at once when something was
// found first, or when nothing more is to be done.
func (e *exprs) report(w *expr.Expr, last bool) {
	now := e.browser.Now()
	first := len(w.Rows) > 0 && !w.ListReported
	if !w.Changed || !last && !first && w.Reported != 0 && now-w.Reported < reportEvery {
		return
	}
	w.Reported, w.Changed, w.ListReported = now, false, len(w.Rows) > 0
	out := &link.Watched{Text: w.Text, Likely: w.Likely, Axis: e.axis, From: w.From, Done: last}
	switch {
	case w.Wrong != nil:
		out.Wrong, out.Done = link.Fault(w.Wrong), true
	case w.Odds != nil:
		w.FillOdds(out, e.axis, e.columns)
	case w.Search != nil:
		w.FillWatched(out, e.axis, e.columns)
	}
	e.send(&link.Reply{News: out})
}

// drawOn puts the expressions on a timeline.
func (e *exprs) drawOn(axis link.Axis, columns int) {
	e.axis, e.columns = axis, columns
	for _, w := range e.watched {
		w.Changed, w.Reported = true, 0
	}
	e.evaluate()
}

// nextBreak returns the first hit of a breakpoint after one step and up to another.
func (e *exprs) nextBreak(from, to int64) (hit *timeline.Span, text string) {
	until := e.browser.Now() + slice
	for _, w := range e.watched {
		if !w.Break {
			continue
		}
		if w.Begin(e.doc.run()); w.Search == nil || !w.IsBool() {
			continue
		}
		for w.Search.Step() < to && e.browser.Now() < until && w.Work(machine.ExtendBy) {
		}
		if s, _ := w.NextHit(from, false); s != nil && s.From <= to && (hit == nil || s.From < hit.From) {
			hit, text = s, w.Text
		}
	}
	return hit, text
}

// plot makes a file of the values of an expression, as CSV.
type plot struct {
	*desk
	schedule.Silent     // the page doesn't show how far a plot is
	id              int // of the request
	search          *ask.Search
	rows            []byte // of the slice
	out             browser.Store
}

// savePlot gives the viewer a file of the values of an expression that is plotted.
func (e *exprs) savePlot(id int, q link.SavePlot) {
	w := e.find(q.Expr)
	if w.Search == nil || w.Parsed == nil {
		return
	}
	p := &plot{desk: e.desk, id: id, out: e.browser.Store()}
	head := ask.Quote(w.Parsed.Text())
	p.out.Append([]byte("step,seconds," + strconv.Quote(head[1:len(head)-1]) + "\n"))
	p.search = w.Parsed.Search(w.History, w.Run.Informer, func(c ask.Change) {
		p.rows = append(p.rows, strconv.FormatInt(c.Step, 10)+","+ask.Seconds(c.Time)+","+c.Value.Decimal(w.Parsed.Type())+"\n"...)
	})
	e.jobs.Start(p, schedule.Terms{Kind: "plot", Ends: anotherDocument, AtOnce: true})
}

// Work makes the rows of a slice.
func (p *plot) Work(until int64) (more bool) {
	ended := false
	for !ended && p.jobs.Now() < until {
		ended = p.search.Advance(machine.ExtendBy)
	}
	p.out.Append(p.rows)
	p.rows = p.rows[:0]
	if ended {
		p.browser.Download(p.out, "plot.csv", func(_ int64, err error) {
			if err != nil {
				p.fail(p.id, link.Sentence{ID: "fail.save"}, err)
			}
		})
	}
	return !ended
}
