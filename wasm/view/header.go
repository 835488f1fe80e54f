package view

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/live"
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
		tools.Add(live.Button(p.w, &m.Cluster), widget.SaveButton(p.w).Attr("title", p.w.T("ui.do.save")).Flag("disabled", m.Open.Trace == nil))
	}
	tools.Add(widget.IconButton("", "link", p.w.T("ui.do.link"), "link", "").Flag("disabled", m.Stage.Frame == nil))
	h := tree.El("header", "top", tree.El("h1", "brand", widget.Logo(), tree.Text("span", "", "informerscope")), source, tools, p.informers())
	if m.Open.Trace != nil && !m.Open.Trace.Script {
		h.Add(widget.Profiles(p.w, m.Open.Trace))
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

// courseButton leads to the list of lessons.
func (p *page) courseButton() *tree.Node {
	return tree.El("button", "button course-button", widget.Icon("learn"), tree.Text("span", "", p.w.T("ui.learn"))).Attr("type", "button").Act("course", "").
		Attr("title", p.w.T("ui.do.course"))
}

// scriptsButton leads to the library.
func (p *page) scriptsButton() *tree.Node {
	return tree.El("button", "button scripts", widget.Icon("script"), tree.Text("span", "", p.w.T("ui.scripts"))).Attr("type", "button").Act("scripts", "").
		Attr("title", p.w.T("ui.do.scripts"))
}

// aboutButton opens the dialog about the trace, and shows how many remarks and problems there are.
func (p *page) aboutButton() *tree.Node {
	o := p.m.Open.Trace
	if o == nil {
		return widget.IconButton("", "info", p.w.T("ui.do.about"), "about", "").Flag("disabled", true)
	}
	n := len(o.Remarks) + max(int(o.Places), len(o.Problems))
	if n == 0 {
		return widget.IconButton("", "info", p.w.T("ui.do.about"), "about", "")
	}
	b := widget.IconButton("counted", "info", p.w.T("ui.do.about")+": "+p.w.Tn("ui.about.count", "n", words.Grouped(n)), "about", "")
	return b.Add(tree.Text("span", "count", words.Grouped(n)).Attr("aria-hidden", "true"))
}
