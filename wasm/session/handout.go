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

// gathering reports whether a handout is being made.
func (h *Handout) gathering() bool { return h != nil && !h.Ready }

// openHandout begins to gather a handout of the lesson.
func (l *Lessons) openHandout(m *Model) []Cmd {
	if l.Learning == nil || l.Handout.gathering() {
		return nil
	}
	m.Front.ask("handout")
	m.Guess.end()
	l.Handout = &Handout{Answers: map[int]string{}, before: l.Learning}
	return l.goStop(m, 0, false)
}

// gather takes in the stage at a stop, and has a picture taken of it.
func (le *Lessons) gather(m *Model, f *link.Frame) []Cmd {
	h, l := le.Handout, le.Learning
	stop := len(h.Sheets)
	if l == nil || m.Front.Dialog != "handout" {
		return le.dropHandout(m)
	}
	if m.ask.moving != 0 || h.draws || stop == len(l.Stops) || l.Stop != stop {
		return nil
	}
	sheet := Sheet{Said: f.Said, step: f.Step}
	if from, to := l.Range(stop); stop > 0 && f.Step == h.Sheets[stop-1].step && !l.has(lesson.Script, from, to) {
		return le.gathered(m, sheet)
	}
	next := *h
	next.sheet, next.draws = sheet, true
	le.Handout = &next
	return []Cmd{Draw{}}
}

// drawn takes in a picture of the stage.
func (l *Lessons) drawn(m *Model, d Drawn) []Cmd {
	switch {
	case !l.Handout.gathering() || !l.Handout.draws: // it was given up
		return nil
	case d.Failed != "":
		cmds := l.dropHandout(m)
		m.Open.fail(&link.Failure{Say: link.Sentence{ID: "fail.handout"}, Why: link.FaultText(d.Failed)})
		return cmds
	case m.Front.Dialog != "handout":
		return l.dropHandout(m)
	}
	sheet := l.Handout.sheet
	sheet.Picture = d.URL
	return l.gathered(m, sheet)
}

// gathered adds what belongs to a stop, and goes on: to the next stop, and then to the questions.
func (le *Lessons) gathered(m *Model, s Sheet) []Cmd {
	next := *le.Handout
	next.Sheets, next.draws = append(next.Sheets, s), false
	le.Handout = &next
	l := le.Learning
	if n := len(next.Sheets); n < len(l.Stops) {
		return le.goStop(m, n, false)
	}
	var cmds []Cmd
	for i := range l.Parts {
		if l.Parts[i].Kind == lesson.Question.String() {
			cmds = append(cmds, m.send(link.AskAnswer{Part: i}, false)...)
		}
	}
	if cmds == nil {
		return le.finishHandout(m)
	}
	return cmds
}

// answered takes in the machine's answer to a question of the handout.
func (l *Lessons) answered(m *Model, j *link.Judged) []Cmd {
	h, questions := l.Handout, 0
	h.Answers[j.Part] = j.Answer
	for i := range l.Learning.Parts {
		if l.Learning.Parts[i].Kind == lesson.Question.String() {
			questions++
		}
	}
	if len(h.Answers) < questions {
		return nil
	}
	return l.finishHandout(m)
}

// finishHandout shows the handout. The lesson is at the stop from before.
func (l *Lessons) finishHandout(m *Model) []Cmd {
	next := *l.Handout
	next.Ready = true
	l.Handout = &next
	return l.leaveHandout(m)
}

// dropHandout gives a handout up.
func (l *Lessons) dropHandout(m *Model) []Cmd {
	cmds := l.leaveHandout(m)
	l.Handout = nil
	return cmds
}

func (l *Lessons) leaveHandout(m *Model) []Cmd {
	if m.Front.Dialog == "handout" {
		m.Front.ask("")
	}
	if l.Learning == nil || l.Handout.before.Name != l.Learning.Name {
		return nil
	}
	stop := l.Handout.before.Stop
	l.Learning = l.Handout.before
	return l.goStop(m, stop, false)
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

func (l *Lessons) forgetHandout() { l.Handout = nil }
