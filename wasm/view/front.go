package view

import (
	"math"
	"slices"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/view/ask"
	"github.com/informerscope/informerscope/wasm/view/compare"
	"github.com/informerscope/informerscope/wasm/view/dialog"
	"github.com/informerscope/informerscope/wasm/view/hands"
	"github.com/informerscope/informerscope/wasm/view/lesson"
	"github.com/informerscope/informerscope/wasm/view/live"
	"github.com/informerscope/informerscope/wasm/view/panel"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// inspector returns the panel beside the stage: a tab for each group of views, and the group's views
// below where it has several.
func (p *page) inspector() *tree.Node {
	m, tabs := p.m, tree.El("div", "tablist").Attr("role", "tablist").Attr("aria-label", p.w.T("ui.inspector"))
	shown := desk.Groups[m.Front.Tab.Group()]
	if m.Stage.Log == nil {
		shown = desk.RemoveTab([]desk.Group{shown}, desk.Log)[0]
	}
	for _, g := range m.Front.Groups() {
		tabs.Add(widget.Button("tab", p.w.T("ui.group."+g.Name), "group", g.Name).Attr("role", "tab").Attr("id", "tab-"+g.Name).
			Is("aria-selected", shown.Name == g.Name).Attr("aria-controls", "panel").Attr("tabindex", map[bool]string{true: "0", false: "-1"}[shown.Name == g.Name]))
	}
	toggle := "up"
	if m.Front.Sheet {
		toggle = "down"
	}
	body := tree.El("div", "tabpanel", p.views(shown), p.panel().Key(string(m.Front.Tab))).
		Attr("role", "tabpanel").Attr("id", "panel").Attr("aria-labelledby", "tab-"+shown.Name).Attr("tabindex", "0").Attr("data-view", string(m.Front.Tab))
	class := "inspector"
	if m.Front.Sheet {
		class += " drawn"
	}
	head := tree.El("div", "tabs", tabs, widget.IconButton("tiny sheet-toggle", toggle, p.w.T("ui.sheet"), "sheet", ""))
	return tree.El("aside", class, head, body).Attr("aria-label", p.w.T("ui.inspector"))
}

// views returns the choice among the views of a group, nil where it has only one. The source stands
// beside the stage and not in the inspector, so its button shows and hides it.
func (p *page) views(g desk.Group) *tree.Node {
	if len(g.Tabs) == 1 {
		return nil
	}
	n := tree.El("div", "segments views").Attr("role", "group").Attr("aria-label", p.w.T("ui.group."+g.Name)).Key("views")
	for _, t := range g.Tabs {
		n.Add(widget.Button("segment", p.w.T("ui.tab."+string(t)), "tab", string(t)).Is("aria-pressed", p.m.Front.Tab == t))
	}
	if slices.Contains(g.Tabs, desk.Object) {
		n.Add(widget.Button("segment", p.w.T("ui.tab.source"), "code", "").Is("aria-pressed", p.m.Front.Code).Attr("title", p.w.Title("code")))
	}
	return n
}

// panel returns the view that is shown.
func (p *page) panel() *tree.Node {
	w, m := p.w, p.m
	switch m.Front.Tab {
	case desk.Lesson:
		var line *tree.Node
		if m.Surroundings().Solves {
			line = hands.Line(w, &m.Hands, m.Hands.Completions())
		}
		return lesson.Panel(w, m, panel.Noticed(w, m), line)
	case desk.Object:
		return p.object()
	case desk.Cache:
		return tree.El("div", "panel object", ask.Query(w, &m.Indexer, p.f.Store.Indices, m.Open.Trace == nil),
			p.cache.Draw("answer", m.Indexer.Answer, func() *tree.Node { return ask.Answer(w, m.Indexer.Answer) }))
	case desk.Actors:
		return panel.Actors(w, p.f)
	case desk.Log:
		return p.cache.Draw("log", m.Stage.Log, func() *tree.Node { return panel.Log(w, m.Stage.Log) })
	case desk.Search:
		return ask.Search(w, p.cache, m, p.f)
	case desk.WhyTab:
		return ask.Chain(w, &m.Causes, p.step())
	case desk.Compare:
		return compare.Panel(w, p.cache, m, p.f)
	case desk.Gestures:
		return hands.Gestures(w, m.Surroundings())
	case desk.Console:
		return hands.Console(w, &m.Hands, m.Hands.Completions(), m.Open.Trace == nil)
	case desk.Setup:
		return panel.Setup(w, m)
	}
	return panel.Explain(w, p.cache, m, p.l, lesson.Prediction(w, &m.Guess))
}

// step returns the step at which the viewer is, after all others where nothing is open.
func (p *page) step() int64 {
	if p.m.Stage.Frame == nil {
		return math.MaxInt64
	}
	return p.f.Step
}

// object returns the object version that is looked at.
func (p *page) object() *tree.Node {
	w, m := p.w, p.m
	o, place, menu := m.Front.Object, m.Front.WhyPlace(), m.Hands.Menu == "key"
	return tree.El("div", "panel object", p.cache.Draw("object", [5]any{o, m.Front.Unfold, menu, m.Find.Follow, place}, func() *tree.Node {
		var runs *tree.Node
		if o != nil {
			runs = ask.KeyRuns(w, o.Key, m.Expr.RunTosOf(o.Key), menu)
		}
		return panel.Object(w, o, place, m.Find.Follow, m.Front.Unfold, runs)
	}))
}

// dialog returns the dialog that is open, or nil. All dialogs are one element, so that one
// can lead to another, and the browser still knows what had the focus before.
func (p *page) dialog() *tree.Node {
	w, m := p.w, p.m
	switch {
	case m.Front.Dialog == "help":
		return p.front(w.T("ui.keys"), dialog.Keys(w, m, p.f)...)
	case m.Front.Dialog == "handout" && m.Lesson.Handout != nil && m.Lesson.Learning != nil:
		return p.front(w.T("ui.handout"), lesson.Gathering(w, &m.Lesson)...)
	case m.Front.Dialog == "palette":
		return p.front(w.T("ui.do.palette"), dialog.Palette(w, m)...)
	case m.Front.Dialog == "about" && m.Open.Trace != nil:
		return p.front(w.T("ui.do.about"), dialog.About(w, m)...)
	case m.Front.Dialog == "live":
		return p.front(w.T("ui.do.live"), live.Dialog(w, &m.Cluster, m.Transport.Following, m.Open.Failure, p.f.Step)...)
	case m.Front.Dialog == "course":
		return p.front(w.T("ui.do.course"), lesson.Course(w, &m.Lesson)...)
	case m.Front.Dialog == "goTo":
		return p.front(w.T("ui.do.goTo"), dialog.GoTo(w, m, p.f)...)
	case m.Front.Dialog == "expressions":
		return p.front(w.T("ui.expr.help"), ask.Help(w)...)
	case m.Front.Dialog == "scripts":
		return p.front(w.T("ui.do.scripts"), dialog.Scripts(w)...)
	case m.Front.Dialog == "changes":
		return p.front(w.T("ui.do.changes"), dialog.Changes(w, m.Settings.Lang, m.Second.Releases())...)
	case m.Front.Dialog == "link" && m.Sharing.Share != nil:
		title := w.T("ui.do.link")
		if m.Sharing.Share.Embed {
			title = w.T("ui.do.embed")
		}
		return p.front(title, dialog.Share(w, m, p.f.Step, compare.Name(w, m, 1))...)
	case m.Front.Dialog == "second":
		return p.front(w.T("ui.second"), compare.Dialog(w, m.Site.Embedded)...)
	case m.Front.Dialog == "guards":
		return p.front(w.T("ui.tally"), compare.GuardsDialog(w, m)...)
	case m.Front.Dialog == "expected" && m.Nav.Expected != nil:
		return p.front(w.T("ui.expected"), dialog.Expected(w, m.Nav.Expected)...)
	case m.Front.Dialog == "report":
		return p.front(w.T("ui.do.report"), dialog.Report(w, &m.Save.Report)...)
	case m.Front.Dialog == "save":
		return p.front(w.T("ui.do.save"), dialog.Save(w, m)...)
	}
	return tree.El("dialog", "dialog")
}

// front returns an open dialog: its title, its content, which scrolls, and perhaps a row
// of buttons below.
func (p *page) front(title string, content ...*tree.Node) *tree.Node {
	head := tree.El("header", "dialog-head", tree.Text("h2", "", title), widget.IconButton("tiny", "close", p.w.T("ui.do.close"), "close", ""))
	return tree.El("dialog", "dialog is-"+p.m.Front.Dialog, head).Add(content...).Attr("aria-label", title).Attr("data-modal", "")
}
