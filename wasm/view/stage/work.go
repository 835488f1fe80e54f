package stage

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// work returns the workqueue's sets and the workers.
func (st *Stage) work() *tree.Node {
	w, l := st.Frame.Work, st.Lists.Work
	keys := func(set, title string, keys []string, total int) *tree.Node {
		list := tree.El("ol", "keys").Attr("data-clip", "").Attr("data-flip", "")
		for i, k := range keys {
			li := tree.El("li", "", whyButton(link.PlaceKey(set, k), widget.Key(k))).Key(k).Place(link.PlaceKey(set, k))
			if set == link.SetQueue && w.Priorities != nil {
				li.Add(rank(st.Words, &l.Priorities.Ready[i])...)
			}
			list.Add(li)
		}
		return keySet(set, title, total, list)
	}
	titles := [...]string{link.SetQueue, link.SetProcessing, st.Words.T("ui.delayed")}
	if w.Priorities != nil {
		titles = [...]string{"ready", "locked", "waiting"} // the priority queue's names
	}
	delayed := tree.El("ol", "keys").Attr("data-clip", "")
	for _, d := range l.Delayed {
		left := words.Duration(d.Remaining)
		switch {
		case d.Remaining <= 0:
			left = st.Words.T("ui.due")
		case w.Controller == nil: // a controller has little room for words
			left = st.Words.Tn("ui.in", "time", left)
		}
		delayed.Add(tree.El("li", "", whyButton(link.PlaceKey(link.SetDelayed, d.Key), widget.Key(d.Key)), ladder(st.Words, d), tree.Text("span", "left", left)).
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
		waiting = keySet(link.SetDelayed, titles[2], w.Waiting, delayed)
	}
	name := st.Words.T("ui.work.only")
	if w.Writes && !st.Second && st.Frame.Second == nil { // in a pair, only the wire has room to say it
		name = st.Words.T("ui.work")
	}
	queue, second := keys(link.SetQueue, titles[0], l.Queue, w.Queued), (*tree.Node)(nil)
	if p := w.Priorities; p == nil {
		second = keys(link.SetDirty, link.SetDirty, l.Dirty, w.DirtyLen)
	} else { // it has no dirty set, and its keys need the room
		sets += " ranked"
		queue.Add(tree.El("p", "buffered", widget.Fact("addBuffer", words.Grouped(p.Buffered))).Place(link.PlaceBuffer))
	}
	body := tree.El("div", sets, queue, second, keys(link.SetProcessing, titles[1], l.Processing, len(w.Processing)), waiting)
	if c := w.Controller; c != nil {
		name, body = st.Words.Tn("ui.work.controller", "name", c.Name), st.controller(body, workers)
	} else {
		body.Add(tree.El("div", "set", tree.El("h3", "", tree.Text("span", "", st.Words.T("ui.workers"))), workers).Place(link.PlaceWorkers))
	}
	facts := []*tree.Node{failing(st.Words, &w), paused(st.Words, &w), st.replayed(), st.followed()}
	if w.Priorities == nil { // a priority queue doesn't count what it merges
		facts = append([]*tree.Node{widget.Fact(st.Words.T("ui.adds"), words.Grouped(w.Adds)), widget.Fact(st.Words.T("ui.deduped"), words.Grouped(w.Deduped))}, facts...)
	}
	return st.station(link.StationWork, name, facts, body).Place(link.PlaceWork)
}

// rank returns the priority of a ready key, and who is handed out before it though it came later.
func rank(w *words.Words, r *link.Rank) []*tree.Node {
	n := []*tree.Node{tree.Text("span", "rank", signed(r.Priority)).Attr("title", w.T("ui.rank")).Flag("data-low", r.Priority < 0)}
	if r.Priority == 0 {
		n[0] = tree.Text("span", "rank", "0").Attr("title", w.T("ui.rank"))
	}
	if r.Behind != "" {
		n = append(n, tree.Text("span", "put-off", w.Tn("ui.rank.behind", "key", r.Behind[strings.LastIndexByte(r.Behind, '/')+1:])).Attr("title", w.Tn("ui.rank.behind.why", "key", r.Behind)))
	}
	return n
}

func keySet(name, title string, total int, list *tree.Node) *tree.Node {
	return tree.El("div", "set set-"+name, tree.El("h3", "", tree.Text("span", "", title), tree.Text("span", "n", words.Grouped(total))), list.Attr("aria-label", title)).
		Place(link.PlaceSet(name))
}

func worker(w *words.Words, x link.Worker) *tree.Node {
	n := tree.El("div", "worker").Key(strconv.Itoa(x.ID)).Place(link.PlaceWorker(x.ID))
	if x.Key == "" {
		says := "ui.worker.waits"
		switch x.State {
		case link.StateCrashed:
			says = "ui.worker.crashed"
		case link.StateStart:
			says = "ui.worker.starts"
		}
		return n.Add(tree.Text("span", "worker-text", w.Tn(says, "n", strconv.Itoa(x.ID+1), "done", words.Grouped(x.Done))))
	}
	part := 0.0
	if x.Duration > 0 {
		part = min(float64(x.Elapsed)/float64(x.Duration), 1)
	}
	n.Flag("data-full", true)
	text := tree.El("span", "worker-text", whyButton(link.PlaceWorker(x.ID), widget.Key(x.Key))).Attr("title", x.Key+" @"+x.RV)
	n.Add(tree.El("span", "handler-fill").Style("transform", "scaleX("+strconv.FormatFloat(part, 'f', 3, 64)+")"), text)
	if x.Duration < 0 { // it doesn't return
		n.Add(tree.Text("span", "worker-state", "· ∞"))
	}
	if x.Waits {
		n.Flag("data-waits", true).Add(tree.Text("span", "worker-state", "· "+w.T("ui.worker.reads")))
	}
	if x.Fails {
		n.Flag("data-fault", true).Add(tree.Text("span", "worker-state", "· "+w.T("ui.worker.failed")))
	}
	return n
}

// failing shows which reconciles commands let fail.
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

// paused shows that the workqueue hands nothing out.
func paused(w *words.Words, x *link.Work) *tree.Node {
	if !x.Paused {
		return nil
	}
	return widget.Badge("waits", w.T("ui.work.paused"))
}

// replayed shows that nothing of what workers would write comes back: a recording
// knows nothing of them.
func (st *Stage) replayed() *tree.Node {
	if st.Frame.Server.Simulated || st.Frame.Work.Recorded != "" {
		return nil
	}
	return widget.Badge("quiet", st.Words.T("ui.backToServer"))
}

// followed shows that what the workers do was recorded, and until when it is played.
func (st *Stage) followed() *tree.Node {
	w := &st.Frame.Work
	switch {
	case w.Recorded == "":
		return nil
	case w.Ended:
		return widget.Badge("waits", st.Words.Tn("ui.work.over", "name", w.Recorded)).Attr("title", st.Words.T("ui.work.over.why"))
	}
	return widget.Badge("quiet", st.Words.Tn("ui.work.recorded", "name", w.Recorded)).Attr("title", st.Words.T("ui.work.recorded.why"))
}

// whyButton makes a button of what stands at a place: it asks why it is there.
func whyButton(place string, what *tree.Node) *tree.Node {
	return widget.Action("asks", "whyAt", place, what)
}
