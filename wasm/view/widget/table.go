package widget

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Table draws a table of sentences.
func Table(w *words.Words, t *link.Table) *tree.Node {
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
				cell := tree.El("td", "", tree.Text("span", "", text))
				if j < len(t.Rows[0]) {
					cell.Attr("data-head", w.Plain(t.Rows[0][j]))
				}
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
	return tree.El("table", "sentences", tree.El("thead", "", heads), body)
}

// bar draws how many are yes, no, and unknown.
func bar(counts []int64) *tree.Node {
	all := counts[0] + counts[1] + counts[2]
	if all == 0 {
		return nil
	}
	n := tree.El("span", "guard-bar").Attr("aria-hidden", "true")
	for i, class := range [...]string{"yes", "no", "unknown"} {
		n.Add(tree.El("i", class).Style("width", Percent(float64(counts[i])/float64(all))))
	}
	return n
}
