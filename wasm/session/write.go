package session

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
)

// Writing is a lesson while it is edited. The stage shows the moment of the line that is written,
// as soon as nothing is wrong with the text.
type Writing struct {
	Text  string
	Fault *link.Written // what is wrong, or that all of it holds; nil before the machine has said so

	good  string // the last text that the machine has taken
	tried string // the text that it reads
	line  int    // that is being written, from 1
	asked bool   // the machine reads the text
	again bool   // it has changed since
	check bool   // all of it is to be checked then
}

// reopen opens the editor again with what stood in it.
func (m *Model) reopen(draft string) []Cmd {
	if m.Learning == nil || draft == "" {
		return nil
	}
	m.Writing, m.Tab, m.Sheet = &Writing{Text: draft, good: m.Source.Text}, Lesson, true
	if draft == m.Source.Text {
		return nil
	}
	return m.tryText(false)
}

// edit opens the lesson's editor, or closes it.
func (m *Model) edit() []Cmd {
	if m.Writing != nil {
		m.Writing = nil
		return nil
	}
	cmds := m.setPlaying(false)
	return append(cmds, m.send(link.ReadText{}, false)...)
}

// rewrite takes in another text. Line is the one that is being written.
func (m *Model) rewrite(line, text string) []Cmd {
	if m.Writing == nil {
		return nil
	}
	w := *m.Writing
	w.Text = text
	w.line, _ = strconv.Atoi(line)
	m.Writing = &w
	m.Source.URL, m.Source.Text = "", w.good // it is no longer the course's
	return m.tryText(false)
}

// tryText has the machine read the text, one after the other.
func (m *Model) tryText(check bool) []Cmd {
	w := *m.Writing
	defer func() { m.Writing = &w }()
	if w.asked {
		w.again, w.check = true, w.check || check
		return nil
	}
	w.asked, w.again, w.check, w.tried = true, false, false, w.Text
	return m.send(link.Rewrite{Text: w.Text, Line: w.line, Check: check}, false)
}

// checkText checks the whole lesson.
func (m *Model) checkText() []Cmd {
	if m.Writing == nil {
		return nil
	}
	return m.tryText(true)
}

// wrote takes in the text to be edited, or what is wrong with the one that was written.
func (m *Model) wrote(r *link.Written) []Cmd {
	if r.Text != "" {
		if m.Learning != nil {
			m.Writing, m.Tab, m.Sheet = &Writing{Text: r.Text, good: r.Text}, Lesson, true
		}
		return nil
	}
	if m.Writing == nil {
		return nil
	}
	w := *m.Writing
	w.Fault, w.asked = r, false
	if r.Why == "" {
		w.good = w.tried
	}
	if m.Source.Text != "" {
		m.Source.Text = w.good
	}
	m.Writing = &w
	if w.again {
		return m.tryText(w.check)
	}
	return nil
}
