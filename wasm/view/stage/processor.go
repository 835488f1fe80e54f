package stage

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// pendingNotifications is the field of processorListener.
const pendingNotifications = "pendingNotifications"

// processor returns the sharedProcessor, with a lane for each listener.
func (st *Stage) processor() *tree.Node {
	lanes := tree.El("div", "lanes")
	head := tree.El("div", "lane lane-head").Attr("role", "row").Key("\x00head")
	for _, h := range []string{st.Words.T("ui.listener"), link.LaneAddCh, link.LaneSlot, pendingNotifications, link.LaneNextCh, st.Words.T("ui.handler")} {
		cell := tree.Text("span", "", h).Attr("role", "columnheader")
		if h == pendingNotifications { // it takes two lines where the column is narrow
			cell = tree.El("span", "", tree.Text("span", "", h[:len("pending")]), tree.El("wbr", ""), tree.Text("span", "", h[len("pending"):])).Attr("role", "columnheader")
		}
		head.Add(cell)
	}
	if len(st.Frame.Processor.Listeners) > 0 {
		lanes.Attr("role", "table").Attr("aria-label", st.Words.T("ui.listeners")).Add(head)
	} else {
		lanes.Add(tree.Text("p", "tail-text", st.Words.T("ui.noHandlers")).Key("\x00none"))
	}
	byID := map[int]link.Listener{}
	for _, l := range st.Lists.Processor.Listeners {
		byID[l.ID] = l
	}
	for _, l := range st.Frame.Processor.Listeners {
		lists, ok := byID[l.ID]
		if !ok {
			lists = l
		}
		lanes.Add(st.lane(l, lists))
	}
	hand := tree.El("span", "hand-out", tree.Text("span", "fact-name", "distribute"), slot(st.Lists.Processor.Hand, link.PlaceProcessor, "hand"))
	return st.station(link.StationProcessor, "sharedProcessor", append(st.lockBadges(link.LockListeners), hand), lanes)
}

// lane returns one processorListener: what waits for it, and its handler. The numbers are
// of l, the chips of shown.
func (st *Stage) lane(l, shown link.Listener) *tree.Node {
	class := "lane"
	if !l.Joined || l.EndState != "" {
		class += " absent"
	}
	if st.Differs != "" && st.Differs == l.Name {
		class += " differs"
	}
	swatch := widget.Swatch(l.ID)
	if l.Unknown {
		class, swatch = class+" made", nil
	}
	name := tree.El("span", "lane-name", tree.El("span", "lane-title", swatch, tree.Text("span", "", l.Name)).Attr("title", l.Name)).Attr("role", "rowheader")
	says := tree.El("span", "lane-says")
	switch {
	case l.EndState != "":
		says.Add(tree.Text("span", "", st.Words.T("ui.gone."+l.EndState)))
	case !l.Joined:
		says.Add(tree.Text("span", "", st.Words.T("ui.notJoined")))
	case l.Unknown:
		says.Add(tree.Text("span", "", st.Words.T("ui.made")).Attr("title", st.Words.T("ui.made.why")))
	case l.Behind > 0:
		says.Add(tree.Text("span", "behind", st.Words.Tn("ui.behind", "n", words.Grouped(l.Behind))))
	default:
		says.Add(tree.Text("span", "", st.Words.T("ui.caughtUp")))
	}
	if l.Syncing {
		says.Add(tree.Text("span", "syncing", st.Words.T("ui.syncing.short")).Attr("title", st.Words.T("ui.syncing")))
	}
	name.Add(says)

	fill := tree.El("span", "ring")
	heads := tree.El("span", "ring-chips").Attr("aria-hidden", "true") // the number beside it says more
	for i, c := range shown.Head {
		heads.Add(mini(c).Key(strconv.Itoa(i)))
	}
	fill.Add(heads, tree.Text("span", "ring-n", ringText(l)).Attr("title", st.Words.T("ui.ring")+": "+words.Grouped(l.Pending)+" / "+words.Grouped(l.Ring)))
	fill.Place(link.PlaceLane(l.ID, link.LanePending)).Attr("role", "cell")
	if l.Pending > 0 {
		fill.Flag("data-full", true)
	}

	offering := waits(st.Frame, link.ActorPop+"/"+strconv.Itoa(l.ID), link.ChanNextCh)
	cell := func(c *link.Chip, part string) *tree.Node {
		s := tree.El("span", "slot small").Attr("role", "cell").Attr("title", part)
		// The pop goroutine offers the chip, and run hasn't taken it, because the
		// handler still runs.
		s.Flag("data-hatched", part == link.LaneNextCh && offering && c != nil)
		if c == nil {
			return s.Place(link.PlaceLane(l.ID, part))
		}
		return s.Add(smallChip(*c, link.PlaceLane(l.ID, part)))
	}
	return tree.El("div", class, name, cell(shown.AddCh, link.LaneAddCh), cell(shown.Slot, link.LaneSlot), fill, cell(shown.NextCh, link.LaneNextCh), st.handler(l)).
		Key(strconv.Itoa(l.ID)).Attr("role", "row")
}

// ringText returns how full the ring is, and its capacity if there is room for it.
func ringText(l link.Listener) string {
	if l.Ring >= 10_000 {
		return words.Grouped(l.Pending)
	}
	return words.Grouped(l.Pending) + " / " + words.Grouped(l.Ring)
}

// handler returns the handler's box, which fills while a call lasts, and is clicked to make it slow.
func (st *Stage) handler(l link.Listener) *tree.Node {
	w, grip := st.Words, (*tree.Node)(nil)
	if !st.Second && l.Joined && l.EndState == "" {
		grip = st.Grip(link.StationProcessor, l.Name)
	}
	n := tree.El("span", "handler").Attr("role", "cell").Place(link.PlaceLane(l.ID, link.LaneHandler))
	wrong := ""
	if l.Fault != "" {
		wrong = " · " + w.T("ui.fault."+l.Fault)
		n.Flag("data-fault", true).Attr("title", w.T("ui.fault."+l.Fault))
	}
	if l.Handler == nil {
		n.Add(tree.Text("span", "handler-text", w.Tn("ui.calls", "n", words.Grouped(l.Calls))+wrong), grip)
		return n
	}
	part, takes := 0.0, words.Duration(l.Duration)
	switch {
	case l.Duration < 0: // it doesn't return
		takes = "∞"
	case l.Duration > 0:
		part = min(float64(l.Elapsed)/float64(l.Duration), 1)
	}
	n.Flag("data-full", true)
	n.Add(tree.El("span", "handler-fill handler-"+letter(*l.Handler)).Style("transform", "scaleX("+strconv.FormatFloat(part, 'f', 3, 64)+")"),
		tree.El("span", "handler-text", tree.Text("b", "", l.Func), tree.Text("span", "", " "+takes)), grip)
	return n
}

// printed returns the strip below the stations: what the simplest handlers and process functions print.
// The newest line stands first, so that it stays in sight where the strip has room for few.
func (st *Stage) printed() *tree.Node {
	p := &st.Lists.Processor
	return st.Cache.Draw("printed", st.Lists, func() *tree.Node {
		list := tree.El("ol", "printed-lines").Attr("aria-label", st.Words.T("ui.printed")).Attr("reversed", "")
		for i := len(p.Printed) - 1; i >= 0; i-- {
			list.Add(printedLine(&p.Printed[i], len(p.Listeners) > 1).Key(words.Itoa(p.Printed[i].N)))
		}
		if len(p.Printed) == 0 {
			list.Add(tree.Text("li", "tail-text", st.Words.T("ui.printed.none")).Key("none"))
		}
		head := tree.El("h2", "", tree.Text("span", "", st.Words.T("ui.printed")))
		if n := len(p.Printed); n > 0 { // lines that have no room are counted
			head.Add(tree.Text("span", "printed-n", " "+words.Grouped(p.Printed[n-1].N)))
		}
		return tree.El("section", "printed", head, list).Attr("aria-label", st.Words.T("ui.printed"))
	})
}

// printedLine returns one line. With several handlers, it says whose it is.
func printedLine(l *link.Printed, several bool) *tree.Node {
	says := l.Func + " " + l.Key
	switch {
	case l.Tomb:
		says += " DeletedFinalStateUnknown"
	case l.Old != "" && l.New != "":
		says += " " + l.Old + " → " + l.New
	case l.New != "":
		says += " " + l.New
	}
	n := tree.El("li", "", tree.Text("span", "at", words.Clock(l.Time)[3:12]), tree.Text("code", "", says))
	if several && l.Handler != "" {
		n.Add(tree.Text("span", "by-handler", l.Handler))
	}
	return n
}
