package view

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
)

// transport is the row of controls, with the timeline below.
func (p *page) transport() *tree.Node {
	m := p.m
	play := iconButton("play", "play", p.t("ui.do.play"), "play", "")
	if m.Transport.Playing {
		play = iconButton("play", "pause", p.t("ui.do.pause"), "play", "")
	}
	play.Is("aria-pressed", m.Transport.Playing)
	controls := tree.El("div", "controls",
		tree.El("div", "buttons",
			iconButton("", "start", p.t("ui.do.start"), "start", ""),
			iconButton("", "back", p.t("ui.do.back"), "back", ""),
			play,
			iconButton("", "step", p.t("ui.do.step"), "step", ""),
			iconButton("", "end", p.t("ui.do.end"), "end", ""),
			iconButton("find", "track", p.t("ui.do.goTo"), "goTo", ""),
			iconButton("find", "find", p.t("ui.do.search"), "search", "").Attr("title", p.titled("search")),
			iconButton("guess", "guess", p.t("ui.do.predict"), "predict", "").Attr("title", p.titled("predict")),
			iconButton("code-toggle", "code", p.t("ui.do.code"), "code", "").Attr("title", p.titled("code")).Is("aria-pressed", m.Front.Code)),
		p.units(),
		p.speeds(),
		p.changes(),
		p.axis(),
		p.counter(),
	)
	return tree.El("footer", "transport", p.strip(), controls, p.futures(), p.timeline()).Attr("aria-label", p.t("ui.transport"))
}

// units is the choice of how far a step goes. While an object is followed, only its
// steps are visited, so that is said instead, with the way out.
func (p *page) units() *tree.Node {
	m := p.m
	if s := m.Find.Search; s != nil {
		return tree.El("div", "segments units following", tree.Text("span", "", p.tn("ui.searching", "step", grouped(s.Step))).Attr("role", "status"),
			button("segment", p.t("ui.cancel"), "stopSearch", "")).Key("searching")
	}
	if m.Find.Follow != "" {
		says := p.tn("ui.following", "key", m.Find.Follow)
		return tree.El("div", "segments units following", tree.El("span", "", tree.Text("span", "", p.t("ui.followingKey")), key(m.Find.Follow)).Attr("title", says),
			iconButton("segment", "close", p.tn("ui.unfollow", "key", m.Find.Follow), "keyFollow", "")).
			Attr("role", "group").Attr("aria-label", says).Key("following")
	}
	units := tree.El("div", "segments units").Attr("role", "group").Attr("aria-label", p.t("ui.unit")).Key("units")
	for _, u := range link.Units {
		units.Add(button("segment", p.t("ui.unit."+string(u)), "unit", string(u)).Is("aria-pressed", m.Transport.Unit == u).Attr("title", p.t("ui.unit."+string(u)+".title")))
	}
	return units
}

// speeds is the choice of a speed, by steps or by the recording's clock.
func (p *page) speeds() *tree.Node {
	unit := string(p.m.Transport.Unit)
	if p.m.Find.Follow != "" {
		unit = string(link.Micro)
	}
	bySteps := tree.El("optgroup", "").Attr("label", p.t("ui.speed.bySteps"))
	byClock := tree.El("optgroup", "").Attr("label", p.t("ui.speed.byClock"))
	for i, s := range session.Speeds {
		group, name := bySteps, p.t("ui.speed.max")
		switch {
		case s.Times > 0:
			group, name = byClock, p.tn("ui.speed.times", "n", strconv.FormatFloat(s.Times, 'f', -1, 64))
		case s.PerSecond > 0:
			name = p.tn("ui.speed."+unit, "n", strconv.FormatFloat(s.PerSecond, 'f', -1, 64))
		}
		group.Add(tree.Text("option", "", name).Attr("value", strconv.Itoa(i)))
	}
	return tree.El("label", "speed", tree.Text("span", "", p.t("ui.speed")),
		tree.El("select", "", bySteps, byClock).Act("speed", "").Attr("aria-label", p.t("ui.speed")).Prop("value", strconv.Itoa(p.m.Transport.Speed)))
}

func (p *page) counter() *tree.Node {
	c := tree.El("div", "counter")
	if p.m.Stage.Frame == nil {
		return c
	}
	steps := grouped(p.f.Steps)
	if !p.f.Complete {
		steps += "+"
	}
	c.Add(tree.Text("span", "fact-name", p.t("ui.stepName")),
		tree.Text("b", "", grouped(p.f.Step)), tree.Text("span", "of", "/ "+steps),
		tree.Text("span", "clock", clock(p.m.Transport.Now(p.m))))
	if text := p.m.Expr.Break; text != "" {
		c.Add(badge("waits missed", p.tn("ui.expr.stoppedAt", "what", text)).Attr("role", "status").Attr("title", p.tn("ui.expr.stoppedAt", "what", text)))
	}
	if missed := p.m.Find.Missed; missed != nil {
		c.Add(badge("waits missed", p.missed(missed)).Attr("role", "status").Attr("title", p.missed(missed)))
	}
	if o := p.m.Open.Trace; o != nil && o.NoTimes {
		c.Add(tree.Text("span", "badge waits made-up", p.t("ui.noTimes")).Attr("title", p.t("ui.noTimes.long")))
	}
	if p.f.Starved {
		c.Add(badge("waits", p.t("ui.starved")))
	}
	return c
}
