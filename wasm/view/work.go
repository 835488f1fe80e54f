package view

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// work is the workqueue's sets and the workers.
func (p *page) work() *tree.Node {
	w, l := p.f.Work, p.l.Work
	keys := func(set, title string, keys []string, total int) *tree.Node {
		list := tree.El("ol", "keys").Attr("data-clip", "").Attr("data-flip", "")
		for _, k := range keys {
			list.Add(tree.El("li", "", p.asks(link.PlaceKey(set, k), key(k))).Key(k).Place(link.PlaceKey(set, k)))
		}
		return p.set(set, title, total, list)
	}
	delayed := tree.El("ol", "keys").Attr("data-clip", "")
	for _, d := range l.Delayed {
		delayed.Add(tree.El("li", "", p.asks(link.PlaceKey(link.SetDelayed, d.Key), key(d.Key)), tree.Text("span", "left", p.w.Tn("ui.in", "time", words.Duration(d.Left)))).
			Key(d.Key).Place(link.PlaceKey(link.SetDelayed, d.Key)))
	}
	workers := tree.El("div", "workers")
	for _, x := range w.Workers {
		workers.Add(p.worker(x))
	}
	if len(w.Workers) == 0 {
		workers.Add(tree.Text("p", "tail-text", p.w.T("ui.noWorkers")))
	}
	var waiting *tree.Node // where nothing fails, nothing is delayed
	sets := "sets three"
	if w.Delays {
		sets = "sets"
		waiting = p.set(link.SetDelayed, p.w.T("ui.delayed"), w.Waiting, delayed)
	}
	name := p.w.T("ui.work.only")
	if w.Writes {
		name = p.w.T("ui.work")
	}
	return p.station(link.StationWork, name,
		[]*tree.Node{fact(p.w.T("ui.adds"), words.Grouped(w.Adds)), fact(p.w.T("ui.deduped"), words.Grouped(w.Deduped)), p.failing(), p.replayed()},
		tree.El("div", sets,
			keys(link.SetQueue, link.SetQueue, l.Queue, w.Queued),
			keys(link.SetDirty, link.SetDirty, l.Dirty, w.DirtyLen),
			keys(link.SetProcessing, link.SetProcessing, l.Processing, len(w.Processing)),
			waiting,
			tree.El("div", "set", tree.El("h3", "", tree.Text("span", "", p.w.T("ui.workers"))), workers).Place(link.PlaceWorkers),
		)).Place(link.PlaceWork)
}

func (p *page) set(name, title string, total int, list *tree.Node) *tree.Node {
	return tree.El("div", "set set-"+name, tree.El("h3", "", tree.Text("span", "", title), tree.Text("span", "n", words.Grouped(total))), list.Attr("aria-label", title)).
		Place(link.PlaceSet(name))
}

func (p *page) worker(x link.Worker) *tree.Node {
	n := tree.El("div", "worker").Key(strconv.Itoa(x.ID)).Place(link.PlaceWorker(x.ID))
	if x.Key == "" {
		return n.Add(tree.Text("span", "worker-text", p.w.Tn("ui.worker.waits", "n", strconv.Itoa(x.ID+1), "done", words.Grouped(x.Done))))
	}
	part := 0.0
	if x.Takes > 0 {
		part = min(float64(x.Took)/float64(x.Takes), 1)
	}
	n.Flag("data-full", true)
	text := tree.El("span", "worker-text", p.asks(link.PlaceWorker(x.ID), key(x.Key))).Attr("title", x.Key+" @"+x.RV)
	n.Add(tree.El("span", "handler-fill").Style("transform", "scaleX("+strconv.FormatFloat(part, 'f', 3, 64)+")"), text)
	if x.Fails {
		n.Flag("data-fault", true).Add(tree.Text("span", "worker-state", "· "+p.w.T("ui.worker.failed")))
	}
	return n
}

// failing says which reconciles commands let fail.
func (p *page) failing() *tree.Node {
	w := p.f.Work
	text := p.w.Tn("ui.fails", "n", words.Grouped(w.Fails))
	switch {
	case w.Fails == 0:
		return nil
	case w.Fails < 0:
		text = p.w.T("ui.fails.all")
	}
	if w.FailsKey != "" {
		text += " · " + w.FailsKey
	}
	return badge("waits", text)
}

// replayed says that nothing of what workers would write comes back: a recording
// knows nothing of them.
func (p *page) replayed() *tree.Node {
	if p.f.Server.Simulated {
		return nil
	}
	return badge("quiet", p.w.T("ui.backToServer"))
}
