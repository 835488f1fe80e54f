package view

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
)

// dialog is the dialog that is open, or nil. All dialogs are one element, so that one
// can lead to another, and the browser still knows what had the focus before.
func (p *page) dialog() *tree.Node {
	m := p.m
	switch {
	case m.Dialog == "help":
		return p.front(p.t("ui.keys"), p.help())
	case m.Dialog == "about" && m.Opened != nil:
		return p.front(p.t("ui.do.about"), p.about()...)
	case m.Dialog == "live":
		return p.front(p.t("ui.do.live"), p.live()...)
	case m.Dialog == "course":
		return p.front(p.t("ui.do.course"), p.course()...)
	case m.Dialog == "goTo":
		return p.front(p.t("ui.do.goTo"), p.goTo()...)
	case m.Dialog == "expressions":
		return p.front(p.t("ui.expr.help"), p.expressions()...)
	case m.Dialog == "scripts":
		return p.front(p.t("ui.do.scripts"), p.scripts()...)
	case m.Dialog == "save":
		return p.front(p.t("ui.do.save"), p.save()...)
	}
	return tree.El("dialog", "dialog")
}

// front is an open dialog: its title, its content, which scrolls, and perhaps a row
// of buttons below.
func (p *page) front(title string, content ...*tree.Node) *tree.Node {
	head := tree.El("header", "dialog-head", tree.Text("h2", "", title), iconButton("tiny", "close", p.t("ui.do.close"), "close", ""))
	return tree.El("dialog", "dialog is-"+p.m.Dialog, head).Add(content...).Attr("aria-label", title).Attr("data-modal", "")
}

// foot is the row of buttons under a dialog.
func foot(buttons ...*tree.Node) *tree.Node {
	return tree.El("footer", "dialog-foot", buttons...)
}

// help is the list of keys.
func (p *page) help() *tree.Node {
	groups := tree.El("div", "key-groups")
	for _, g := range session.Groups {
		list := tree.El("dl", "")
		for _, c := range g.Commands {
			keys := tree.El("dt", "")
			for _, k := range c.Show {
				keys.Add(tree.Text("kbd", "", k))
			}
			list.Add(keys, tree.Text("dd", "", p.t("ui.do."+c.Name)))
		}
		groups.Add(tree.El("section", "", tree.Text("h3", "", p.t("ui.keys."+g.Name)), list))
	}
	legend := tree.El("div", "legend")
	for _, l := range link.Deltas {
		legend.Add(tree.El("span", "chip chip-"+l, tree.Text("span", "l", l), tree.Text("span", "v", link.DeltaNames[l])))
	}
	marks := tree.El("ul", "row-legend")
	for _, k := range link.Marks {
		marks.Add(tree.El("li", "", p.markShape(k), tree.Text("span", "", p.t("ui.mark."+string(k)))))
	}
	return tree.El("div", "dialog-body", groups, tree.Text("h3", "", p.t("ui.legend")), legend, marks, p.legend(), tree.Text("p", "quiet", p.t("ui.simulated.long"))).Attr("tabindex", "0") // it scrolls, and nothing in it has the focus
}
