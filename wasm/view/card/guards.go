package card

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// guards says which guards would have helped the recorded controllers, nil where there was nothing to prevent.
func (s *sheet) guards() *tree.Node {
	if s.own == nil {
		return nil
	}
	w, helped := s.w, false
	n := tree.El("section", "card-guards", tree.Text("h3", "", w.T("ui.card.guards"))).Attr("aria-label", w.T("ui.card.guards"))
	for i := range s.own.Guards {
		if t := &s.own.Guards[i]; len(t.Rows) > 0 {
			helped = true
			n.Add(tree.Text("p", "", w.Plain(t.Title)), table(w, t))
		}
	}
	if !helped {
		return nil
	}
	return n.Add(tree.Text("p", "quiet", w.T("ui.card.guards.unknown")))
}

// table draws a table of sentences.
func table(w *words.Words, t *link.Table) *tree.Node {
	heads, body := tree.El("tr", ""), tree.El("tbody", "")
	for i, cells := range t.Rows {
		row := tree.El("tr", "").Key(strconv.Itoa(i))
		for j, c := range cells {
			text := w.Plain(c)
			switch {
			case i == 0:
				heads.Add(tree.Text("th", "", text).Attr("scope", "col"))
			case j == 0:
				row.Add(tree.Text("th", "", text).Attr("scope", "row"))
			default:
				cell := tree.El("td", "", tree.Text("span", "", text)).Attr("data-head", w.Plain(t.Rows[0][j]))
				if at := 3 * ((i-1)*(len(cells)-1) + j - 1); at < len(t.Bars) {
					cell.Add(bar(t.Bars[at : at+3]))
				}
				row.Add(cell)
			}
		}
		if i > 0 {
			body.Add(row)
		}
	}
	return tree.El("table", "", tree.El("thead", "", heads), body)
}

// bar draws how many are yes, no, and unknown.
func bar(counts []int64) *tree.Node {
	all := counts[0] + counts[1] + counts[2]
	if all == 0 {
		return nil
	}
	n := tree.El("span", "guard-bar").Attr("aria-hidden", "true")
	for i, class := range [...]string{"yes", "no", "unknown"} {
		n.Add(tree.El("i", class).Style("width", widget.Percent(float64(counts[i])/float64(all))))
	}
	return n
}
