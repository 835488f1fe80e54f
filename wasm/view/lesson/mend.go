package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// mend returns Go with a mistake in it. The reader chooses lines, the machine plays what they do, and the goals are ticked that
// hold then. What comes of the chosen lines stands below them.
func mend(w *words.Words, l *learn.Learning, x link.LessonPart, i int, now bool) *tree.Node {
	c := l.Solved[i]
	chosen := x.Controls[0].Chosen
	n := tree.El("div", "lesson-exercise lesson-mend", tree.Text("h3", "", w.T("ui.lesson.mend")), goals(w, x.Goals, c.Goals))
	if now {
		n.Add(tree.Text("p", "quiet", w.T("ui.lesson.mend.how")))
	}
	choices := tree.El("div", "mend-choices").Attr("role", "group").Attr("aria-label", w.T("ui.lesson.mend.code"))
	for k, choice := range x.Mend.Choices {
		choices.Add(tree.El("button", "option", tree.Text("kbd", "", strconv.Itoa(k+1)), code(choice.Code)).Attr("type", "button").Act("control", strconv.Itoa(i)+".0."+strconv.Itoa(k)).
			Is("aria-pressed", k == chosen).Flag("disabled", !now))
		if k == chosen {
			choices.Add(prose("p", "lesson-because", choice.Says))
		}
	}
	n.Add(tree.El("div", "mend-code", code(x.Mend.Before), choices, code(x.Mend.After)))
	done, all := reached(x.Goals, c.Goals)
	n.Flag("data-solved", c.Solved && (chosen < 0 || done == all)) // what stands there now is not what was solved before
	verdict := tree.El("div", "").Attr("role", "status")
	if chosen >= 0 {
		verdict.Add(prose("p", "visually-hidden", x.Mend.Choices[chosen].Says)) // is said aloud, and stands below the lines
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
func mendOnPaper(w *words.Words, x link.LessonPart, n int) *tree.Node {
	choices := tree.El("ol", "")
	for _, choice := range x.Mend.Choices {
		choices.Add(tree.El("li", "", code(choice.Code)))
	}
	return tree.El("section", "handout-question", tree.Text("h2", "", w.Tn("ui.handout.question", "n", strconv.Itoa(n))), tree.Text("p", "lesson-measured", w.T("ui.lesson.mend")),
		goals(w, x.Goals, nil), code(x.Mend.Before), choices, code(x.Mend.After))
}

// mendedOnPaper shows of each choice what comes of it.
func mendedOnPaper(x link.LessonPart) *tree.Node {
	choices := tree.El("ol", "")
	for _, choice := range x.Mend.Choices {
		choices.Add(tree.El("li", "", prose("p", "", choice.Says)))
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
