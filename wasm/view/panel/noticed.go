package panel

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// noticers are those whom the rows of a fault's card are about, by the rows' IDs. The other rows are about handlers.
var noticers = map[string]string{
	"lost": "ui.station.reflector", "closed": "ui.station.reflector", "failed": "ui.station.reflector", "opened": "ui.station.reflector", "relisted": "ui.station.reflector",
	"led": "ui.replicas", "stored": "ui.station.store", "panicked": "ui.station.processor", "queued": "ui.station.work",
	"reconcileFailed": "ui.workers", "reconciled": "ui.workers", "unreconciled": "ui.workers", "reconciledLate": "ui.workers", "undone": "ui.workers",
}

// Noticed returns the card that says who has noticed the fault that was played last, nil for none.
func Noticed(w *words.Words, m *session.Model) *tree.Node {
	x := m.Hands.Noticed
	if x == nil {
		return nil
	}
	rows := tree.El("ul", "")
	for i, r := range x.Rows {
		who := r.Handler
		if id := noticers[r.ID]; id != "" {
			who = w.T(id)
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
