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
	if m.Playing {
		play = iconButton("play", "pause", p.t("ui.do.pause"), "play", "")
	}
	play.Is("aria-pressed", m.Playing)
	units := tree.El("div", "segments").Attr("role", "group").Attr("aria-label", p.t("ui.unit"))
	for _, u := range link.Units {
		units.Add(button("segment", p.t("ui.unit."+string(u)), "unit", string(u)).Is("aria-pressed", m.Unit == u).Attr("title", p.t("ui.unit."+string(u)+".title")))
	}
	speeds := tree.El("select", "").Act("speed", "").Attr("aria-label", p.t("ui.speed"))
	for i, s := range session.Speeds {
		name := p.t("ui.speed.max")
		if s > 0 {
			name = strconv.FormatFloat(s, 'f', -1, 64) + "×"
		}
		speeds.Add(tree.Text("option", "", name).Attr("value", strconv.Itoa(i)))
	}
	speeds.Prop("value", strconv.Itoa(m.Speed))
	controls := tree.El("div", "controls",
		tree.El("div", "buttons",
			iconButton("", "start", p.t("ui.do.start"), "start", ""),
			iconButton("", "back", p.t("ui.do.back"), "back", ""),
			play,
			iconButton("", "step", p.t("ui.do.step"), "step", ""),
			iconButton("", "end", p.t("ui.do.end"), "end", "")),
		units,
		tree.El("label", "speed", tree.Text("span", "", p.t("ui.speed")), speeds),
		p.changes(),
		p.axis(),
		p.counter(),
	)
	return tree.El("footer", "transport", p.strip(), controls, p.futures(), p.timeline()).Attr("aria-label", p.t("ui.transport"))
}

func (p *page) counter() *tree.Node {
	c := tree.El("div", "counter")
	if p.m.Frame == nil {
		return c
	}
	steps := grouped(p.f.Steps)
	if !p.f.Complete {
		steps += "+"
	}
	c.Add(tree.Text("span", "fact-name", p.t("ui.stepName")),
		tree.Text("b", "", grouped(p.f.Step)), tree.Text("span", "of", "/ "+steps),
		tree.Text("span", "clock", clock(p.f.Time)))
	if o := p.m.Opened; o != nil && o.NoTimes {
		c.Add(badge("waits made-up", p.t("ui.noTimes")).Attr("title", p.t("ui.noTimes.long")))
	}
	if p.f.Starved {
		c.Add(badge("waits", p.t("ui.starved")))
	}
	return c
}
