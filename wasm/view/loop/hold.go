package loop

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	story "github.com/informerscope/informerscope/wasm/session/loop"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// holdHeadline returns which headline the question of the slow handler has now.
func (d *drawing) holdHeadline() string {
	h := &d.m.Hold
	switch right := h.Correct(); {
	case h.Answer == 0:
		return "hold.ask"
	case right == 0:
		return "hold.runs"
	case h.Live && d.m.Waiting() > 1:
		return "hold.behind"
	case h.Live:
		return "hold.keeps"
	case h.Answer == right:
		return "hold.right"
	}
	return "hold.wrong"
}

// question returns the three answers.
func (d *drawing) question() *tree.Node {
	all := tree.El("div", "ways-on")
	for i, a := range story.Answers {
		n := strconv.Itoa(i + 1)
		all.Add(widget.Action("button way-on", "loopGuess", n, tree.Text("b", "", n), tree.Text("span", "", d.w.T("loop.hold."+a))))
	}
	return tree.El("section", "loop-card", all).Attr("aria-label", d.w.T("loop.hold")).Key("question")
}

// verdict says what the machine did, in numbers.
func (d *drawing) verdict() *tree.Node {
	h := &d.m.Hold
	n := strconv.Itoa(h.Changes)
	list := tree.El("ul", "cost", d.countLine(story.Figure(h.Copied), "loop.seconds", "loop.hold.copied", h.CopiedStep, "n", n))
	if h.ToldStep > 0 {
		list.Add(d.countLine(story.Figure(h.Notified), "loop.seconds", "loop.hold.told", h.ToldStep))
	}
	list.Add(d.countLine(strconv.Itoa(h.Calls), "", "loop.hold.calls", 0, "n", n))
	icon := "close"
	if h.Answer == h.Correct() {
		icon = "check"
	}
	return tree.El("section", "loop-card", tree.El("p", "you-said", widget.Icon(icon), tree.Text("span", "", d.w.Tn("loop.hold.said", "answer", d.w.T("loop.hold."+story.Answers[h.Answer-1])))),
		list, tree.El("div", "card-foot", widget.Button("primary", d.w.T("loop.hold.why"), "lesson", "slow-handler"), tree.Text("p", "", d.w.T("loop.hold.try")))).
		Attr("aria-label", d.w.T("loop.hold.verdict")).Key("verdict")
}

// slider returns what sets how long the handler takes. It can be pulled once the machine has judged the answer.
func (d *drawing) slider() *tree.Node {
	h := &d.m.Hold
	ms := h.Millis
	if h.Answer == 0 {
		ms = 1000
	}
	takes := story.Figure(int64(ms)*1e6) + " " + d.w.T("loop.seconds")
	return tree.El("label", "slow", tree.Text("span", "", d.w.T("loop.hold.takes")),
		tree.El("input", "").Attr("type", "range").Attr("min", "0").Attr("max", "1000").Attr("step", "100").Attr("aria-valuetext", takes).
			Prop("value", strconv.Itoa(ms)).Act("loopSlow", "").Flag("disabled", h.Correct() == 0), tree.Text("b", "", takes)).Key("slow")
}

// waiting says how much waits for a slow handler, beside how far the cache is behind.
func (d *drawing) waiting() *tree.Node {
	if d.m.Beat != story.AtHold {
		return nil
	}
	n := strconv.Itoa(d.m.Waiting())
	return tree.El("p", "figure waiting", tree.El("b", "", tree.Text("span", "", n)), tree.Text("span", "", d.w.Tn("loop.hold.waits", "n", n)))
}

// doors returns the ways on from the loop: to its real names, to two versions of it, to a controller that does what it
// shouldn't, and to what the viewer has captured.
func (d *drawing) doors() *tree.Node {
	all := tree.El("div", "ways-on")
	for _, x := range [...]struct{ id, icon, act, arg string }{
		{"names", "learn", "lesson", "whole-loop"}, {"versions", "beside", "versions", ""}, {"debug", "find", "path", "debug.whole-loop"}, {"capture", "open", "open", ""},
	} {
		all.Add(widget.Action("button way-on", x.act, x.arg, widget.Icon(x.icon), tree.El("span", "", tree.Text("strong", "", d.w.T("loop.door."+x.id)),
			tree.Text("small", "", d.w.T("loop.door."+x.id+".says")))))
	}
	return tree.El("section", "loop-card", all).Attr("aria-label", d.w.T("loop.beat.doors")).Key("doors")
}
