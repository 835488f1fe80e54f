package stage

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// work is the workqueue's sets and the workers.
func (st *Stage) work() *tree.Node {
	w, l := st.Frame.Work, st.Lists.Work
	keys := func(set, title string, keys []string, total int) *tree.Node {
		list := tree.El("ol", "keys").Attr("data-clip", "").Attr("data-flip", "")
		for _, k := range keys {
			list.Add(tree.El("li", "", asks(link.PlaceKey(set, k), widget.Key(k))).Key(k).Place(link.PlaceKey(set, k)))
		}
		return keySet(set, title, total, list)
	}
	delayed := tree.El("ol", "keys").Attr("data-clip", "")
	for _, d := range l.Delayed {
		left := words.Duration(d.Left)
		if w.Controller == nil { // a controller has little room for words
			left = st.Words.Tn("ui.in", "time", left)
		}
		delayed.Add(tree.El("li", "", asks(link.PlaceKey(link.SetDelayed, d.Key), widget.Key(d.Key)), ladder(st.Words, d), tree.Text("span", "left", left)).
			Key(d.Key).Place(link.PlaceKey(link.SetDelayed, d.Key)))
	}
	workers := tree.El("div", "workers")
	for _, x := range w.Workers {
		workers.Add(worker(st.Words, x))
	}
	if len(w.Workers) == 0 {
		workers.Add(tree.Text("p", "tail-text", st.Words.T("ui.noWorkers")))
	}
	var waiting *tree.Node // where nothing fails, nothing is delayed
	sets := "sets three"
	if w.Delays {
		sets = "sets"
		waiting = keySet(link.SetDelayed, st.Words.T("ui.delayed"), w.Waiting, delayed)
	}
	name := st.Words.T("ui.work.only")
	if w.Writes {
		name = st.Words.T("ui.work")
	}
	body := tree.El("div", sets,
		keys(link.SetQueue, link.SetQueue, l.Queue, w.Queued),
		keys(link.SetDirty, link.SetDirty, l.Dirty, w.DirtyLen),
		keys(link.SetProcessing, link.SetProcessing, l.Processing, len(w.Processing)),
		waiting,
	)
	if c := w.Controller; c != nil {
		name, body = st.Words.Tn("ui.work.controller", "name", c.Name), st.controller(body, workers)
	} else {
		body.Add(tree.El("div", "set", tree.El("h3", "", tree.Text("span", "", st.Words.T("ui.workers"))), workers).Place(link.PlaceWorkers))
	}
	return st.station(link.StationWork, name,
		[]*tree.Node{widget.Fact(st.Words.T("ui.adds"), words.Grouped(w.Adds)), widget.Fact(st.Words.T("ui.deduped"), words.Grouped(w.Deduped)), failing(st.Words, &w), st.replayed(), st.followed()},
		body).Place(link.PlaceWork)
}

// keySet is one of the sets of keys.
func keySet(name, title string, total int, list *tree.Node) *tree.Node {
	return tree.El("div", "set set-"+name, tree.El("h3", "", tree.Text("span", "", title), tree.Text("span", "n", words.Grouped(total))), list.Attr("aria-label", title)).
		Place(link.PlaceSet(name))
}

func worker(w *words.Words, x link.Worker) *tree.Node {
	n := tree.El("div", "worker").Key(strconv.Itoa(x.ID)).Place(link.PlaceWorker(x.ID))
	if x.Key == "" {
		says := "ui.worker.waits"
		if x.State == link.StateCrashed {
			says = "ui.worker.crashed"
		}
		return n.Add(tree.Text("span", "worker-text", w.Tn(says, "n", strconv.Itoa(x.ID+1), "done", words.Grouped(x.Done))))
	}
	part := 0.0
	if x.Takes > 0 {
		part = min(float64(x.Took)/float64(x.Takes), 1)
	}
	n.Flag("data-full", true)
	text := tree.El("span", "worker-text", asks(link.PlaceWorker(x.ID), widget.Key(x.Key))).Attr("title", x.Key+" @"+x.RV)
	n.Add(tree.El("span", "handler-fill").Style("transform", "scaleX("+strconv.FormatFloat(part, 'f', 3, 64)+")"), text)
	if x.Waits {
		n.Flag("data-waits", true).Add(tree.Text("span", "worker-state", "· "+w.T("ui.worker.reads")))
	}
	if x.Fails {
		n.Flag("data-fault", true).Add(tree.Text("span", "worker-state", "· "+w.T("ui.worker.failed")))
	}
	return n
}

// failing says which reconciles commands let fail.
func failing(w *words.Words, x *link.Work) *tree.Node {
	text := w.Tn("ui.fails", "n", words.Grouped(x.Fails))
	switch {
	case x.Fails == 0:
		return nil
	case x.Fails < 0:
		text = w.T("ui.fails.all")
	}
	if x.FailsKey != "" {
		text += " · " + x.FailsKey
	}
	return widget.Badge("waits", text)
}

// replayed says that nothing of what workers would write comes back: a recording
// knows nothing of them.
func (st *Stage) replayed() *tree.Node {
	if st.Frame.Server.Simulated || st.Frame.Work.Recorded != "" {
		return nil
	}
	return widget.Badge("quiet", st.Words.T("ui.backToServer"))
}

// followed says that what the workers do was recorded, and until when it is played.
func (st *Stage) followed() *tree.Node {
	w := &st.Frame.Work
	switch {
	case w.Recorded == "":
		return nil
	case w.Over:
		return widget.Badge("waits", st.Words.Tn("ui.work.over", "name", w.Recorded)).Attr("title", st.Words.T("ui.work.over.why"))
	}
	return widget.Badge("quiet", st.Words.Tn("ui.work.recorded", "name", w.Recorded)).Attr("title", st.Words.T("ui.work.recorded.why"))
}

// asks makes a button of what stands at a place: it asks why it is there.
func asks(place string, what *tree.Node) *tree.Node {
	return tree.El("button", "asks", what).Attr("type", "button").Act("whyAt", place)
}
