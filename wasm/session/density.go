package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// Density is how much of the machine the page shows. The plain page says in a few words what each
// station is for, and shows what there is and nothing else. The full page has every field, empty
// or not. Both show the same frame at the same places.
type Density struct {
	chosen []string // "use=plain" or "use=full", for each use for which the viewer has chosen
	link   string   // what the link that was opened says, "" for nothing
	Home   Home
	Last   Last
}

// The two densities, as links and the viewer's device have them.
const (
	plainDensity = "plain"
	fullDensity  = "full"
)

// The uses of the page, each with a density of its own. A newcomer meets the first three.
const (
	useHome   = "home"   // what the page brings along: its recording and its scripts
	useLesson = "lesson" // while one is open
	useRoom   = "room"   // the stage is shown to a room
	useOwn    = "own"    // what the viewer has opened
	useLink   = "link"   // what a link has opened
)

// use is what the page is used for at present.
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
	if plain, ok := m.Density.says(use); ok {
		return plain
	}
	return use != useOwn || m.Screen.Narrow()
}

// says reports what the viewer has chosen for a use, or what the link says that was opened.
func (d *Density) says(use string) (plain, ok bool) {
	switch {
	case slices.Contains(d.chosen, use+"="+plainDensity):
		return true, true
	case slices.Contains(d.chosen, use+"="+fullDensity):
		return false, true
	}
	return d.link == plainDensity, use == useLink
}

// AtHome reports whether the page shows what it opens by itself, to a viewer who may be new.
func (m *Model) AtHome() bool {
	return m.use() == useHome && m.Open.Source.URL == navigation.Bundled.URL && m.Plain()
}

// change makes the page full if it is plain, and plain if it is full. It is kept for what the page
// is used for now.
func (d *Density) change(m *Model) []Cmd {
	use, other := m.use(), plainDensity
	if m.Plain() {
		other = fullDensity
	}
	d.chosen = slices.DeleteFunc(slices.Clone(d.chosen), func(s string) bool { return strings.HasPrefix(s, use+"=") })
	d.chosen = append(d.chosen, use+"="+other)
	return []Cmd{desk.Keep{Name: "density", Value: strings.Join(d.chosen, " ")}}
}

// restore takes in what the viewer has chosen before.
func (d *Density) restore(saved string) { d.chosen = strings.Fields(saved) }

// follow takes in what an address says.
func (d *Density) follow(a *address.Address) { d.link = a.Page.Density }

// anew is what stays of d when something else is opened.
func (d Density) anew() Density { return Density{chosen: d.chosen, Last: d.Last} }

// Home is the recording that the page opens by itself, for a viewer who may be new: it plays from a
// moment at which keys wait in the queue, or stands there if the viewer wants nothing to move.
type Home struct {
	due   bool // the recording is to be shown so as soon as it has been run
	plays bool // it is to play as soon as that moment is shown
}

// The recording plays from the end of the first list, with its keys in the queue, until some watch
// events have gone through the machine. A test holds the first one.
const (
	homeFrom = 13
	homeTo   = 260
)

// await has the recording play, unless the address or the last visit leads somewhere.
func (h *Home) await(m *Model, b *Began) {
	h.due = m.AtHome() && m.Nav.Address == "" && b.Stay == nil && b.Ended == "" && !m.Site.Embedded
}

// shown goes on when a frame is shown.
func (h *Home) shown(m *Model) []Cmd {
	at := m.Stage.Frame.Step
	switch {
	case h.plays && at == homeFrom:
		h.plays = false
		return m.Transport.playTo(m, homeTo, 0)
	case h.due && at != 0, !m.AtHome(), m.Front.Dialog != "":
		h.due = false
	case h.due && m.ask.complete && m.ask.moving == 0:
		h.due, h.plays = false, !m.Settings.Still
		return m.move(link.Seek{Step: homeFrom})
	}
	return nil
}

// Last is what the viewer has opened last, this time or at another visit. The home leads back to it.
type Last struct {
	Act, Arg string            // the command that goes on there: "lesson", "script" or "open"; "" for nothing
	Title    string            // of a lesson, or the name of a file
	from     navigation.Source // what Act, Arg and Title were made of, with stop
	stop     int
}

// lastActs are the commands that can go on.
var lastActs = []string{"lesson", "script", "open"}

// restore takes in what was kept at another visit.
func (l *Last) restore(saved string) {
	act, rest, _ := strings.Cut(saved, " ")
	arg, title, _ := strings.Cut(rest, " ")
	if slices.Contains(lastActs, act) && (act != "script" || slices.Contains(navigation.Scripts, arg)) {
		*l = Last{Act: act, Arg: arg, Title: title}
	}
}

// note keeps what is open, unless the page has opened it by itself, it was in a link, or it can't be had
// again.
func (l *Last) note(m *Model) []Cmd {
	s, stop := m.Open.Source, 0
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

// forget forgets it.
func (l *Last) forget() []Cmd {
	*l = Last{from: l.from, stop: l.stop}
	return []Cmd{desk.Keep{Name: "last"}}
}
