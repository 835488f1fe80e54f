package view

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// strip says in one line above the transport how following a cluster goes. Its height
// never changes.
func (p *page) strip() *tree.Node {
	l := p.m.Cluster.Live
	if l == nil {
		return nil
	}
	streams := tree.El("ul", "streams").Attr("aria-label", p.w.T("ui.live.streams")).Attr("data-clip", "")
	for i := range l.Streams {
		s := &l.Streams[i]
		says := p.w.Named("ui.live.state.", s.State)
		if s.Reason != "" {
			says = p.w.Named("ui.live.reason.", s.Reason)
		}
		item := tree.El("li", "stream "+streamClass(s), tree.Text("b", "", s.Name), tree.Text("span", "", says))
		if left := s.Until - l.Now; left > 0 && s.State == link.StreamWaiting {
			item.Add(tree.Text("span", "n", p.w.Tn("ui.live.retry", "time", words.Seconds(left))))
		}
		item.Add(tree.Text("span", "n", p.w.Tn("ui.live.events", "n", words.Grouped(s.Events))))
		if s.Why != nil {
			item.Attr("title", p.w.Why(s.Why))
		}
		streams.Add(item.Key(s.Name))
	}
	n := tree.El("div", "strip", p.liveChip(), streams, tree.Text("span", "kept quiet", p.w.Tn("ui.live.kept", "bytes", words.Weight(l.Bytes), "window", words.Weight(l.Window))))
	if l.Dropped > 0 {
		n.Add(tree.Text("span", "badge waits dropped", p.w.Tn("ui.live.droppedShort", "n", words.Grouped(l.Dropped))).Attr("title", p.dropped()))
	}
	n.Add(widget.IconButton("tiny", "info", p.w.T("ui.live.details"), "live", ""))
	if l.Following {
		n.Add(widget.Button("tiny stop", p.w.T("ui.live.stop"), "unfollow", ""))
	}
	return n.Key("strip").Attr("role", "group").Attr("aria-label", p.w.T("ui.do.live"))
}

// liveChip says whether the newest step is shown, and leads there.
func (p *page) liveChip() *tree.Node {
	m, l := p.m, p.m.Cluster.Live
	switch behind := l.Steps - p.f.Step; {
	case !l.Following:
		return tree.Text("span", "live-chip over", p.w.T("ui.live.over"))
	case m.Cluster.Following:
		class := "live-chip on"
		if !slices.ContainsFunc(l.Streams, func(s link.Followed) bool { return s.State != link.StreamWaiting }) {
			class = "live-chip stalled" // every stream waits, so nothing can come
		}
		return tree.El("span", class, tree.El("i", "dot"), tree.Text("span", "", p.w.T("ui.live.on")))
	case behind > 0:
		return widget.Button("live-chip paused", p.w.Tn("ui.live.behind", "n", words.Grouped(behind)), "end", "")
	}
	return widget.Button("live-chip paused", p.w.T("ui.live.paused"), "end", "")
}

func streamClass(s *link.Followed) string {
	if s.State == link.StreamWaiting && s.Reason == link.ReasonExpired { // a list follows, so the stream has not failed
		return "is-" + link.StreamListing
	}
	return "is-" + s.State
}

// followed says in a table how following a cluster goes.
func (p *page) followed() *tree.Node {
	l := p.m.Cluster.Live
	rows := tree.El("tbody", "")
	for i := range l.Streams {
		s := &l.Streams[i]
		state := tree.El("td", "", tree.Text("span", "stream "+streamClass(s), p.w.Named("ui.live.state.", s.State)))
		if s.Reason != "" {
			state.Add(tree.Text("p", "", p.w.T(p.reasonID(s.Reason))))
		}
		if left := s.Until - l.Now; left > 0 && s.State == link.StreamWaiting {
			state.Add(tree.Text("p", "quiet", p.w.Tn("ui.live.retry", "time", words.Seconds(left))))
		}
		if s.Why != nil {
			state.Add(tree.Text("code", "detail", p.w.Why(s.Why)))
		}
		rows.Add(tree.El("tr", "", tree.Text("td", "", s.Name), state, tree.Text("td", "", words.Grouped(s.Events)), tree.Text("td", "", words.Grouped(s.Relists))).Key(s.Name))
	}
	n := tree.El("section", "followed", p.liveChip(),
		tree.El("table", "", tree.El("thead", "", widget.Row("th", p.w.T("ui.about.resource"), p.w.T("ui.live.state"), p.w.T("ui.timeline.events"), p.w.T("ui.live.relists"))), rows),
		tree.Text("p", "quiet", p.w.Tn("ui.live.window", "bytes", words.Weight(l.Bytes), "window", words.Weight(l.Window))))
	if l.Dropped > 0 {
		n.Add(tree.Text("p", "dropped-long", p.dropped()))
	}
	return n.Key("followed")
}

func (p *page) reasonID(reason string) string {
	if id := "ui.live.why." + reason; p.w.Texts[id] != "" {
		return id
	}
	return "ui.live.reason." + reason
}

// dropped says how much of the beginning was dropped.
func (p *page) dropped() string {
	l := p.m.Cluster.Live
	return p.w.Tn("ui.live.dropped", "n", words.Grouped(l.Dropped), "time", words.Clock(l.DroppedTo)[:8])
}

// liveSays is the text of the second live region. It changes only when the state of
// a stream changes.
func (p *page) liveSays() string {
	l := p.m.Cluster.Live
	if l == nil {
		return ""
	}
	if !l.Following {
		return p.w.T("ui.live.stopped")
	}
	var out []string
	for i := range l.Streams {
		s := &l.Streams[i]
		says := p.w.Named("ui.live.state.", s.State)
		if s.Reason != "" {
			says = p.w.Named("ui.live.reason.", s.Reason)
		}
		out = append(out, p.w.Tn("ui.live.says", "name", s.Name, "state", says))
	}
	if l.Dropped > 0 {
		out = append(out, p.w.T("ui.live.dropping"))
	}
	return strings.Join(out, " ")
}
