package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// numbers returns what the lines' numbers are drawn on: the text once more, unseen and wrapped like the
// field above it, so that each number stands where its line begins.
func numbers(x *learn.Writing) *tree.Node {
	lines := tree.El("div", "write-lines").Attr("aria-hidden", "true")
	n := 0
	for line := range strings.SplitSeq(x.Text, "\n") {
		n++
		number := tree.Text("div", "", line)
		if x.Fault != nil && x.Fault.Reason != nil && x.Fault.Line == n {
			number.Attr("data-wrong", "true")
		}
		lines.Add(number)
	}
	return lines
}

// write returns the editor of a lesson: its text, and what is wrong with it. Where the browser would lose the text, it says so.
func write(w *words.Words, x *learn.Writing, lost bool) *tree.Node {
	says := tree.El("p", "write-says").Attr("role", "status")
	switch f := x.Fault; {
	case f == nil:
		says.Add(tree.Text("span", "quiet", w.T("ui.write.live")))
	case f.Reason != nil:
		if f.Line > 0 {
			says.Add(tree.Text("button", "inline-link", w.Tn("ui.write.where", "line", strconv.Itoa(f.Line), "of", strconv.Itoa(f.Col))).Attr("type", "button").Attr("title", w.T("ui.write.toFault")).Act("toFault", ""))
		}
		says.Add(tree.Text("span", "", w.Fault(f.Reason))).Attr("data-wrong", "true")
	case f.Checked:
		says.Add(tree.Text("span", "", w.T("ui.write.holds")))
	default:
		says.Add(tree.Text("span", "quiet", w.T("ui.write.fine")))
	}
	text := tree.El("textarea", "write-text").Act("rewrite", "").Attr("aria-label", w.T("ui.write.text")).Attr("spellcheck", "false").
		Attr("data-focus", "write").Prop("value", x.Text)
	if x.Jumps > 0 && x.Fault != nil && x.Fault.Line > 0 {
		text.Attr("data-cursor", strconv.Itoa(x.Fault.Line)+" "+strconv.Itoa(x.Jumps))
	}
	if x.Fault != nil && x.Fault.Reason != nil {
		text.Attr("aria-invalid", "true")
	}
	var unkept *tree.Node
	if lost {
		unkept = tree.El("p", "write-lost", tree.Text("span", "", w.T("ui.write.lost")), widget.Button("tiny", w.T("ui.write.file"), "save", "")).Attr("role", "status").Key("lost")
	}
	return tree.El("div", "panel lesson write", tree.El("div", "write-room", numbers(x), text), says, unkept, tree.El("footer", "lesson-foot",
		widget.Button("", w.T("ui.lesson.check"), "checkText", "").Attr("title", w.T("ui.do.checkText")), widget.Button("", w.T("ui.save.ask"), "save", ""), widget.Button("primary", w.T("ui.write.done"), "edit", ""))).Key("write")
}
