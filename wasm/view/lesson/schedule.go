package lesson

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// schedule offers to look for a schedule in which a wrong option would be right, where can is so, and says what was found.
// One button leads there, ends the search, and leads back, so that it keeps the focus.
func (r *reading) schedule(can string) *tree.Node {
	label, act, says := "ui.lesson.schedule", "schedule", ""
	x := r.m.Sought
	switch {
	case x == nil || x.Done && x.Found == "":
	case !x.Done:
		label, act, says = "ui.explore.stop", "enough", "ui.explore.states"
	case x.Found != link.FoundYes:
		act, says = "", "ui.lesson.schedule."+x.Found
	case r.away:
		label, act, says = "ui.do.backToLesson", "backToLesson", "ui.lesson.schedule.yes"
	}
	n := tree.El("div", "lesson-schedule")
	if act != "" {
		n.Add(widget.Button("", r.w.T(label), act, "").Attr("title", can))
	}
	text := ""
	if says != "" {
		text = r.w.Tn(says, "n", words.Grouped(x.States))
		n.Attr("data-near", act) // it may stand below what is in sight
	}
	return n.Add(tree.Text("p", "", text).Attr("role", "status").Is("aria-busy", act == "enough").Key("found"))
}
