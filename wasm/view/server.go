package view

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// server is the API server, with the tape of what it sends.
func (p *page) server() *tree.Node {
	s, l := p.f.Server, p.l.Server
	tape := p.keep("tape", p.l, func() *tree.Node { return p.tape(l) })
	next := p.w.T("ui.server.none")
	switch {
	case s.Next < 0 && p.m.Cluster.Live != nil && p.m.Cluster.Live.Following:
		next = p.w.T("ui.server.awaited")
	case s.Next >= 0:
		next = p.w.Tn("ui.server.next", "time", words.Duration(s.Next))
	}
	facts := tree.El("div", "facts")
	sent := p.w.Tn("ui.server.sent", "n", words.Grouped(s.Sent), "total", words.Grouped(s.Total))
	if s.Simulated {
		facts.Add(badge("simulated", p.w.T("ui.server.simulated")))
	}
	facts.Add(fact("resourceVersion", words.Or(s.RV, p.w.T("ui.none"))))
	if s.Simulated {
		facts.Add(fact(p.w.T("ui.server.revision"), words.Or(s.Revision, p.w.T("ui.none"))), fact(p.w.T("ui.server.oldest"), words.Or(s.Oldest, p.w.T("ui.none"))), fact(p.w.T("ui.server.holds"), words.Grouped(s.Holds)))
		sent = p.w.Tn("ui.server.sentAll", "n", words.Grouped(s.Sent))
		next = words.Or(s.Message, next)
	}
	return p.station(link.StationServer, p.w.T("ui.server"), nil, facts, tape,
		tree.El("footer", "station-foot", tree.Text("span", "", sent), tree.Text("span", "", next)),
		tree.El("span", "port").Place(link.PlaceServer),
	)
}

func (p *page) tape(l link.Server) *tree.Node {
	tape := tree.El("ol", "tape").Attr("data-clip", "").Attr("data-flip", "").Attr("aria-label", p.w.T("ui.tape"))
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
			key(name),
			tree.Text("span", "at", words.Clock(t.At)[3:12]),
		).Key(words.Itoa(t.N)))
	}
	return tape
}
