package view

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

func (p *page) timeline() *tree.Node {
	m := p.m
	at := p.playhead()
	slider := tree.El("div", "track").Attr("role", "slider").Attr("tabindex", "0").Attr("data-scrub", "").
		Attr("aria-label", p.t("ui.timeline")).Attr("aria-valuemin", "0").
		Attr("aria-valuemax", itoa(p.f.Steps)).Attr("aria-valuenow", itoa(p.f.Step)).
		Attr("aria-valuetext", p.tn("ui.timeline.at", "step", grouped(p.f.Step), "steps", grouped(p.f.Steps), "time", duration(p.f.Time)))
	canvas := tree.El("canvas", "").Attr("data-draw", "timeline").Attr("aria-hidden", "true")
	slider.Add(p.keep("timeline", m.Timeline, func() *tree.Node { return canvas.Draw(timelineDrawing(m.Timeline)) }), tree.El("span", "playhead").Style("left", strconv.FormatFloat(at*100, 'f', 3, 64)+"%"))
	maxQueue, maxPending := 0, 0
	if m.Timeline != nil {
		maxQueue, maxPending = m.Timeline.MaxQueue, m.Timeline.MaxPending
	}
	row := func(id string, n int) *tree.Node {
		s := tree.El("span", "", tree.Text("span", "", p.t(id)))
		if n > 0 {
			s.Add(tree.Text("span", "n", p.tn("ui.upTo", "n", grouped(n))))
		}
		return s
	}
	return tree.El("div", "timeline",
		tree.El("div", "track-names", row("ui.timeline.queue", maxQueue), row("ui.timeline.behind", maxPending), row("ui.timeline.events", 0)),
		slider, p.keep("timeline table", m.Timeline, p.timelineTable))
}

// axis is the choice of what the timeline's x means.
func (p *page) axis() *tree.Node {
	n := tree.El("div", "segments axis").Attr("role", "group").Attr("aria-label", p.t("ui.axis"))
	for _, a := range link.Axes {
		n.Add(button("segment", p.t("ui.axis."+string(a)), "axis", string(a)).Is("aria-pressed", p.m.Axis == a))
	}
	return n
}

// playhead is where the step shown is on the timeline, from 0 to 1.
func (p *page) playhead() float64 { return p.onAxis(p.f.Step, p.f.Time) }

// onAxis is where a step, made at a time in nanoseconds, is on the timeline, from 0
// to 1.
func (p *page) onAxis(step, time int64) float64 {
	t := p.m.Timeline
	if p.m.Axis == link.ByTime && t != nil && t.End > t.Start {
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

// timelineDrawing is the timeline as numbers, which web/page/draw.js draws.
func timelineDrawing(t *link.Timeline) []byte {
	if t == nil {
		t = &link.Timeline{}
	}
	listeners := len(t.Pending)
	types := len(t.Events)
	b := make([]byte, 0, len(t.Step)*(listeners+types+1)+64)
	put := func(n int) { b = binary.AppendUvarint(b, uint64(max(n, 0))) }
	at := func(s []int, i int) int {
		if i < len(s) {
			return s[i]
		}
		return 0
	}
	for _, n := range []int{len(t.Step), t.MaxQueue, t.MaxPending, listeners, types} {
		put(n)
	}
	for i := range t.Step {
		put(at(t.Queue, i))
		for _, s := range t.Pending {
			put(at(s, i))
		}
		for _, s := range t.Events {
			put(at(s, i))
		}
	}
	for _, m := range t.Marks {
		kind := slices.Index(link.Marks, m.Kind)
		if kind < 0 {
			continue
		}
		part := 0.0
		if t.Axis == link.ByTime && t.End > t.Start {
			part = float64(m.Time-t.Start) / float64(t.End-t.Start)
		} else if t.Axis == link.ByStep && t.Steps > 0 {
			part = float64(m.Step) / float64(t.Steps)
		}
		put(int(min(max(part, 0), 1) * 10000))
		put(kind)
	}
	return b
}

// timelineTable has the timeline as a table of ten rows, for screen readers.
func (p *page) timelineTable() *tree.Node {
	t := p.m.Timeline
	body := tree.El("tbody", "")
	if t != nil && len(t.Step) > 0 {
		for k := range 10 {
			from, to := k*len(t.Step)/10, (k+1)*len(t.Step)/10
			queue, behind, events := 0, 0, 0
			for i := from; i < to; i++ {
				if i < len(t.Queue) {
					queue = max(queue, t.Queue[i])
				}
				for _, s := range t.Pending {
					if i < len(s) {
						behind = max(behind, s[i])
					}
				}
				for _, s := range t.Events {
					if i < len(s) {
						events += s[i]
					}
				}
			}
			if from < to {
				body.Add(tr("td", grouped(t.Step[from]), clock(t.Time[from]), grouped(queue), grouped(behind), grouped(events)))
			}
		}
	}
	return tree.El("table", "visually-hidden", tree.Text("caption", "", p.t("ui.timeline")),
		tree.El("thead", "", tr("th", p.t("ui.stepName"), p.t("ui.time"), p.t("ui.timeline.queue"), p.t("ui.timeline.behind"), p.t("ui.timeline.events"))), body)
}
