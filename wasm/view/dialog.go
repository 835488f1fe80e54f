package view

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// dialog is the dialog that is open, or nil. All dialogs are one element, so that one
// can lead to another, and the browser still knows what had the focus before.
func (p *page) dialog() *tree.Node {
	m := p.m
	switch {
	case m.Front.Dialog == "help":
		return p.front(p.w.T("ui.keys"), p.keysDialog()...)
	case m.Front.Dialog == "handout" && m.Lesson.Handout != nil && m.Lesson.Learning != nil:
		return p.front(p.w.T("ui.handout"), p.handoutProgress()...)
	case m.Front.Dialog == "palette":
		return p.front(p.w.T("ui.do.palette"), p.palette()...)
	case m.Front.Dialog == "about" && m.Open.Trace != nil:
		return p.front(p.w.T("ui.do.about"), p.about()...)
	case m.Front.Dialog == "live":
		return p.front(p.w.T("ui.do.live"), p.live()...)
	case m.Front.Dialog == "course":
		return p.front(p.w.T("ui.do.course"), p.course()...)
	case m.Front.Dialog == "goTo":
		return p.front(p.w.T("ui.do.goTo"), p.goTo()...)
	case m.Front.Dialog == "expressions":
		return p.front(p.w.T("ui.expr.help"), p.expressions()...)
	case m.Front.Dialog == "scripts":
		return p.front(p.w.T("ui.do.scripts"), p.scripts()...)
	case m.Front.Dialog == "link" && m.Sharing.Share != nil:
		return p.front(p.w.T("ui.do.link"), p.share()...)
	case m.Front.Dialog == "second":
		return p.front(p.w.T("ui.second"), p.secondCapture()...)
	case m.Front.Dialog == "expected" && m.Nav.Expected != nil:
		return p.front(p.w.T("ui.expected"), p.expected()...)
	case m.Front.Dialog == "save":
		return p.front(p.w.T("ui.do.save"), p.save()...)
	}
	return tree.El("dialog", "dialog")
}

// front is an open dialog: its title, its content, which scrolls, and perhaps a row
// of buttons below.
func (p *page) front(title string, content ...*tree.Node) *tree.Node {
	head := tree.El("header", "dialog-head", tree.Text("h2", "", title), widget.IconButton("tiny", "close", p.w.T("ui.do.close"), "close", ""))
	return tree.El("dialog", "dialog is-"+p.m.Front.Dialog, head).Add(content...).Attr("aria-label", title).Attr("data-modal", "")
}
