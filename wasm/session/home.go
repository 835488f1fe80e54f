package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// use returns what the page is used for at present.
func (m *Model) use() string {
	s := m.Open.Source
	switch {
	case m.Room.On:
		return useRoom
	case m.Lesson.Learning != nil || s.Lesson() != "":
		return useLesson
	case s.Link != "" || m.Density.link != "":
		return useLink
	case s.URL == navigation.Bundled.URL || strings.HasPrefix(s.URL, "scripts/"):
		return useHome
	}
	return useOwn
}

// Plain reports whether the page is plain now.
func (m *Model) Plain() bool {
	use := m.use()
	if plain, ok := m.Density.chosenFor(use); ok {
		return plain
	}
	return use != useOwn || m.Screen.Narrow()
}

// AtHome reports whether the page shows what it opens by itself, to a viewer who may be new.
func (m *Model) AtHome() bool {
	return m.use() == useHome && m.Open.Source.URL == navigation.Bundled.URL && m.Plain()
}

// changeDensity makes the page full if it is plain, and plain if it is full, for what the page is used for now.
func (m *Model) changeDensity() []Cmd { return m.Density.choose(m.use(), !m.Plain()) }

// The recording plays from the end of the first list, with its keys in the queue, until some watch
// events have gone through the machine. A test holds the first one.
const (
	homeFrom = 13
	homeTo   = 260
)

// awaitHome has the recording play, unless the address or the last visit leads somewhere.
func (m *Model) awaitHome(b *Began) {
	m.Density.Home.due = m.AtHome() && m.Nav.Address == "" && b.Stay == nil && b.Ended == "" && !m.Site.Embedded
}

// homeShown goes on when a frame is shown.
func (m *Model) homeShown() []Cmd {
	h, at := &m.Density.Home, m.Stage.Frame.Step
	switch {
	case h.plays && at == homeFrom:
		h.plays = false
		return m.Transport.playTo(homeTo, 0)
	case h.due && at != 0, !m.AtHome(), m.Front.Dialog != "":
		h.due = false
	case h.due && m.ask.complete && m.ask.moving == 0:
		h.due, h.plays = false, !m.Settings.Still
		return m.move(link.Seek{Step: homeFrom})
	}
	return nil
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
	case folder == "scripts":
		l.Act, l.Arg, l.Title = "script", strings.TrimSuffix(file, ".txt"), ""
	case s.URL == "" && s.Text == "" && s.Name != "" && m.Cluster.Live == nil:
		l.Act, l.Arg, l.Title = "open", "-", navigation.TidyName(s.Name)
	}
	if l.Act == before.Act && l.Arg == before.Arg && l.Title == before.Title {
		return nil
	}
	return []Cmd{desk.Keep{Name: "last", Value: l.Act + " " + l.Arg + " " + l.Title}}
}
