package view

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
)

// write is the editor of a lesson: its text, and what is wrong with it.
func (p *page) write() *tree.Node {
	w := p.m.Lesson.Writing
	says := tree.El("p", "write-says").Attr("role", "status")
	switch f := w.Fault; {
	case f == nil:
		says.Add(tree.Text("span", "quiet", p.t("ui.write.live")))
	case f.Why != nil:
		where := ""
		if f.Line > 0 {
			where = p.tn("ui.write.where", "line", strconv.Itoa(f.Line), "of", strconv.Itoa(f.Col))
		}
		says.Add(tree.Text("b", "", where), tree.Text("span", "", p.why(f.Why))).Attr("data-wrong", "true")
	case f.Checked:
		says.Add(tree.Text("span", "", p.t("ui.write.holds")))
	default:
		says.Add(tree.Text("span", "quiet", p.t("ui.write.fine")))
	}
	text := tree.El("textarea", "write-text").Act("rewrite", "").Attr("aria-label", p.t("ui.write.text")).Attr("spellcheck", "false").
		Attr("wrap", "off").Attr("data-focus", "write").Prop("value", w.Text)
	if w.Fault != nil && w.Fault.Why != nil {
		text.Attr("aria-invalid", "true")
	}
	return tree.El("div", "panel lesson write", text, says, tree.El("footer", "lesson-foot",
		button("", p.t("ui.lesson.check"), "checkText", "").Attr("title", p.t("ui.do.checkText")), button("", p.t("ui.save.ask"), "save", ""), button("primary", p.t("ui.write.done"), "edit", ""))).Key("write")
}
