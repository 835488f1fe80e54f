package timeline

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// dial is all that the buttons and choices above the timeline are drawn from.
type dial struct {
	plain, playing bool
	unit           link.Unit
	follow         string
	speed          int
	axis           link.Axis
	keys           string // the viewer's own keys, which the titles name
}

// Controls are the row of controls above the timeline. The buttons that take back what the viewer
// did are among them. The plain page has those that go on and back, and says them in words.
func Controls(w *words.Words, k widget.Kept, m *session.Model, f *link.Frame, changes *tree.Node) *tree.Node {
	d := dial{m.Plain(), m.Transport.Playing, m.Transport.Unit, m.Find.Follow, m.Transport.Speed, m.Stage.Axis, m.Keyboard.Map.String()}
	controls := tree.El("div", "controls", k.Keep("buttons", d, func() *tree.Node { return buttons(w, d) }))
	if m.Find.Search != nil {
		controls.Add(searching(w, m.Find.Search.Step))
	} else {
		controls.Add(k.Keep("units", d, func() *tree.Node { return units(w, d) }))
	}
	controls.Add(k.Keep("speeds", d, func() *tree.Node { return speeds(w, d) }), changes)
	if !d.plain {
		controls.Add(k.Keep("axis", d, func() *tree.Node { return axis(w, d.axis) }))
	}
	return controls.Add(counter(w, m, f))
}

// buttons are those that go on and back, and on the full page to both ends.
func buttons(w *words.Words, d dial) *tree.Node {
	play := worded(w, "play", "play", "play")
	if d.playing {
		play = worded(w, "play", "pause", "play")
	}
	play.Is("aria-pressed", d.playing)
	n := tree.El("div", "buttons")
	if !d.plain {
		n.Add(widget.IconButton("", "start", w.T("ui.do.start"), "start", ""))
	}
	n.Add(worded(w, "", "back", "back"), play, worded(w, "", "step", "step"))
	if !d.plain {
		n.Add(widget.IconButton("", "end", w.T("ui.do.end"), "end", ""))
	}
	return n
}

// worded is a button with an icon and a word. Its title says more.
func worded(w *words.Words, class, icon, command string) *tree.Node {
	return tree.El("button", "button "+class, widget.Icon(icon), tree.Text("span", "word", w.T("ui.word."+icon))).Attr("type", "button").Act(command, "").
		Attr("title", w.Title(command))
}

// searching says how far a search is that the transport waits for, with the way to end it.
func searching(w *words.Words, step int64) *tree.Node {
	return tree.El("div", "segments units following", tree.Text("span", "", w.Tn("ui.searching", "step", words.Grouped(step))).Attr("role", "status"),
		widget.Button("segment", w.T("ui.cancel"), "stopSearch", "")).Key("searching")
}

// units is the choice of how far a step goes. While an object is followed, only its
// steps are visited, so that is said instead, with the way out.
func units(w *words.Words, d dial) *tree.Node {
	if d.follow != "" {
		says := w.Tn("ui.following", "key", d.follow)
		return tree.El("div", "segments units following", tree.El("span", "", tree.Text("span", "", w.T("ui.followingKey")), widget.Key(d.follow)).Attr("title", says),
			widget.IconButton("segment", "close", w.Tn("ui.unfollow", "key", d.follow), "keyFollow", "")).
			Attr("role", "group").Attr("aria-label", says).Key("following")
	}
	if d.plain {
		list := tree.El("select", "").Act("unit", "").Attr("aria-label", w.T("ui.unit"))
		for _, u := range link.Units {
			list.Add(tree.Text("option", "", w.T("ui.unit."+string(u))).Attr("value", string(u)))
		}
		return tree.El("label", "units-plain", list.Prop("value", string(d.unit))).Key("plain")
	}
	units := tree.El("div", "segments units").Attr("role", "group").Attr("aria-label", w.T("ui.unit")).Key("units")
	for _, u := range link.Units {
		units.Add(widget.Button("segment", w.T("ui.unit."+string(u)), "unit", string(u)).Is("aria-pressed", d.unit == u).Attr("title", w.T("ui.unit."+string(u)+".title")))
	}
	return units
}

// speeds is the choice of a speed, by steps or by the recording's clock.
func speeds(w *words.Words, d dial) *tree.Node {
	unit := string(d.unit)
	if d.follow != "" {
		unit = string(link.Micro)
	}
	bySteps := tree.El("optgroup", "").Attr("label", w.T("ui.speed.bySteps"))
	byClock := tree.El("optgroup", "").Attr("label", w.T("ui.speed.byClock"))
	for i, s := range session.Speeds {
		group, name := bySteps, w.T("ui.speed.max")
		switch {
		case s.Times > 0:
			group, name = byClock, w.Tn("ui.speed.times", "n", strconv.FormatFloat(s.Times, 'f', -1, 64))
		case s.PerSecond > 0:
			name = w.Tn("ui.speed."+unit, "n", strconv.FormatFloat(s.PerSecond, 'f', -1, 64))
		}
		group.Add(tree.Text("option", "", name).Attr("value", strconv.Itoa(i)))
	}
	return tree.El("label", "speed", tree.Text("span", "", w.T("ui.speed")),
		tree.El("select", "", bySteps, byClock).Act("speed", "").Attr("aria-label", w.T("ui.speed")).Prop("value", strconv.Itoa(d.speed)))
}

// axis is the choice of what the timeline's x means.
func axis(w *words.Words, chosen link.Axis) *tree.Node {
	n := tree.El("div", "segments axis").Attr("role", "group").Attr("aria-label", w.T("ui.axis"))
	for _, a := range link.Axes {
		n.Add(widget.Button("segment", w.T("ui.axis."+string(a)), "axis", string(a)).Is("aria-pressed", chosen == a))
	}
	return n
}

func counter(w *words.Words, m *session.Model, f *link.Frame) *tree.Node {
	c := tree.El("div", "counter")
	if m.Stage.Frame == nil {
		return c
	}
	steps := words.Grouped(f.Steps)
	if !f.Complete {
		steps += "+"
	}
	c.Add(tree.El("button", "go", tree.Text("span", "fact-name", w.T("ui.stepName")),
		tree.Text("b", "", words.Grouped(f.Step)), tree.Text("span", "of", "/ "+steps)).Attr("type", "button").Act("goTo", "").Attr("title", w.Title("goTo")),
		tree.Text("span", "clock", words.Clock(m.Transport.Now(m))))
	if text := m.Expr.Break; text != "" {
		c.Add(widget.Badge("waits missed", w.Tn("ui.expr.stoppedAt", "what", text)).Attr("role", "status").Attr("title", w.Tn("ui.expr.stoppedAt", "what", text)))
	}
	if missed := m.Find.Missed; missed != nil {
		c.Add(widget.Badge("waits missed", missedSays(w, missed)).Attr("role", "status").Attr("title", missedSays(w, missed)))
	}
	if o := m.Open.Trace; o != nil && o.NoTimes {
		c.Add(tree.Text("span", "badge waits made-up", w.T("ui.noTimes")).Attr("title", w.T("ui.noTimes.long")))
	}
	if f.Starved {
		c.Add(widget.Badge("waits", w.T("ui.starved")))
	}
	return c
}

// missedSays says that there is no step of the kind that was looked for.
func missedSays(w *words.Words, m *link.Missed) string {
	id, what := "ui.missed.mark", ""
	switch {
	case m.Key != "":
		id, what = "ui.missed.key", m.Key
	case m.Expr != "":
		id, what = "ui.missed.kind", m.Expr
	case len(m.Marks) > 0:
		id, what = "ui.missed.kind", w.T("ui.mark."+string(m.Marks[len(m.Marks)-1]))
	}
	if m.Back {
		id += ".back"
	}
	return w.Tn(id, "what", what)
}
