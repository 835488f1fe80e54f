package session

import (
	"maps"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
)

// answer answers the open question with an option: by its number, or -1 to be shown
// the answer.
func (le *Lessons) answer(m *Model, arg string) []Cmd {
	l := le.Learning
	q := l.Open()
	n, err := strconv.Atoi(arg)
	if q < 0 || err != nil || n >= len(l.Parts[q].Options) {
		return nil
	}
	next := *l
	next.Answers = maps.Clone(l.Answers)
	next.Answers[q] = Guess{Option: n}
	le.Learning = &next
	return m.send(link.AskAnswer{Part: q}, false)
}

// judged takes in the machine's answer.
func (l *Lessons) judged(m *Model, j *link.Judged) []Cmd {
	if l.Learning == nil {
		return nil
	}
	if l.Handout.gathering() {
		return l.answered(m, j)
	}
	next := *l.Learning
	next.Answers = maps.Clone(next.Answers)
	g := next.Answers[j.Part]
	g.Judged = j
	next.Answers[j.Part] = g
	l.Learning = &next
	return nil
}

// turn turns a control. Arg is "part.control.choice".
func (l *Lessons) turn(m *Model, arg string) []Cmd {
	var n [3]int
	for i, s := range strings.SplitN(arg, ".", 3) {
		n[i], _ = strconv.Atoi(s)
	}
	return append(m.Transport.set(m, false), m.move(link.Turn{Part: n[0], Control: n[1], Choice: n[2]})...)
}

// compare shows the other version of a moment, or the lesson's own again.
func (l *Lessons) compare(m *Model, arg string) []Cmd {
	part, _ := strconv.Atoi(arg)
	if l.Learning == nil || part == l.Learning.Compared {
		return l.back(m)
	}
	return append(m.Transport.set(m, false), m.move(link.CompareVersions{Part: part})...)
}

// check asks whether the exercise at the stop is solved, unless it is known to
// be.
func (l *Lessons) check(m *Model) []Cmd {
	if l.Learning == nil {
		return nil
	}
	x := l.Learning.Find(lesson.Exercise)
	if x < 0 || l.Learning.Solved[x].Solved {
		return nil
	}
	return m.send(link.CheckExercise{Part: x}, false)
}

func (l *Lessons) checked(c *link.Checked) []Cmd {
	if l.Learning == nil {
		return nil
	}
	next := *l.Learning
	next.Solved = maps.Clone(next.Solved)
	next.Solved[c.Part] = *c
	l.Learning = &next
	return nil
}

// hint shows one more hint, and after the last one the solution.
func (l *Lessons) hint() []Cmd {
	if l.Learning == nil {
		return nil
	}
	next := *l.Learning
	hints := 0
	from, to := next.Range(next.Stop)
	for i := from; i < to; i++ {
		if next.Parts[i].Kind == lesson.Hint.String() {
			hints++
		}
	}
	if next.Hints < hints {
		next.Hints++
	} else {
		next.Solution = true
	}
	l.Learning = &next
	return nil
}

// solve plays the solution of the stop's exercise.
func (l *Lessons) solve(m *Model) []Cmd {
	if l.Learning == nil {
		return nil
	}
	part := l.Learning.Find(lesson.Solution)
	if part < 0 {
		return nil
	}
	cmds := append(m.Transport.set(m, false), m.move(link.Solve{Part: part})...)
	return append(cmds, l.check(m)...)
}
