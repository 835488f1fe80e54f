package lesson

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Handout is a lesson as it is printed: its text, a picture of the stage at each of its moments,
// and the machine's answers to its questions. It is gathered by going through the lesson.
type Handout struct {
	Sheets  []Sheet        // by stop, as far as they are gathered
	Answers map[int]string // by question
	Ready   bool

	sheet  Sheet    // the one whose picture is being taken
	draws  bool     // a picture is being taken
	before Learning // where the reader was
}

// Sheet is what a handout has of a stop.
type Sheet struct {
	Sentence link.Sentence
	Picture  string // its address; "" where the stage is the same as at the stop before, or nothing has happened yet
	step     int64
}

// Draw takes a picture of the stage after the model as it is now has been painted.
type Draw struct{}

// Print opens the browser's dialog that prints the page.
type Print struct{}

// Drawn answers Draw: the picture can be had at URL, or Failed says why not.
type Drawn struct{ URL, Failed string }

func (Draw) Cmd()  {}
func (Print) Cmd() {}
func (Drawn) Msg() {}

// OnPaper reports whether there is something to print: a handout, or the reader's record.
func (m *Model) OnPaper() bool { return m.Record != nil || m.Handout != nil && m.Handout.Ready }

// gathering reports whether a handout is being made.
func (h *Handout) gathering() bool { return h != nil && !h.Ready }

// OpenHandout begins to gather a handout of the lesson.
func (m *Model) OpenHandout() []desk.Cmd {
	if m.Handout.gathering() {
		return nil
	}
	m.desk.SetDialog("handout")
	m.desk.EndGuess()
	m.Handout = &Handout{Answers: map[int]string{}, before: *m.Learning}
	return m.GoStop(0, false)
}

// gather takes in the stage at a stop, and has a picture taken of it.
func (m *Model) gather(f *link.Frame) []desk.Cmd {
	h, l := m.Handout, m.Learning
	if l == nil || m.desk.Surroundings().Dialog != "handout" {
		return m.DropHandout()
	}
	stop := len(h.Sheets)
	if m.desk.Surroundings().Moving || h.draws || stop == len(l.Stops) || l.Stop != stop {
		return nil
	}
	sheet := Sheet{Sentence: f.Sentence, step: f.Step}
	if f.Step == 0 { // nothing has happened yet
		return m.addSheet(sheet)
	}
	if from, to := l.Range(stop); stop > 0 && f.Step == h.Sheets[stop-1].step && l.find(link.PartScript, from, to) < 0 {
		return m.addSheet(sheet)
	}
	h.sheet, h.draws = sheet, true
	return []desk.Cmd{Draw{}}
}

// Drawn takes in a picture of the stage.
func (m *Model) Drawn(x Drawn) []desk.Cmd {
	h := m.Handout
	switch {
	case !h.gathering() || !h.draws: // it was given up
		return nil
	case x.Failed != "":
		cmds := m.DropHandout()
		m.desk.Fail(&link.Failure{Sentence: link.Sentence{ID: "fail.handout"}, Reason: link.FaultText(x.Failed)})
		return cmds
	case m.desk.Surroundings().Dialog != "handout":
		return m.DropHandout()
	}
	sheet := h.sheet
	sheet.Picture = x.URL
	return m.addSheet(sheet)
}

// addSheet adds what belongs to a stop, and goes on: to the next stop, and then to the questions.
func (m *Model) addSheet(s Sheet) []desk.Cmd {
	h, l := m.Handout, m.Learning
	h.Sheets, h.draws = append(h.Sheets, s), false
	if n := len(h.Sheets); n < len(l.Stops) {
		return m.GoStop(n, false)
	}
	var cmds []desk.Cmd
	for _, i := range l.partsOf(link.PartQuestion) {
		cmds = append(cmds, m.desk.Send(link.AskAnswer{Part: i})...)
	}
	if cmds == nil {
		return m.finishHandout()
	}
	return cmds
}

// addAnswer adds the machine's answer to a question.
func (m *Model) addAnswer(j *link.Judged) []desk.Cmd {
	m.Handout.Answers[j.Part] = j.Answer
	if len(m.Handout.Answers) < len(m.Learning.partsOf(link.PartQuestion)) {
		return nil
	}
	return m.finishHandout()
}

// finishHandout shows the handout. The lesson is at the stop from before.
func (m *Model) finishHandout() []desk.Cmd {
	m.Handout.Ready = true
	return m.leaveHandout()
}

// DropHandout gives a handout up.
func (m *Model) DropHandout() []desk.Cmd {
	cmds := m.leaveHandout()
	m.Handout = nil
	return cmds
}

// leaveHandout goes back to the stop from before.
func (m *Model) leaveHandout() []desk.Cmd {
	if m.desk.Surroundings().Dialog == "handout" {
		m.desk.SetDialog("")
	}
	h := m.Handout
	if h == nil || m.Learning == nil || h.before.Name != m.Learning.Name {
		return nil
	}
	*m.Learning = h.before
	return m.GoStop(h.before.Stop, false)
}

// ClosePaper closes what is shown to be printed.
func (m *Model) ClosePaper() { m.Handout, m.Record = nil, nil }

// Record is what the reader has done on a path, as a page to be printed. The name is shown there and nowhere else: it
// isn't kept, and nothing is sent.
type Record struct {
	Path string // "" for all lessons
	Name string // of the reader, "" for none
}

// maxReader is how many letters of a name are taken.
const maxReader = 80

// OpenRecord shows the record of a path.
func (m *Model) OpenRecord(path string) {
	if _, lessons := m.Lessons(path); len(lessons) > 0 {
		m.desk.SetDialog("")
		m.Record = &Record{Path: path}
	}
}

// NameReader puts a name on the record.
func (m *Model) NameReader(name string) {
	if m.Record == nil {
		return
	}
	if letters := []rune(name); len(letters) > maxReader {
		name = string(letters[:maxReader])
	}
	m.Record.Name = name
}
