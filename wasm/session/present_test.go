package session

import (
	"slices"
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/lesson"
)

// Whoever presents turns to the stage by a key and leaves by Escape. A remote control's key
// blanks the screen, and the next key only shows it again.
func TestPresenting(t *testing.T) {
	v := arrive(t, "#lesson=ghost")
	v.settle()
	v.do(Resized{1920, 1080})
	large := v.m.Window()
	v.do(Pressed{Key: "p"})
	if w := last[link.Fit](v.game).Window; !v.m.Room.Active || w.Queue >= large.Queue {
		t.Errorf("the page is presenting: %v, and has room for %+v", v.m.Room.Active, w)
	}
	for _, key := range []string{".", "b"} {
		v.do(Pressed{Key: key})
		if !v.m.Room.Blank {
			t.Fatalf("%s doesn't blank the screen", key)
		}
		steps, stops := count[link.Step](v.game), count[link.GoStop](v.game)
		v.do(Pressed{Key: "PageDown"})
		if v.m.Room.Blank || count[link.Step](v.game) != steps || count[link.GoStop](v.game) != stops {
			t.Fatal("the next key does something that nobody sees")
		}
	}
	v.do(Pressed{Key: "PageDown"})
	v.stops(1)
	v.do(Pressed{Key: "b"}, Pressed{Key: "b"})
	if v.m.Room.Blank {
		t.Error("the same key doesn't show the screen again")
	}
	v.do(Pressed{Key: "h"}, Pressed{Key: "Escape"})
	if !v.m.Room.Active || v.m.Front.Dialog != "" {
		t.Error("Escape in a dialog ends more than the dialog")
	}
	v.do(Pressed{Key: "Escape"})
	if w := last[link.Fit](v.game).Window; v.m.Room.Active || w != large {
		t.Errorf("the page is presenting: %v, and has room for %+v", v.m.Room.Active, w)
	}
	steps := count[link.Step](v.game)
	if v.do(Pressed{Key: "."}); v.m.Room.Blank || count[link.Step](v.game) == steps {
		t.Error("the key has not its usual meaning again")
	}
}

// Light goes from station to station and off again, and Escape takes it away before it ends
// presenting. The sentence is hidden until it is revealed.
func TestLightOnOneStation(t *testing.T) {
	v := arrive(t, "#lesson=ghost")
	v.settle()
	if v.do(Acted{"spot", "queue", ""}); v.m.Room.Spot != "" {
		t.Error("the light is on while nobody presents")
	}
	v.do(Pressed{Key: "p"})
	order := []string{"store", "queue"}
	v.m.Lesson.Learning.Stations = slices.Clone(order)
	for _, name := range link.Stations {
		if !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	for _, name := range order {
		if v.do(Pressed{Key: "s"}); v.m.Room.Spot != name {
			t.Fatalf("the light is on %q, want %q", v.m.Room.Spot, name)
		}
	}
	if v.do(Pressed{Key: "s"}); v.m.Room.Spot != "" {
		t.Error("after the last station the light stays on")
	}
	v.do(Pressed{Key: "S", Shift: true}, Acted{"spot", "store", ""})
	if v.m.Room.Spot != "store" {
		t.Errorf("a click throws light on %q", v.m.Room.Spot)
	}
	v.do(Acted{"spot", "nobody", ""}, Pressed{Key: "Escape"})
	if v.m.Room.Spot != "" || !v.m.Room.Active {
		t.Error("Escape doesn't take away the light alone")
	}
	if v.do(Pressed{Key: "c"}); !v.m.Room.Covered || v.m.Front.Tab == desk.Console {
		t.Error("the sentence isn't hidden")
	}
	if v.do(Pressed{Key: "c"}); v.m.Room.Covered {
		t.Error("the sentence isn't revealed")
	}
	v.do(Acted{"left", "", ""})
	if v.m.Room.Active {
		t.Error("the viewer has left the full screen, and still presents")
	}
}

// The room reads what the lesson says of a moment once the machine stands there.
func TestTheMomentOfAStop(t *testing.T) {
	m := reading()
	m.Lesson.Learning.Answers[2] = lesson.Guess{Option: 1, Judged: &link.Judged{Part: 2, Option: 1}}
	q := press(m, "j")
	replied(m, link.Reply{ID: q[0].ID, News: &link.Stopped{Stop: 1, Until: 600}})
	for _, step := range []int64{0, 300, 600} {
		replied(m, link.Reply{ID: q[0].ID, News: &link.Frame{Step: step, Steps: 900}})
		if m.Lesson.Learning.Step != 600 {
			t.Fatalf("at step %d the moment is at step %d", step, m.Lesson.Learning.Step)
		}
	}
	q = press(m, "k")
	for _, step := range []int64{40, 41} {
		replied(m, link.Reply{News: &link.Stopped{}})
		replied(m, link.Reply{ID: q[0].ID, News: &link.Frame{Step: step, Steps: 900}})
		replied(m, link.Reply{News: &link.Frame{Step: step + 5, Steps: 900}})
		if m.Lesson.Learning.Step != step {
			t.Fatalf("the moment is at step %d, want %d", m.Lesson.Learning.Step, step)
		}
	}
}

// The votes of the room are kept for the question that they were counted for.
func TestVotesOfTheRoom(t *testing.T) {
	m := reading()
	m.Stage.Frame, m.Room.Active = &link.Frame{}, true
	play := func(messages ...Msg) {
		for _, msg := range messages {
			m.Update(msg)
		}
	}
	q := m.Lesson.Learning.OpenQuestion()
	if q < 0 {
		t.Fatal("no question is open")
	}
	part := strconv.Itoa(q)
	play(Acted{"vote", part + ".0", "7"})
	if m.Lesson.Learning.Votes[q] != nil {
		t.Error("votes are counted before anybody wants to")
	}
	play(Pressed{Key: "v"}, Acted{"vote", part + ".0", "7"}, Acted{"vote", part + ".1", "99999"}, Acted{"vote", part + ".9", "7"}, Acted{"vote", "0.0", "7"}, Acted{"vote", part + ".0", "-4"}, Acted{"vote", part + ".0", "12"})
	if v := m.Lesson.Learning.Votes[q]; m.Lesson.VoteFocus != 1 || len(v) != len(m.Lesson.Learning.Parts[q].Options) || v[0] != 12 || v[1] != 9999 {
		t.Errorf("the votes are %v", m.Lesson.Learning.Votes)
	}
	for _, key := range []string{"0", "1", "2"} {
		if q := press(m, key); len(q) != 0 || !m.Lesson.Learning.Counting() {
			t.Errorf("while votes are counted, the key %s sends %+v", key, q)
		}
	}
	play(Acted{"answer", "1", ""})
	if m.Lesson.Learning.Counting() {
		t.Error("an answer that is pressed doesn't end the vote")
	}
}
