package session

import (
	"testing"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/lesson"
)

// A handout is gathered by going through the lesson: a picture for each moment, and the machine's
// answer to each question. The reader is at the same stop afterwards, and has read nothing.
func TestAHandoutIsGathered(t *testing.T) {
	m := reading()
	var cmds []Cmd
	play := func(messages ...Msg) {
		for _, msg := range messages {
			more := m.Update(msg)
			cmds = append(cmds, more...)
		}
	}
	last := func() link.Request { s := sent(cmds); return s[len(s)-1] }
	arrive := func(stop int, step int64) {
		t.Helper()
		q := last()
		if q.Op != link.Op(link.GoStop{Stop: stop}) {
			t.Fatalf("the page asked for %+v, want stop %d", q, stop)
		}
		play(Replied{&link.Reply{ID: q.ID, News: &link.Stopped{Stop: stop}}}, Replied{&link.Reply{ID: q.ID, News: &link.Frame{Step: step, Steps: 9, Complete: true}}})
	}
	drawn := func() {
		t.Helper()
		if cmds[len(cmds)-1] != (lesson.Draw{}) {
			t.Fatalf("no picture is taken, but %+v", cmds[len(cmds)-1])
		}
		play(lesson.Drawn{URL: "blob:1"})
	}
	before := m.Lesson.Learning
	play(Acted{"handout", "", ""})
	arrive(0, 2)
	play(Replied{&link.Reply{News: &link.Frame{Step: 2, Steps: 9}}}) // the window has changed
	drawn()
	arrive(1, 4)
	drawn()
	if q := last(); q.Op != link.Op(link.AskAnswer{Part: 2}) {
		t.Fatalf("the page asked for %+v", q)
	}
	play(lesson.Drawn{URL: "blob:late"}, Replied{&link.Reply{ID: last().ID, News: &link.Judged{Part: 2, Answer: "b"}}})
	h := m.Lesson.Handout
	if h == nil || !h.Ready || m.Front.Dialog != "" || len(h.Sheets) != 2 || h.Sheets[1].Picture != "blob:1" || h.Answers[2] != "b" {
		t.Fatalf("the handout is %+v", h)
	}
	if m.Lesson.Learning != before || len(m.Lesson.Read) != 0 || m.Lesson.Learning.OpenQuestion() != 2 {
		t.Error("the reader has read on, or has answered")
	}
	if q := last(); q.Op != link.Op(link.GoStop{Stop: before.Stop}) {
		t.Errorf("the page asked for %+v", q)
	}
	arrive(before.Stop, 0)
	play(Acted{"print", "", ""})
	if cmds[len(cmds)-1] != (lesson.Print{}) {
		t.Error("nothing is printed")
	}
	play(Pressed{Key: "Escape"})
	if m.Lesson.Handout != nil {
		t.Error("the handout stays open")
	}

	play(Acted{"handout", "", ""})
	arrive(0, 2)
	play(Pressed{Key: "Escape"}, lesson.Drawn{URL: "blob:2"})
	if m.Lesson.Handout != nil || m.Front.Dialog != "" || link.Name(last().Op) != "GoStop" {
		t.Error("it isn't given up")
	}
	arrive(before.Stop, 0)
	play(Acted{"handout", "", ""})
	arrive(0, 2)
	play(lesson.Drawn{Failed: "no canvas"})
	if m.Lesson.Handout != nil || m.Open.Failure == nil || m.Open.Failure.Reason.Args[fault.Text].V != "no canvas" {
		t.Error("nobody says why there is no handout")
	}

	arrive(before.Stop, 0)
	play(Acted{"handout", "", ""})
	arrive(0, 0)
	if q := last(); q.Op != link.Op(link.GoStop{Stop: 1}) || m.Lesson.Handout.Sheets[0].Picture != "" {
		t.Errorf("before anything has happened, a picture is taken, and the page asked for %+v", q)
	}
}
