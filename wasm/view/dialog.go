package view

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/view/ask"
	"github.com/informerscope/informerscope/wasm/view/compare"
	"github.com/informerscope/informerscope/wasm/view/dialog"
	"github.com/informerscope/informerscope/wasm/view/lesson"
	"github.com/informerscope/informerscope/wasm/view/live"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// dialog returns the dialog that is open, or nil. All dialogs are one element, so that one
// can lead to another, and the browser still knows what had the focus before.
func (p *page) dialog() *tree.Node {
	w, m := p.w, p.m
	switch {
	case m.Front.Dialog == "help":
		return p.front(w.T("ui.keys"), dialog.Keys(w, m, p.f)...)
	case m.Front.Dialog == "handout" && m.Lesson.Handout != nil && m.Lesson.Learning != nil:
		return p.front(w.T("ui.handout"), lesson.Gathering(w, &m.Lesson)...)
	case m.Front.Dialog == "palette":
		return p.front(w.T("ui.do.palette"), dialog.Palette(w, m)...)
	case m.Front.Dialog == "about" && m.Open.Trace != nil:
		return p.front(w.T("ui.do.about"), dialog.About(w, m)...)
	case m.Front.Dialog == "live":
		return p.front(w.T("ui.do.live"), live.Dialog(w, &m.Cluster, m.Transport.Following, m.Open.Failure, p.f.Step)...)
	case m.Front.Dialog == "course":
		return p.front(w.T("ui.do.course"), lesson.Course(w, &m.Lesson)...)
	case m.Front.Dialog == "goTo":
		return p.front(w.T("ui.do.goTo"), dialog.GoTo(w, m, p.f)...)
	case m.Front.Dialog == "expressions":
		return p.front(w.T("ui.expr.help"), ask.Help(w)...)
	case m.Front.Dialog == "scripts":
		return p.front(w.T("ui.do.scripts"), dialog.Scripts(w)...)
	case m.Front.Dialog == "changes":
		return p.front(w.T("ui.do.changes"), dialog.Changes(w, m.Settings.Lang, m.Second.Releases())...)
	case m.Front.Dialog == "link" && m.Sharing.Share != nil:
		title := w.T("ui.do.link")
		if m.Sharing.Share.Embed {
			title = w.T("ui.do.embed")
		}
		return p.front(title, dialog.Share(w, m, p.f.Step, compare.Name(w, m, 1))...)
	case m.Front.Dialog == "second":
		return p.front(w.T("ui.second"), compare.Dialog(w, m.Site.Embedded)...)
	case m.Front.Dialog == "guards":
		return p.front(w.T("ui.tally"), compare.GuardsDialog(w, m)...)
	case m.Front.Dialog == "expected" && m.Nav.Expected != nil:
		return p.front(w.T("ui.expected"), dialog.Expected(w, m.Nav.Expected)...)
	case m.Front.Dialog == "report":
		return p.front(w.T("ui.do.report"), dialog.Report(w, &m.Save.Report)...)
	case m.Front.Dialog == "save":
		return p.front(w.T("ui.do.save"), dialog.Save(w, m)...)
	}
	return tree.El("dialog", "dialog")
}

// front returns an open dialog: its title, its content, which scrolls, and perhaps a row
// of buttons below.
func (p *page) front(title string, content ...*tree.Node) *tree.Node {
	head := tree.El("header", "dialog-head", tree.Text("h2", "", title), widget.IconButton("tiny", "close", p.w.T("ui.do.close"), "close", ""))
	return tree.El("dialog", "dialog is-"+p.m.Front.Dialog, head).Add(content...).Attr("aria-label", title).Attr("data-modal", "")
}
