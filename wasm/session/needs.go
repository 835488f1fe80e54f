package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/loop"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// Can reports whether a command can be given now.
func (m *Model) Can(command string) bool { return m.provides(byName[command].needs) }

// provides reports whether there is what a command needs: one of these names, "" for nothing.
func (m *Model) provides(need string) bool {
	l := m.Hands.Lanes
	switch need {
	case "open":
		return m.Open.Trace != nil
	case "frame":
		return m.Stage.Frame != nil && m.Open.Died == ""
	case "card":
		return m.HasCard()
	case "place":
		return m.Nav.PreviousStep() >= 0
	case "placeAfter":
		return m.Nav.ForwardTo() >= 0
	case "search":
		return m.Find.Search != nil
	case "undo":
		return l != nil && l.Undo
	case "redo":
		return l != nil && l.Redo
	case "loop":
		return m.Loop.Visible()
	case "less":
		return m.Open.Source.Loop || m.hasSubjects() || m.Lesson.Learning == nil && !m.Open.Source.IsViewers()
	case "flip":
		return l != nil && len(l.List) > 1
	case "beside":
		return m.Second.Comparison != nil && m.Stage.Frame != nil
	case "explore":
		return m.Hands.Explored != nil
	case "profile":
		return m.Open.Trace != nil && !m.Open.Trace.Script
	case "informer":
		return m.Open.Trace != nil && len(m.Open.Trace.Informers) > 1
	case "lesson":
		return m.Lesson.Learning != nil
	case "question":
		return m.Lesson.Learning.OpenQuestion() >= 0
	case "asked":
		return m.Front.Tab == desk.Lesson && m.Lesson.Learning.OpenQuestion() >= 0
	case "mend":
		return m.Lesson.Learning.MendPart() >= 0
	case "mends":
		return m.Front.Tab == desk.Lesson && m.Lesson.Learning.MendPart() >= 0
	case "guess":
		return m.Guess.Asked.Open()
	case "score":
		return m.Guess.Score.Guesses > 0
	case "writing":
		return m.Lesson.Writing != nil
	case "handout":
		return m.Lesson.OnPaper()
	case "exercise":
		return m.Lesson.Learning.HasExercise()
	case "read":
		return len(m.Lesson.Read) > 0
	case "presenting":
		return m.Room.Active
	case "live":
		return m.Cluster.Live != nil && m.Cluster.Live.Following
	case "loading":
		return m.Open.Loading || m.Open.Rereading != nil
	case "died":
		return m.Open.Died != ""
	case "close":
		return m.canClose()
	}
	return true
}

// choice is what a command can be done with.
type choice struct{ arg, title string }

// choices returns what a command can be done with now, with their titles in the page's
// language.
func (m *Model) choices(c *Command) (all []choice) {
	named := func(arg string) { all = append(all, choice{arg, m.Settings.Words["ui."+c.Name+"."+arg]}) }
	o := m.Open.Trace
	switch c.Name {
	case "unit":
		for _, u := range link.Units {
			named(string(u))
		}
	case "loopBeat":
		for i, b := range loop.Beats {
			all = append(all, choice{strconv.Itoa(i + 1), m.Settings.Words["loop.beat."+b.Name]})
		}
	case "axis":
		for _, a := range link.Axes {
			named(string(a))
		}
	case "tab":
		for _, t := range m.Front.Tabs() {
			named(string(t))
		}
	case "spot":
		for _, name := range link.Stations {
			all = append(all, choice{name, m.Settings.Words["ui.station."+name]})
		}
	case "lang":
		for _, l := range Languages {
			all = append(all, choice{l.Code, l.Name})
		}
	case "script":
		for _, name := range navigation.Scripts {
			all = append(all, choice{name, m.Settings.Words["script."+name]})
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
		if q := m.Lesson.Learning.OpenQuestion(); q >= 0 {
			for i, text := range m.Lesson.Learning.Parts[q].Options {
				all = append(all, choice{strconv.Itoa(i), text})
			}
		}
	case "mendLine":
		if x := m.Lesson.Learning.MendPart(); x >= 0 {
			for i, c := range m.Lesson.Learning.Parts[x].Mend.Choices {
				all = append(all, choice{strconv.Itoa(i), strings.TrimSpace(strings.Join(c.Code, " "))})
			}
		}
	case "lesson":
		for i := 0; m.Lesson.Course != nil && i < len(m.Lesson.Course.Chapters); i++ {
			for _, l := range m.Lesson.Course.Chapters[i].Lessons {
				all = append(all, choice{l.Name, l.Title})
			}
		}
	}
	return all
}

func (m *Model) canClose() bool {
	f := &m.Front
	return f.Dialog != "" || m.Lesson.Handout != nil || m.Lesson.Record != nil || m.Find.Search != nil || m.Hands.Menu != "" || m.Room.Active || f.Sheet || m.Open.Failure != nil && m.Stage.Frame != nil
}

// Allows reports whether a command can ever be given: not in a frame, if it is about the viewer's
// own files or a cluster.
func (s *Site) Allows(c *Command) bool { return !(c.files && s.Embedded) }

// Refuses reports whether an element with data-act name can never do anything here.
func (s *Site) Refuses(name string) bool {
	c := byName[name]
	return c != nil && !s.Allows(c)
}
