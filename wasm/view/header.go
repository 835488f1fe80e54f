package view

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// header names what is open, and has the controls that concern the whole page.
func (p *page) header() *tree.Node {
	m := p.m
	name := tree.Text("span", "source-name", words.Or(m.Open.Name, p.w.T("ui.pasted")))
	source := tree.El("span", "source", name)
	tools := tree.El("div", "tools", p.courseButton(), p.aboutButton(), p.scriptsButton())
	if !m.Site.Embedded {
		source = tree.El("button", "button source", widget.Icon("open"), name).
			Attr("type", "button").Act("open", "").Attr("title", p.w.T("ui.do.open")).Attr("aria-label", p.w.T("ui.do.open")+": "+words.Or(m.Open.Name, p.w.T("ui.pasted")))
		tools.Add(p.liveButton(), widget.SaveButton(p.w).Attr("title", p.w.T("ui.do.save")).Flag("disabled", m.Open.Trace == nil))
	}
	tools.Add(widget.IconButton("", "link", p.w.T("ui.do.link"), "link", "").Flag("disabled", m.Stage.Frame == nil))
	h := tree.El("header", "top", tree.El("h1", "brand", widget.Logo(), tree.Text("span", "", "informerscope")), source, tools, p.informers())
	if m.Open.Trace != nil && !m.Open.Trace.Script {
		h.Add(p.profiles())
	}
	switch {
	case m.Open.Loading:
		h.Add(p.progress(&m.Open.Progress))
	case m.Open.Rereading != nil:
		h.Add(p.progress(m.Open.Rereading))
	}
	langs := tree.El("div", "segments").Attr("role", "group").Attr("aria-label", p.w.T("ui.language"))
	for _, l := range session.Languages {
		langs.Add(widget.Button("segment", l.Name, "lang", l.Code).Is("aria-pressed", m.Settings.Lang == l.Code).Attr("lang", l.Code))
	}
	return h.Add(tree.El("span", "spring"), langs,
		widget.IconButton("", "theme", p.w.T("ui.do.theme"), "theme", ""),
		widget.IconButton("", "command", p.w.T("ui.do.palette"), "palette", "").Attr("title", p.w.Title("palette")),
		widget.IconButton("", "help", p.w.T("ui.do.help"), "help", ""))
}

func (p *page) informers() *tree.Node {
	o := p.m.Open.Trace
	if o == nil || len(o.Informers) == 0 {
		return nil
	}
	list := tree.El("select", "").Act("informer", "").Attr("aria-label", p.w.T("ui.informer"))
	for i, x := range o.Informers {
		name := x.Name
		if x.Version != "" {
			name += " " + x.Version
		}
		list.Add(tree.Text("option", "", name+" · "+words.Grouped(x.Events)).Attr("value", strconv.Itoa(i)))
	}
	return tree.El("label", "informer", tree.Text("span", "", p.w.T("ui.informer")), list.Prop("value", strconv.Itoa(o.Informer)))
}

// profiles is the choice of a version of client-go. Its title says what that version
// has changed.
func (p *page) profiles() *tree.Node {
	o := p.m.Open.Trace
	list := tree.El("select", "").Act("profile", "").Attr("aria-label", p.w.T("ui.profile.title"))
	for _, x := range o.Profiles {
		list.Add(tree.Text("option", "", "client-go "+x.Versions).Attr("value", x.Name))
	}
	return tree.El("label", "profile", list.Prop("value", o.Setup.Profile)).Attr("title", p.changed(o.Setup.Profile))
}

// changed says what the versions of client-go with that profile have changed.
func (p *page) changed(profile string) string {
	name := words.Or(profile, "classic")
	return p.w.Tn("profile."+name, "versions", p.versions(name))
}

// versions are those of client-go that a profile stands for, "" for an unknown one.
func (p *page) versions(profile string) string {
	for _, x := range p.m.Open.Trace.Profiles {
		if x.Name == profile {
			return x.Versions
		}
	}
	return ""
}

// progress tells how far reading and running are. The viewer can cancel them.
func (p *page) progress(g *link.Progress) *tree.Node {
	bar := tree.El("progress", "").Attr("aria-label", p.w.T("ui.loading"))
	if g.Total > 0 {
		bar.Attr("max", "1000").Attr("value", words.Itoa(min(1000, g.Done*1000/g.Total)))
	}
	says := p.w.T("ui.loading")
	if g.Records > 0 {
		says = p.w.Tn("ui.loading."+words.Or(string(g.Phase), string(link.Reading)), "n", words.Grouped(g.Records))
	}
	return tree.El("div", "progress", bar, tree.Text("span", "", says), widget.Button("tiny", p.w.T("ui.cancel"), "cancel", "")).Key("progress")
}

// notice says above the stage what went wrong, where, and what to do. The stage can
// still be used.
func (p *page) notice() *tree.Node {
	m := p.m
	if m.Open.Died != "" {
		return tree.El("div", "notice bad", tree.Text("p", "", p.w.T("ui.died")), tree.Text("p", "quiet", m.Open.Died), widget.Button("primary", p.w.T("ui.restart"), "restart", "")).
			Attr("role", "alert").Key("notice")
	}
	if m.Stage.Frame == nil {
		return nil
	}
	if m.Open.Failure != nil {
		return tree.El("div", "notice").Add(widget.Failure(p.w, m.Open.Failure)...).Add(widget.IconButton("tiny", "close", p.w.T("ui.do.close"), "close", "")).
			Attr("role", "alert").Key("notice")
	}
	o := m.Open.Trace
	if o == nil || m.Open.Noticed {
		return nil
	}
	more := widget.Button("tiny link", p.w.T("ui.about.all"), "about", "")
	away := widget.IconButton("tiny", "close", p.w.T("ui.do.close"), "notice", "")
	switch {
	case len(o.Problems) > 0:
		return tree.El("div", "notice").Add(widget.Failure(p.w, &o.Problems[0])...).Add(p.damage(), more, away).Attr("role", "alert").Key("notice")
	case len(o.Remarks) > 0:
		n := tree.El("div", "notice note", widget.Icon("info"), tree.Text("p", "", p.remark(o.Remarks[0])))
		if others := len(o.Remarks) - 1; others > 0 {
			n.Add(tree.Text("span", "quiet", p.w.Tn("ui.more", "n", words.Grouped(others))))
		}
		return n.Add(more, away).Attr("role", "status").Key("notice")
	}
	return nil
}

// curtain covers an empty stage, and says why it is empty.
func (p *page) curtain() *tree.Node {
	m := p.m
	c := tree.El("div", "curtain").Key("curtain")
	switch {
	case m.Open.Died != "":
		return nil
	case m.Open.Failure != nil:
		box := tree.El("div", "curtain-box", widget.Icon("file"))
		box.Add(widget.Failure(p.w, m.Open.Failure)...)
		box.Add(p.howTo())
		return c.Add(box)
	case m.Open.Loading:
		return c.Add(tree.El("div", "curtain-box", tree.El("div", "spinner"), tree.Text("p", "", p.w.T("ui.loading")), tree.Text("p", "quiet", m.Open.Name)))
	}
	return c.Add(tree.El("div", "curtain-box", widget.Icon("file"), tree.Text("p", "", p.w.T("ui.empty")), p.howTo()))
}

// kubectl is a command that makes a capture with what everyone has.
const kubectl = "kubectl get pods -w --output-watch-events -o json > pods.json"

// record is a command that makes a trace with lists, times and several resources.
const record = "informerscope record -o cluster.trace.jsonl.gz pods deployments.apps"

func (p *page) howTo() *tree.Node {
	if p.m.Site.Embedded {
		return widget.Button("", p.w.T("ui.bundled"), "bundled", "")
	}
	return tree.El("div", "how-to",
		tree.Text("p", "", p.w.T("ui.howTo")),
		tree.El("dl", "ways",
			tree.Text("dt", "", p.w.T("ui.howTo.kubectl")), tree.El("dd", "", widget.Command(kubectl)),
			tree.Text("dt", "", p.w.T("ui.howTo.record")), tree.El("dd", "", widget.Command(record)),
			tree.Text("dt", "", p.w.T("ui.howTo.live")), tree.El("dd", "", widget.Button("", p.w.T("ui.do.live"), "live", ""))),
		tree.El("p", "buttons", widget.Button("primary", p.w.T("ui.do.open"), "open", ""), widget.Button("", p.w.T("ui.bundled"), "bundled", "")),
		widget.Private(p.w, "ui.private"))
}

// liveButton opens the dialog about a cluster, and shows whether one is followed.
func (p *page) liveButton() *tree.Node {
	class := "button live"
	if p.m.Cluster.Live != nil && p.m.Cluster.Live.Following {
		class += " on"
	}
	return tree.El("button", class, widget.Icon("live"), tree.Text("span", "", p.w.T("ui.live"))).Attr("type", "button").Act("live", "").
		Attr("title", p.w.T("ui.do.live"))
}
