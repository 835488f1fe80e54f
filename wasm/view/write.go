package view

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// write is the editor of a lesson: its text, and what is wrong with it.
func (p *page) write() *tree.Node {
	w := p.m.Lesson.Writing
	says := tree.El("p", "write-says").Attr("role", "status")
	switch f := w.Fault; {
	case f == nil:
		says.Add(tree.Text("span", "quiet", p.w.T("ui.write.live")))
	case f.Why != nil:
		where := ""
		if f.Line > 0 {
			where = p.w.Tn("ui.write.where", "line", strconv.Itoa(f.Line), "of", strconv.Itoa(f.Col))
		}
		says.Add(tree.Text("b", "", where), tree.Text("span", "", p.w.Why(f.Why))).Attr("data-wrong", "true")
	case f.Checked:
		says.Add(tree.Text("span", "", p.w.T("ui.write.holds")))
	default:
		says.Add(tree.Text("span", "quiet", p.w.T("ui.write.fine")))
	}
	text := tree.El("textarea", "write-text").Act("rewrite", "").Attr("aria-label", p.w.T("ui.write.text")).Attr("spellcheck", "false").
		Attr("wrap", "off").Attr("data-focus", "write").Prop("value", w.Text)
	if w.Fault != nil && w.Fault.Why != nil {
		text.Attr("aria-invalid", "true")
	}
	return tree.El("div", "panel lesson write", text, says, tree.El("footer", "lesson-foot",
		widget.Button("", p.w.T("ui.lesson.check"), "checkText", "").Attr("title", p.w.T("ui.do.checkText")), widget.Button("", p.w.T("ui.save.ask"), "save", ""), widget.Button("primary", p.w.T("ui.write.done"), "edit", ""))).Key("write")
}
