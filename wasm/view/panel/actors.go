package panel

import (
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Actors returns the table of goroutines: what each does, waits for and holds.
func Actors(w *words.Words, f *link.Frame) *tree.Node {
	body := tree.El("tbody", "")
	for _, a := range f.Actors {
		class := ""
		if a.ID == f.Actor {
			class = "now"
		}
		waits := tree.El("td", "")
		switch a.Waits {
		case "":
			waits.Add(widget.Badge("good", w.T("ui.canGo")))
		case link.WaitsForLock:
			waits.Add(widget.Badge("waits", w.Tn("ui.waitsHolder", "lock", w.Lock(a.Target), "holder", w.Actor(a.Holder))))
		default:
			left := ""
			if a.Remaining > 0 {
				left = words.Duration(a.Remaining)
			}
			waits.Add(tree.Text("span", "quiet", w.Tn("wait."+a.Waits, "time", left, "on", a.Target)))
		}
		for _, l := range a.Locks {
			waits.Add(tree.El("span", "badge held", widget.Icon("lock"), tree.Text("span", "", w.Lock(l))))
		}
		who := tree.El("th", "", tree.Text("span", "", w.Actor(a.ID))).Attr("scope", "row")
		if a.Waits == "" || a.Remaining > 0 || a.Ready {
			who.Add(widget.IconButton("tiny", "step", w.Tn("ui.choose", "actor", w.Actor(a.ID)), "gesture", "step "+syntax.Quote(hands.ActorName(f, a.ID))))
		}
		body.Add(tree.El("tr", class, who, tree.Text("td", "", w.T("pc."+a.PC)), waits).Key(a.ID))
	}
	u := f.Process.Usage
	return tree.El("div", "panel actors",
		tree.Text("p", "usage", w.Tn("ui.usage", "watches", words.Grouped(u.Watches), "lists", words.Grouped(u.Lists), "objects", words.Grouped(u.Objects), "copies", words.Grouped(u.Copies))),
		tree.Text("p", "quiet", w.T("ui.actors.intro")),
		tree.El("div", "schedules", widget.Button("small", w.T("ui.explore.random"), "random", ""), widget.Button("small", w.T("ui.explore.ask"), "gesture", "can …")),
		tree.El("table", "", tree.El("thead", "", widget.Row("th", w.T("ui.actor"), w.T("ui.does"), w.T("ui.waitsFor"))), body))
}
