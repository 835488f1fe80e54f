package session

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// full is the Model of a viewer who has chosen the full page everywhere. At home, nothing plays by
// itself then.
func full() *Model {
	m := New("en", "", -1)
	m.Density.chosen = strings.Fields("home=full lesson=full room=full own=full link=full")
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

// What the page brings along is plain and what a viewer brings is full, until the viewer chooses
// otherwise for that use. A link says itself what it is.
func TestDensityIsOfAUse(t *testing.T) {
	own := navigation.Source{Name: "mine.trace.jsonl", Files: 2}
	v := newcomer(t, "", true)
	if !v.m.Plain() || !v.m.AtHome() {
		t.Error("the page that opens by itself is full")
	}
	v.do(Acted{Act: "density"})
	if v.m.Plain() || v.m.AtHome() {
		t.Error("the page can't be made full")
	}
	m := v.m
	begin := func(s navigation.Source) { m.Open.Source = s; m.Density.reset() }
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
	m.changeDensity()
	m.Screen.Width, m.Screen.Height = 1440, 900
	if begin(navigation.Bundled); m.Plain() {
		t.Error("what was chosen for captures counts at home")
	}

	next := New("en", "", -1)
	next.Density.chosen = strings.Fields("home=full own=plain nobody=plain x")
	next.Open.Source = navigation.Bundled
	if next.Plain() {
		t.Error("the next visit has forgotten the choice")
	}
	for fragment, plain := range map[string]bool{"#trace=shop&density=plain": true, "#trace=shop": false, "#trace=shop&density=other": false} {
		v := newcomer(t, fragment, true)
		if v.m.Plain() != plain {
			t.Errorf("%s opens the page plain: %v", fragment, v.m.Plain())
		}
	}
}

// The page that opens by itself goes to a moment at which something waits, and plays from there. It
// stands there for a viewer who wants nothing to move, and anything else begins where it begins.
func TestHomePlays(t *testing.T) {
	for _, c := range []struct {
		fragment     string
		still, plays bool
		seeks        int
	}{{"", false, true, 1}, {"", true, false, 1}, {"#trace=shop", false, false, 0}} {
		v := newcomer(t, c.fragment, c.still)
		if c.seeks > 0 {
			answer[link.Seek](v.game, homeFrom)
		}
		if n := count[link.Seek](v.game); n != c.seeks {
			t.Errorf("%q: the page goes to %d steps", c.fragment, n)
		}
		if v.m.Transport.Playing != c.plays {
			t.Errorf("%q, still %v: it plays: %v", c.fragment, c.still, v.m.Transport.Playing)
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
