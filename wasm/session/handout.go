package session

import (
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
)

// Handout is a lesson as it is printed: its text, a picture of the stage at each of its moments,
// and the machine's answers to its questions. It is gathered by going through the lesson.
type Handout struct {
	Sheets  []Sheet        // by stop, as far as they are gathered
	Answers map[int]string // by question
	Ready   bool

	sheet  Sheet // the one whose picture is being taken
	draws  bool  // a picture is being taken
	before *Learning
}

// Sheet is what a handout has of a stop.
type Sheet struct {
	Said    link.Sentence
	Picture string // its address; "" where the stage is the same as at the stop before
	step    int64
}

// gathering returns whether a handout is being made.
func (m *Model) gathering() bool { return m.Handout != nil && !m.Handout.Ready }

// openHandout begins to gather a handout of the lesson.
func (m *Model) openHandout() []Cmd {
	if m.Learning == nil || m.gathering() {
		return nil
	}
	m.Dialog, m.Guess = "handout", nil
	m.Handout = &Handout{Answers: map[int]string{}, before: m.Learning}
	return m.goStop(0, false)
}

// gather takes in the stage at a stop, and has a picture taken of it.
func (m *Model) gather(f *link.Frame) []Cmd {
	h, l := m.Handout, m.Learning
	stop := len(h.Sheets)
	if l == nil || m.Dialog != "handout" {
		return m.dropHandout()
	}
	if m.ask.moving != 0 || h.draws || stop == len(l.Stops) || l.Stop != stop {
		return nil
	}
	sheet := Sheet{Said: f.Said, step: f.Step}
	if from, to := l.Range(stop); stop > 0 && f.Step == h.Sheets[stop-1].step && !l.has(lesson.Script, from, to) {
		return m.gathered(sheet)
	}
	next := *h
	next.sheet, next.draws = sheet, true
	m.Handout = &next
	return []Cmd{Draw{}}
}

// drawn takes in a picture of the stage.
func (m *Model) drawn(d Drawn) []Cmd {
	switch {
	case !m.gathering() || !m.Handout.draws: // it was given up
		return nil
	case d.Failed != "":
		cmds := m.dropHandout()
		m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.handout"}, Detail: d.Failed}
		return cmds
	case m.Dialog != "handout":
		return m.dropHandout()
	}
	sheet := m.Handout.sheet
	sheet.Picture = d.URL
	return m.gathered(sheet)
}

// gathered adds what belongs to a stop, and goes on: to the next stop, and then to the questions.
func (m *Model) gathered(s Sheet) []Cmd {
	next := *m.Handout
	next.Sheets, next.draws = append(next.Sheets, s), false
	m.Handout = &next
	l := m.Learning
	if n := len(next.Sheets); n < len(l.Stops) {
		return m.goStop(n, false)
	}
	var cmds []Cmd
	for i := range l.Parts {
		if l.Parts[i].Kind == lesson.Question.String() {
			cmds = append(cmds, m.send(link.AskAnswer{Part: i}, false)...)
		}
	}
	if cmds == nil {
		return m.finishHandout()
	}
	return cmds
}

// answered takes in the machine's answer to a question of the handout.
func (m *Model) answered(j *link.Judged) []Cmd {
	h, questions := m.Handout, 0
	h.Answers[j.Part] = j.Answer
	for i := range m.Learning.Parts {
		if m.Learning.Parts[i].Kind == lesson.Question.String() {
			questions++
		}
	}
	if len(h.Answers) < questions {
		return nil
	}
	return m.finishHandout()
}

// finishHandout shows the handout. The reader is where he was in the lesson.
func (m *Model) finishHandout() []Cmd {
	next := *m.Handout
	next.Ready = true
	m.Handout = &next
	return m.leaveHandout()
}

// dropHandout gives a handout up.
func (m *Model) dropHandout() []Cmd {
	cmds := m.leaveHandout()
	m.Handout = nil
	return cmds
}

func (m *Model) leaveHandout() []Cmd {
	if m.Dialog == "handout" {
		m.Dialog = ""
	}
	if m.Learning == nil || m.Handout.before.Name != m.Learning.Name {
		return nil
	}
	stop := m.Handout.before.Stop
	m.Learning = m.Handout.before
	return m.goStop(stop, false)
}

// has reports whether parts from and up to to have one of a kind.
func (l *Learning) has(kind lesson.Kind, from, to int) bool {
	for i := from; i < to; i++ {
		if l.Parts[i].Kind == kind.String() {
			return true
		}
	}
	return false
}
