package session

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
)

// Allows reports whether a command can ever be given: not in a frame, if it is about the viewer's
// own files or a cluster.
func (m *Model) Allows(c *Command) bool { return !(c.files && m.Embedded) }

// Refuses reports whether an element with data-act name can never do anything here.
func (m *Model) Refuses(name string) bool {
	c := byName[name]
	return c != nil && !m.Allows(c)
}

// has reports whether there is what a command needs: one of these names, "" for nothing.
func (m *Model) has(need string) bool {
	l := m.Lanes
	switch need {
	case "open":
		return m.Opened != nil
	case "frame":
		return m.Frame != nil && m.Died == ""
	case "place":
		return m.BackTo() >= 0
	case "placeAfter":
		return m.ForwardTo() >= 0
	case "search":
		return m.Search != nil
	case "undo":
		return l != nil && l.Undo
	case "redo":
		return l != nil && l.Redo
	case "flip":
		return l != nil && len(l.All) > 1
	case "beside":
		return m.Beside != nil && m.Frame != nil
	case "explore":
		return m.Explored != nil
	case "profile":
		return m.Opened != nil && !m.Opened.Script
	case "informer":
		return m.Opened != nil && len(m.Opened.Informers) > 1
	case "lesson":
		return m.Learning != nil
	case "question":
		return m.Learning.Open() >= 0
	case "asked":
		return m.Tab == Lesson && m.Learning.Open() >= 0
	case "guess":
		return m.Guess.Open()
	case "score":
		return m.Score.All > 0
	case "writing":
		return m.Writing != nil
	case "handout":
		return m.Handout != nil && m.Handout.Ready
	case "exercise":
		return m.Learning != nil && m.Learning.Find(lesson.Exercise) >= 0
	case "read":
		return len(m.Read) > 0
	case "presenting":
		return m.Presenting
	case "live":
		return m.Live != nil && m.Live.Following
	case "loading":
		return m.Loading || m.Rereading != nil
	case "died":
		return m.Died != ""
	case "close":
		return m.closes()
	}
	return true
}

var digits = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}

// choice is what a command can be done with.
type choice struct{ arg, title string }

// choices are what a command can be done with now, with their titles in the page's
// language.
func (m *Model) choices(c *Command) (all []choice) {
	named := func(arg string) { all = append(all, choice{arg, m.Words["ui."+c.Name+"."+arg]}) }
	o := m.Opened
	switch c.Name {
	case "unit":
		for _, u := range link.Units {
			named(string(u))
		}
	case "axis":
		for _, a := range link.Axes {
			named(string(a))
		}
	case "tab":
		for _, t := range m.Tabs() {
			named(string(t))
		}
	case "spot":
		for _, name := range link.Stations {
			all = append(all, choice{name, m.Words["ui.station."+name]})
		}
	case "lang":
		for _, l := range Languages {
			all = append(all, choice{l.Code, l.Name})
		}
	case "script":
		for _, name := range Scripts {
			all = append(all, choice{name, m.Words["script."+name]})
		}
	case "profile":
		for i := 0; o != nil && i < len(o.Profiles); i++ {
			all = append(all, choice{o.Profiles[i].Name, "client-go " + o.Profiles[i].Versions})
		}
	case "informer":
		for i := 0; o != nil && i < len(o.Informers); i++ {
			all = append(all, choice{strconv.Itoa(i), o.Informers[i].Name})
		}
	case "answer":
		if q := m.Learning.Open(); q >= 0 {
			for i, text := range m.Learning.Parts[q].Options {
				all = append(all, choice{strconv.Itoa(i), text})
			}
		}
	case "lesson":
		for i := 0; m.Course != nil && i < len(m.Course.Chapters); i++ {
			for _, l := range m.Course.Chapters[i].Lessons {
				all = append(all, choice{l.Name, l.Title})
			}
		}
	}
	return all
}
