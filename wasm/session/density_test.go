package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// full is the Model of a viewer who has used the microscope, and has chosen the full page everywhere.
func full() *Model {
	m := New("en", "", -1)
	m.Density.chosen, m.Nav.Used = strings.Fields("home=full lesson=full room=full own=full link=full"), true
	return m
}

// newcomer is the visit of somebody who has chosen nothing.
func newcomer(t *testing.T, fragment string, still bool) *visit {
	v := &visit{game: &game{t: t, m: New("en", "", -1)}, entries: []navigation.Returned{{Fragment: fragment}}}
	v.m.Settings.Still = still
	v.do(v.entries[0], Began{}, Spoke{"en", map[string]string{"step.start": "Nothing yet."}})
	v.settle()
	return v
}

// A first visit opens the loop, and whoever has used the microscope opens the recording in it. What was chosen last is
// kept for the next visit.
func TestAVisitOpensTheLoop(t *testing.T) {
	v := newcomer(t, "", true)
	if !v.m.Loop.Shown || v.m.Open.Source != navigation.Story || v.m.Open.View != navigation.Loop {
		t.Errorf("a first visit opens %+v", v.m.Open.Source)
	}
	v.cmds = nil
	v.do(Acted{Act: "density"})
	if v.m.Loop.Shown || v.m.Plain() || v.m.Open.View != navigation.Microscope || !slices.Contains(v.cmds, Cmd(desk.Keep{Name: "view", Value: "microscope"})) {
		t.Error("the loop doesn't lead to the microscope")
	}
	v.do(Acted{Act: "density"})
	if !v.m.Loop.Shown || !slices.Contains(v.cmds, Cmd(desk.Keep{Name: "view", Value: "loop"})) {
		t.Error("the microscope doesn't lead back to the loop")
	}
	for _, c := range []struct {
		kept map[string]string
		loop bool
	}{
		{nil, true},
		{map[string]string{"view": "microscope"}, false},
		{map[string]string{"view": "loop", "density": "home=full"}, true},
		{map[string]string{"density": "home=full"}, false},
		{map[string]string{"density": "home=plain"}, true},
		{map[string]string{"last": "open - mine.json"}, false},
		{map[string]string{"last": "lesson delta-fifo#.3 One pod"}, true},
	} {
		m := New("en", "", -1)
		m.Restore(func(name string) string { return c.kept[name] })
		m.Update(navigation.Returned{})
		m.Update(Began{})
		if m.Loop.Shown != c.loop {
			t.Errorf("with %v kept, the loop is shown: %v", c.kept, m.Loop.Shown)
		}
	}
	for fragment, beat := range map[string]int{"#loop": 1, "#loop=3": 3, "#loop=99": 1, "#library=loop": 0, "#lesson=delta-fifo": 0, "#trace=shop": 0} {
		if v := newcomer(t, fragment, true); v.m.Loop.Shown != (beat > 0) || beat > 0 && v.m.Loop.Beat != beat {
			t.Errorf("%s shows the loop: %v, at beat %d", fragment, v.m.Loop.Shown, v.m.Loop.Beat)
		}
	}
}

// What a viewer brings is full, until the viewer chooses otherwise for that use. A link says itself what it is.
func TestDensityIsOfAUse(t *testing.T) {
	own := navigation.Source{Name: "mine.trace.jsonl", Files: 2}
	m := newcomer(t, "", true).m
	begin := func(s navigation.Source) { m.Open.Source = s; m.Density.reset(); m.Loop.Reset(false, 1) }
	begin(own)
	if m.Plain() {
		t.Error("a viewer's own capture begins plain")
	}
	m.Screen.Width, m.Screen.Height = 390, 844
	if !m.Plain() {
		t.Error("a viewer's own capture begins full on a phone")
	}
	m.changeDensity()
	begin(own)
	if m.Plain() {
		t.Error("what was chosen for captures is forgotten with the capture")
	}
	m.Screen.Width, m.Screen.Height = 1440, 900
	for fragment, plain := range map[string]bool{"#trace=shop&density=plain": true, "#trace=shop": false, "#trace=shop&density=other": false} {
		v := newcomer(t, fragment, true)
		if v.m.Plain() != plain {
			t.Errorf("%s opens the page plain: %v", fragment, v.m.Plain())
		}
	}
}

// The home leads back to what was opened last: a lesson at its stop, a script, a file by its name. What the
// page opens by itself is none of these, and what was kept is checked.
func TestTheHomeLeadsBack(t *testing.T) {
	v := newcomer(t, "", true)
	kept := func(want string) {
		t.Helper()
		got := "nothing"
		for _, c := range v.cmds {
			if k, ok := c.(desk.Keep); ok && k.Name == "last" {
				got = k.Value
			}
		}
		if got != want {
			t.Errorf("%q is kept, want %q", got, want)
		}
		v.cmds = nil
	}
	kept("nothing")
	file := func() {
		v.play(Chose{Name: "my pods.json", Size: 5})
		v.play(Replied{&link.Reply{ID: lastID[link.Open](v.game), News: &link.Opened{Name: "my pods.json", Complete: true}}})
	}
	file()
	kept("open - my pods.json")
	v.do(Acted{Act: "script", Arg: "11-resync"})
	v.play(Replied{&link.Reply{ID: lastID[link.Open](v.game), News: &link.Opened{Name: "11-resync.txt", Script: true, Complete: true}}})
	kept("script 11-resync ")
	v.do(Acted{Act: "lesson", Arg: "delta-fifo"})
	kept("nothing") // it is on its way
	id := lastID[link.Open](v.game)
	v.play(Replied{&link.Reply{ID: id, News: &link.Opened{Name: "delta-fifo.md", Script: true, Complete: true}}},
		Replied{&link.Reply{ID: id, News: &link.Lesson{Name: "delta-fifo", Title: "One pod", Stops: []int{0, 0, 0}}}})
	kept("lesson delta-fifo#.1 One pod")
	v.play(Replied{&link.Reply{News: &link.Stopped{Stop: 2}}})
	kept("lesson delta-fifo#.3 One pod")
	v.do(Acted{Act: "forgetLessons"})
	kept("")
	for saved, want := range map[string]string{
		"lesson delta-fifo#.3 One pod": "lesson", "script 11-resync ": "script", "script ../x ": "", "quit - x": "", "": "", "open - a b": "open",
	} {
		next := New("en", "", -1)
		next.Density.Last.restore(saved)
		if got := next.Density.Last.Act; got != want {
			t.Errorf("of %q the act %q is restored, want %q", saved, got, want)
		}
	}
}
