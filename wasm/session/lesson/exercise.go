package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Answer answers the open question with an option: by its number, or -1 to be shown
// the answer.
func (m *Model) Answer(n int) []desk.Cmd {
	l := m.Learning
	q := l.OpenQuestion()
	if q < 0 || n >= len(l.Parts[q].Options) || l.Coming { // nobody has read it yet
		return nil
	}
	l.Prompted = 0
	l.Answers[q] = Guess{Option: n}
	m.Sought = nil
	return append(m.desk.Send(link.AskAnswer{Part: q}), m.saveProgress()...)
}

// Judged takes in the machine's answer.
func (m *Model) Judged(j *link.Judged) []desk.Cmd {
	if m.Learning == nil {
		return nil
	}
	if m.Handout.gathering() && len(m.Handout.Sheets) == len(m.Learning.Stops) {
		return m.addAnswer(j)
	}
	g := m.Learning.Answers[j.Part]
	g.Judged = j
	m.Learning.Answers[j.Part] = g
	return nil
}

// SeekSchedule looks for a schedule in which the option that the reader has chosen at the stop's question would be right.
func (m *Model) SeekSchedule() []desk.Cmd {
	q := m.Learning.Find(link.PartQuestion)
	if q < 0 {
		return nil
	}
	return append(m.desk.Pause(), m.desk.Move(link.SeekSchedule{Part: q, Option: m.Learning.Answers[q].Option})...)
}

// Explored takes in how far an exploration is, unless a line of the console has asked for it.
func (m *Model) Explored(x *link.Explored) {
	if x.Part > 0 {
		m.Sought = x
	}
}

// Mend chooses lines of the Go that is mended at the stop, by their number.
func (m *Model) Mend(n int) []desk.Cmd {
	x := m.Learning.MendPart()
	if x < 0 || n >= len(m.Learning.Parts[x].Mend.Choices) {
		return nil
	}
	return m.Turn(strconv.Itoa(x) + ".0." + strconv.Itoa(n))
}

// Turn turns a control. Arg is "part.control.choice".
func (m *Model) Turn(arg string) []desk.Cmd {
	var n [3]int
	for i, s := range strings.SplitN(arg, ".", 3) {
		n[i], _ = strconv.Atoi(s)
	}
	return append(m.desk.Pause(), m.desk.Move(link.Turn{Part: n[0], Control: n[1], Choice: n[2]})...)
}

// Drag turns a control that is a slider. Arg is "part.control." and value the choice. It stays where it is dragged to until the
// machine has followed.
func (m *Model) Drag(arg, value string) []desk.Cmd {
	part, control, _ := strings.Cut(strings.TrimSuffix(arg, "."), ".")
	p, _ := strconv.Atoi(part)
	k, _ := strconv.Atoi(control)
	choice, err := strconv.Atoi(value)
	if l := m.Learning; err != nil || l == nil || p >= len(l.Parts) || k >= len(l.Parts[p].Controls) || l.Parts[p].Controls[k].Chosen == choice {
		return nil // it says where it is when it is let go, too
	}
	m.Learning.Parts[p].Controls[k].Chosen = choice
	return m.Turn(arg + value)
}

// Compare shows the other version of a moment, or the lesson's own again.
func (m *Model) Compare(part int) []desk.Cmd {
	if part == m.Learning.Compared {
		return m.Back()
	}
	return append(m.desk.Pause(), m.desk.Move(link.CompareVersions{Part: part})...)
}

// Check asks whether the exercise is solved, unless it is known to be. Before the first act no goal is judged: what
// holds by itself is nobody's merit.
func (m *Model) Check() []desk.Cmd {
	l := m.Learning
	x := l.exercise()
	switch {
	case x < 0 || l.Solved[x].Solved:
		return nil
	case !l.acted:
		l.Solved[x] = link.Checked{Part: x}
		return nil
	}
	return m.desk.Send(link.CheckExercise{Part: x})
}

// moment is where the goals of an exercise were looked at last.
type moment struct {
	run  *link.Lanes // is replaced whenever the viewer has done something
	step int64
}

// checkGoals asks which goals of the exercise hold where the machine stands, on one of the futures in run, if
// that is another moment than the one at which it asked before. A goal with a can is a long question, so
// such an exercise is checked only when the reader wants it.
func (m *Model) checkGoals(f *link.Frame, run *link.Lanes) []desk.Cmd {
	l, r, here := m.Learning, m.desk.Surroundings(), moment{run, f.Step}
	x := l.exercise()
	if x < 0 || m.Handout.gathering() || r.Playing && f.Step != l.Step || r.Moving || m.Writing != nil || l.looked == here {
		return nil
	}
	l.looked, l.acted = here, run != nil && run.Shown > 0
	if !l.acted {
		if !l.Solved[x].Solved {
			delete(l.Solved, x) // what was tried is left
		}
		return nil
	}
	for _, g := range l.Parts[x].Goals {
		if strings.HasPrefix(g.Line, "can ") {
			return nil
		}
	}
	return m.Check()
}

// Checked takes in whether it is solved.
func (m *Model) Checked(c *link.Checked) []desk.Cmd {
	if m.Learning == nil {
		return nil
	}
	now := *c
	now.Solved = c.Solved || m.Learning.Solved[c.Part].Solved // what was mended once may be chosen otherwise again
	m.Learning.Solved[c.Part] = now
	if !c.Solved {
		return nil
	}
	return m.saveProgress()
}

// Hint shows one more hint, and after the last one the solution.
func (m *Model) Hint() {
	if l := m.Learning; l.Hints < l.AllHints() {
		l.Hints++
	} else {
		l.Solution = true
	}
}

// Solve plays the solution of the stop's exercise.
func (m *Model) Solve() []desk.Cmd {
	part := m.Learning.Find(link.PartSolution)
	if part < 0 {
		return nil
	}
	cmds := append(m.desk.Pause(), m.desk.Move(link.Solve{Part: part})...)
	m.Learning.acted = true
	return append(cmds, m.Check()...)
}

// maxVotes is how many votes an option can have.
const maxVotes = 9999

// OpenVotes shows a field for the votes of each option of the question at the stop, and gives
// the first one the focus.
func (m *Model) OpenVotes() {
	q := m.Learning.OpenQuestion()
	if m.Learning.Votes == nil {
		m.Learning.Votes = map[int][]int{}
	}
	if m.Learning.Votes[q] == nil {
		m.Learning.Votes[q] = make([]int, len(m.Learning.Parts[q].Options))
	}
	m.VoteFocus++
}

// Vote takes in how many in the room are for an option. Arg is "part.option".
func (m *Model) Vote(arg, value string) {
	part, option, _ := strings.Cut(arg, ".")
	q, _ := strconv.Atoi(part)
	k, _ := strconv.Atoi(option)
	n, _ := strconv.Atoi(value)
	if m.Learning == nil || m.Learning.Find(link.PartQuestion) != q || k < 0 || k >= len(m.Learning.Votes[q]) {
		return
	}
	m.Learning.Votes[q][k] = min(max(n, 0), maxVotes)
}
