package stage

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// replicas returns the processes: what each of them does, and which shard it has, or which of them the Lease names. Two may
// lead at once.
func (st *Stage) replicas() *tree.Node {
	all := st.Frame.Process.Replicas
	if len(all) == 0 {
		return nil
	}
	w := st.Words
	list := tree.El("ul", "replicas").Attr("aria-label", w.T("ui.replicas")).Flag("data-sharded", all[0].Shard != "")
	for i := range all {
		list.Add(st.replica(&all[i]).Key("replica/" + strconv.Itoa(i)))
	}
	return list
}

func (st *Stage) replica(r *link.Replica) *tree.Node {
	w := st.Words
	text := w.T("ui.replica." + string(r.State))
	if r.Remaining > 0 {
		text += " · " + w.Tn("ui.replica.left."+string(r.State), "left", words.Duration(r.Remaining))
	}
	if r.Shard != "" {
		text = r.Shard + " · " + text
	}
	n := tree.El("li", "replica", tree.Text("b", "", r.Name), tree.Text("span", "", text)).Attr("data-state", string(r.State)).Flag("data-shown", r.Shown)
	if r.Cut {
		n.Add(tree.Text("span", "replica-cut", w.T("ui.replica.cut")))
	}
	if r.Leads {
		n.Add(tree.Text("span", "replica-holds", w.T("ui.replica.holds")))
	}
	return n
}
