package view

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// header returns the bar: how to learn, open and share, what is open, and what concerns the whole page.
func (p *page) header() *tree.Node {
	m := p.m
	h := tree.El("header", "top", tree.El("h1", "brand", widget.Logo(), tree.Text("span", "", "informerscope")),
		tree.El("div", "tools", p.courseButton(), p.openMenu(), p.shareMenu(), p.cardButton()), p.source(), p.informers())
	if m.Open.Trace != nil && !m.Open.Trace.Script {
		h.Add(widget.Profiles(p.w, m.Open.Trace, widget.Chosen(p.w, m.Open.Trace, m.Open.Source.IsViewers())))
	}
	switch {
	case m.Open.Loading:
		h.Add(p.progress(&m.Open.Progress))
	case m.Open.Rereading != nil:
		h.Add(p.progress(m.Open.Rereading))
	}
	langs := tree.El("select", "").Act("lang", "").Attr("aria-label", p.w.T("ui.language"))
	for _, l := range session.Languages {
		langs.Add(tree.Text("option", "", l.Name).Attr("value", l.Code).Attr("lang", l.Code))
	}
	return h.Add(tree.El("span", "spring"), tree.El("label", "lang", langs.Prop("value", m.Settings.Lang)), p.fullButton(),
		widget.IconButton("", "theme", p.w.T("ui.do.theme"), "theme", ""),
		widget.IconButton("", "help", p.w.T("ui.do.help"), "help", ""))
}

// source names what is open, and tells about it: how many remarks and problems there are is beside
// the name.
func (p *page) source() *tree.Node {
	name := words.FirstNonEmpty(p.m.Open.Name, p.w.T("ui.pasted"))
	b := widget.Action("button source", "about", "", widget.Icon("info"), tree.Text("span", "source-name", name)).
		Attr("title", p.w.T("ui.do.about"))
	says, o := p.w.T("ui.do.about"), p.m.Open.Trace
	if o != nil {
		if n := len(o.Remarks) + max(int(o.Places), len(o.Problems)); n > 0 {
			b.Add(tree.Text("span", "count", words.Grouped(n)).Attr("aria-hidden", "true"))
			says += ": " + p.w.Tn("ui.about.count", "n", words.Grouped(n))
		}
	}
	return b.Add(tree.Text("span", "visually-hidden", says)).Flag("disabled", o == nil)
}

// The menus of the bar, as hands.Model.Menu has them.
const (
	openMenu  = "open"
	shareMenu = "share"
)

// openMenu shows the ways to open something.
func (p *page) openMenu() *tree.Node {
	return p.menuOf(openMenu, "open", []string{"open", "live", "scripts", "bundled"})
}

// shareMenu shows the ways to hand on what is shown.
func (p *page) shareMenu() *tree.Node {
	return p.menuOf(shareMenu, "save", []string{"link", "embed", "picture", "save"})
}

// menuOf returns a menu of the bar with the commands that can be given now.
func (p *page) menuOf(name, icon string, commands []string) *tree.Node {
	commands = slices.DeleteFunc(commands, func(c string) bool { return !p.m.Can(c) })
	says := p.w.T("ui.bar." + name)
	var list *tree.Node
	if p.m.Hands.Menu == name {
		list = widget.MenuList(says)
		for _, c := range commands {
			list.Add(widget.MenuItem(p.w.T("ui.do."+c), p.w.Shortcut(c), c, "").Key(c))
		}
	}
	b := widget.Action("button", "menu", name, widget.Icon(icon), tree.Text("span", "", says), widget.Icon("down")).Attr("title", says).Flag("disabled", len(commands) == 0)
	return widget.Menu("menu bar-menu", b, list)
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
	if g.Done > 0 { // bytes: how many events that are is said where they are shown
		says = p.w.Tn("ui.loading."+words.FirstNonEmpty(string(g.Phase), string(link.Reading)), "size", words.Weight(g.Done))
	}
	return tree.El("div", "progress", bar, tree.Text("span", "", says), widget.Button("tiny", p.w.T("ui.cancel"), "cancel", "")).Key("progress")
}

// cardButton leads from the machine to the report card of the capture, and back. Its argument keeps the focus off the
// button that leads back, where Space would press it and not play.
func (p *page) cardButton() *tree.Node {
	switch {
	case !p.m.HasCard():
		return nil
	case p.m.OnCard():
		return widget.Labeled("", "find", p.w.T("ui.card.machine"), "card", "machine").Attr("title", p.w.T("ui.card.machine")).Key("to machine")
	}
	return widget.IconButton("", "card", p.w.T("ui.card.report"), "card", "").Key("to card")
}

// fullButton leads to the full microscope, or back from it.
func (p *page) fullButton() *tree.Node {
	if !p.m.Can("full") || p.m.OnCard() {
		return nil
	}
	id := "ui.full.loop"
	switch {
	case p.m.Lesson.Learning == nil:
	case p.m.Whole:
		id = "ui.full.lesson"
	default:
		id = "loop.full"
	}
	return widget.Button("full", p.w.T(id), "full", "").Attr("title", p.w.Title("full"))
}

// courseButton leads to the list of lessons.
func (p *page) courseButton() *tree.Node {
	return widget.Labeled("course-button", "learn", p.w.T("ui.learn"), "course", "").
		Attr("title", p.w.T("ui.do.course"))
}
