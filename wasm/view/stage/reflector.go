package stage

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// reflector shows the reflector's hand, its version and its timers.
func (st *Stage) reflector() *tree.Node {
	r := st.Frame.Reflector
	resync := st.Words.T("ui.never")
	switch {
	case r.ResyncIn == 0:
		resync = st.Words.T("ui.now")
	case r.ResyncIn > 0:
		resync = st.Words.Tn("ui.in", "time", words.Duration(r.ResyncIn))
	}
	body := tree.El("div", "reflector-body",
		slot(st.Lists.Reflector.Hand, link.PlaceReflector, "hand"),
		tree.El("div", "rv-big",
			tree.Text("span", "fact-name", "lastSyncResourceVersion"),
			tree.Text("span", "rv-value", words.FirstNonEmpty(r.RV, st.Words.T("ui.none"))).Key(r.RV)),
	)
	facts := tree.El("div", "facts",
		widget.Fact(st.Words.T("ui.lists"), words.Grouped(r.Lists)),
		widget.Fact(st.Words.T("ui.watches"), words.Grouped(r.Watches)),
		widget.Fact("resync", resync),
	)
	if r.Shard != "" {
		facts.Add(widget.Fact("shard", r.Shard))
	}
	n := st.station(link.StationReflector, st.Words.T("ui.reflector"),
		st.waitBadge(link.ActorReflector, widget.Badge("is-"+r.State, st.Words.T("ui.reflector."+r.State))),
		body, facts)
	if r.Error != "" {
		return n.Add(tree.Text("p", "error-line", r.Error).Attr("title", r.Error))
	}
	return n.Add(tree.El("p", "error-line"))
}
