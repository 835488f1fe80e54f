package card

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// cache says what the informers of the process hold, nil where the capture doesn't tell.
func (s *sheet) cache() *tree.Node {
	if s.ownWork == nil || len(s.ownWork.Cache) == 0 {
		return nil
	}
	w, all := s.w, s.ownWork.Cache
	grid := tree.El("div", "card-informers")
	for i := range all[1:] {
		t := &all[1+i]
		grid.Add(tree.El("section", "", tree.Text("h4", "", w.Plain(t.Title)), widget.Table(w, t)).Key(strconv.Itoa(i)))
	}
	n := tree.El("section", "card-cache", tree.Text("h3", "", w.T("ui.card.cache")), tree.Text("p", "", w.Plain(all[0].Title)), grid).Attr("aria-label", w.T("ui.card.cache"))
	for _, note := range all[0].Rows {
		n.Add(tree.Text("p", "quiet", w.Plain(note[0])))
	}
	return n
}
