package view

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

func (p *page) timeline() *tree.Node {
	m := p.m
	slider := tree.El("div", "track").Attr("role", "slider").Attr("tabindex", "0").Attr("data-scrub", "").
		Attr("aria-label", p.w.T("ui.timeline")).Attr("aria-valuemin", "0").
		Attr("aria-valuemax", words.Itoa(p.f.Steps)).Attr("aria-valuenow", words.Itoa(p.f.Step)).
		Attr("aria-valuetext", p.w.Tn("ui.timeline.at", "step", words.Grouped(p.f.Step), "steps", words.Grouped(p.f.Steps), "time", words.Duration(p.f.Time)))
	canvas := tree.El("canvas", "").Attr("data-draw", "timeline").Attr("aria-hidden", "true")
	x := p.watchedColumns()
	slider.Add(p.kept.Keep("timeline", [2]any{m.Stage.Timeline, x.key}, func() *tree.Node { return canvas.Draw(timelineDrawing(m.Stage.Timeline, &x)) }), tree.El("span", "playhead").Style("left", widget.Percent(p.playhead())))
	maxQueue, maxPending := 0, 0
	if m.Stage.Timeline != nil {
		maxQueue, maxPending = m.Stage.Timeline.MaxQueue, m.Stage.Timeline.MaxPending
	}
	row := func(id string, n int) *tree.Node {
		s := tree.El("span", "", tree.Text("span", "", p.w.T(id)))
		if n > 0 {
			s.Add(tree.Text("span", "n", p.w.Tn("ui.upTo", "n", words.Grouped(n))))
		}
		return s
	}
	marks := tree.El("span", "", tree.Text("span", "", p.w.T("ui.timeline.marks")),
		tree.El("span", "mark-steps", widget.IconButton("bare", "left", p.w.T("ui.do.lastMark"), "lastMark", ""), widget.IconButton("bare", "right", p.w.T("ui.do.nextMark"), "nextMark", "")))
	names := tree.El("div", "track-names", marks, row("ui.timeline.queue", maxQueue), row("ui.timeline.behind", maxPending), row("ui.timeline.events", 0))
	if w := x.plot; w != nil {
		names.Add(tree.El("span", "plot-name", tree.Text("code", "", w.Text).Attr("title", w.Text),
			tree.Text("span", "n", p.w.Tn("ui.expr.range", "left", p.value(w, w.Least), "right", p.value(w, w.Most))))).Attr("data-plot", "true")
	}
	return tree.El("div", "timeline", names,
		tree.El("div", "track-box", slider, p.kept.Keep("timeline marks", m.Stage.Timeline, p.marks), p.cover()), p.kept.Keep("timeline table", m.Stage.Timeline, p.timelineTable))
}

// axis is the choice of what the timeline's x means.
func (p *page) axis() *tree.Node {
	n := tree.El("div", "segments axis").Attr("role", "group").Attr("aria-label", p.w.T("ui.axis"))
	for _, a := range link.Axes {
		n.Add(widget.Button("segment", p.w.T("ui.axis."+string(a)), "axis", string(a)).Is("aria-pressed", p.m.Stage.Axis == a))
	}
	return n
}

// playhead is where the moment shown is on the timeline, from 0 to 1.
func (p *page) playhead() float64 { return p.onAxis(p.f.Step, p.m.Transport.Now(p.m)) }

// onAxis is where a step, made at a time in nanoseconds, is on the timeline, from 0
// to 1.
func (p *page) onAxis(step, time int64) float64 {
	t := p.m.Stage.Timeline
	if p.m.Stage.Axis == link.ByTime && t != nil && t.End > t.Start {
		return min(max(float64(time-t.Start)/float64(t.End-t.Start), 0), 1)
	}
	steps := p.f.Steps
	if t != nil && t.Axis == link.ByStep && t.Steps > steps {
		steps = t.Steps
	}
	if steps == 0 {
		return 0
	}
	return min(float64(step)/float64(steps), 1)
}

// watchedColumns are the columns of the expressions that are watched.
type watchedColumns struct {
	hits, breaks []int
	plot         *link.Watched // nil for none
	key          string        // changes whenever one of them does
}

func (p *page) watchedColumns() (x watchedColumns) {
	e, t := &p.m.Expr, p.m.Stage.Timeline
	if t == nil {
		return x
	}
	for i, w := range e.Watched {
		if w.Axis != t.Axis || w.Wrong != nil || len(w.Ticks) != t.Columns && (w.Plot == nil || len(w.Plot.Most) != t.Columns) {
			continue
		}
		x.key += words.Itoa(i) + " " + words.Itoa(w.Step) + " " + words.Itoa(w.Steps) + " " + w.Text + ";"
		for _, b := range e.Breaks {
			if b.Text == w.Text && !b.Off && w.Ticks != nil {
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

// timelineDrawing is the timeline as numbers, which web/page/draw.js draws.
func timelineDrawing(t *link.Timeline, x *watchedColumns) []byte {
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
		put(at(t.Queue.Most, i))
		put(at(t.Queue.Last, i))
		for _, s := range t.Pending {
			put(at(s.Most, i))
			put(at(s.Last, i))
		}
		for _, s := range t.Events {
			put(at(s, i))
		}
		put(at(x.hits, i))
		put(at(x.breaks, i))
		if x.plot != nil {
			put(at(x.plot.Plot.Most, i))
			put(at(x.plot.Plot.Last, i))
		}
	}
	return b
}

// marks are the flags on the timeline. They stand beside the slider, whose own
// children a screen reader doesn't see.
func (p *page) marks() *tree.Node {
	n := tree.El("div", "marks").Attr("role", "group").Attr("aria-label", p.w.T("ui.timeline.marks"))
	t := p.m.Stage.Timeline
	if t == nil {
		return n
	}
	for i := range t.Marks {
		m := &t.Marks[i]
		part := 0.0
		if t.Axis == link.ByTime && t.End > t.Start {
			part = float64(m.Time-t.Start) / float64(t.End-t.Start)
		} else if t.Axis == link.ByStep && t.Steps > 0 {
			part = float64(m.Step) / float64(t.Steps)
		}
		says := p.markSays(m)
		n.Add(tree.El("button", "mark mark-"+string(m.Kind), widget.MarkShape(m.Kind)).Attr("type", "button").Act("seek", words.Itoa(m.Step)).Attr("tabindex", "-1").
			Attr("title", says).Attr("aria-label", says).Style("left", widget.Percent(min(max(part, 0), 1))).Key(words.Itoa(m.Step) + "/" + words.Itoa(m.Time)))
	}
	return n
}

// markSays is a mark in words: what it stands for, and where it is.
func (p *page) markSays(m *link.Mark) string {
	var all []string
	for _, s := range m.Says {
		says := p.w.T("ui.mark." + string(s.Kind))
		if s.N > 1 {
			says += " ×" + words.Grouped(s.N)
		}
		if len(s.Texts) > 0 {
			says = p.w.Tn("ui.mark.says", "mark", says, "text", strings.Join(s.Texts, " · "))
		}
		all = append(all, says)
	}
	return p.w.Tn("ui.mark.at", "mark", strings.Join(all, ", "), "step", words.Grouped(m.Step), "time", words.Clock(m.Time))
}

// timelineTable has the timeline as a table of ten rows, for screen readers.
func (p *page) timelineTable() *tree.Node {
	t := p.m.Stage.Timeline
	body := tree.El("tbody", "")
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
				behind = max(behind, most(s.Most, a, b))
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
			body.Add(widget.Row("td", begins, words.Grouped(most(t.Queue.Most, a, b)), words.Grouped(behind), words.Grouped(events)))
		}
	}
	return widget.Unseen(tree.Text("caption", "", p.w.T("ui.timeline")),
		tree.El("thead", "", widget.Row("th", p.w.T(from), p.w.T("ui.timeline.queue"), p.w.T("ui.timeline.behind"), p.w.T("ui.timeline.events"))), body)
}
