package view

import (
	"math"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/view/ask"
	"github.com/informerscope/informerscope/wasm/view/compare"
	"github.com/informerscope/informerscope/wasm/view/hands"
	"github.com/informerscope/informerscope/wasm/view/lesson"
	"github.com/informerscope/informerscope/wasm/view/panel"
	"github.com/informerscope/informerscope/wasm/view/widget"
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
	body := tree.El("div", "tabpanel", p.panel().Key(string(p.m.Front.Tab))).
		Attr("role", "tabpanel").Attr("id", "panel").Attr("aria-labelledby", "tab-"+string(p.m.Front.Tab)).Attr("tabindex", "0")
	class := "inspector"
	if p.m.Front.Sheet {
		class += " drawn"
	}
	head := tree.El("div", "tabs", tabs, widget.IconButton("tiny sheet-toggle", toggle, p.w.T("ui.sheet"), "sheet", ""))
	return tree.El("aside", class, head, body).Attr("aria-label", p.w.T("ui.inspector"))
}

// panel is what the tab shows.
func (p *page) panel() *tree.Node {
	w, m := p.w, p.m
	switch m.Front.Tab {
	case desk.Lesson:
		return lesson.Panel(w, m)
	case desk.Object:
		return p.object()
	case desk.Actors:
		return panel.Actors(w, p.f)
	case desk.Search:
		return ask.Search(w, p.kept, m, p.f)
	case desk.Console:
		return hands.Console(w, &m.Hands, m.Hands.Completions(m.Rest()), m.Open.Trace == nil)
	case desk.Compare:
		return compare.Panel(w, p.kept, m, p.f)
	case desk.Setup:
		return panel.Setup(w, m)
	}
	if m.Why.Shown {
		return ask.Chain(w, &m.Why, p.step())
	}
	return panel.Explain(w, p.kept, m, p.l, lesson.Prediction(w, &m.Guess))
}

// step is the step at which the viewer is, after all others where nothing is open.
func (p *page) step() int64 {
	if p.m.Stage.Frame == nil {
		return math.MaxInt64
	}
	return p.f.Step
}

// object is where the indexer is asked, what it has answered, and the object version that is
// looked at.
func (p *page) object() *tree.Node {
	w, m := p.w, p.m
	answer := p.kept.Keep("answer", m.Indexer.Answer, func() *tree.Node { return ask.Answer(w, m.Indexer.Answer) })
	o, place, menu := m.Front.Object, m.Front.WhyPlace(), m.Hands.Menu == "key"
	version := p.kept.Keep("object", [5]any{o, m.Front.Unfold, menu, m.Find.Follow, place}, func() *tree.Node {
		var runs *tree.Node
		if o != nil {
			runs = ask.KeyRuns(w, o.Key, m.Expr.RunTosOf(o.Key), menu)
		}
		return panel.Object(w, o, place, m.Find.Follow, m.Front.Unfold, runs)
	})
	return tree.El("div", "panel object", ask.Query(w, &m.Indexer, p.f.Store.Indices, m.Open.Trace == nil), answer, version)
}
