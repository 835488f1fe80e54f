package panel

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// home has four doors: the ways on from the recording that the page opens by itself. In a frame
// of another page, those that lead to the viewer's own files are not there.
func home(w *words.Words, framed bool) *tree.Node {
	n := tree.El("section", "home", tree.Text("h2", "", w.T("ui.home")), tree.Text("p", "quiet", w.T("ui.home.says"))).Attr("aria-label", w.T("ui.home"))
	for _, d := range []struct{ name, act, arg, class string }{
		{"learn", "lesson", learn.First, "primary"}, {"own", "open", "", ""}, {"cluster", "live", "", ""}, {"break", "tab", "gestures", ""},
	} {
		if framed && (d.act == "open" || d.act == "live") {
			continue
		}
		n.Add(tree.El("div", "door", tree.El("div", "", tree.Text("h3", "", w.T("ui.home."+d.name)), tree.Text("p", "", w.T("ui.home."+d.name+".says"))),
			widget.Button(d.class, w.T("ui.home."+d.name+".do"), d.act, d.arg)).Key(d.name))
	}
	return n
}
