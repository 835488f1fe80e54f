package view

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// server is the API server, with the tape of what it sends.
func (p *page) server() *tree.Node {
	s, l := p.f.Server, p.l.Server
	tape := p.keep("tape", p.l, func() *tree.Node { return p.tape(l) })
	next := p.t("ui.server.none")
	switch {
	case s.Next < 0 && p.m.Cluster.Live != nil && p.m.Cluster.Live.Following:
		next = p.t("ui.server.awaited")
	case s.Next >= 0:
		next = p.tn("ui.server.next", "time", duration(s.Next))
	}
	facts := tree.El("div", "facts")
	sent := p.tn("ui.server.sent", "n", grouped(s.Sent), "total", grouped(s.Total))
	if s.Simulated {
		facts.Add(badge("simulated", p.t("ui.server.simulated")))
	}
	facts.Add(fact("resourceVersion", or(s.RV, p.t("ui.none"))))
	if s.Simulated {
		facts.Add(fact(p.t("ui.server.revision"), or(s.Revision, p.t("ui.none"))), fact(p.t("ui.server.oldest"), or(s.Oldest, p.t("ui.none"))), fact(p.t("ui.server.holds"), grouped(s.Holds)))
		sent = p.tn("ui.server.sentAll", "n", grouped(s.Sent))
		next = or(s.Message, next)
	}
	return p.station(link.StationServer, p.t("ui.server"), nil, facts, tape,
		tree.El("footer", "station-foot", tree.Text("span", "", sent), tree.Text("span", "", next)),
		tree.El("span", "port").Place(link.PlaceServer),
	)
}

func (p *page) tape(l link.Server) *tree.Node {
	tape := tree.El("ol", "tape").Attr("data-clip", "").Attr("data-flip", "").Attr("aria-label", p.t("ui.tape"))
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
			tree.Text("span", "at", clock(t.At)[3:12]),
		).Key(itoa(t.N)))
	}
	return tape
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
