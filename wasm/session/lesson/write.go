package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Writing is a lesson while it is edited. The stage shows the moment of the line that is written,
// as soon as nothing is wrong with the text.
type Writing struct {
	Text  string
	Fault *link.Written // what is wrong, or that all of it holds; nil before the machine has said so
	Jumps int           // counts the times that the cursor is to go to the line that is wrong

	good    string // the last text that the machine has taken
	tried   string // the text that it reads
	line    int    // that is being written, from 1
	asked   bool   // the machine reads the text
	changed bool   // it has changed since
	check   bool   // all of it is to be checked then
}

// Reopen opens the editor again with what stood in it.
func (m *Model) Reopen(draft string) []desk.Cmd {
	if m.Learning == nil || draft == "" {
		return nil
	}
	m.Writing = &Writing{Text: draft, good: m.desk.Surroundings().Text}
	m.desk.Show(desk.Lesson)
	if draft == m.desk.Surroundings().Text {
		return nil
	}
	return m.tryText(false)
}

// Edit opens the lesson's editor, or closes it.
func (m *Model) Edit() []desk.Cmd {
	if m.Writing != nil {
		m.Writing = nil
		return nil
	}
	return append(m.desk.Pause(), m.desk.Send(link.ReadText{})...)
}

// Rewrite takes in another text. Line is the one that is being written.
func (m *Model) Rewrite(line, text string) []desk.Cmd {
	w := m.Writing
	w.Text = text
	w.line, _ = strconv.Atoi(line)
	m.desk.Rewrite(w.good) // it is no longer the course's
	return m.tryText(false)
}

// tryText lets the machine read the text, one after the other.
func (m *Model) tryText(check bool) []desk.Cmd {
	w := m.Writing
	if w.asked {
		w.changed, w.check = true, w.check || check
		return nil
	}
	w.asked, w.changed, w.check, w.tried = true, false, false, w.Text
	return m.desk.Send(link.Rewrite{Text: w.Text, Line: w.line, Check: check})
}

// CheckText checks the whole lesson.
func (m *Model) CheckText() []desk.Cmd { return m.tryText(true) }

// ToFault moves the cursor to the line that is wrong.
func (w *Writing) ToFault() { w.Jumps++ }

// Wrote takes in the text to be edited, or what is wrong with the one that was written.
func (m *Model) Wrote(r *link.Written) []desk.Cmd {
	if r.Text != "" {
		if m.Learning != nil {
			m.Writing = &Writing{Text: r.Text, good: r.Text}
			m.desk.Show(desk.Lesson)
		}
		return nil
	}
	if m.Writing == nil {
		return nil
	}
	w := m.Writing
	w.Fault, w.asked = r, false
	if r.Reason == nil {
		w.good = w.tried
	}
	if m.desk.Surroundings().Text != "" {
		m.desk.Rewrite(w.good)
	}
	if w.changed {
		return m.tryText(w.check)
	}
	return nil
}

// Template is the name of the lesson that a new one begins as. The course doesn't list it.
const Template = "new-lesson"
