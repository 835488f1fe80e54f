package timeline

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Controls returns the row of controls above the timeline. The buttons that take back what the viewer
// did are among them. The stations of a lesson have no buttons that jump.
func Controls(w *words.Words, m *session.Model, f *link.Frame, changes *tree.Node) *tree.Node {
	alone := m.Subjects() != nil
	few := alone || m.Screen.Narrow()
	play := worded(w, "play", "play", "play")
	if m.Transport.Playing {
		play = worded(w, "play", "pause", "play")
	}
	play.Is("aria-pressed", m.Transport.Playing)
	buttons := tree.El("div", "buttons")
	if !alone {
		buttons.Add(widget.IconButton("", "start", w.T("ui.do.start"), "start", ""))
	}
	buttons.Add(worded(w, "", "back", "back"), play, worded(w, "", "step", "step"))
	if !alone {
		buttons.Add(widget.IconButton("", "end", w.T("ui.do.end"), "end", ""))
	}
	controls := tree.El("div", "controls", buttons, units(w, m, few), speeds(w, m), changes)
	if !few {
		controls.Add(axis(w, m.Stage.Axis))
	}
	return controls.Add(counter(w, m, f))
}

// worded returns a button with an icon and a word. Its title says more.
func worded(w *words.Words, class, icon, command string) *tree.Node {
	return widget.Action("button "+class, command, "", widget.Icon(icon), tree.Text("span", "word", w.T("ui.word."+icon))).
		Attr("title", w.Title(command))
}

// units returns the choice of how far a step goes. While an object is followed, only its
// steps are visited, so that is said instead, with the way out.
func units(w *words.Words, m *session.Model, few bool) *tree.Node {
	if s := m.Find.Search; s != nil {
		return tree.El("div", "segments units following", tree.Text("span", "", w.Tn("ui.searching", "step", words.Grouped(s.Step))).Attr("role", "status"),
			widget.Button("segment", w.T("ui.cancel"), "stopSearch", "")).Key("searching")
	}
	if m.Find.Follow != "" {
		says := w.Tn("ui.following", "key", m.Find.Follow)
		return tree.El("div", "segments units following", tree.El("span", "", tree.Text("span", "", w.T("ui.followingKey")), widget.Key(m.Find.Follow)).Attr("title", says),
			widget.IconButton("segment", "close", w.Tn("ui.unfollow", "key", m.Find.Follow), "keyFollow", "")).
			Attr("role", "group").Attr("aria-label", says).Key("following")
	}
	if few {
		list := tree.El("select", "").Act("unit", "").Attr("aria-label", w.T("ui.unit"))
		for _, u := range link.Units {
			list.Add(tree.Text("option", "", w.T("ui.unit."+string(u))).Attr("value", string(u)))
		}
		return tree.El("label", "units-few", list.Prop("value", string(m.Transport.Unit))).Key("few")
	}
	units := tree.El("div", "segments units").Attr("role", "group").Attr("aria-label", w.T("ui.unit")).Key("units")
	for _, u := range link.Units {
		units.Add(widget.Button("segment", w.T("ui.unit."+string(u)), "unit", string(u)).Is("aria-pressed", m.Transport.Unit == u).Attr("title", w.T("ui.unit."+string(u)+".title")))
	}
	return units
}

// speeds returns the choice of a speed, by steps or by the recording's clock.
func speeds(w *words.Words, m *session.Model) *tree.Node {
	unit := string(m.Transport.Unit)
	if m.Find.Follow != "" {
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
		tree.El("select", "", bySteps, byClock).Act("speed", "").Attr("aria-label", w.T("ui.speed")).Prop("value", strconv.Itoa(m.Transport.Speed)))
}

// axis returns the choice of what the timeline's x means.
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
	c.Add(widget.Action("go", "goTo", "", tree.Text("span", "fact-name", w.T("ui.stepName")), tree.Text("b", "", words.Grouped(f.Step)), tree.Text("span", "of", "/ "+steps)).Attr("title", w.Title("goTo")),
		tree.Text("span", "clock", words.Clock(m.Transport.Now())))
	if text := m.Expr.Break; text != "" {
		c.Add(widget.Badge("waits missed", w.Tn("ui.expr.stoppedAt", "what", text)).Attr("role", "status").Attr("title", w.Tn("ui.expr.stoppedAt", "what", text)))
	}
	if missed := m.Find.Missed; missed != nil {
		c.Add(widget.Badge("waits missed", missedSays(w, missed)).Attr("role", "status").Attr("title", missedSays(w, missed)))
	}
	if o := m.Open.Trace; o != nil && o.NoTimes {
		c.Add(tree.Text("span", "badge waits made-up", w.T("ui.noTimes")).Attr("title", w.T("card.noTimes")))
	}
	if f.Starved && m.Open.Loading {
		c.Add(widget.Badge("waits", w.T("ui.starved")))
	}
	return c
}

// missedSays returns that there is no step of the kind that was looked for.
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
