package lesson

import (
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
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
	Picture string // its address; "" where the stage is the same as at the stop before, or nothing has happened yet
	step    int64
}

// Draw takes a picture of the stage after the model as it is now has been painted.
type Draw struct{}

// Print opens the browser's dialog that prints the page.
type Print struct{}

// Drawn answers Draw: the picture can be had at URL, or Failed says why not.
type Drawn struct{ URL, Failed string }

// Cmd marks a command.
func (Draw) Cmd() {}

// Cmd marks a command.
func (Print) Cmd() {}

// Msg marks a message.
func (Drawn) Msg() {}

// OnPaper reports whether there is something to print: a handout, or the reader's record.
func OnPaper(m Model) bool { return m.Record != nil || m.Handout != nil && m.Handout.Ready }

// gathering reports whether a handout is being made.
func (h *Handout) gathering() bool { return h != nil && !h.Ready }

// OpenHandout begins to gather a handout of the lesson.
func (m *Model) OpenHandout(d Desk) []desk.Cmd {
	if m.Learning == nil || m.Handout.gathering() {
		return nil
	}
	d.SetDialog("handout")
	d.EndGuess()
	m.Handout = &Handout{Answers: map[int]string{}, before: m.Learning}
	return m.GoStop(d, 0, false)
}

// gather takes in the stage at a stop, and has a picture taken of it.
func (h *Handout) gather(m *Model, d Desk, f *link.Frame) []desk.Cmd {
	l, stop := m.Learning, len(h.Sheets)
	if l == nil || d.Rest().Dialog != "handout" {
		return m.DropHandout(d)
	}
	if d.Rest().Moving || h.draws || stop == len(l.Stops) || l.Stop != stop {
		return nil
	}
	sheet := Sheet{Said: f.Said, step: f.Step}
	if f.Step == 0 { // nothing has happened yet
		return h.add(m, d, sheet)
	}
	if from, to := l.Range(stop); stop > 0 && f.Step == h.Sheets[stop-1].step && l.find(lesson.Script, from, to) < 0 {
		return h.add(m, d, sheet)
	}
	next := *h
	next.sheet, next.draws = sheet, true
	m.Handout = &next
	return []desk.Cmd{Draw{}}
}

// Drawn takes in a picture of the stage.
func (m *Model) Drawn(d Desk, x Drawn) []desk.Cmd {
	h := m.Handout
	switch {
	case !h.gathering() || !h.draws: // it was given up
		return nil
	case x.Failed != "":
		cmds := m.DropHandout(d)
		d.Fail(&link.Failure{Say: link.Sentence{ID: "fail.handout"}, Why: link.FaultText(x.Failed)})
		return cmds
	case d.Rest().Dialog != "handout":
		return m.DropHandout(d)
	}
	sheet := h.sheet
	sheet.Picture = x.URL
	return h.add(m, d, sheet)
}

// add adds what belongs to a stop, and goes on: to the next stop, and then to the questions.
func (h *Handout) add(m *Model, d Desk, s Sheet) []desk.Cmd {
	next := *h
	next.Sheets, next.draws = append(next.Sheets, s), false
	m.Handout = &next
	l := m.Learning
	if n := len(next.Sheets); n < len(l.Stops) {
		return m.GoStop(d, n, false)
	}
	var cmds []desk.Cmd
	for _, i := range l.all(lesson.Question) {
		cmds = append(cmds, d.Send(link.AskAnswer{Part: i})...)
	}
	if cmds == nil {
		return next.finish(m, d)
	}
	return cmds
}

// judged takes in the machine's answer to a question.
func (h *Handout) judged(m *Model, d Desk, j *link.Judged) []desk.Cmd {
	h.Answers[j.Part] = j.Answer
	if len(h.Answers) < len(m.Learning.all(lesson.Question)) {
		return nil
	}
	return h.finish(m, d)
}

// finish shows the handout. The lesson is at the stop from before.
func (h *Handout) finish(m *Model, d Desk) []desk.Cmd {
	next := *h
	next.Ready = true
	m.Handout = &next
	return next.leave(m, d)
}

// DropHandout gives a handout up.
func (m *Model) DropHandout(d Desk) []desk.Cmd {
	cmds := m.Handout.leave(m, d)
	m.Handout = nil
	return cmds
}

// leave goes back to the stop from before.
func (h *Handout) leave(m *Model, d Desk) []desk.Cmd {
	if d.Rest().Dialog == "handout" {
		d.SetDialog("")
	}
	if m.Learning == nil || h.before.Name != m.Learning.Name {
		return nil
	}
	stop := h.before.Stop
	m.Learning = h.before
	return m.GoStop(d, stop, false)
}

// ClosePaper closes what is shown to be printed.
func (m *Model) ClosePaper() { m.Handout, m.Record = nil, nil }
