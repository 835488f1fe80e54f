package session

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// full is the Model of a viewer who has used the microscope, and has chosen it for lessons.
func full() *Model {
	m := New("en", "", -1)
	m.Whole, m.Nav.Used = true, true
	return m
}

// newcomer is the visit of somebody who has chosen nothing.
func newcomer(t *testing.T, fragment string, still bool) *visit {
	v := &visit{game: &game{t: t, m: New("en", "", -1)}, entries: []navigation.Returned{{Fragment: fragment}}}
	v.m.Settings.ReducedMotion = still
	v.do(v.entries[0], Started{}, Spoke{"en", map[string]string{"step.start": "Nothing yet."}})
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
	v.do(Acted{Act: "full"})
	if v.m.Loop.Shown || v.m.Open.View != navigation.Microscope || !slices.Contains(v.cmds, Cmd(desk.StoreSetting{Name: "view", Value: "microscope"})) {
		t.Error("the loop doesn't lead to the microscope")
	}
	v.do(Acted{Act: "full"})
	if !v.m.Loop.Shown || !slices.Contains(v.cmds, Cmd(desk.StoreSetting{Name: "view", Value: "loop"})) {
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
		m.Update(Started{})
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

// In a lesson, z shows the full microscope in the place of the lesson's own stations, or leads back. That is kept, and what
// earlier pages have kept is understood. It leads from the bundled recording to the loop, and from a capture nowhere.
func TestTheFullMicroscopeAndBack(t *testing.T) {
	v := newcomer(t, "#lesson=delta-fifo", true)
	id, m := lastID[link.Open](v.game), v.m
	v.play(Replied{&link.Reply{ID: id, News: &link.Opened{Name: "delta-fifo.md", Script: true, Complete: true}}},
		Replied{&link.Reply{ID: id, News: &link.Lesson{Name: "delta-fifo", Stops: []int{0}, Stations: []string{link.StationQueue, link.StationLoop}}}})
	for _, want := range []struct {
		subjects int
		kept     string
	}{{0, "true"}, {2, "false"}} {
		v.cmds = nil
		v.do(Pressed{Key: "z"})
		if len(m.Subjects()) != want.subjects || !slices.Contains(v.cmds, Cmd(desk.StoreSetting{Name: "whole", Value: want.kept})) {
			t.Errorf("the lesson's stage has %v, and %v is kept", m.Subjects(), v.cmds)
		}
	}
	m.Lesson.Learning.Stations = link.Stations
	if m.Can("full") {
		t.Error("a lesson on all stations has something to leave out")
	}
	m.Lesson.Learning, m.Open.Source = nil, navigation.Source{Name: "mine.trace.jsonl", Files: 2}
	if m.Can("full") {
		t.Error("the loop takes the place of a capture")
	}
	m.Open.Source = navigation.Bundled
	if !m.Can("full") {
		t.Error("the bundled recording doesn't lead to the loop")
	}
	for _, c := range []struct {
		kept  map[string]string
		whole bool
	}{
		{nil, false},
		{map[string]string{"density": "home=full lesson=full"}, true},
		{map[string]string{"density": "lesson=plain own=full"}, false},
		{map[string]string{"density": "lesson=full", "whole": "false"}, false},
		{map[string]string{"whole": "true"}, true},
	} {
		m := New("en", "", -1)
		m.Restore(func(name string) string { return c.kept[name] })
		if m.Whole != c.whole {
			t.Errorf("with %v kept, lessons show the full microscope: %v", c.kept, m.Whole)
		}
	}
}

// Links that name a density are of earlier pages. They open what they name else, without a complaint, and the loop where
// they name nothing. A key that was given to the density is one of the full microscope.
func TestOldDensitiesOpen(t *testing.T) {
	for fragment, want := range map[string]navigation.Source{
		"#density=plain":                    navigation.Story,
		"#density=full":                     navigation.Story,
		"#trace=shop&density=plain":         navigation.Bundled,
		"#trace=shop&step=3&density=full":   navigation.Bundled,
		"#library=11-resync&density=plain":  navigation.Script("11-resync"),
		"#lesson=delta-fifo&density=plain":  {URL: "lessons/en/delta-fifo.md", Name: "delta-fifo.md"},
		"#lesson=delta-fifo&at=2&density=z": {URL: "lessons/en/delta-fifo.md", Name: "delta-fifo.md"},
	} {
		m := newcomer(t, fragment, true).m
		if s := m.Open.Source; s.URL != want.URL || s.Loop != want.Loop || m.Loop.Shown != want.Loop || m.Nav.Notice != nil || m.Open.Failure != nil {
			t.Errorf("%s opens %+v, and the loop is shown: %v", fragment, s, m.Loop.Shown)
		}
	}
	if k := parseKeymap("density\tF2"); !slices.Equal(k.Custom["full"], []string{"F2"}) {
		t.Errorf("of an old keymap, %v is left", k.Custom)
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
			if k, ok := c.(desk.StoreSetting); ok && k.Name == "last" {
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
		next.Last.restore(saved)
		if got := next.Last.Act; got != want {
			t.Errorf("of %q the act %q is restored, want %q", saved, got, want)
		}
	}
}
