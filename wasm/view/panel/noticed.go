package panel

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// noticers are the stations that the rows of a fault's card are about, by the rows' IDs. The others are about handlers.
var noticers = map[string]string{
	"lost": link.StationReflector, "closed": link.StationReflector, "failed": link.StationReflector, "opened": link.StationReflector,
	"relisted": link.StationReflector, "stored": link.StationStore, "queued": link.StationWork,
}

// noticed returns the card that says who has noticed the fault that was played last, nil for none. A lesson says it itself.
func noticed(w *words.Words, m *session.Model) *tree.Node {
	x := m.Hands.Noticed
	if x == nil || m.Lesson.Learning != nil {
		return nil
	}
	rows := tree.El("ul", "")
	for i, r := range x.Rows {
		who := r.Handler
		if s := noticers[r.ID]; s != "" {
			who = w.T("ui.station." + s)
		}
		says := w.Tn("noticed."+r.ID, "n", words.Grouped(r.N), "time", words.Duration(r.N))
		row := tree.El("li", "", tree.Text("b", "", who), tree.Text("span", "", says))
		if r.Step > 0 {
			row.Add(widget.Button("tiny", w.Tn("ui.step.n", "n", words.Grouped(r.Step)), "seek", words.Itoa(r.Step)))
		}
		rows.Add(row.Key(strconv.Itoa(i)))
	}
	return tree.El("section", "noticed",
		tree.El("header", "", tree.Text("h3", "", w.T("noticed")), tree.Text("code", "", x.Line), widget.IconButton("tiny", "close", w.T("ui.do.close"), "noticed", "")),
		tree.Text("p", "", w.Tn("noticed."+x.Ends, "time", words.Duration(x.Time))), rows).
		Attr("role", "status").Attr("aria-label", w.T("noticed")).Key("noticed")
}
