package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// exercise returns what the reader shall reach, where to do that, and which of it is done. The goals come into sight when
// the first line was tried, and when a line reaches one or loses one.
func exercise(w *words.Words, l *learn.Learning, x link.LessonPart, i int, now, tried bool) *tree.Node {
	c, asked := l.Solved[i]
	all := goals(w, x.Goals, c.Goals)
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
	case asked:
		says := words.Or(w.Why(c.Why), w.T("ui.lesson.unsolved"))
		if done, all := reached(x.Goals, c.Goals); c.Why == nil && all > 0 {
			says = w.Tn("ui.lesson.some", "right", strconv.Itoa(done), "all", strconv.Itoa(all))
		}
		n.Add(tree.Text("p", "quiet", says).Attr("role", "status"))
	}
	if now {
		way := "primary"
		if c.Solved {
			way = ""
		}
		n.Add(tree.El("p", "buttons", widget.Button(way, w.T("ui.lesson.check"), "check", ""), hint(w, l)))
	}
	return n
}

// goals returns those of an exercise, each with a tick if it is reached, as far as that is known.
func goals(w *words.Words, all []link.Goal, done []bool) *tree.Node {
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
			mark.Add(tree.Text("span", "visually-hidden", w.T(says)))
		}
		list.Add(item.Add(mark, goal(g)))
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

// goal returns a goal in the lesson's words, and as the machine reads it.
func goal(g link.Goal) *tree.Node {
	if len(g.Words) == 0 {
		return tree.Text("code", "", g.Line)
	}
	return tree.El("span", "", prose("span", "", g.Words), tree.Text("code", "goal-line", g.Line))
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
