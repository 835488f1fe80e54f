package view

import (
	"strings"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/hands"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// inspector is the panel beside the stage.
func (p *page) inspector() *tree.Node {
	tabs := tree.El("div", "tablist").Attr("role", "tablist").Attr("aria-label", p.w.T("ui.inspector"))
	for _, t := range p.m.Front.Tabs(p.m) {
		tabs.Add(widget.Button("tab", p.w.T("ui.tab."+string(t)), "tab", string(t)).Attr("role", "tab").Attr("id", "tab-"+string(t)).
			Is("aria-selected", p.m.Front.Tab == t).Attr("aria-controls", "panel").Attr("tabindex", map[bool]string{true: "0", false: "-1"}[p.m.Front.Tab == t]))
	}
	toggle := "up"
	if p.m.Front.Sheet {
		toggle = "down"
	}
	var body *tree.Node
	switch p.m.Front.Tab {
	case desk.Lesson:
		body = p.lesson()
	case desk.Object:
		m := p.m
		body = tree.El("div", "panel object", p.query(), p.kept.Keep("answer", m.Indexer.Answer, p.answer), p.kept.Keep("object", [5]any{m.Front.Object, m.Front.Unfold, m.Hands.Menu == "key", m.Find.Follow, m.Front.WhyPlace()}, p.object))
	case desk.Actors:
		body = p.actors()
	case desk.Search:
		body = p.search()
	case desk.Console:
		body = p.console()
	case desk.Compare:
		body = p.compare()
	case desk.Setup:
		body = p.setup()
	default:
		if body = p.explain(); p.m.Why.Shown {
			body = p.chain()
		}
	}
	body = tree.El("div", "tabpanel", body.Key(string(p.m.Front.Tab))).
		Attr("role", "tabpanel").Attr("id", "panel").Attr("aria-labelledby", "tab-"+string(p.m.Front.Tab)).Attr("tabindex", "0")
	class := "inspector"
	if p.m.Front.Sheet {
		class += " drawn"
	}
	head := tree.El("div", "tabs", tabs, widget.IconButton("tiny sheet-toggle", toggle, p.w.T("ui.sheet"), "sheet", ""))
	return tree.El("aside", class, head, body).Attr("aria-label", p.w.T("ui.inspector"))
}

// explain says what the step did and why that matters.
func (p *page) explain() *tree.Node {
	m := p.m
	n := tree.El("div", "panel explain")
	if m.Stage.Frame == nil {
		return n.Add(p.intro())
	}
	f := p.l // at high speed the lists' frame changes less often, so that a sentence can be read
	head := tree.El("header", "explain-head", tree.Text("span", "step-n", p.w.Tn("ui.step.n", "n", words.Grouped(f.Step))))
	if f.Func != "" {
		head.Add(tree.Text("code", "func", f.Func).Attr("title", p.w.T("ui.func")))
	}
	n.Add(head.Add(p.visits()), p.prediction())
	by := tree.El("p", "by")
	if f.Actor != "" {
		by.Add(tree.Text("span", "", p.w.T("ui.by")), widget.Badge("actor", p.w.Actor(f.Actor)))
		if f.Elsewhere != "" {
			by.Add(tree.Text("span", "", p.w.Tn("ui.elsewhere", "informer", f.Elsewhere)))
		}
	}
	for _, text := range f.Notes {
		n.Add(tree.El("p", "note", widget.MarkShape(link.MarkNote), tree.Text("span", "", text)).Attr("title", p.w.T("ui.note")))
	}
	n.Add(by, widget.Say(p.w, "p", "said", f.Said))
	if f.Why != nil {
		n.Add(widget.Say(p.w, "p", "why", *f.Why))
	} else {
		n.Add(tree.El("p", "why"))
	}
	if f.Step == 0 {
		n.Add(p.intro())
		if m.Lesson.Learning != nil {
			return n
		}
		return n.Add(widget.Button("primary begin", p.w.T("ui.begin"), "begin", ""), widget.Button("begin", p.w.T("ui.learn.first"), "lesson", learn.First))
	}
	return n.Add(tree.Text("h3", "", p.w.T("ui.trail")), p.kept.Keep("trail", p.l, p.trail))
}

// trail lists what the steps before this one did, in the order of the machine, the newest
// first.
func (p *page) trail() *tree.Node {
	trail := tree.El("ol", "trail")
	for i := len(p.l.Before) - 1; i >= 0; i-- {
		s := p.l.Before[i]
		trail.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "trail-n", words.Grouped(s.Step)), tree.Text("span", "", p.w.Plain(s.Said))).
			Attr("type", "button").Act("seek", words.Itoa(s.Step))).Key(words.Itoa(s.Step)))
	}
	return trail
}

// visits are buttons that lead to the places from which the viewer has jumped.
func (p *page) visits() *tree.Node {
	visit := func(name, icon string, to int64) *tree.Node {
		text := p.w.T("ui.do." + name)
		if to >= 0 {
			text = p.w.Tn("ui."+name, "step", words.Grouped(to))
		}
		return widget.IconButton("tiny", icon, text, name, "").Flag("disabled", to < 0)
	}
	return tree.El("span", "visits", visit("visitBack", "left", p.m.Nav.BackTo()), visit("visitForward", "right", p.m.Nav.ForwardTo()))
}

// intro says in three lines what the page is.
func (p *page) intro() *tree.Node {
	last := p.w.T("ui.intro.3")
	if p.m.Site.Embedded {
		last = p.w.T("ui.intro.framed")
	}
	return tree.El("div", "intro",
		tree.Text("p", "", p.w.T("ui.intro.1")),
		tree.Text("p", "", p.w.T("ui.intro.2")),
		tree.Text("p", "", last))
}

// object is an object version as JSON, and what changed in it.
func (p *page) object() *tree.Node {
	n := tree.El("div", "object-version")
	o := p.m.Front.Object
	if o == nil {
		return n.Add(tree.Text("p", "quiet", p.w.T("ui.object.none")))
	}
	prefix := ""
	if o.Other {
		prefix = session.OfSecond
	}
	step := func(name, text string, ref int32) *tree.Node {
		b := widget.IconButton("tiny", name, text, "inspect", prefix+words.Itoa(ref))
		return b.Flag("disabled", ref == 0)
	}
	n.Add(tree.El("header", "object-head",
		tree.Text("code", "key", o.Key), widget.KeySteps(p.w, o.Key, p.m.Find.Follow), widget.IconButton("tiny", "why", p.w.T("ui.do.why"), "whyAt", p.m.Front.WhyPlace()),
		tree.El("div", "versions", step("left", p.w.T("ui.object.before"), o.Prev), tree.Text("code", "rv", words.Or(o.RV, p.w.T("empty.rv"))), step("right", p.w.T("ui.object.after"), o.Next))))
	n.Add(p.keyRuns(o.Key))
	if o.Why != nil {
		return n.Add(tree.Text("p", "failure", p.w.Why(o.Why)))
	}
	changed := 0
	for _, l := range o.Lines {
		if l.Mark != "" {
			changed++
		}
	}
	switch {
	case o.Prev == 0:
		n.Add(tree.Text("p", "quiet", p.w.T("ui.object.first")))
	case changed == 0:
		n.Add(tree.Text("p", "quiet", p.w.Tn("ui.object.same", "rv", o.PrevRV)))
	case len(o.Lines) <= short:
		n.Add(tree.Text("p", "quiet", p.w.Tn("ui.object.changed", "rv", o.PrevRV)))
	default:
		n.Add(tree.El("p", "quiet", tree.Text("span", "", p.w.Tn("ui.object.changed", "rv", o.PrevRV)),
			widget.Button("tiny", p.w.T(map[bool]string{true: "ui.object.fold", false: "ui.object.unfold"}[p.m.Front.Unfold]), "unfold", "")))
	}
	n.Add(lines(o, changed == 0 || p.m.Front.Unfold || len(o.Lines) <= short, p.w.T("ui.object.folded")))
	if o.Cut {
		n.Add(tree.Text("p", "quiet", p.w.T("ui.object.cut")))
	}
	return n
}

const (
	around   = 2    // lines shown around a change
	short    = 150  // an object of so few lines is shown whole
	maxLines = 1200 // more would keep the page's thread too long
)

// lines shows JSON and what has changed in it: all of it, or only the changes,
// the lines around them, and the lines that open the objects and arrays around
// them.
func lines(o *link.Object, all bool, folded string) *tree.Node {
	pre := tree.El("div", "json").Attr("role", "group").Attr("tabindex", "0").Attr("aria-label", o.Key)
	show := make([]bool, len(o.Lines))
	for i, l := range o.Lines {
		if all {
			show[i] = true
		} else if l.Mark != "" {
			for j := max(0, i-around); j <= min(len(o.Lines)-1, i+around); j++ {
				show[j] = true
			}
		}
	}
	inside(o.Lines, show)
	shown := 0
	for i, l := range o.Lines {
		if !show[i] {
			if i == 0 || show[i-1] {
				pre.Add(tree.Text("div", "fold", folded))
			}
			continue
		}
		if shown++; shown > maxLines {
			pre.Add(tree.Text("div", "fold", folded))
			break
		}
		class := "line"
		switch l.Mark {
		case "+":
			class += " plus"
		case "-":
			class += " minus"
		}
		pre.Add(tree.Text("div", class, words.Or(l.Mark, " ")+" "+l.Text))
	}
	return pre
}

// inside adds the lines that open the objects and arrays around each shown line.
func inside(lines []link.DiffLine, show []bool) {
	depth := 1 << 30
	for i := len(lines) - 1; i >= 0; i-- {
		d := len(lines[i].Text) - len(strings.TrimLeft(lines[i].Text, " "))
		if show[i] {
			depth = d
		} else if d < depth {
			show[i], depth = true, d
		}
	}
}

// actors is the table of goroutines: what each does, waits for and holds.
func (p *page) actors() *tree.Node {
	body := tree.El("tbody", "")
	for _, a := range p.f.Actors {
		class := ""
		if a.ID == p.f.Actor {
			class = "now"
		}
		waits := tree.El("td", "")
		switch a.Waits {
		case "":
			waits.Add(widget.Badge("good", p.w.T("ui.canGo")))
		case link.WaitsForLock:
			waits.Add(widget.Badge("waits", p.w.Tn("ui.waitsHolder", "lock", p.w.Lock(a.On), "holder", p.w.Actor(a.Holder))))
		default:
			left := ""
			if a.Left > 0 {
				left = words.Duration(a.Left)
			}
			waits.Add(tree.Text("span", "quiet", p.w.Tn("wait."+a.Waits, "time", left, "on", a.On)))
		}
		for _, l := range a.Holds {
			waits.Add(tree.El("span", "badge held", widget.Icon("lock"), tree.Text("span", "", p.w.Lock(l))))
		}
		who := tree.El("th", "", tree.Text("span", "", p.w.Actor(a.ID))).Attr("scope", "row")
		if a.Waits == "" || a.Left > 0 || a.Ready {
			who.Add(widget.IconButton("tiny", "step", p.w.Tn("ui.choose", "actor", p.w.Actor(a.ID)), "gesture", "step "+script.Word(hands.ActorName(p.m.Stage.Frame, a.ID))))
		}
		body.Add(tree.El("tr", class, who, tree.Text("td", "", p.w.T("pc."+a.PC)), waits).Key(a.ID))
	}
	u := p.f.Usage
	return tree.El("div", "panel actors",
		tree.Text("p", "usage", p.w.Tn("ui.usage", "watches", words.Grouped(u.Watches), "lists", words.Grouped(u.Lists), "objects", words.Grouped(u.Objects), "copies", words.Grouped(u.Copies))),
		tree.Text("p", "quiet", p.w.T("ui.actors.intro")),
		tree.El("div", "schedules", widget.Button("small", p.w.T("ui.explore.random"), "random", ""), widget.Button("small", p.w.T("ui.explore.ask"), "gesture", "can …")),
		tree.El("table", "", tree.El("thead", "", widget.Row("th", p.w.T("ui.actor"), p.w.T("ui.does"), p.w.T("ui.waitsFor"))), body))
}
