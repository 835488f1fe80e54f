package stage

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// server returns the API server, with the tape of what it sends.
func (st *Stage) server() *tree.Node {
	s, l := st.Frame.Server, st.Lists.Server
	tape := st.Cache.Draw("tape", st.Lists, func() *tree.Node { return tape(st.Words, l) })
	next := st.Words.T("ui.server.none")
	switch {
	case s.Next < 0 && st.Live:
		next = st.Words.T("ui.server.awaited")
	case s.Next >= 0:
		next = st.Words.Tn("ui.server.next", "time", words.Duration(s.Next))
	}
	facts, held := tree.El("div", "facts"), (*tree.Node)(nil)
	sent := st.Words.Tn("ui.server.sent", "n", words.Grouped(s.Sent), "total", words.Grouped(s.Total))
	if s.Simulated {
		facts.Add(widget.Badge("simulated", st.Words.T("ui.server.simulated")))
	}
	facts.Add(widget.Fact("resourceVersion", words.FirstNonEmpty(s.RV, st.Words.T("ui.none"))))
	if s.Simulated {
		facts.Add(widget.Fact(st.Words.T("ui.server.revision"), words.FirstNonEmpty(s.Revision, st.Words.T("ui.none"))), widget.Fact(st.Words.T("ui.server.oldest"), words.FirstNonEmpty(s.Oldest, st.Words.T("ui.none"))), widget.Fact(st.Words.T("ui.server.holds"), words.Grouped(s.Objects)))
		if s.Left > 0 {
			facts.Add(widget.Fact(st.Words.T("ui.server.left"), words.Grouped(s.Left)))
		}
		held = st.Cache.Draw("shelf", shelved{st.Lists, st.OpenMenu}, func() *tree.Node { return st.shelf(l.Holdings, st.Lists.Store.Tiles) })
		sent = st.Words.Tn("ui.server.sentAll", "n", words.Grouped(s.Sent))
		next = words.FirstNonEmpty(s.Message, next)
	}
	return st.station(link.StationServer, st.Words.T("ui.server"), nil, facts, held, tape,
		tree.El("footer", "station-foot", tree.Text("span", "", sent), tree.Text("span", "", next)),
		tree.El("span", "port").Place(link.PlaceServer),
	)
}

// shelved is what the shelf is drawn from: the lists, and the menu that is open.
type shelved struct {
	lists *link.Frame
	menu  string
}

// shelf returns what a simulated server holds, with what differs from the cache, nil for nothing. An
// object is clicked to change or to delete it.
func (st *Stage) shelf(all []link.Holding, cached []link.Tile) *tree.Node {
	w := st.Words
	if len(all) == 0 {
		return nil
	}
	has := map[string]string{}
	for _, t := range cached {
		has[t.Key] = t.RV
	}
	n := tree.El("ul", "server-shelf").Attr("aria-label", w.T("ui.server.shelf"))
	for _, h := range all {
		_, name, found := strings.Cut(h.Key, "/")
		if !found {
			name = h.Key
		}
		at, says := h.RV, "ui.server.same"
		switch rv, ok := has[h.Key]; {
		case h.Deleted:
			at, says = w.T("ui.server.deleted"), "ui.server.gone"
		case !ok && h.Unwatched:
			says = "ui.server.others"
		case !ok:
			says = "ui.server.uncached"
		case rv != h.RV:
			says = "ui.server.newer"
		}
		li := tree.El("li", "", widget.Key(name), tree.Text("span", "", at))
		if !st.Second {
			li.Add(st.Grip(link.StationServer, h.Key))
		}
		n.Add(li.Key(h.Key).Attr("title", w.Tn(says, "key", h.Key, "rv", has[h.Key])).
			Flag("data-differs", says != "ui.server.same" && says != "ui.server.others").Flag("data-others", says == "ui.server.others").Flag("data-gone", h.Deleted))
	}
	return n
}

func tape(w *words.Words, l link.Server) *tree.Node {
	tape := tree.El("ol", "tape").Attr("data-clip", "").Attr("data-flip", "").Attr("aria-label", w.T("ui.tape"))
	for _, t := range l.Tape {
		class := "tape-row"
		if !t.Sent {
			class += " coming"
		}
		_, name, found := strings.Cut(t.Chip.Key, "/")
		if !found {
			name = t.Chip.Key
		}
		switch {
		case t.Chip.Name != "":
			name = t.Chip.Name
		case name == "":
			name = link.DeltaNames[t.Chip.T]
		}
		tape.Add(tree.El("li", class,
			chip(t.Chip, link.PlaceTape(int64(t.N))),
			widget.Key(name),
			tree.Text("span", "at", words.Clock(t.Time)[3:12]),
		).Key(words.Itoa(t.N)))
	}
	return tape
}
