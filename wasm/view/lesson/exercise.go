package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// exercise is what the reader shall reach, where to do that, and which of it is done.
func exercise(w *words.Words, l *learn.Learning, x link.LessonPart, i int, now bool) *tree.Node {
	n := tree.El("div", "lesson-exercise", tree.Text("h3", "", w.T("ui.lesson.exercise")))
	c, asked := l.Solved[i]
	goals := tree.El("ul", "goals")
	for _, g := range x.Goals {
		item := tree.El("li", "goal")
		mark := tree.El("span", "goal-mark")
		if g.Part < len(c.Goals) {
			says := "ui.lesson.missed"
			if c.Goals[g.Part] {
				says = "ui.lesson.reached"
				mark.Add(widget.Icon("check"))
			}
			item.Is("data-reached", c.Goals[g.Part])
			mark.Add(tree.Text("span", "visually-hidden", w.T(says)))
		}
		goals.Add(item.Add(mark, goal(g)))
	}
	n.Add(goals)
	if now {
		n.Add(tree.El("p", "quiet", tree.Text("span", "", w.T("ui.lesson.where")), widget.Button("tiny link", w.T("ui.tab.console"), "console", "").Attr("title", w.Title("console"))))
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
		n.Add(tree.El("p", "buttons", widget.Button(way, w.T("ui.lesson.check"), "check", ""), widget.Button("", w.T("ui.lesson.hint"), "hint", "")))
	}
	return n
}

// goal is a goal in the lesson's words, and as the machine reads it.
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
