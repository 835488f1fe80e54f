package card

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// guards says which guards would have helped the recorded controllers, nil where there was nothing to prevent and nobody has asked.
func (s *sheet) guards() *tree.Node {
	w, helped := s.w, false
	n := tree.El("section", "card-guards", tree.Text("h3", "", w.T("ui.card.guards"))).Attr("aria-label", w.T("ui.card.guards"))
	if s.ownWork != nil {
		for i := range s.ownWork.Guards {
			t := &s.ownWork.Guards[i]
			switch {
			case len(t.Rows) > 0:
				helped = true
				n.Add(tree.Text("p", "", w.Plain(t.Title)), widget.Table(w, t))
			case s.sought:
				n.Add(tree.Text("p", "", w.Plain(t.Title)))
			}
		}
	}
	switch {
	case !helped && !s.sought:
		return nil
	case !helped && s.ownWork == nil && s.c.Complete && !s.c.Inside:
		n.Add(tree.Text("p", "", w.T("ui.card.guards.none")))
	case !helped && s.ownWork == nil:
		n.Add(tree.Text("p", "quiet", w.T("ui.card.soon")))
	case helped:
		n.Add(tree.Text("p", "quiet", w.T("ui.card.guards.unknown")))
		list := tree.El("ul", "card-handlers").Attr("aria-label", w.T("ui.card.cases"))
		for i := range s.ownWork.Cases {
			says := w.Plain(s.ownWork.Cases[i].Title)
			list.Add(tree.El("li", "", tree.Text("p", "", says), widget.Button("tiny", w.T("ui.card.choose"), "chooseGuard", strconv.Itoa(i))).Key(strconv.Itoa(i)))
		}
		return n.Add(tree.Text("h4", "", w.T("ui.card.cases")), list)
	}
	return n.Add(tree.El("p", "buttons", widget.Button("", w.T("ui.card.lesson"), "lesson", "choose-a-guard")))
}
