package session

import (
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// The machine reads what is written, one text after the other: while it reads one, only the newest
// of those that come waits. A lesson of the course becomes the viewer's own.
func TestWritingALesson(t *testing.T) {
	m := reading()
	var cmds []Cmd
	play := func(messages ...Msg) {
		for _, msg := range messages {
			more := m.Update(msg)
			cmds = append(cmds, more...)
		}
	}
	asked := func() (all []link.Rewrite) {
		for _, q := range sent(cmds) {
			if r, is := q.Op.(link.Rewrite); is {
				all = append(all, r)
			}
		}
		return all
	}
	play(Acted{"edit", "", ""})
	if q := sent(cmds); q[len(q)-1].Op != link.Op(link.ReadText{}) || m.Lesson.Writing != nil {
		t.Fatal("the text isn't asked for")
	}
	play(Replied{&link.Reply{News: &link.Written{Text: "# A"}}})
	if m.Lesson.Writing == nil || m.Lesson.Writing.Text != "# A" || m.Front.Tab != desk.Lesson || m.Open.Source.Lesson() == "" {
		t.Fatalf("the editor has %+v, not the lesson's text", m.Lesson.Writing)
	}
	play(Acted{"rewrite", "1", "# B"}, Acted{"rewrite", "1", "# BC"}, Acted{"rewrite", "2", "# BCD"})
	if q := asked(); len(q) != 1 || q[0].Text != "# B" || m.Open.Source.Lesson() != "" {
		t.Fatalf("the page asked for %+v", q)
	}
	play(Replied{&link.Reply{News: &link.Written{Line: 1, Reason: link.FaultText("wrong")}}})
	if q := asked(); len(q) != 2 || q[1] != (link.Rewrite{Text: "# BCD", Line: 2}) || m.Lesson.Writing.Fault.Reason == nil {
		t.Fatalf("the page asked for %+v", q)
	}
	play(Acted{"checkText", "", ""}, Replied{&link.Reply{News: &link.Written{}}})
	if q := asked(); len(q) != 3 || !q[2].Check || m.Lesson.Writing.Fault.Reason != nil {
		t.Fatalf("the page asked for %+v", q)
	}
	again := twoStops()
	again.Stops, again.Stop = []int{0}, 0
	play(Replied{&link.Reply{News: again}}, Replied{&link.Reply{News: &link.Written{Checked: true}}})
	if m.Lesson.Learning.Stop != 0 || len(m.Lesson.Learning.Stops) != 1 || !m.Lesson.Writing.Fault.Checked {
		t.Errorf("the lesson is %+v, and the check says %+v", m.Lesson.Learning, m.Lesson.Writing.Fault)
	}
	play(Acted{"edit", "", ""}, Acted{"rewrite", "1", "# E"})
	if m.Lesson.Writing != nil || len(asked()) != 3 {
		t.Error("the editor stays open")
	}
}
