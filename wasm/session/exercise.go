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
func (m *Model) answer(arg string) []Cmd {
	l := m.Learning
	q := l.Open()
	n, err := strconv.Atoi(arg)
	if q < 0 || err != nil || n >= len(l.Parts[q].Options) {
		return nil
	}
	next := *l
	next.Answers = maps.Clone(l.Answers)
	next.Answers[q] = Guess{Option: n}
	m.Learning = &next
	return m.send(link.AskAnswer{Part: q}, false)
}

// judged takes in the machine's answer.
func (m *Model) judged(j *link.Judged) []Cmd {
	if m.Learning == nil {
		return nil
	}
	if m.gathering() {
		return m.answered(j)
	}
	next := *m.Learning
	next.Answers = maps.Clone(next.Answers)
	g := next.Answers[j.Part]
	g.Judged = j
	next.Answers[j.Part] = g
	m.Learning = &next
	return nil
}

// turn turns a control. Arg is "part.control.choice".
func (m *Model) turn(arg string) []Cmd {
	var n [3]int
	for i, s := range strings.SplitN(arg, ".", 3) {
		n[i], _ = strconv.Atoi(s)
	}
	return append(m.setPlaying(false), m.move(link.Turn{Part: n[0], Control: n[1], Choice: n[2]})...)
}

// compare shows the other version of a moment, or the lesson's own again.
func (m *Model) compare(arg string) []Cmd {
	part, _ := strconv.Atoi(arg)
	if m.Learning == nil || part == m.Learning.Compared {
		return m.backToLesson()
	}
	return append(m.setPlaying(false), m.move(link.CompareVersions{Part: part})...)
}

// checkExercise asks whether the exercise at the stop is solved, unless it is known to
// be.
func (m *Model) checkExercise() []Cmd {
	if m.Learning == nil {
		return nil
	}
	x := m.Learning.Find(lesson.Exercise)
	if x < 0 || m.Learning.Solved[x].Solved {
		return nil
	}
	return m.send(link.CheckExercise{Part: x}, false)
}

func (m *Model) checked(c *link.Checked) []Cmd {
	if m.Learning == nil {
		return nil
	}
	next := *m.Learning
	next.Solved = maps.Clone(next.Solved)
	next.Solved[c.Part] = *c
	m.Learning = &next
	return nil
}

// hint shows one more hint, and after the last one the solution.
func (m *Model) hint() []Cmd {
	if m.Learning == nil {
		return nil
	}
	next := *m.Learning
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
	m.Learning = &next
	return nil
}

// solve plays the solution of the stop's exercise.
func (m *Model) solve() []Cmd {
	if m.Learning == nil {
		return nil
	}
	part := m.Learning.Find(lesson.Solution)
	if part < 0 {
		return nil
	}
	cmds := append(m.setPlaying(false), m.move(link.Solve{Part: part})...)
	return append(cmds, m.checkExercise()...)
}
