package live

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

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
		tree.El("button", "button primary", widget.Icon("live"), tree.Text("span", "", w.T("ui.live.watch"))).Attr("type", "button").Act("follow", "").
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
