package compare

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// mostDiffers is how many differences are listed.
const mostDiffers = 40

// differences lists where the two machines call handlers differently.
func differences(w *words.Words, m *session.Model, b *link.SecondMachine) *tree.Node {
	n := tree.El("div", "differences")
	says := w.Tn("ui.compare.differs", "n", words.Grouped(b.Count))
	switch {
	case !b.Done:
		says = w.Tn("ui.compare.under", "time", words.Clock(b.Time), "n", words.Grouped(b.Count))
	case b.Count == 0:
		says = w.T("ui.compare.same")
	}
	head := tree.El("p", "differences-head", tree.Text("span", "", says).Attr("role", "status"))
	if len(b.Differs) > 0 {
		head.Add(tree.El("span", "visits",
			widget.IconButton("tiny", "left", w.T("ui.do.lastDiffer")+" (D)", "lastDiffer", ""),
			widget.IconButton("tiny", "right", w.T("ui.do.nextDiffer")+" (d)", "nextDiffer", "")))
	}
	n.Add(head)
	at := m.Second.AtDiffer()
	list := tree.El("ol", "differ-list")
	from := max(0, min(m.Second.Differ-mostDiffers/2, len(b.Differs)-mostDiffers))
	for i := from; i < min(from+mostDiffers, len(b.Differs)); i++ {
		d := &b.Differs[i]
		class := "differ"
		if d == at {
			class += " now"
		}
		list.Add(tree.El("li", class, widget.Action("", "differ", strconv.Itoa(i), tree.El("span", "differ-of", tree.Text("b", "", d.Handler), widget.Key(d.Key), tree.Text("span", "quiet", words.Clock(d.Time))), callList(w, 0, d.First, d.More), callList(w, 1, d.Second, d.More)).Is("aria-pressed", d == at)).Key(strconv.Itoa(i)))
	}
	return n.Add(list)
}

// callList lists the calls that only one machine has made.
func callList(w *words.Words, i int, calls []link.Call, more []int) *tree.Node {
	n := tree.El("span", "differ-calls", tree.Text("b", "pane-letter", widget.Letters[i]))
	text := ""
	for k, c := range calls {
		if k > 0 {
			text += ", "
		}
		text += c.Func + " "
		if c.OldRV != "" {
			text += c.OldRV + "→"
		}
		text += c.RV
		if c.Tomb {
			text += " DeletedFinalStateUnknown"
		}
		if c.First {
			text += " isInInitialList"
		}
	}
	if len(calls) == 0 {
		text = w.T("ui.compare.noCall")
	} else if i < len(more) && more[i] > 0 {
		text += " +" + words.Grouped(more[i])
	}
	return n.Add(tree.Text("span", "", text))
}

// pairTable returns a table with a column for each machine. The title heads its names.
func pairTable(title string, rows *tree.Node) *tree.Node {
	return tree.El("table", "pair", tree.El("thead", "", widget.Row("th", title, widget.Letters[0], widget.Letters[1])), rows)
}

func callTable(w *words.Words, b *link.SecondMachine) *tree.Node {
	rows := tree.El("tbody", "")
	for _, c := range b.Calls {
		rows.Add(widget.Row("td", c.Handler, words.Grouped(c.Counts[0]), words.Grouped(c.Counts[1])))
	}
	return pairTable(w.T("ui.compare.calls"), rows)
}

func costTable(w *words.Words, b *link.SecondMachine) *tree.Node {
	rows := tree.El("tbody", "")
	for _, c := range b.Costs {
		show := func(n int64) string {
			if c.Times {
				return words.Duration(n)
			}
			return words.Grouped(n)
		}
		rows.Add(widget.Row("td", costName(w, c), show(c.Values[0]), show(c.Values[1])))
	}
	return pairTable(w.T("ui.compare.costs"), rows)
}

// cacheTable lists the keys that are not in both caches in the same version in the end.
func cacheTable(w *words.Words, b *link.SecondMachine) *tree.Node {
	switch {
	case !b.Done:
		return nil
	case b.Cached == 0:
		return tree.Text("p", "quiet", w.T("ui.compare.sameCaches"))
	}
	rows := tree.El("tbody", "")
	for _, c := range b.Caches[:min(len(b.Caches), mostDiffers)] {
		rows.Add(widget.Row("td", c.Key, words.FirstNonEmpty(c.First, "–"), words.FirstNonEmpty(c.Second, "–")))
	}
	return pairTable(w.Tn("ui.compare.caches", "n", words.Grouped(b.Cached)), rows)
}

func costName(w *words.Words, c link.Cost) string {
	if c.Lock == "" {
		return w.T("ui.cost." + c.ID)
	}
	return w.Tn("ui.cost."+c.ID, "lock", w.T("lock."+c.Lock))
}

// ruler shows how far the server, the reflector, the cache and the handlers are, as bars
// on one scale: each is as long as its station is behind the server, so that a stale read
// is seen as a distance. With two machines, each station has two bars.
func ruler(w *words.Words, f *link.Frame, paired bool) *tree.Node {
	reached := [2][]link.Reached{f.Reached}
	if paired {
		reached[1] = f.Second.Reached
	}
	most := int64(1)
	for _, all := range reached {
		for _, r := range all {
			most = max(most, r.Behind)
		}
	}
	n := tree.El("ol", "ruler").Attr("aria-label", w.T("ui.reached"))
	if len(reached[0]) == 0 {
		return tree.Text("p", "quiet", w.T("ui.reached.none"))
	}
	for _, r := range reached[0] {
		row := tree.El("li", "", tree.Text("span", "ruler-name", reachedName(w, r))).Key(r.Name + "/" + words.Itoa(r.Listener))
		row.Add(reach(w, paired, 0, r, most))
		for _, s := range reached[1] {
			if s.Name == r.Name && s.Listener >= 0 == (r.Listener >= 0) {
				row.Add(reach(w, paired, 1, s, most))
				break
			}
		}
		n.Add(row)
	}
	return n
}

func reachedName(w *words.Words, r link.Reached) string {
	switch {
	case r.Listener >= 0:
		return r.Name
	case r.Name == link.StationStore:
		return w.T("ui.reached.cache")
	case r.Name == link.StationWork:
		return w.T("ui.reached.wrote")
	}
	return w.T("ui." + r.Name)
}

// reach returns the bar of one station.
func reach(w *words.Words, paired bool, i int, r link.Reached, most int64) *tree.Node {
	text := "–"
	if r.RV != "" {
		text = w.Tn("ui.reached.at", "rv", r.RV)
	}
	title := text
	if r.Behind > 0 {
		text = "−" + words.Grouped(r.Behind) + " · " + words.Duration(r.Time)
		title = w.Tn("ui.reached.behind", "rv", r.RV, "n", words.Grouped(r.Behind), "time", words.Duration(r.Time))
	}
	line := tree.El("span", "reach")
	if paired {
		line.Add(tree.Text("b", "pane-letter", widget.Letters[i]))
	}
	bar := tree.El("span", "reach-bar").Style("width", widget.Percent(float64(r.Behind)/float64(most)))
	class := "reach-track"
	if r.RV == "" {
		class += " absent"
	}
	return line.Add(tree.El("span", class, bar).Attr("aria-hidden", "true"), tree.Text("span", "reach-text spoken", text).Attr("title", title))
}
