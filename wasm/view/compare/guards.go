package compare

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// GuardsDialog returns the dialog with what each guard prevents in the run shown, and what it costs: a row
// for each guard, and how two of its counts depend on the lag of the watch.
func GuardsDialog(w *words.Words, m *session.Model) []*tree.Node {
	g := m.Second.Counted
	body := tree.El("div", "dialog-body", tree.Text("p", "", w.T("ui.tally.intro")))
	if g == nil {
		return []*tree.Node{body}
	}
	heads := tree.El("tr", "", tree.Text("th", "", w.T("ui.tally.guard")))
	for _, id := range append(append([]string{}, link.GuardCounts...), "settled", "waited") {
		heads.Add(tree.Text("th", "", w.T("ui.tally."+id)).Attr("scope", "col"))
	}
	for i := range plots {
		heads.Add(tree.El("th", "", tree.Text("span", "", w.T(plots[i].head)), tree.Text("span", "most", "≤ "+plots[i].text(plots[i].maximum(g)))).Attr("scope", "col"))
	}
	rows := tree.El("tbody", "")
	for i := range g.Rows {
		if r := &g.Rows[i]; r.Lag < 0 {
			rows.Add(guardRow(w, m, g, r))
		}
	}
	says := w.Tn("ui.tally.under", "n", words.Grouped(len(g.Rows)), "total", words.Grouped(g.Total))
	if len(g.Rows) == g.Total {
		says = w.T("ui.tally.done")
	}
	return []*tree.Node{body.Add(
		tree.El("div", "tally-box", tree.El("table", "tally", tree.El("thead", "", heads), rows)).Attr("tabindex", "0").Attr("role", "group").Attr("aria-label", w.T("ui.tally")),
		tree.Text("p", "quiet", says).Attr("role", "status"))}
}

func guardRow(w *words.Words, m *session.Model, g *link.Guards, r *link.GuardRow) *tree.Node {
	name := w.T("ui.guard." + r.Guard)
	if r.Requeue > 0 {
		name = w.Tn("ui.tally.requeue", "name", name, "time", words.Duration(r.Requeue))
	}
	n := tree.El("tr", "", tree.Text("th", "", name).Attr("scope", "row")).Key(r.Guard+strconv.FormatInt(r.Requeue, 10)).Flag("data-own", r.Requeue == 0 && r.Guard == m.Second.Guard())
	for i, v := range r.Counts {
		n.Add(tree.Text("td", "", words.Grouped(v)).Flag("data-wrong", i == 0 && v > 0))
	}
	settled := w.T("ui.tally.never")
	if r.Settled >= 0 {
		settled = words.Duration(r.Settled)
	}
	waited := "0"
	if r.Waited > 0 {
		waited = words.Duration(r.Waited)
	}
	n.Add(tree.Text("td", "", settled), tree.Text("td", "", waited))
	for i := range plots {
		n.Add(tree.El("td", "", plots[i].draw(w, g, r)))
	}
	return n
}

// plot is a plot of a number over the lag of the watch, as bars on the scale of all guards.
type plot struct {
	head  string
	value func(r *link.GuardRow) int64 // less than 0 for never
	text  func(n int64) string
}

var plots = [...]plot{
	{"ui.tally.duplicatesByLag", func(r *link.GuardRow) int64 { return r.Counts[0] }, func(n int64) string { return words.Grouped(n) }},
	{"ui.tally.settledByLag", func(r *link.GuardRow) int64 { return r.Settled }, words.Duration},
}

// maximum returns the largest of the numbers that are drawn.
func (p *plot) maximum(g *link.Guards) (most int64) {
	for i := range g.Rows {
		if g.Rows[i].Lag >= 0 {
			most = max(most, p.value(&g.Rows[i]))
		}
	}
	return most
}

// draw makes the plot of a guard. What never comes to be has the full height, and another colour.
func (p *plot) draw(w *words.Words, g *link.Guards, row *link.GuardRow) *tree.Node {
	n, says, most := tree.El("span", "lag-plot").Attr("role", "img"), "", max(p.maximum(g), 1)
	for i := range g.Rows {
		r := &g.Rows[i]
		if r.Lag < 0 || r.Guard != row.Guard || r.Requeue != row.Requeue {
			continue
		}
		v, text := p.value(r), w.T("ui.tally.never")
		never := v < 0
		if v >= 0 {
			text = p.text(v)
		} else {
			v = most
		}
		cell := w.Tn("ui.tally.atLag", "time", words.Duration(r.Lag), "value", text)
		says += cell + " "
		n.Add(tree.El("i", "").Style("height", widget.Percent(float64(v)/float64(most))).Flag("data-never", never).Attr("title", cell).Key(strconv.FormatInt(r.Lag, 10)))
	}
	return n.Attr("aria-label", says)
}
