package hands

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Menu is what can be done at a station, behind a button in its title: to play a gesture, or
// to run to where something comes about there.
func Menu(w *words.Words, r desk.Rest, station, title string, runs []string, open bool) *tree.Node {
	if len(runs) == 0 && !hands.HasGestures(r, station) {
		return nil
	}
	n := tree.El("div", "menu", widget.IconButton("tiny", "more", w.Tn("ui.menu", "station", title), "menu", station).
		Attr("aria-haspopup", "menu").Is("aria-expanded", open))
	if !open {
		return n
	}
	list := tree.El("ul", "menu-list").Attr("role", "menu").Attr("aria-label", w.Tn("ui.menu", "station", title))
	if station != link.StationServer {
		list.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "", w.T("ui.do.why"))).
			Attr("type", "button").Attr("role", "menuitem").Act("whyAt", station)).Attr("role", "none").Key("why"))
	}
	if len(runs) > 0 {
		list.Add(tree.Text("li", "menu-title", w.T("ui.expr.next")).Attr("role", "presentation").Key("next"))
		widget.RunTos(list, runs)
	}
	for i, g := range hands.Gestures(r, station) {
		list.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "", w.Tn("gesture."+g.ID, "handler", g.Handler)), tree.Text("code", "", g.Line)).
			Attr("type", "button").Attr("role", "menuitem").Act("gesture", g.Line)).Attr("role", "none").Key(strconv.Itoa(i)))
	}
	return n.Add(list)
}
