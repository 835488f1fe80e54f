package session

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/save"
)

// keyCommand returns what a key press does, nil for nothing of the page's.
func (m *Model) keyCommand(p Pressed) *Command {
	k := &m.Keyboard
	if p.Alt {
		return nil
	}
	key := p.name()
	if k.Map.Disabled && isSingle(key) {
		return nil
	}
	var found *Command
	for _, g := range Groups {
		for _, c := range g.Commands {
			switch {
			case (p.Typing || m.Front.Dialog != "") && !c.front, !slices.Contains(k.Map.Keys(c), key), !m.Site.Allows(c):
			case c.mode == "" && found == nil:
				found = c
			case c.mode != "" && m.provides(c.mode):
				return c
			}
		}
	}
	return found
}

// HasKey reports whether a key press is one of the page's commands. Then the browser
// must not act on it.
func (m *Model) HasKey(p Pressed) bool {
	if m.Keyboard.Keying.Command != "" {
		return !isModifier(p.Key)
	}
	return m.keyCommand(p) != nil
}

func (m *Model) press(p Pressed) []Cmd {
	k := &m.Keyboard
	if k.Keying.Command != "" {
		return k.assign(p)
	}
	c := m.keyCommand(p)
	if c == nil {
		return nil
	}
	if m.Room.Blank && c.Name != "blank" { // the audience sees what happens next
		m.Room.Blank = false
		return nil
	}
	arg := ""
	if c.Digit {
		n, _ := strconv.Atoi(p.Key)
		arg = strconv.Itoa(n - c.from)
	}
	if c.Digit && m.Lesson.Learning.Counting() { // it missed the field for votes
		return nil
	}
	m.Save.Report.Note(c.Name)
	k.focused, k.pressed = p.Place, p.Now
	cmds := m.carryOut(c, arg, "")
	k.focused = ""
	return cmds
}

// close closes the dialog, the sheet or the notice that is in front.
func (m *Model) close() []Cmd {
	f := &m.Front
	switch {
	case f.Dialog == "handout":
		return m.Lesson.DropHandout()
	case f.Dialog == "" && (m.Lesson.Handout != nil || m.Lesson.Record != nil):
		m.Lesson.ClosePaper()
	case f.Dialog != "":
		cmds := m.Save.Stop()
		f.Dialog = ""
		m.Keyboard.change(false, "")
		m.Nav.Dismissed()
		return cmds
	case m.Find.Search != nil:
		return m.Find.End()
	case m.Hands.Menu != "":
		m.Hands.Menu = ""
	case m.Room.Spot != "":
		m.Room.Spot = ""
	case m.Room.Active:
		return m.Room.present(false)
	case f.Tab == desk.WhyTab:
		return m.Causes.Close()
	case f.Sheet:
		f.Sheet = false
	case m.Open.Failure != nil && m.Stage.Frame != nil:
		m.Open.Failure = nil
	}
	return nil
}

// spot throws light on a station, or on the next one without a name.
func (m *Model) spot(station string) {
	if station == "" {
		m.Room.next(m.stations(), 1)
	} else {
		m.Room.light(station)
	}
}

// leaveRoom ends presenting when the browser has ended the full screen by itself, as
// it does on Escape.
func (m *Model) leaveRoom() []Cmd {
	if !m.Room.Active || m.Front.Dialog != "" {
		return nil
	}
	return m.Room.present(false)
}

// report makes the report of a problem from the states in which the page is.
func (m *Model) report() []Cmd {
	states := m.Nav.States()
	if o := m.Open.Trace; o != nil {
		states += " " + o.Format + " " + o.Setup.Profile
	}
	return m.Save.Report.Begin(save.MakeReport{Release: m.Site.Version.Release, Program: m.Site.Version.Program, States: states})
}

// giveReport gives the viewer the report as a file.
func (m *Model) giveReport() []Cmd {
	if m.Save.Report.Text == "" {
		return nil
	}
	return []Cmd{Download{"informerscope-report.jsonl", m.Save.Report.Text}}
}
