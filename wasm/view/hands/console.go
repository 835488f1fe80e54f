// Package hands draws what the viewer does to the machine: the console, the gestures at a
// station, and the futures that come of them.
package hands

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Console returns the tab in which lines of script are written, under what they have brought. It is off
// while nothing is open.
func Console(w *words.Words, h *hands.Model, completions []string, off bool) *tree.Node {
	log := tree.El("ol", "transcript").Attr("aria-label", w.T("ui.transcript")).Attr("data-end", strconv.Itoa(len(h.Lines))).Attr("tabindex", "0")
	if len(h.Lines) == 0 {
		log.Add(tree.Text("li", "quiet", w.T("ui.console.empty")))
	}
	for i, l := range h.Lines {
		log.Add(transcriptLine(w, l).Key(strconv.Itoa(i)))
	}
	return tree.El("div", "panel console", log, entry(w, h, completions, off))
}

// maxTyped is how many lines stand above the field that an exercise has.
const maxTyped = 3

// Line returns the field for the console's line alone, under the lines that were typed last and their values.
func Line(w *words.Words, h *hands.Model, completions []string) *tree.Node {
	log := tree.El("ol", "transcript").Attr("aria-label", w.T("ui.transcript"))
	var typed []link.ConsoleLine
	for _, l := range h.Lines[min(h.Typed, len(h.Lines)):] {
		if l.Kind != "step" {
			typed = append(typed, l)
		}
	}
	for _, l := range typed[max(0, len(typed)-maxTyped):] {
		log.Add(transcriptLine(w, l))
	}
	if len(typed) == 0 {
		log = nil
	}
	return tree.El("div", "lesson-line", log, entry(w, h, completions, false))
}

// entry returns the field for a line, with what is wrong with the last one.
func entry(w *words.Words, h *hands.Model, completions []string, off bool) *tree.Node {
	in := tree.El("input", "line-in").Attr("type", "search").Attr("id", "console-line").Attr("list", "console-completions").
		Attr("spellcheck", "false").Attr("autocomplete", "off").Attr("autocapitalize", "off").Attr("maxlength", "4096").
		Attr("placeholder", w.T("ui.console.placeholder")).Attr("aria-label", w.T("ui.console.line")).
		Act("write", "").Attr("data-enter", "line").Prop("value", h.Line).Flag("disabled", off)
	if h.Focus > 0 {
		in.Attr("data-focus", strconv.Itoa(h.Focus))
	}
	list := tree.El("datalist", "").Attr("id", "console-completions")
	for _, c := range completions {
		list.Add(tree.El("option", "").Attr("value", c))
	}
	foot := tree.El("div", "console-foot")
	if x := h.Explored; x != nil {
		foot.Add(tree.El("div", "exploring", tree.Text("span", "", w.Tn("ui.explore.states", "n", words.Grouped(x.States))), widget.Button("small", w.T("ui.explore.stop"), "enough", "")))
	}
	if h.Wrong != nil {
		foot.Add(lineError(w, h.Wrong))
	}
	return foot.Add(in, list)
}

func transcriptLine(w *words.Words, l link.ConsoleLine) *tree.Node {
	n := tree.El("li", "said-"+l.Kind)
	switch l.Kind {
	case "statement":
		return n.Add(tree.Text("code", "", "> "+l.Text))
	case "step":
		who := words.FirstNonEmpty(l.Actor, w.T("actor."+link.ActorNobody))
		return n.Add(widget.Action("", "seek", words.Itoa(l.Step), tree.Text("span", "at", words.Clock(l.Time)[3:]), tree.Text("span", "who", who), tree.Text("span", "facts", l.Text)))
	}
	if l.Kind == link.LineStopped {
		return n.Add(tree.Text("span", "quiet", w.Tn("ui.explore.stopped", "n", l.Text)))
	}
	return n.Add(tree.Text("code", "", "= "+l.Text))
}

// lineError shows a line with a caret where it is wrong, and why.
func lineError(w *words.Words, x *link.LineFailure) *tree.Node {
	n := tree.El("div", "wrong").Attr("role", "alert")
	if x.Line > 0 {
		n.Add(tree.Text("p", "quiet", w.Tn("ui.console.at", "line", strconv.Itoa(x.Line))))
	}
	if x.Col > 0 && x.Text != "" {
		col := min(x.Col-1, len(x.Text))
		n.Add(tree.Text("pre", "", x.Text+"\n"+strings.Repeat(" ", len([]rune(x.Text[:col])))+"^"))
	}
	return n.Add(tree.Text("p", "failure", w.Fault(x.Reason)))
}
