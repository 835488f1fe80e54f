package stage

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// informers returns the informers of a process that has several, each of them small. A click
// makes one of them large: then the stage has its stations.
func (st *Stage) informers() *tree.Node {
	p := &st.Frame.Process
	if len(p.Informers) == 0 || st.Second {
		return nil
	}
	name := "ui.informers.process"
	if p.Factory {
		name = "ui.informers.factory"
	}
	if len(p.Replicas) > 0 {
		name = "ui.informers.replicas"
	}
	list := tree.El("ul", "smalls")
	for i := range p.Informers {
		list.Add(tree.El("li", "", st.small(i, &p.Informers[i])).Key(strconv.Itoa(i)))
	}
	title := st.Words.T(name)
	return tree.El("nav", "informers", tree.Text("h2", "", title), st.replicas(), list).Attr("aria-label", title).Key("informers")
}

// small returns one informer in a few numbers.
func (st *Stage) small(i int, x *link.Small) *tree.Node {
	w := st.Words
	cache := words.Grouped(x.Cached)
	if x.Objects >= 0 {
		cache = w.Tn("ui.small.of", "cached", cache, "held", words.Grouped(x.Objects))
	}
	last := tree.El("span", "small-last")
	if x.Last != nil {
		c := *x.Last
		c.Ref = 0 // a button stands in no button
		last.Add(chip(c, ""))
	}
	facts := tree.El("span", "small-facts", widget.Fact(w.T("ui.small.queue"), words.Grouped(x.Queue)), widget.Fact(w.T("ui.small.cache"), cache).Flag("data-differs", x.Differs > 0))
	n := widget.Action("small-informer", "informer", strconv.Itoa(i), tree.El("span", "small-head", widget.Icon(wireIcons[x.Wire]), tree.Text("b", "", x.Name)), last, facts).Is("aria-pressed", i == st.Frame.Informer).Attr("data-wire", x.Wire)
	says := w.Tn("ui.small.says", "name", x.Name, "wire", w.T("ui.wire."+x.Wire), "queue", words.Grouped(x.Queue), "cached", words.Grouped(x.Cached), "handlers", words.Grouped(x.Handlers))
	if x.Differs > 0 {
		says += " " + w.Tn("ui.small.differs", "n", words.Grouped(x.Differs))
	}
	if !x.Synced {
		n.Flag("data-unsynced", true)
		says += " " + w.T("ui.small.unsynced")
	}
	if x.Name == st.Frame.Process.Elsewhere {
		n.Flag("data-now", true)
	}
	// Its name is what is seen, so that whoever speaks to the page can say it, and the title describes it.
	return n.Attr("title", says).Place(link.PlaceSmall(i))
}

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
