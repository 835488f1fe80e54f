package lesson

import (
	"maps"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Answer answers the open question with an option: by its number, or -1 to be shown
// the answer.
func (m *Model) Answer(d Desk, arg string) []desk.Cmd {
	l := m.Learning
	q := l.Open()
	n, err := strconv.Atoi(arg)
	if q < 0 || err != nil || n >= len(l.Parts[q].Options) {
		return nil
	}
	next := *l
	next.Urged = 0
	next.Answers = maps.Clone(l.Answers)
	next.Answers[q] = Guess{Option: n}
	m.Learning, m.Sought = &next, nil
	return append(d.Send(link.AskAnswer{Part: q}), keep(m)...)
}

// Judged takes in the machine's answer.
func (m *Model) Judged(d Desk, j *link.Judged) []desk.Cmd {
	if m.Learning == nil {
		return nil
	}
	if m.Handout.gathering() && len(m.Handout.Sheets) == len(m.Learning.Stops) {
		return m.Handout.judged(m, d, j)
	}
	next := *m.Learning
	next.Answers = maps.Clone(next.Answers)
	g := next.Answers[j.Part]
	g.Judged = j
	next.Answers[j.Part] = g
	m.Learning = &next
	return nil
}

// Seek looks for a schedule in which the option that the reader has chosen at the stop's question would be right.
func Seek(m *Model, d Desk, _, _ string) []desk.Cmd {
	q := -1
	if m.Learning != nil {
		q = m.Learning.Find(lesson.Question)
	}
	if q < 0 {
		return nil
	}
	return append(d.Pause(), d.Move(link.SeekSchedule{Part: q, Option: m.Learning.Answers[q].Option})...)
}

// Explored takes in how far an exploration is, unless a line of the console has asked for it.
func (m *Model) Explored(x *link.Explored) {
	if x.Part > 0 {
		m.Sought = x
	}
}

// Mend chooses lines of the Go that is mended at the stop, by their number.
func Mend(m *Model, d Desk, arg, _ string) []desk.Cmd {
	x := m.Learning.Mends()
	if n, err := strconv.Atoi(arg); x < 0 || err != nil || n >= len(m.Learning.Parts[x].Mend.Choices) {
		return nil
	}
	return m.Turn(d, strconv.Itoa(x)+".0."+arg)
}

// Turn turns a control. Arg is "part.control.choice".
func (m *Model) Turn(d Desk, arg string) []desk.Cmd {
	var n [3]int
	for i, s := range strings.SplitN(arg, ".", 3) {
		n[i], _ = strconv.Atoi(s)
	}
	return append(d.Pause(), d.Move(link.Turn{Part: n[0], Control: n[1], Choice: n[2]})...)
}

// Compare shows the other version of a moment, or the lesson's own again.
func (m *Model) Compare(d Desk, arg string) []desk.Cmd {
	part, _ := strconv.Atoi(arg)
	if m.Learning == nil || part == m.Learning.Compared {
		return m.Back(d)
	}
	return append(d.Pause(), d.Move(link.CompareVersions{Part: part})...)
}

// Check asks whether the exercise at the stop is solved, unless it is known to
// be.
func (m *Model) Check(d Desk) []desk.Cmd {
	if m.Learning == nil {
		return nil
	}
	x := m.Learning.Find(lesson.Exercise)
	if x < 0 || m.Learning.Solved[x].Solved {
		return nil
	}
	return d.Send(link.CheckExercise{Part: x})
}

// moment is where the goals of an exercise were looked at last.
type moment struct {
	run  *link.Lanes // is replaced whenever the viewer has done something
	step int64
}

// tick looks which goals of m's exercise hold where the machine stands, on one of the futures in run, if
// that is another moment than the one at which it was looked before. A goal with a can is a long question, so
// such an exercise is checked only when the reader wants it.
func tick(m *Model, d Desk, f *link.Frame, run *link.Lanes) []desk.Cmd {
	l, r, here := m.Learning, d.Rest(), moment{run, f.Step}
	if !l.HasExercise() || m.Handout.gathering() || r.Playing && f.Step != l.At || r.Moving || m.Writing != nil || l.looked == here {
		return nil
	}
	next := *l
	next.looked = here
	m.Learning = &next
	for _, g := range l.Parts[l.Find(lesson.Exercise)].Goals {
		if strings.HasPrefix(g.Line, "can ") {
			return nil
		}
	}
	return m.Check(d)
}

// Checked takes in whether it is solved.
func (m *Model) Checked(c *link.Checked) []desk.Cmd {
	if m.Learning == nil {
		return nil
	}
	next := *m.Learning
	next.Solved = maps.Clone(next.Solved)
	now := *c
	now.Solved = c.Solved || next.Solved[c.Part].Solved // what was mended once may be chosen otherwise again
	next.Solved[c.Part] = now
	m.Learning = &next
	if !c.Solved {
		return nil
	}
	return keep(m)
}

// Hint shows one more hint, and after the last one the solution.
func Hint(m *Model, _ Desk, _, _ string) []desk.Cmd {
	if m.Learning == nil {
		return nil
	}
	next := *m.Learning
	if next.Hints < next.AllHints() {
		next.Hints++
	} else {
		next.Solution = true
	}
	m.Learning = &next
	return nil
}

// Solve plays the solution of the stop's exercise.
func (m *Model) Solve(d Desk) []desk.Cmd {
	if m.Learning == nil {
		return nil
	}
	part := m.Learning.Find(lesson.Solution)
	if part < 0 {
		return nil
	}
	cmds := append(d.Pause(), d.Move(link.Solve{Part: part})...)
	return append(cmds, m.Check(d)...)
}
