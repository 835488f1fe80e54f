package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// changeDensity shows the full microscope where the loop is, and the loop where its story is in the microscope. Of
// anything else, it makes the page full if it is plain, and plain if it is full, for what the page is used for now.
func (m *Model) changeDensity() []Cmd {
	if m.Open.Source.Loop {
		return m.showLoop(!m.Loop.Shown)
	}
	return m.Density.choose(m.use(), !m.Plain())
}

// showLoop shows the loop, or the full microscope of its story. The next visit begins with the same.
func (m *Model) showLoop(on bool) []Cmd {
	view := navigation.Microscope
	if on {
		view = navigation.Loop
	}
	m.Open.View, m.Nav.Used = view, !on
	return append(m.Loop.Show(on, m.Stage.Frame), desk.Keep{Name: "view", Value: string(view)})
}

// showVersions shows the loop's story in the microscope, with the oldest version of client-go beside it, and how the two
// differ.
func (m *Model) showVersions() []Cmd {
	m.Front.show(desk.Compare)
	return append(m.showLoop(false), m.Second.pair(link.SecondProfile{Profile: world.Classic.Name})...)
}

// usedMicroscope reports whether the viewer has used the microscope, by what the device has kept of that.
func (m *Model) usedMicroscope(view string) bool {
	if view != "" {
		return view == string(navigation.Microscope)
	}
	return slices.ContainsFunc(m.Density.chosen, func(s string) bool { return strings.HasSuffix(s, "="+fullDensity) }) ||
		m.Density.Last.Act == "open" || m.Density.Last.Act == "script"
}

// openLoop opens the loop at its first beat.
func (m *Model) openLoop() []Cmd {
	if m.Loop.On() {
		return m.Loop.Go(1)
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
	if m.Loop.On() {
		return link.WatchEvent
	}
	return m.Transport.Unit
}

// noteLast keeps what is open, unless the page has opened it by itself, it was in a link, or it can't be had
// again.
func (m *Model) noteLast() []Cmd {
	l, s, stop := &m.Density.Last, m.Open.Source, 0
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
	return []Cmd{desk.Keep{Name: "last", Value: l.Act + " " + l.Arg + " " + l.Title}}
}
