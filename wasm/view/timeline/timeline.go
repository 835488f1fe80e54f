// Package timeline draws a run from its beginning to its end, and the controls that move the
// viewer along it.
package timeline

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Draw returns the timeline. If it is covered, what comes after the step is hidden.
func Draw(w *words.Words, k widget.Cache, m *session.Model, f *link.Frame, covered bool) *tree.Node {
	slider := tree.El("div", "track").Attr("role", "slider").Attr("tabindex", "0").Attr("data-scrub", "").
		Attr("aria-label", w.T("ui.timeline")).Attr("aria-valuemin", "0").
		Attr("aria-valuemax", words.Itoa(f.Steps)).Attr("aria-valuenow", words.Itoa(f.Step)).
		Attr("aria-valuetext", w.Tn("ui.timeline.at", "step", words.Grouped(f.Step), "steps", words.Grouped(f.Steps), "time", words.Duration(f.Time)))
	canvas := tree.El("canvas", "").Attr("data-draw", "timeline").Attr("aria-hidden", "true")
	at := ScaleOf(m, f).Position(f.Step, m.Transport.Now())
	x := watched(&m.Expr, m.Stage.Timeline)
	slider.Add(k.Draw("timeline", [2]any{m.Stage.Timeline, x.key}, func() *tree.Node { return canvas.Draw(drawing(m.Stage.Timeline, &x)) }), tree.El("span", "playhead").Style("left", widget.Percent(at)))
	maxQueue, maxPending := 0, 0
	if m.Stage.Timeline != nil {
		maxQueue, maxPending = m.Stage.Timeline.MaxQueue, m.Stage.Timeline.MaxPending
	}
	row := func(id string, n int) *tree.Node {
		s := tree.El("span", "", tree.Text("span", "", w.T(id)))
		if n > 0 {
			s.Add(tree.Text("span", "n", w.Tn("ui.upTo", "n", words.Grouped(n))))
		}
		return s
	}
	steps := tree.El("span", "", tree.Text("span", "", w.T("ui.timeline.marks")),
		tree.El("span", "mark-steps", widget.IconButton("bare", "left", w.T("ui.do.lastMark"), "lastMark", ""), widget.IconButton("bare", "right", w.T("ui.do.nextMark"), "nextMark", "")))
	names := tree.El("div", "track-names", steps, row("ui.timeline.queue", maxQueue))
	if slices.ContainsFunc(f.Processor.Listeners, func(l link.Listener) bool { return !l.Unknown }) {
		names.Add(row("ui.timeline.behind", maxPending))
	}
	names.Add(row("ui.timeline.events", 0))
	if x.plot != nil {
		names.Add(tree.El("span", "plot-name", tree.Text("code", "", x.plot.Text).Attr("title", x.plot.Text),
			tree.Text("span", "n", w.Range(x.plot)))).Attr("data-plot", "true")
	}
	return tree.El("div", "timeline", names,
		tree.El("div", "track-box", slider, k.Draw("timeline marks", m.Stage.Timeline, func() *tree.Node { return marks(w, m.Stage.Timeline) }), cover(w, covered, at)), k.Draw("timeline table", m.Stage.Timeline, func() *tree.Node { return table(w, m.Stage.Timeline) }))
}

// Scale says where steps and times are on the timeline.
type Scale struct {
	timeline *link.Timeline // nil before there is one
	axis     link.Axis
	steps    int64 // of the run
}

// ScaleOf returns the scale on which a run is shown.
func ScaleOf(m *session.Model, f *link.Frame) Scale {
	return Scale{m.Stage.Timeline, m.Stage.Axis, f.Steps}
}

// Position returns where a step, made at a time in nanoseconds, is on the timeline, from 0
// to 1.
func (s Scale) Position(step, time int64) float64 {
	t := s.timeline
	if s.axis == link.ByTime && t != nil && t.End > t.Start {
		return min(max(float64(time-t.Start)/float64(t.End-t.Start), 0), 1)
	}
	steps := s.steps
	if t != nil && t.Axis == link.ByStep && t.Steps > steps {
		steps = t.Steps
	}
	if steps == 0 {
		return 0
	}
	return min(float64(step)/float64(steps), 1)
}

// marks returns the flags on the timeline. They stand beside the slider, whose own
// children a screen reader doesn't see.
func marks(w *words.Words, t *link.Timeline) *tree.Node {
	n := tree.El("div", "marks")
	if t == nil || len(t.Marks) == 0 {
		return n
	}
	n.Attr("role", "group").Attr("aria-label", w.T("ui.timeline.marks"))
	for i := range t.Marks {
		m := &t.Marks[i]
		part := 0.0
		if t.Axis == link.ByTime && t.End > t.Start {
			part = float64(m.Time-t.Start) / float64(t.End-t.Start)
		} else if t.Axis == link.ByStep && t.Steps > 0 {
			part = float64(m.Step) / float64(t.Steps)
		}
		says := markSays(w, m)
		n.Add(widget.Action("mark mark-"+string(m.Kind), "seek", words.Itoa(m.Step), widget.MarkShape(m.Kind)).Attr("tabindex", "-1").
			Attr("title", says).Attr("aria-label", says).Style("left", widget.Percent(min(max(part, 0), 1))).Key(words.Itoa(m.Step) + "/" + words.Itoa(m.Time)))
	}
	return n
}

// markSays returns a mark in words: what it stands for, and where it is.
func markSays(w *words.Words, m *link.Mark) string {
	var all []string
	for _, s := range m.Sentences {
		says := w.T("ui.mark." + string(s.Kind))
		if s.N > 1 {
			says += " ×" + words.Grouped(s.N)
		}
		if len(s.Texts) > 0 {
			says = w.Tn("ui.mark.says", "mark", says, "text", strings.Join(s.Texts, " · "))
		}
		all = append(all, says)
	}
	return w.Tn("ui.mark.at", "mark", strings.Join(all, ", "), "step", words.Grouped(m.Step), "time", words.Clock(m.Time))
}

// table shows the timeline as a table of ten rows, for screen readers.
func table(w *words.Words, t *link.Timeline) *tree.Node {
	body := tree.El("tbody", "")
	row := func(cell, begins, queue, behind, events string) *tree.Node {
		if t == nil || len(t.Pending) == 0 {
			return widget.Row(cell, begins, queue, events)
		}
		return widget.Row(cell, begins, queue, behind, events)
	}
	from := "ui.stepName"
	if t != nil && t.Columns > 0 {
		if t.Axis == link.ByTime {
			from = "ui.time"
		}
		most := func(s []int, a, b int) int {
			if b > len(s) || a >= b {
				return 0
			}
			return slices.Max(s[a:b])
		}
		for k := range 10 {
			a, b := k*t.Columns/10, (k+1)*t.Columns/10
			behind, events := 0, 0
			for _, s := range t.Pending {
				behind = max(behind, most(s.Max, a, b))
			}
			for _, s := range t.Events {
				for i := a; i < b && i < len(s); i++ {
					events += s[i]
				}
			}
			begins := words.Grouped(t.Steps * int64(k) / 10)
			if t.Axis == link.ByTime {
				begins = words.Clock(t.Start + (t.End-t.Start)/10*int64(k))
			}
			body.Add(row("td", begins, words.Grouped(most(t.Queue.Max, a, b)), words.Grouped(behind), words.Grouped(events)))
		}
	}
	return widget.Unseen(tree.Text("caption", "", w.T("ui.timeline")),
		tree.El("thead", "", row("th", w.T(from), w.T("ui.timeline.queue"), w.T("ui.timeline.behind"), w.T("ui.timeline.events"))), body)
}

// cover hides the timeline ahead, because that would give away the answer to a question.
func cover(w *words.Words, covered bool, at float64) *tree.Node {
	if !covered {
		return nil
	}
	return tree.Text("span", "covered", w.T("ui.lesson.covered")).Style("left", widget.Percent(at)).Key("covered")
}

// columns are the columns of the expressions that are watched.
type columns struct {
	hits, breaks []int
	plot         *link.Watched // nil for none
	key          string        // changes whenever one of them does
}

func watched(e *ask.Expr, t *link.Timeline) (x columns) {
	if t == nil {
		return x
	}
	for i, w := range e.Watched {
		if w.Axis != t.Axis || w.Wrong != nil || len(w.Ticks) != t.Columns && (w.Plot == nil || len(w.Plot.Max) != t.Columns) {
			continue
		}
		x.key += words.Itoa(i) + " " + words.Itoa(w.Step) + " " + words.Itoa(w.Steps) + " " + w.Text + ";"
		for _, b := range e.Breaks {
			if b.Text == w.Text && !b.Disabled && w.Ticks != nil {
				if x.breaks == nil {
					x.breaks = make([]int, t.Columns)
				}
				for c, n := range w.Ticks {
					x.breaks[c] += n
				}
				x.key += "!"
			}
		}
		switch {
		case w.Text != e.Asked:
		case w.Plot != nil:
			x.plot = w
		default:
			x.hits = w.Ticks
		}
	}
	return x
}

// drawing returns the timeline as numbers, which web/page/draw.js draws.
func drawing(t *link.Timeline, x *columns) []byte {
	if t == nil {
		t = &link.Timeline{}
	}
	listeners := len(t.Pending)
	types := len(t.Events)
	b := make([]byte, 0, t.Columns*(2*listeners+types+2)+64)
	put := func(n int) { b = binary.AppendUvarint(b, uint64(max(n, 0))) }
	at := func(s []int, i int) int {
		if i < len(s) {
			return s[i]
		}
		return 0
	}
	plots := 0
	if x.plot != nil {
		plots = 1
	}
	for _, n := range []int{t.Columns, t.MaxQueue, t.MaxPending, listeners, types, plots} {
		put(n)
	}
	for i := range t.Columns {
		put(at(t.Queue.Max, i))
		put(at(t.Queue.Last, i))
		for _, s := range t.Pending {
			put(at(s.Max, i))
			put(at(s.Last, i))
		}
		for _, s := range t.Events {
			put(at(s, i))
		}
		put(at(x.hits, i))
		put(at(x.breaks, i))
		if x.plot != nil {
			put(at(x.plot.Plot.Max, i))
			put(at(x.plot.Plot.Last, i))
		}
	}
	return b
}
