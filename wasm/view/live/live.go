// Package live draws how following a cluster goes, and the dialog about it.
package live

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Strip shows in one line above the transport how following a cluster goes. Its height
// never changes. Follows says that the newest step is shown as it comes.
func Strip(w *words.Words, c *session.Cluster, follows bool, step int64) *tree.Node {
	l := c.Live
	if l == nil {
		return nil
	}
	streams := tree.El("ul", "streams").Attr("aria-label", w.T("ui.live.streams")).Attr("data-clip", "")
	for i := range l.Streams {
		s := &l.Streams[i]
		item := tree.El("li", "stream "+streamClass(s), tree.Text("b", "", s.Name), tree.Text("span", "", streamText(w, s)))
		if left := s.Until - l.Now; left > 0 && s.State == link.StreamWaiting {
			item.Add(tree.Text("span", "n", w.Tn("ui.live.retry", "time", words.Seconds(left))))
		}
		item.Add(tree.Text("span", "n", w.Tn("ui.live.events", "n", words.Grouped(s.Events))))
		if s.Detail != nil {
			item.Attr("title", w.Fault(s.Detail))
		}
		streams.Add(item.Key(s.Name))
	}
	n := tree.El("div", "strip", chip(w, c, follows, step), streams, tree.Text("span", "kept quiet", keptText(w, l, "ui.live.kept", "ui.live.whole")))
	if l.Dropped > 0 {
		n.Add(tree.Text("span", "badge waits dropped", w.Tn("ui.live.droppedShort", "n", words.Grouped(l.Dropped))).Attr("title", dropped(w, l)))
	}
	n.Add(widget.IconButton("tiny", "info", w.T("ui.live.details"), "live", ""))
	if l.Following {
		n.Add(widget.Button("tiny stop", w.T("ui.live.stop"), "unfollow", ""))
	}
	return n.Key("strip").Attr("role", "group").Attr("aria-label", w.T("ui.do.live"))
}

// chip shows whether the newest step is shown, and leads there.
func chip(w *words.Words, c *session.Cluster, follows bool, step int64) *tree.Node {
	l := c.Live
	switch behind := l.Steps - step; {
	case !l.Following:
		return tree.Text("span", "live-chip over", w.T("ui.live.over"))
	case follows:
		class := "live-chip on"
		if !slices.ContainsFunc(l.Streams, func(s link.Followed) bool { return s.State != link.StreamWaiting }) {
			class = "live-chip stalled" // every stream waits, so nothing can come
		}
		return tree.El("span", class, tree.El("i", "dot"), tree.Text("span", "", w.T("ui.live.on")))
	case behind > 0:
		return widget.Button("live-chip paused", w.Tn("ui.live.behind", "n", words.Grouped(behind)), "end", "")
	}
	return widget.Button("live-chip paused", w.T("ui.live.paused"), "end", "")
}

func streamClass(s *link.Followed) string {
	if s.State == link.StreamWaiting && s.Reason == link.ReasonExpired { // a list follows, so the stream has not failed
		return "is-" + link.StreamListing
	}
	return "is-" + s.State
}

// streamText returns why a stream waits, or else in which state it is.
func streamText(w *words.Words, s *link.Followed) string {
	if s.Reason != "" {
		return w.Named("ui.live.reason.", s.Reason)
	}
	return w.Named("ui.live.state.", s.State)
}

func followed(w *words.Words, c *session.Cluster, follows bool, step int64) *tree.Node {
	l := c.Live
	rows := tree.El("tbody", "")
	for i := range l.Streams {
		s := &l.Streams[i]
		state := tree.El("td", "", tree.Text("span", "stream "+streamClass(s), w.Named("ui.live.state.", s.State)))
		if s.Reason != "" {
			state.Add(tree.Text("p", "", w.T(reasonID(w, s.Reason))))
		}
		if left := s.Until - l.Now; left > 0 && s.State == link.StreamWaiting {
			state.Add(tree.Text("p", "quiet", w.Tn("ui.live.retry", "time", words.Seconds(left))))
		}
		if s.Detail != nil {
			state.Add(tree.Text("code", "detail", w.Fault(s.Detail)))
		}
		rows.Add(tree.El("tr", "", tree.Text("td", "", s.Name), state, tree.Text("td", "", words.Grouped(s.Events)), tree.Text("td", "", words.Grouped(s.Relists))).Key(s.Name))
	}
	n := tree.El("section", "followed", chip(w, c, follows, step),
		tree.El("table", "", tree.El("thead", "", widget.Row("th", w.T("ui.about.resource"), w.T("ui.live.state"), w.T("ui.timeline.events"), w.T("ui.live.relists"))), rows),
		tree.Text("p", "quiet", keptText(w, l, "ui.live.window", "ui.live.noWindow")))
	if l.Dropped > 0 {
		n.Add(tree.Text("p", "dropped-long", dropped(w, l)))
	}
	return n.Key("followed")
}

func reasonID(w *words.Words, reason string) string {
	if id := "ui.live.why." + reason; w.Texts[id] != "" {
		return id
	}
	return "ui.live.reason." + reason
}

// keptText returns how much is kept: with the text limited where the oldest is dropped some day, and
// with the text all where it never is.
func keptText(w *words.Words, l *link.Live, limited, all string) string {
	if l.Window == 0 {
		return w.Tn(all, "bytes", words.Weight(l.Bytes))
	}
	return w.Tn(limited, "bytes", words.Weight(l.Bytes), "window", words.Weight(l.Window))
}

// dropped returns how much of the beginning was dropped.
func dropped(w *words.Words, l *link.Live) string {
	return w.Tn("ui.live.dropped", "n", words.Grouped(l.Dropped), "time", words.Clock(l.DroppedTo)[:8])
}

// Status returns the text of the second live region. It changes only when the state of
// a stream changes.
func Status(w *words.Words, c *session.Cluster) string {
	l := c.Live
	if l == nil {
		return ""
	}
	if !l.Following {
		return w.T("ui.live.stopped")
	}
	var out []string
	for i := range l.Streams {
		s := &l.Streams[i]
		out = append(out, w.Tn("ui.live.says", "name", s.Name, "state", streamText(w, s)))
	}
	if l.Dropped > 0 {
		out = append(out, w.T("ui.live.dropping"))
	}
	return strings.Join(out, " ")
}

// clusterWays are the ways to a cluster: a command that serves the page and reaches the cluster, and
// the page's address then.
var clusterWays = []struct{ id, command, address string }{
	{"ui.live.way.serve", "informerscope serve --context NAME", ""},
	{"ui.live.way.kubectl", "kubectl proxy --www=dist --www-prefix=/ --api-prefix=/k8s/", "http://127.0.0.1:8001/"},
	{"ui.live.way.static", "kubectl proxy --www=dist", "http://127.0.0.1:8001/static/"},
}

// Dialog returns the dialog about a cluster beside the page. It shows how following goes, or
// what can be followed, or how to reach a cluster. Failed is why looking for one has failed.
func Dialog(w *words.Words, c *session.Cluster, follows bool, failed *link.Failure, step int64) []*tree.Node {
	body := tree.El("div", "dialog-body")
	if c.Live != nil {
		if !c.Live.Following {
			body.Add(tree.Text("p", "", w.T("ui.live.stopped")))
		}
		body.Add(followed(w, c, follows, step))
		if c.Live.Following {
			return []*tree.Node{body.Add(widget.Private(w, "ui.live.private")), widget.Foot(
				widget.Button("", w.T("ui.live.stop"), "unfollow", ""), widget.SaveButton(w))}
		}
	}
	found := c.Found
	switch {
	case c.Seeking || found == nil && failed == nil:
		return []*tree.Node{body.Add(tree.El("div", "looking", tree.El("div", "spinner"), tree.Text("p", "", w.T("ui.live.looking"))).Attr("role", "status"))}
	case found == nil:
		body.Add(widget.Failure(w, failed)...)
		return []*tree.Node{body, widget.Foot(widget.Button("primary", w.T("ui.live.again"), "discover", ""))}
	case !found.Found:
		return []*tree.Node{body.Add(noCluster(w, found)...), widget.Foot(widget.Button("primary", w.T("ui.live.again"), "discover", ""))}
	}
	body.Add(choice(w, c)...)
	return []*tree.Node{body.Add(widget.Private(w, "ui.live.private")), widget.Foot(
		widget.Labeled("primary", "live", w.T("ui.live.watch"), "follow", "").
			Flag("disabled", len(c.Want.Resources) == 0),
		widget.Button("", w.T("ui.live.again"), "discover", ""))}
}

func noCluster(w *words.Words, c *link.Cluster) []*tree.Node {
	out := []*tree.Node{tree.Text("p", "failure", w.T("ui.live.none")).Attr("role", "status")}
	if c.Reason != nil {
		out = append(out, tree.Text("code", "detail", w.Fault(c.Reason)))
	}
	list := tree.El("ol", "ways")
	for _, x := range clusterWays {
		item := tree.El("li", "", tree.Text("p", "", w.T(x.id)), widget.Command(x.command))
		if x.address != "" {
			item.Add(tree.El("p", "quiet", tree.Text("span", "", w.T("ui.live.thenOpen")), widget.Command(x.address)))
		}
		list.Add(item)
	}
	return append(out, tree.Text("p", "", w.T("ui.live.how")), list, tree.Text("p", "quiet", w.T("ui.live.whyBeside")))
}

// choice lets the viewer choose what to follow.
func choice(w *words.Words, c *session.Cluster) []*tree.Node {
	facts := tree.El("div", "facts", widget.Fact(w.T("ui.about.server"), words.FirstNonEmpty(c.Found.Server, w.T("ui.about.unknown"))))
	if c.Found.Context != "" {
		facts.Add(widget.Fact(w.T("ui.live.context"), c.Found.Context))
	}
	if c.Found.Proxy != "" {
		facts.Add(widget.Fact(w.T("ui.live.proxy"), c.Found.Proxy))
	}
	full := len(c.Want.Resources) >= link.MaxFollowed
	list := tree.El("ul", "watchables")
	shown := 0
	for _, x := range c.Found.Resources {
		on := c.Chosen(x.Name)
		if !on && !matches(x, c.Filter) {
			continue
		}
		shown++
		box := widget.Check("want", x.Name, x.Name, on, full && !on).Add(tree.Text("span", "quiet", x.Kind))
		list.Add(tree.El("li", "", box).Key(x.Name))
	}
	if shown == 0 {
		list.Add(tree.Text("li", "quiet", w.T("ui.live.noMatch")).Key(" "))
	}
	chosen := tree.El("p", "chosen").Attr("aria-live", "polite").
		Add(tree.Text("span", "quiet", w.Tn("ui.live.chosen", "n", words.Grouped(len(c.Want.Resources)), "max", words.Grouped(link.MaxFollowed))))
	if full {
		chosen.Add(tree.Text("span", "quiet", w.T("ui.live.full")))
	}
	return []*tree.Node{facts,
		tree.El("fieldset", "", tree.Text("legend", "", w.T("ui.live.resources")), widget.Field("editWant", "search", "filter", w.T("ui.live.filter"), c.Filter, ""), list, chosen),
		tree.El("fieldset", "", tree.Text("legend", "", w.T("ui.live.narrow")),
			tree.El("div", "setup-fields",
				widget.Field("editWant", "text", "namespace", w.T("ui.live.namespace"), c.Want.Namespace, ""),
				widget.Field("editWant", "text", "selector", w.T("ui.live.selector"), c.Want.Selector, "")),
			widget.Check("editWant", "streaming", w.T("ui.live.streaming"), c.Want.Streaming, false).Add(tree.Text("span", "quiet", w.T("ui.live.streaming.why"))))}
}

// matches reports whether a resource's name or kind contains what was typed.
func matches(w link.Watchable, typed string) bool {
	typed = strings.ToLower(typed)
	return strings.Contains(w.Name, typed) || strings.Contains(strings.ToLower(w.Kind), typed)
}
