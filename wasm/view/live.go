package view

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// The ways to a cluster: a command that serves the page and reaches the cluster, and
// the page's address then.
var ways = []struct{ id, command, address string }{
	{"ui.live.way.serve", "informerscope serve --context NAME", ""},
	{"ui.live.way.kubectl", "kubectl proxy --www=dist --www-prefix=/ --api-prefix=/k8s/", "http://127.0.0.1:8001/"},
	{"ui.live.way.static", "kubectl proxy --www=dist", "http://127.0.0.1:8001/static/"},
}

// live is the dialog about a cluster beside the page. It shows how following goes, or
// what can be followed, or how to reach a cluster.
func (p *page) live() []*tree.Node {
	m := p.m
	body := tree.El("div", "dialog-body")
	if m.Cluster.Live != nil {
		if !m.Cluster.Live.Following {
			body.Add(tree.Text("p", "", p.w.T("ui.live.stopped")))
		}
		body.Add(p.followed())
		if m.Cluster.Live.Following {
			return []*tree.Node{body.Add(widget.Private(p.w, "ui.live.private")), widget.Foot(
				widget.Button("", p.w.T("ui.live.stop"), "unfollow", ""), widget.SaveButton(p.w))}
		}
	}
	c := m.Cluster.Found
	switch {
	case m.Cluster.Seeking || c == nil && m.Open.Failure == nil:
		return []*tree.Node{body.Add(tree.El("div", "looking", tree.El("div", "spinner"), tree.Text("p", "", p.w.T("ui.live.looking"))).Attr("role", "status"))}
	case c == nil:
		body.Add(widget.Failure(p.w, m.Open.Failure)...)
		return []*tree.Node{body, widget.Foot(widget.Button("primary", p.w.T("ui.live.again"), "discover", ""))}
	case !c.Found:
		return []*tree.Node{body.Add(p.noCluster(c)...), widget.Foot(widget.Button("primary", p.w.T("ui.live.again"), "discover", ""))}
	}
	body.Add(p.choice(c)...)
	return []*tree.Node{body.Add(widget.Private(p.w, "ui.live.private")), widget.Foot(
		tree.El("button", "button primary", widget.Icon("live"), tree.Text("span", "", p.w.T("ui.live.watch"))).Attr("type", "button").Act("follow", "").
			Flag("disabled", len(m.Cluster.Want.Resources) == 0),
		widget.Button("", p.w.T("ui.live.again"), "discover", ""))}
}

// noCluster says what to do if no cluster was found.
func (p *page) noCluster(c *link.Cluster) []*tree.Node {
	out := []*tree.Node{tree.Text("p", "failure", p.w.T("ui.live.none")).Attr("role", "status")}
	if c.Why != nil {
		out = append(out, tree.Text("code", "detail", p.w.Why(c.Why)))
	}
	list := tree.El("ol", "ways")
	for _, w := range ways {
		item := tree.El("li", "", tree.Text("p", "", p.w.T(w.id)), widget.Command(w.command))
		if w.address != "" {
			item.Add(tree.El("p", "quiet", tree.Text("span", "", p.w.T("ui.live.thenOpen")), widget.Command(w.address)))
		}
		list.Add(item)
	}
	return append(out, tree.Text("p", "", p.w.T("ui.live.how")), list, tree.Text("p", "quiet", p.w.T("ui.live.whyBeside")))
}

// choice lets the viewer choose what to follow.
func (p *page) choice(c *link.Cluster) []*tree.Node {
	m := p.m
	facts := tree.El("div", "facts", widget.Fact(p.w.T("ui.about.server"), words.Or(c.Server, p.w.T("ui.about.unknown"))))
	if c.Context != "" {
		facts.Add(widget.Fact(p.w.T("ui.live.context"), c.Context))
	}
	if c.Proxy != "" {
		facts.Add(widget.Fact(p.w.T("ui.live.proxy"), c.Proxy))
	}
	full := len(m.Cluster.Want.Resources) >= link.MaxFollowed
	list := tree.El("ul", "watchables")
	shown := 0
	for _, w := range c.Resources {
		on := m.Cluster.Wants(w.Name)
		if !on && !matches(w, m.Cluster.Filter) {
			continue
		}
		shown++
		box := widget.Check("want", w.Name, w.Name, on, full && !on).Add(tree.Text("span", "quiet", w.Kind))
		list.Add(tree.El("li", "", box).Key(w.Name))
	}
	if shown == 0 {
		list.Add(tree.Text("li", "quiet", p.w.T("ui.live.noMatch")).Key(" "))
	}
	chosen := tree.El("p", "chosen").Attr("aria-live", "polite").
		Add(tree.Text("span", "quiet", p.w.Tn("ui.live.chosen", "n", words.Grouped(len(m.Cluster.Want.Resources)), "max", words.Grouped(link.MaxFollowed))))
	if full {
		chosen.Add(tree.Text("span", "quiet", p.w.T("ui.live.full")))
	}
	return []*tree.Node{facts,
		tree.El("fieldset", "", tree.Text("legend", "", p.w.T("ui.live.resources")), widget.Field("editWant", "search", "filter", p.w.T("ui.live.filter"), m.Cluster.Filter, ""), list, chosen),
		tree.El("fieldset", "", tree.Text("legend", "", p.w.T("ui.live.narrow")),
			tree.El("div", "setup-fields",
				widget.Field("editWant", "text", "namespace", p.w.T("ui.live.namespace"), m.Cluster.Want.Namespace, ""),
				widget.Field("editWant", "text", "selector", p.w.T("ui.live.selector"), m.Cluster.Want.Selector, "")),
			widget.Check("editWant", "streaming", p.w.T("ui.live.streaming"), m.Cluster.Want.Streaming, false).Add(tree.Text("span", "quiet", p.w.T("ui.live.streaming.why"))))}
}

// matches reports whether a resource's name or kind contains what was typed.
func matches(w link.Watchable, typed string) bool {
	typed = strings.ToLower(typed)
	return strings.Contains(w.Name, typed) || strings.Contains(strings.ToLower(w.Kind), typed)
}
