package hands

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Gestures lists what can be done to the machine now, station by station: what the stations' menus
// have, in one place.
func Gestures(w *words.Words, r desk.Rest) *tree.Node {
	says := "ui.gestures.none"
	var sections []*tree.Node
	for _, station := range link.Stations {
		all := hands.Gestures(r, station)
		if len(all) == 0 {
			continue
		}
		title := w.T("ui.station." + station)
		list := tree.El("ul", "").Attr("aria-label", title)
		for _, g := range all {
			list.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "", w.Tn("gesture."+g.ID, "handler", g.Handler)), tree.Text("code", "", g.Line)).
				Attr("type", "button").Act("gesture", g.Line)).Key(g.Line))
		}
		says = "ui.gestures"
		sections = append(sections, tree.El("section", "", tree.Text("h3", "", title), list).Key(station))
	}
	return tree.El("div", "panel gestures", tree.Text("p", "quiet", w.T(says))).Add(sections...)
}
