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
func (l *Lessons) reopen(m *Model, draft string) []Cmd {
	if l.Learning == nil || draft == "" {
		return nil
	}
	l.Writing = &Writing{Text: draft, good: m.Open.Source.Text}
	m.Front.show(Lesson)
	if draft == m.Open.Source.Text {
		return nil
	}
	return l.tryText(m, false)
}

// edit opens the lesson's editor, or closes it.
func (l *Lessons) edit(m *Model) []Cmd {
	if l.Writing != nil {
		l.Writing = nil
		return nil
	}
	cmds := m.Transport.set(m, false)
	return append(cmds, m.send(link.ReadText{}, false)...)
}

// rewrite takes in another text. Line is the one that is being written.
func (l *Lessons) rewrite(m *Model, line, text string) []Cmd {
	if l.Writing == nil {
		return nil
	}
	w := *l.Writing
	w.Text = text
	w.line, _ = strconv.Atoi(line)
	l.Writing = &w
	m.Open.rewritten(w.good) // it is no longer the course's
	return l.tryText(m, false)
}

// tryText has the machine read the text, one after the other.
func (l *Lessons) tryText(m *Model, check bool) []Cmd {
	w := *l.Writing
	defer func() { l.Writing = &w }()
	if w.asked {
		w.again, w.check = true, w.check || check
		return nil
	}
	w.asked, w.again, w.check, w.tried = true, false, false, w.Text
	return m.send(link.Rewrite{Text: w.Text, Line: w.line, Check: check}, false)
}

// checkText checks the whole lesson.
func (l *Lessons) checkText(m *Model) []Cmd {
	if l.Writing == nil {
		return nil
	}
	return l.tryText(m, true)
}

// wrote takes in the text to be edited, or what is wrong with the one that was written.
func (l *Lessons) wrote(m *Model, r *link.Written) []Cmd {
	if r.Text != "" {
		if l.Learning != nil {
			l.Writing = &Writing{Text: r.Text, good: r.Text}
			m.Front.show(Lesson)
		}
		return nil
	}
	if l.Writing == nil {
		return nil
	}
	w := *l.Writing
	w.Fault, w.asked = r, false
	if r.Why == nil {
		w.good = w.tried
	}
	if m.Open.Source.Text != "" {
		m.Open.rewritten(w.good)
	}
	l.Writing = &w
	if w.again {
		return l.tryText(m, w.check)
	}
	return nil
}
