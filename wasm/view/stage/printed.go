package stage

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// printed returns the strip below the stations: what the simplest handlers and process functions print.
// The newest line stands first, so that it stays in sight where the strip has room for few.
func (st *Stage) printed() *tree.Node {
	p := &st.Lists.Processor
	return st.Cache.Draw("printed", st.Lists, func() *tree.Node {
		list := tree.El("ol", "printed-lines").Attr("aria-label", st.Words.T("ui.printed")).Attr("reversed", "")
		for i := len(p.Printed) - 1; i >= 0; i-- {
			list.Add(printedLine(&p.Printed[i], len(p.Listeners) > 1).Key(words.Itoa(p.Printed[i].N)))
		}
		if len(p.Printed) == 0 {
			list.Add(tree.Text("li", "tail-text", st.Words.T("ui.printed.none")).Key("none"))
		}
		head := tree.El("h2", "", tree.Text("span", "", st.Words.T("ui.printed")))
		if n := len(p.Printed); n > 0 { // lines that have no room are counted
			head.Add(tree.Text("span", "printed-n", " "+words.Grouped(p.Printed[n-1].N)))
		}
		return tree.El("section", "printed", head, list).Attr("aria-label", st.Words.T("ui.printed"))
	})
}

// printedLine returns one line. With several handlers, it says whose it is.
func printedLine(l *link.Printed, several bool) *tree.Node {
	says := l.Func + " " + l.Key
	switch {
	case l.Tomb:
		says += " DeletedFinalStateUnknown"
	case l.Old != "" && l.New != "":
		says += " " + l.Old + " → " + l.New
	case l.New != "":
		says += " " + l.New
	}
	n := tree.El("li", "", tree.Text("span", "at", words.Clock(l.Time)[3:12]), tree.Text("code", "", says))
	if several && l.Handler != "" {
		n.Add(tree.Text("span", "by-handler", l.Handler))
	}
	return n
}
