package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Prediction returns a question about what comes next, and how well the viewer has guessed.
func Prediction(w *words.Words, gs *session.Guesses) *tree.Node {
	g := gs.Asked
	if g == nil {
		return nil
	}
	n := tree.El("div", "lesson-question prediction").Attr("role", "group").Attr("aria-label", w.T("ui.do.predict")).Key("prediction")
	if g.Ask == "" {
		return n.Add(tree.Text("p", "", w.T("ui.predict.none")).Attr("role", "status"))
	}
	n.Add(tree.Text("p", "prediction-ask", w.T("ui.predict."+g.Ask)).Attr("role", "status"))
	named := func(k int) string {
		if g.Ask == link.AskWho {
			return w.Actor(g.Options[k])
		}
		return g.Options[k]
	}
	list := tree.El("ol", "lesson-options")
	for k := range g.Options {
		b := option("guess", k, named(k), g.Open())
		if !g.Open() {
			markOption(w, b, k == g.Right, k == g.Chosen)
		}
		list.Add(tree.El("li", "", b))
	}
	n.Add(list)
	if g.Open() {
		return n.Add(tree.El("p", "quiet", tree.Text("span", "", w.T("ui.lesson.covered")), widget.Button("tiny link", w.T("ui.lesson.show"), "guess", "-1")))
	}
	says := w.Tn("ui.lesson.answerIs", "answer", named(g.Right))
	switch {
	case g.Chosen == g.Right:
		says = w.T("ui.predict.yes")
	case g.Chosen >= 0:
		says = w.Tn("ui.predict.no", "answer", named(g.Right))
	}
	foot := tree.El("p", "prediction-foot", widget.Button("", w.T("ui.predict.again"), "predict", "").Attr("title", w.Title("predict")))
	if s := gs.Score; s.Guesses > 0 {
		foot.Add(tree.Text("span", "quiet", w.Tn("ui.lesson.score", "right", strconv.Itoa(s.Right), "all", strconv.Itoa(s.Guesses))), widget.Button("tiny link", w.T("ui.predict.forget"), "forgetScore", ""))
	}
	return n.Add(tree.Text("p", "verdict-text", says).Attr("role", "status"), foot)
}

// option returns option k of a question, which can be chosen if it is open.
func option(act string, k int, text string, open bool) *tree.Node {
	return widget.Action("option", act, strconv.Itoa(k), tree.Text("kbd", "", strconv.Itoa(k+1)), tree.Text("code", "", text)).Flag("disabled", !open)
}

// markOption says that an option is the right one, or else that it was chosen and is wrong.
func markOption(w *words.Words, n *tree.Node, right, chosen bool) {
	switch {
	case right:
		n.Attr("data-right", "true").Add(tree.Text("span", "verdict", w.T("ui.lesson.right")))
	case chosen:
		n.Attr("data-wrong", "true").Add(tree.Text("span", "verdict", w.T("ui.lesson.wrong")))
	}
}

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
	case r.diverged:
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

// question returns a question with its options. Once it is answered, it shows what the
// machine says.
func (r *reading) question(i int, now bool) *tree.Node {
	w, l := r.w, r.m.Learning
	x := l.Parts[i]
	g, answered := l.Answers[i]
	measured := plain(x.Asks)
	n := tree.El("div", "lesson-question").Attr("role", "group").Attr("aria-label", words.FirstNonEmpty(measured, w.T("ui.lesson.question")))
	if measured != "" {
		n.Add(prose("p", "lesson-measured", x.Asks))
	}
	if !answered && now {
		n.Attr("tabindex", "-1").Attr("data-goes-on", "true")
	}
	list := tree.El("ol", "lesson-options")
	room := 0
	for _, o := range x.Options {
		room += len(answer(w, o))
	}
	if room > longOptions {
		list = tree.El("ol", "lesson-options long")
	}
	for k, o := range x.Options {
		b := option("answer", k, answer(w, o), !answered && now)
		if !answered && l.Votes[i] != nil {
			b.Attr("tabindex", "-1") // Tab leads from one field for votes to the next
		}
		if answered && g.Judged != nil {
			markOption(w, b, k == g.Judged.Option, k == g.Option)
		}
		list.Add(r.votes(i, k, answered, tree.El("li", "", b)))
	}
	n.Add(list)
	verdict := tree.El("div", "").Attr("role", "status")
	if now {
		verdict.Attr("data-near", "") // it may stand below what is in sight
	}
	switch {
	case !answered:
		says := w.T("ui.lesson.covered")
		if l.Prompted > 0 {
			says = w.T("ui.lesson.urge")
		}
		n.Add(tree.El("p", "quiet lesson-covered", tree.Text("span", "", says).Attr("role", "status"), widget.Button("tiny link", w.T("ui.lesson.show"), "answer", "-1")).Is("data-urged", l.Prompted > 0))
	case g.Judged == nil:
		n.Add(tree.Text("p", "quiet", w.T("ui.loading")))
	case g.Correct():
		n.Add(verdict.Add(tree.Text("p", "verdict-text", w.T("ui.lesson.yes"))))
	case g.Option < 0:
		n.Add(verdict.Add(tree.Text("p", "verdict-text", w.Tn("ui.lesson.answerIs", "answer", answer(w, g.Judged.Answer)))))
	default:
		n.Add(verdict.Add(tree.Text("p", "verdict-text", w.Tn("ui.lesson.no", "answer", answer(w, g.Judged.Answer))), because(x, g.Option)))
		if now && g.Option < len(x.Cans) && x.Cans[g.Option] != "" {
			n.Add(r.schedule(x.Cans[g.Option]))
		}
	}
	return n
}

// longOptions is from how many bytes on the options of a question are set smaller for a room.
const longOptions = 100

// because returns why an option of a question is wrong, nil if the lesson doesn't say.
func because(x link.LessonPart, option int) *tree.Node {
	if option >= len(x.Notes) || len(x.Notes[option]) == 0 {
		return nil
	}
	return prose("p", "lesson-because", x.Notes[option])
}

// votes adds to an option of a question how many in the room are for it: a field until the
// answer is shown, and then a bar.
func (r *reading) votes(part, option int, answered bool, item *tree.Node) *tree.Node {
	l := r.m.Learning
	votes := l.Votes[part]
	if option >= len(votes) {
		return item
	}
	all := 0
	for _, n := range votes {
		all += n
	}
	n := strconv.Itoa(votes[option])
	if answered {
		share := 0
		if all > 0 {
			share = (votes[option]*100 + all/2) / all
		}
		return item.Add(tree.El("span", "vote-bar", tree.El("i", "").Style("width", strconv.Itoa(share)+"%"),
			tree.Text("span", "", r.w.Tn("ui.votes.share", "n", n, "share", strconv.Itoa(share)))))
	}
	field := tree.El("input", "vote").Attr("type", "number").Attr("min", "0").Attr("max", "9999").Attr("value", n).
		Act("vote", strconv.Itoa(part)+"."+strconv.Itoa(option)).Prop("value", n).
		Attr("aria-label", r.w.Tn("ui.votes.for", "answer", answer(r.w, l.Parts[part].Options[option])))
	if option == 0 && r.m.VoteFocus > 0 {
		field.Attr("data-focus", strconv.Itoa(r.m.VoteFocus))
	}
	return item.Add(field)
}
