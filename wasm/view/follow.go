package view

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// strip says in one line above the transport how following a cluster goes. Its height
// never changes.
func (p *page) strip() *tree.Node {
	l := p.m.Cluster.Live
	if l == nil {
		return nil
	}
	streams := tree.El("ul", "streams").Attr("aria-label", p.t("ui.live.streams")).Attr("data-clip", "")
	for i := range l.Streams {
		s := &l.Streams[i]
		says := p.named("ui.live.state.", s.State)
		if s.Reason != "" {
			says = p.named("ui.live.reason.", s.Reason)
		}
		item := tree.El("li", "stream "+streamClass(s), tree.Text("b", "", s.Name), tree.Text("span", "", says))
		if left := s.Until - l.Now; left > 0 && s.State == link.StreamWaiting {
			item.Add(tree.Text("span", "n", p.tn("ui.live.retry", "time", seconds(left))))
		}
		item.Add(tree.Text("span", "n", p.tn("ui.live.events", "n", grouped(s.Events))))
		if s.Why != nil {
			item.Attr("title", p.why(s.Why))
		}
		streams.Add(item.Key(s.Name))
	}
	n := tree.El("div", "strip", p.liveChip(), streams, tree.Text("span", "kept quiet", p.tn("ui.live.kept", "bytes", weight(l.Bytes), "window", weight(l.Window))))
	if l.Dropped > 0 {
		n.Add(tree.Text("span", "badge waits dropped", p.tn("ui.live.droppedShort", "n", grouped(l.Dropped))).Attr("title", p.dropped()))
	}
	n.Add(iconButton("tiny", "info", p.t("ui.live.details"), "live", ""))
	if l.Following {
		n.Add(button("tiny stop", p.t("ui.live.stop"), "unfollow", ""))
	}
	return n.Key("strip").Attr("role", "group").Attr("aria-label", p.t("ui.do.live"))
}

// liveChip says whether the newest step is shown, and leads there.
func (p *page) liveChip() *tree.Node {
	m, l := p.m, p.m.Cluster.Live
	switch behind := l.Steps - p.f.Step; {
	case !l.Following:
		return tree.Text("span", "live-chip over", p.t("ui.live.over"))
	case m.Cluster.Following:
		class := "live-chip on"
		if !slices.ContainsFunc(l.Streams, func(s link.Followed) bool { return s.State != link.StreamWaiting }) {
			class = "live-chip stalled" // every stream waits, so nothing can come
		}
		return tree.El("span", class, tree.El("i", "dot"), tree.Text("span", "", p.t("ui.live.on")))
	case behind > 0:
		return button("live-chip paused", p.tn("ui.live.behind", "n", grouped(behind)), "end", "")
	}
	return button("live-chip paused", p.t("ui.live.paused"), "end", "")
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
		state := tree.El("td", "", tree.Text("span", "stream "+streamClass(s), p.named("ui.live.state.", s.State)))
		if s.Reason != "" {
			state.Add(tree.Text("p", "", p.t(p.reasonID(s.Reason))))
		}
		if left := s.Until - l.Now; left > 0 && s.State == link.StreamWaiting {
			state.Add(tree.Text("p", "quiet", p.tn("ui.live.retry", "time", seconds(left))))
		}
		if s.Why != nil {
			state.Add(tree.Text("code", "detail", p.why(s.Why)))
		}
		rows.Add(tree.El("tr", "", tree.Text("td", "", s.Name), state, tree.Text("td", "", grouped(s.Events)), tree.Text("td", "", grouped(s.Relists))).Key(s.Name))
	}
	n := tree.El("section", "followed", p.liveChip(),
		tree.El("table", "", tree.El("thead", "", tr("th", p.t("ui.about.resource"), p.t("ui.live.state"), p.t("ui.timeline.events"), p.t("ui.live.relists"))), rows),
		tree.Text("p", "quiet", p.tn("ui.live.window", "bytes", weight(l.Bytes), "window", weight(l.Window))))
	if l.Dropped > 0 {
		n.Add(tree.Text("p", "dropped-long", p.dropped()))
	}
	return n.Key("followed")
}

func (p *page) reasonID(reason string) string {
	if id := "ui.live.why." + reason; p.m.Settings.Words[id] != "" {
		return id
	}
	return "ui.live.reason." + reason
}

// dropped says how much of the beginning was dropped.
func (p *page) dropped() string {
	l := p.m.Cluster.Live
	return p.tn("ui.live.dropped", "n", grouped(l.Dropped), "time", clock(l.DroppedTo)[:8])
}

// liveSays is the text of the second live region. It changes only when the state of
// a stream changes.
func (p *page) liveSays() string {
	l := p.m.Cluster.Live
	if l == nil {
		return ""
	}
	if !l.Following {
		return p.t("ui.live.stopped")
	}
	var out []string
	for i := range l.Streams {
		s := &l.Streams[i]
		says := p.named("ui.live.state.", s.State)
		if s.Reason != "" {
			says = p.named("ui.live.reason.", s.Reason)
		}
		out = append(out, p.tn("ui.live.says", "name", s.Name, "state", says))
	}
	if l.Dropped > 0 {
		out = append(out, p.t("ui.live.dropping"))
	}
	return strings.Join(out, " ")
}

// seconds writes a remaining time in whole seconds, since it is said about once a second.
func seconds(ns int64) string { return duration((ns + 999_999_999) / 1e9 * 1e9) }
