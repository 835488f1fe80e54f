package host

import (
	"errors"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// textOf gives the page the text of the lesson, to be edited.
func (l *lessons) readText(id int, _ link.ReadText) {
	if l.doc.lesson == nil {
		l.badRequest(id)
		return
	}
	l.send(&link.Reply{ID: id, Written: &link.Written{Text: l.doc.lesson.text}})
}

var errOtherTrace = errors.New("another trace is played only when the file is opened again")

// rewrite takes another text for the lesson, and shows the moment at line N of it. With Play, the
// whole lesson is checked, too. If something is wrong, the lesson stays what it was.
func (l *lessons) rewrite(id int, q link.Rewrite) {
	d := l.doc
	if d.lesson == nil {
		l.badRequest(id)
		return
	}
	next, step, err := d.lesson.rewritten(d, q.Text, q.Line)
	if err != nil {
		l.wrong(id, err)
		return
	}
	d.lesson = next
	l.tellLesson()
	l.opened(0)
	l.tellScript()
	l.frame(id, d.run().SeekTo(step, l.window))
	l.work()
	if q.Check {
		if err := next.player.Check(func(script.Entry) {}); err != nil {
			l.wrong(id, err)
			return
		}
	}
	l.send(&link.Reply{ID: id, Written: &link.Written{Checked: q.Check}})
}

// rewritten returns t with another text, and has d show the scene at the stop
// to which a line of that text belongs.
func (t *taught) rewritten(d *document, text string, line int) (next *taught, step int64, err error) {
	l, err := lesson.Parse(text)
	switch {
	case err != nil:
		return nil, 0, err
	case l.Trace != t.lesson.Trace:
		return nil, 0, errOtherTrace
	case len(l.Parts) == 0:
		return nil, 0, errNoScene
	}
	next = &taught{text: text, lesson: l, player: lesson.Player{Lesson: l, Machine: t.player.Machine}, stops: l.Stops(), scenes: map[int]*machine.Script{}, ends: map[int]int64{}}
	stop := 0
	for k, first := range next.stops {
		if l.Parts[first].N <= line {
			stop = k
		}
	}
	step, err = next.goTo(d, stop)
	return next, step, err
}

// wrong says what is wrong with a text, and in which line.
func (l *lessons) wrong(id int, err error) {
	w := &link.Written{Why: err.Error()}
	var at lesson.Error
	if errors.As(err, &at) {
		w.Line, w.Col, w.Why = at.Line, at.Col, at.Text
	}
	l.send(&link.Reply{ID: id, Written: w})
}
