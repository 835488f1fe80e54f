package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// toggleFull shows the full microscope where the loop or the stations of a lesson are, and these where the microscope
// is. From what the page brings along it leads to the loop.
func (m *Model) toggleFull() []Cmd {
	switch {
	case m.Open.Source.Loop:
		return m.showLoop(!m.Loop.Shown)
	case m.Lesson.Learning != nil:
		m.Whole = !m.Whole
		return []Cmd{desk.StoreSetting{Name: "whole", Value: strconv.FormatBool(m.Whole)}}
	}
	return m.openLoop()
}

// showLoop shows the loop, or the full microscope of its story. The next visit begins with the same.
func (m *Model) showLoop(on bool) []Cmd {
	view := navigation.Microscope
	if on {
		view = navigation.Loop
	}
	m.Open.View, m.Nav.Used = view, !on
	m.Loop.Show(on, m.Stage.Frame)
	return []Cmd{desk.StoreSetting{Name: "view", Value: string(view)}}
}

// showVersions shows the loop's story in the microscope, with the oldest version of client-go beside it, and how the two
// differ.
func (m *Model) showVersions() []Cmd {
	second := link.SecondProfile{Profile: world.Classic.Name}
	cmds := m.showLoop(false)
	if l := m.Hands.Lanes; l != nil && (l.Undo || l.Redo || len(l.List) > 1) { // another version plays the text alone, and so must this one
		cmds = append(cmds, m.open(navigation.Script("loop"))...)
		m.Nav.FollowAddress(&address.Address{Source: address.Source{Library: "loop"}, Second: second})
	} else {
		cmds = append(cmds, m.Second.pair(second)...)
	}
	m.Front.show(desk.Compare)
	return cmds
}

// usedMicroscope reports whether the viewer has used the microscope, by the settings that the device has kept. Earlier pages
// have kept density: on them, the microscope could be plain or full.
func (m *Model) usedMicroscope(view, density string) bool {
	if view != "" {
		return view == string(navigation.Microscope)
	}
	return m.Whole || strings.Contains(density, "=full") || m.Last.Act == "open" || m.Last.Act == "script"
}

// openLoop opens the loop at its first beat.
func (m *Model) openLoop() []Cmd {
	if m.Loop.Visible() {
		return m.Loop.GoToBeat(1)
	}
	return m.open(navigation.Story)
}

// tickedLoop lets the loop go on before a painting, at a time in milliseconds.
func (m *Model) tickedLoop(now float64) []Cmd {
	cmds, seen := m.Loop.Ticked(now)
	if !seen {
		cmds = append(cmds, Unseen{})
	}
	return cmds
}

// unit returns how far one step goes by hand: in the loop, to the next watch event.
func (m *Model) unit() link.Unit {
	if m.Loop.Visible() {
		return link.WatchEvent
	}
	return m.Transport.Unit
}

// LastOpened is what the viewer has opened last, this time or at another visit.
type LastOpened struct {
	Act, Arg string            // the command that goes on there: "lesson", "script" or "open"; "" for nothing
	Title    string            // of a lesson, or the name of a file
	from     navigation.Source // Act, Arg and Title describe it, at the stop
	stop     int
}

// lastActs are the commands that can go on.
var lastActs = []string{"lesson", "script", "open"}

// restore takes in what was kept at another visit.
func (l *LastOpened) restore(saved string) {
	act, rest, _ := strings.Cut(saved, " ")
	arg, title, _ := strings.Cut(rest, " ")
	if slices.Contains(lastActs, act) && (act != "script" || slices.Contains(navigation.Scripts, arg)) {
		*l = LastOpened{Act: act, Arg: arg, Title: title}
	}
}

func (l *LastOpened) forget() []Cmd {
	*l = LastOpened{from: l.from, stop: l.stop}
	return []Cmd{desk.StoreSetting{Name: "last"}}
}

// noteLast keeps what is open, unless the page has opened it by itself, it was in a link, or it can't be had
// again.
func (m *Model) noteLast() []Cmd {
	l, s, stop := &m.Last, m.Open.Source, 0
	learning := m.Lesson.Learning
	if learning != nil {
		stop = learning.Stop
	}
	if m.Open.Trace == nil || m.Site.Embedded || s == l.from && stop == l.stop {
		return nil
	}
	before := *l
	l.from, l.stop = s, stop
	folder, file, _ := strings.Cut(s.URL, "/")
	switch name := s.Lesson(); {
	case name != "":
		if learning == nil || learning.Name != name {
			l.from = navigation.Source{} // it is on its way
			return nil
		}
		l.Act, l.Arg, l.Title = "lesson", name+"#."+strconv.Itoa(stop+1), learning.Title
	case folder == "scripts" && !s.Loop:
		l.Act, l.Arg, l.Title = "script", strings.TrimSuffix(file, ".txt"), ""
	case s.URL == "" && s.Text == "" && s.Name != "" && m.Cluster.Live == nil:
		l.Act, l.Arg, l.Title = "open", "-", navigation.TidyName(s.Name)
	}
	if l.Act == before.Act && l.Arg == before.Arg && l.Title == before.Title {
		return nil
	}
	return []Cmd{desk.StoreSetting{Name: "last", Value: l.Act + " " + l.Arg + " " + l.Title}}
}
