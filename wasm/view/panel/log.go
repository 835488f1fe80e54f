package panel

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Log lists what the recorded process logged near the step shown. Each entry leads to the step at which the process
// had logged it, and those that are still to come are dimmed.
func Log(w *words.Words, l *link.Log) *tree.Node {
	n := tree.El("div", "panel log")
	if l == nil {
		return n.Add(tree.Text("p", "quiet", w.T("ui.log.none")))
	}
	n.Add(tree.Text("p", "quiet", w.Tn("ui.log.at", "n", words.Grouped(l.By), "total", words.Grouped(l.Total))))
	list := tree.El("ol", "log-entries")
	for i, x := range l.Entries {
		number := l.From + i + 1
		class := "log-entry log-" + x.Level
		b := tree.El("button", "", tree.El("span", "log-head", tree.Text("span", "log-time", words.Clock(x.Time)), tree.Text("span", "log-level", w.T("ui.log.level."+x.Level))), tree.Text("span", "log-text", x.Text)).
			Attr("type", "button").Act("toLogged", words.Itoa(x.Time))
		switch {
		case number == l.By:
			b.Attr("aria-current", "step")
		case number > l.By:
			class += " later"
		}
		list.Add(tree.El("li", class, b).Key(words.Itoa(number)))
	}
	return n.Add(list)
}
