package stage

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// controller returns what stands between the workqueue's sets and the workers of a controller, and
// beside these: the guard as a gate, the program, and what is believed and true.
func (st *Stage) controller(sets *tree.Node, workers *tree.Node) *tree.Node {
	w, c := st.Words, st.Lists.Work.Controller
	return tree.El("div", "controller", sets, gate(w, c),
		tree.El("div", "program", tree.El("h3", "", tree.Text("span", "", w.T("ui.program"))), workers, program(w, c, st.Lists.Work.Workers)).Place(link.PlaceWorkers),
		belief(w, c))
}

// gate returns the guard, with what it waits for, and what was written and is not yet seen.
func gate(w *words.Words, c *link.Controller) *tree.Node {
	state, sign := "ui.gate.open", "check"
	if c.Shut {
		state, sign = "ui.gate.shut", "lock"
	}
	says := tree.El("span", "gate-state", widget.Icon(sign), tree.Text("span", "", w.T(state)))
	if c.Guard == "none" {
		says = nil
	}
	list := tree.El("ol", "holds").Attr("data-clip", "").Attr("tabindex", "0").Attr("aria-label", w.T("ui.gate.waitsFor"))
	for i, h := range c.Holds {
		text := w.Tn("ui.hold."+string(h.Kind), "n", words.Grouped(h.N), "count", words.Grouped(h.M), "rv", h.RV, "left", words.Duration(h.Remaining))
		if h.Expired {
			text = w.T("ui.hold.over")
		}
		list.Add(tree.El("li", "", widget.Key(h.Key), tree.Text("span", "", text)).Key(string(h.Kind) + strconv.Itoa(i)))
	}
	for _, u := range c.Unseen {
		list.Add(tree.El("li", "unseen", widget.Key(u.Key), tree.Text("span", "", w.Tn("ui.unseen", "name", u.Resource, "rv", u.RV, "old", words.FirstNonEmpty(u.Seen, w.T("ui.none"))))).Key("unseen" + u.Key + u.Resource))
	}
	if c.Awaits != "" {
		list.Add(tree.Text("li", "tail-text", w.Tn("ui.gate.sync", "what", c.Awaits)).Key("sync"))
	} else if c.Warm {
		list.Add(tree.Text("li", "tail-text", w.T("ui.gate.leader")).Key("leader"))
	} else if len(c.Holds)+len(c.Unseen) == 0 {
		list.Add(tree.Text("li", "tail-text", w.T("ui.gate.nothing")).Key("nothing"))
	}
	return tree.El("div", "gate", tree.El("h3", "", tree.Text("span", "", w.T("ui.guard."+c.Guard)), says), list).
		Flag("data-shut", c.Shut).Flag("data-none", c.Guard == "none").Place(link.PlaceGuard)
}

// program shows the statements of the program. The one at which a worker is has its number.
func program(w *words.Words, c *link.Controller, workers []link.Worker) *tree.Node {
	list := tree.El("ol", "program-lines").Attr("data-clip", "").Attr("tabindex", "0").Attr("aria-label", w.T("ui.program"))
	for i, text := range append([]string{"get"}, c.Program...) {
		n := link.LineGet + i
		line := tree.El("li", "", tree.Text("code", "", text).Attr("title", text)).Key(strconv.Itoa(n)).Place(link.PlaceLine(n))
		for _, x := range workers {
			if x.Line == n {
				line.Attr("aria-current", "step").Add(tree.Text("b", "", strconv.Itoa(x.ID+1)).Attr("title", w.Actor(link.ActorWorker+"/"+strconv.Itoa(x.ID))))
			}
		}
		list.Add(line)
	}
	return list
}

// belief shows what the controller takes for true beside what is true. What differs is marked.
func belief(w *words.Words, c *link.Controller) *tree.Node {
	n := tree.El("div", "belief").Place(link.PlaceBelief)
	b := c.Belief
	if b == nil {
		return n.Add(tree.El("h3", "", tree.Text("span", "", w.T("ui.belief"))), tree.Text("p", "tail-text", w.T("ui.belief.none")))
	}
	head := tree.El("h3", "", tree.Text("span", "", w.Tn("ui.belief.of", "name", c.Owns)), widget.Key(b.Key))
	body := tree.El("tbody", "")
	row := func(id string, count int, has func(c *link.Child) bool, beside string) {
		cells := tree.El("td", "children")
		more := count // than are drawn
		for i := range b.Children {
			x := &b.Children[i]
			if has(x) {
				more--
			}
			cells.Add(tree.El("i", "child").Flag("data-has", has(x)).Attr("title", x.Name).Key(x.Name))
		}
		if beside == "" && more > 0 {
			beside = signed(more)
		}
		if beside != "" {
			cells.Add(tree.Text("span", "beside-children", beside).Key("\x00beside"))
		}
		body.Add(tree.El("tr", "", tree.Text("th", "", w.T("ui.belief."+id)).Attr("scope", "row"), tree.Text("td", "n", words.Grouped(count)), cells).
			Flag("data-differs", count != b.Actual).Key(id))
	}
	cached, beside := func(c *link.Child) bool { return c.Cached }, ""
	row("held", b.Actual, func(c *link.Child) bool { return c.Exists }, "")
	row("cached", b.Cached, cached, "")
	switch {
	case !b.Asked && b.Expected != 0:
		beside = w.Tn("ui.belief.expected", "n", signed(b.Expected))
	case b.Asked && b.Created != 0:
		beside = w.Tn("ui.belief.made", "n", signed(b.Created))
	}
	if b.Asked {
		cached = func(c *link.Child) bool { return c.Read }
	}
	row("count", b.Count, cached, beside)
	foot := ""
	if b.Wants != "" {
		foot = w.Tn("ui.belief.wants", "n", b.Wants)
	}
	if lacks := lacking(b); lacks != "" {
		foot = strings.TrimSpace(foot + " " + w.Tn("ui.belief.lacks", "what", lacks))
	}
	return n.Add(head, tree.El("table", "", body), tree.Text("p", "belief-foot", foot).Attr("title", foot)).Flag("data-differs", b.Cached != b.Actual || b.Count != b.Actual)
}

// lacking returns the children that the server has and the cache lacks.
func lacking(b *link.Belief) string {
	var names []string
	for _, c := range b.Children {
		if c.Exists && !c.Cached {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, ", ")
}

func signed(n int) string {
	if n < 0 {
		return "−" + words.Grouped(-n)
	}
	return "+" + words.Grouped(n)
}

// rungs is how many failures the ladder of a back-off shows.
const rungs = 8

// ladder shows how often a key has failed: each failure doubles the delay. A key that has not
// failed waits for a timer.
func ladder(w *words.Words, d link.Delayed) *tree.Node {
	if d.Retries == 0 {
		return tree.El("span", "ladder", widget.Icon("why")).Attr("title", w.T("ui.ladder.timer"))
	}
	n := tree.El("span", "ladder").Attr("title", w.Tn("ui.ladder", "n", words.Grouped(d.Retries)))
	for i := range rungs {
		n.Add(tree.El("i", "").Flag("data-has", i < d.Retries))
	}
	return n
}
