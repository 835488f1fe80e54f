package stage

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// loop returns the process loop with the Deltas that it has popped.
func (st *Stage) loop() *tree.Node {
	f, l := st.Frame.Loop, st.Lists.Loop
	hand := tree.El("div", "loop-hand").Place(link.PlaceLoop)
	switch {
	case len(l.Deltas) == 0:
		hand.Add(tree.Text("span", "tail-text", st.Words.T("ui.loop.empty")))
	case l.Batch:
		count := ""
		if l.Total > 1 {
			count = st.Words.Tn("ui.loop.batch", "n", words.Grouped(l.Total))
		}
		hand.Flag("data-full", true).Add(tree.Text("span", "count-of", count), batch(l))
	default:
		hand.Flag("data-full", true)
		hand.Add(widget.Key(l.Key))
		hand.Add(deltaChips(l.Deltas, min(l.Current, l.Total-1)-l.From, l.From, l.Total-l.From-len(l.Deltas), func(i int, n *tree.Node) {
			applied(n.Place(link.PlacePopped(l.From+i)), l, i)
		}))
	}
	if l.Batch {
		hand.Attr("data-batch", "")
	}
	return st.station(link.StationLoop, st.Words.T("ui.loop"),
		append(st.lockBadges(link.LockBlockDeltas), st.waitBadge(link.ActorLoop, widget.Badge("is-"+f.State, st.Words.T("ui.loop."+f.State)))...), hand)
}

// batch lists the deltas of a batch with their keys.
func batch(l link.Loop) *tree.Node {
	list := tree.El("ol", "batch").Attr("start", words.Itoa(l.From+1))
	for i, c := range l.Deltas {
		n := l.From + i
		row := tree.El("li", "", tree.Text("span", "row-n", words.Itoa(n+1)), widget.Key(words.FirstNonEmpty(c.Key, nameOf(c))), chip(c, link.PlacePopped(n))).Key(words.Itoa(n))
		applied(row, l, i)
		list.Add(row)
	}
	return list
}

// applied marks a delta that is being applied, or has been.
func applied(n *tree.Node, l link.Loop, i int) {
	if l.From+i == l.Current {
		n.Attr("aria-current", "step")
	} else if l.From+i < l.Current {
		n.Attr("data-done", "")
	}
}
