package stage

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// queue returns the DeltaFIFO, with its keys in their order and the Deltas of each, or the
// RealFIFO with its deltas.
func (st *Stage) queue() *tree.Node {
	q, l := st.Frame.Queue, st.Lists.Queue
	rows := st.Cache.Draw("rows", st.Lists, func() *tree.Node { return rows(st.Words, l) })
	synced := widget.Badge("quiet", st.Words.Tn("ui.queue.initial", "n", words.Grouped(q.Initial)))
	if q.HasSynced {
		synced = widget.Badge("good", "HasSynced ✓")
	} else if !q.Populated {
		synced = widget.Badge("quiet", st.Words.T("ui.queue.unpopulated"))
	}
	n := st.station(link.StationQueue, q.Kind, st.lockBadges(link.LockFIFO),
		tree.El("div", "columns", queueFields(q.Kind), pager(st.Words, l.From, len(l.Rows), l.Depth)),
		rows,
		tree.El("footer", "station-foot",
			tree.El("div", "queue-state",
				tree.El("span", "depth", tree.Text("span", "fact-name", st.Words.T("ui.depth")), tree.Text("b", "", words.Grouped(q.Depth))),
				synced),
			widget.Fact(st.Words.T("ui.in.count"), words.Grouped(q.In)), widget.Fact(st.Words.T("ui.deduped"), words.Grouped(q.Deduped)), widget.Fact(st.Words.T("ui.popped"), words.Grouped(q.Popped))),
	)
	if q.Holder != "" {
		n.Flag("data-held", true)
	}
	if blocked(st.Frame, link.ActorResync) {
		n.Flag("data-waited", true)
	}
	return n
}

// queueFields names the fields of client-go that the rows show.
func queueFields(kind string) *tree.Node {
	if kind == link.RealFIFO {
		return tree.El("span", "fields", tree.Text("span", "", "items []Delta"))
	}
	return tree.El("span", "fields", tree.Text("span", "", "queue []string"), tree.Text("span", "", "items map[string]Deltas"))
}

func rows(w *words.Words, l link.Queue) *tree.Node {
	rows := tree.El("ol", "rows").Attr("data-clip", "").Attr("data-flip", "").Attr("aria-label", w.T("ui.queue.rows")).Attr("start", words.Itoa(l.From+1))
	for i, r := range l.Rows {
		rows.Add(deltasRow(r, l.From+i))
	}
	tail := tree.El("li", "row tail", tree.El("span", "row-n"), tree.Text("span", "tail-text", w.T(map[bool]string{true: "ui.queue.empty", false: "ui.queue.tail"}[len(l.Rows) == 0]))).
		Key("\x00tail").Place(link.PlaceQueue).Attr("aria-hidden", "true")
	if rest := l.Depth - l.From - len(l.Rows); rest > 0 {
		tail = tree.El("li", "row tail rest", tree.El("span", "row-n"), tree.Text("span", "tail-text", w.Tn("ui.more", "n", words.Grouped(rest)))).Key("\x00tail").Place(link.PlaceQueue)
	}
	rows.Add(tail)
	return rows
}

func deltasRow(r link.Row, number int) *tree.Node {
	name := r.Key
	if name == "" && len(r.Deltas) > 0 {
		name = nameOf(r.Deltas[0])
	}
	deltas := deltaChips(r.Deltas, len(r.Deltas)-1, r.More, 0, func(i int, n *tree.Node) { n.Place(link.PlaceDelta(r.ID, r.More+i)) })
	return tree.El("li", "row", tree.Text("span", "row-n", words.Itoa(number+1)), widget.Key(name), deltas).
		Key(r.ID).Place(link.PlaceRow(r.ID))
}

// pager moves the window over a long queue.
func pager(w *words.Words, from, shown, depth int) *tree.Node {
	if depth <= shown && from == 0 {
		return nil
	}
	return tree.El("span", "pager",
		widget.IconButton("tiny", "up", w.T("ui.queue.rows")+": "+w.T("ui.earlier"), "queueFrom", words.Itoa(max(0, from-max(shown, 1)))),
		tree.Text("span", "", words.Itoa(from+1)+"–"+words.Itoa(from+shown)),
		widget.IconButton("tiny", "down", w.T("ui.queue.rows")+": "+w.T("ui.later"), "queueFrom", words.Itoa(min(from+shown, max(0, depth-1)))))
}
