package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// exercise returns what the reader shall reach, where to do that, and which of it is done. The goals come into sight when
// the first line was tried, and when a line reaches one or loses one.
func (r *reading) exercise(x link.LessonPart, i int, now, tried bool) *tree.Node {
	w, l := r.w, r.m.Learning
	c, asked := l.Solved[i]
	all := r.goals(x.Goals, c.Goals)
	if tried {
		done, _ := reached(x.Goals, c.Goals)
		all.Attr("data-near", strconv.Itoa(done))
	}
	n := tree.El("div", "lesson-exercise", tree.Text("h3", "", w.T("ui.lesson.exercise")), all)
	if now {
		n.Add(tree.Text("p", "quiet", w.T("ui.lesson.where")))
	}
	switch {
	case c.Solved:
		n.Attr("data-solved", "true").Add(tree.Text("p", "verdict-text", w.T("ui.lesson.solved")).Attr("role", "status"))
	case now && l.Prompted > 0:
		n.Add(tree.Text("p", "lesson-leave", w.T("ui.lesson.leave")).Attr("role", "status").Attr("data-near", ""))
	case asked:
		says := words.FirstNonEmpty(w.Fault(c.Reason), w.T("ui.lesson.unsolved"))
		if done, all := reached(x.Goals, c.Goals); c.Reason == nil && len(c.Goals) > 0 {
			says = w.Tn("ui.lesson.some", "right", strconv.Itoa(done), "all", strconv.Itoa(all))
		}
		n.Add(tree.Text("p", "quiet", says).Attr("role", "status"))
	}
	return n
}

// goals returns the goals of an exercise, each with a tick if it is reached, as far as that is known.
func (r *reading) goals(all []link.Goal, done []bool) *tree.Node {
	list := tree.El("ul", "goals")
	for _, g := range all {
		item := tree.El("li", "goal")
		mark := tree.El("span", "goal-mark")
		if g.Part < len(done) {
			says := "ui.lesson.missed"
			if done[g.Part] {
				says = "ui.lesson.reached"
				mark.Add(widget.Icon("check"))
			}
			item.Is("data-reached", done[g.Part])
			mark.Add(tree.Text("span", "visually-hidden", r.w.T(says)))
		}
		list.Add(item.Add(mark, r.goal(g)))
	}
	return list
}

// hint returns the button for the next hint, and after the last one for the solution.
func hint(w *words.Words, l *learn.Learning) *tree.Node {
	says := w.T("ui.lesson.solution")
	if all := l.AllHints(); l.Hints < all {
		says = w.Tn("ui.lesson.hint", "step", strconv.Itoa(l.Hints+1), "all", strconv.Itoa(all))
	}
	return widget.Button("", says, "hint", "").Flag("disabled", l.Solution)
}

// goal returns a goal in the lesson's words, with what the machine reads behind them.
func (r *reading) goal(g link.Goal) *tree.Node {
	if len(g.Words) == 0 {
		return tree.Text("code", "", g.Line)
	}
	return r.withScript(prose("span", "", g.Words), g.Line)
}

// reached counts the goals that are reached, and all of those that the reader sees.
func reached(goals []link.Goal, done []bool) (n, all int) {
	for _, g := range goals {
		if g.Part < len(done) && done[g.Part] {
			n++
		}
	}
	return n, len(goals)
}

// mend returns Go with a mistake in it. The reader chooses lines, the machine plays what they do, and the goals are ticked that
// hold then. What comes of the chosen lines stands below them.
func (r *reading) mend(x link.LessonPart, i int, now bool) *tree.Node {
	w, l := r.w, r.m.Learning
	c := l.Solved[i]
	chosen := x.Controls[0].Chosen
	n := tree.El("div", "lesson-exercise lesson-mend", tree.Text("h3", "", w.T("ui.lesson.mend")), r.goals(x.Goals, c.Goals))
	if now {
		n.Add(tree.Text("p", "quiet", w.T("ui.lesson.mend.how")))
	}
	choices := tree.El("div", "mend-choices").Attr("role", "group").Attr("aria-label", w.T("ui.lesson.mend.code"))
	for k, choice := range x.Mend.Choices {
		choices.Add(widget.Action("option", "control", strconv.Itoa(i)+".0."+strconv.Itoa(k), tree.Text("kbd", "", strconv.Itoa(k+1)), code(choice.Code)).
			Is("aria-pressed", k == chosen).Flag("disabled", !now))
		if k == chosen {
			choices.Add(prose("p", "lesson-because", choice.Outcome))
		}
	}
	n.Add(tree.El("div", "mend-code", code(x.Mend.Before), choices, code(x.Mend.After)))
	done, all := reached(x.Goals, c.Goals)
	n.Flag("data-solved", c.Solved && (chosen < 0 || done == all)) // what stands there now is not what was solved before
	verdict := tree.El("div", "").Attr("role", "status")
	if chosen >= 0 {
		verdict.Add(prose("p", "visually-hidden", x.Mend.Choices[chosen].Outcome)) // is said aloud, and stands below the lines
	}
	switch {
	case done == all:
		verdict.Add(tree.Text("p", "verdict-text", w.T("ui.lesson.solved")))
	case c.Solved:
		verdict.Add(tree.Text("p", "quiet", w.T("ui.lesson.mended")))
	}
	return n.Add(verdict)
}

// mendOnPaper returns the same in a handout, where it has the number n of a question.
func (r *reading) mendOnPaper(x link.LessonPart, n int) *tree.Node {
	choices := tree.El("ol", "")
	for _, choice := range x.Mend.Choices {
		choices.Add(tree.El("li", "", code(choice.Code)))
	}
	return tree.El("section", "handout-question", tree.Text("h2", "", r.w.Tn("ui.handout.question", "n", strconv.Itoa(n))), tree.Text("p", "lesson-measured", r.w.T("ui.lesson.mend")),
		r.goals(x.Goals, nil), code(x.Mend.Before), choices, code(x.Mend.After))
}

func mendedOnPaper(x link.LessonPart) *tree.Node {
	choices := tree.El("ol", "")
	for _, choice := range x.Mend.Choices {
		choices.Add(tree.El("li", "", prose("p", "", choice.Outcome)))
	}
	return tree.El("li", "", choices)
}

// code returns Go as it is written, nil if there is none.
func code(lines []string) *tree.Node {
	if len(lines) == 0 {
		return nil
	}
	return tree.Text("code", "mend-lines", strings.Join(lines, "\n"))
}

// ownRecording says below a choice of guards what each would have done to a stale read of the reader's own; nil below any other control.
// Where there is none yet, it offers to open a recording.
func (r *reading) ownRecording(x link.LessonPart, now bool) *tree.Node {
	if len(x.Controls) == 0 || !strings.HasSuffix(x.Controls[0].Before, "guard=") {
		return nil
	}
	w, recording := r.w, &r.m.Recording
	n := tree.El("section", "lesson-own", tree.Text("h3", "", w.T("ui.lesson.own"))).Attr("aria-label", w.T("ui.lesson.own"))
	open := widget.Button("", w.T("ui.lesson.own.open"), "openOwn", "").Flag("disabled", !now)
	if recording.Case == nil {
		return n.Add(tree.Text("p", "", w.T("ui.lesson.own.none")), open)
	}
	return n.Add(tree.Text("p", "", recording.Name+": "+w.Plain(recording.Case.Title)), widget.Table(w, recording.Case), tree.Text("p", "quiet", w.T("ui.lesson.own.lag")), open)
}
