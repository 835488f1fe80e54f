package view

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// transport is the row of controls, with the timeline below.
func (p *page) transport() *tree.Node {
	m := p.m
	play := widget.IconButton("play", "play", p.w.T("ui.do.play"), "play", "")
	if m.Transport.Playing {
		play = widget.IconButton("play", "pause", p.w.T("ui.do.pause"), "play", "")
	}
	play.Is("aria-pressed", m.Transport.Playing)
	controls := tree.El("div", "controls",
		tree.El("div", "buttons",
			widget.IconButton("", "start", p.w.T("ui.do.start"), "start", ""),
			widget.IconButton("", "back", p.w.T("ui.do.back"), "back", ""),
			play,
			widget.IconButton("", "step", p.w.T("ui.do.step"), "step", ""),
			widget.IconButton("", "end", p.w.T("ui.do.end"), "end", ""),
			widget.IconButton("find", "track", p.w.T("ui.do.goTo"), "goTo", ""),
			widget.IconButton("find", "find", p.w.T("ui.do.search"), "search", "").Attr("title", p.w.Title("search")),
			widget.IconButton("guess", "guess", p.w.T("ui.do.predict"), "predict", "").Attr("title", p.w.Title("predict")),
			widget.IconButton("code-toggle", "code", p.w.T("ui.do.code"), "code", "").Attr("title", p.w.Title("code")).Is("aria-pressed", m.Front.Code)),
		p.units(),
		p.speeds(),
		p.changes(),
		p.axis(),
		p.counter(),
	)
	return tree.El("footer", "transport", p.strip(), controls, p.futures(), p.timeline()).Attr("aria-label", p.w.T("ui.transport"))
}

// units is the choice of how far a step goes. While an object is followed, only its
// steps are visited, so that is said instead, with the way out.
func (p *page) units() *tree.Node {
	m := p.m
	if s := m.Find.Search; s != nil {
		return tree.El("div", "segments units following", tree.Text("span", "", p.w.Tn("ui.searching", "step", words.Grouped(s.Step))).Attr("role", "status"),
			widget.Button("segment", p.w.T("ui.cancel"), "stopSearch", "")).Key("searching")
	}
	if m.Find.Follow != "" {
		says := p.w.Tn("ui.following", "key", m.Find.Follow)
		return tree.El("div", "segments units following", tree.El("span", "", tree.Text("span", "", p.w.T("ui.followingKey")), widget.Key(m.Find.Follow)).Attr("title", says),
			widget.IconButton("segment", "close", p.w.Tn("ui.unfollow", "key", m.Find.Follow), "keyFollow", "")).
			Attr("role", "group").Attr("aria-label", says).Key("following")
	}
	units := tree.El("div", "segments units").Attr("role", "group").Attr("aria-label", p.w.T("ui.unit")).Key("units")
	for _, u := range link.Units {
		units.Add(widget.Button("segment", p.w.T("ui.unit."+string(u)), "unit", string(u)).Is("aria-pressed", m.Transport.Unit == u).Attr("title", p.w.T("ui.unit."+string(u)+".title")))
	}
	return units
}

// speeds is the choice of a speed, by steps or by the recording's clock.
func (p *page) speeds() *tree.Node {
	unit := string(p.m.Transport.Unit)
	if p.m.Find.Follow != "" {
		unit = string(link.Micro)
	}
	bySteps := tree.El("optgroup", "").Attr("label", p.w.T("ui.speed.bySteps"))
	byClock := tree.El("optgroup", "").Attr("label", p.w.T("ui.speed.byClock"))
	for i, s := range session.Speeds {
		group, name := bySteps, p.w.T("ui.speed.max")
		switch {
		case s.Times > 0:
			group, name = byClock, p.w.Tn("ui.speed.times", "n", strconv.FormatFloat(s.Times, 'f', -1, 64))
		case s.PerSecond > 0:
			name = p.w.Tn("ui.speed."+unit, "n", strconv.FormatFloat(s.PerSecond, 'f', -1, 64))
		}
		group.Add(tree.Text("option", "", name).Attr("value", strconv.Itoa(i)))
	}
	return tree.El("label", "speed", tree.Text("span", "", p.w.T("ui.speed")),
		tree.El("select", "", bySteps, byClock).Act("speed", "").Attr("aria-label", p.w.T("ui.speed")).Prop("value", strconv.Itoa(p.m.Transport.Speed)))
}

func (p *page) counter() *tree.Node {
	c := tree.El("div", "counter")
	if p.m.Stage.Frame == nil {
		return c
	}
	steps := words.Grouped(p.f.Steps)
	if !p.f.Complete {
		steps += "+"
	}
	c.Add(tree.Text("span", "fact-name", p.w.T("ui.stepName")),
		tree.Text("b", "", words.Grouped(p.f.Step)), tree.Text("span", "of", "/ "+steps),
		tree.Text("span", "clock", words.Clock(p.m.Transport.Now(p.m))))
	if text := p.m.Expr.Break; text != "" {
		c.Add(widget.Badge("waits missed", p.w.Tn("ui.expr.stoppedAt", "what", text)).Attr("role", "status").Attr("title", p.w.Tn("ui.expr.stoppedAt", "what", text)))
	}
	if missed := p.m.Find.Missed; missed != nil {
		c.Add(widget.Badge("waits missed", p.missed(missed)).Attr("role", "status").Attr("title", p.missed(missed)))
	}
	if o := p.m.Open.Trace; o != nil && o.NoTimes {
		c.Add(tree.Text("span", "badge waits made-up", p.w.T("ui.noTimes")).Attr("title", p.w.T("ui.noTimes.long")))
	}
	if p.f.Starved {
		c.Add(widget.Badge("waits", p.w.T("ui.starved")))
	}
	return c
}
