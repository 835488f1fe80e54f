// Package hands is what the viewer does to the machine, as the page's model has it. That is always
// a line of script: the console, in which lines are written; the gestures at the stations, each of
// which writes one; and the futures that come of them.
package hands

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Model is what the viewer does to the machine.
type Model struct {
	Lanes    *link.Lanes        // the futures that there are, nil before anything is open
	Lines    []link.ConsoleLine // the console's transcript
	Typed    int                // where in Lines those begin that came of the viewer's own lines
	Wrong    *link.LineFailure  // what is wrong with the line played last, nil for nothing
	Line     string             // as it is being written
	written  []string           // the lines played, the newest last
	recall   int                // which of them is in Line, counted from the newest; 0 for none
	Menu     string             // whose gestures are shown, "" for none's
	Renames  int                // the lane whose name is being edited, 0 for none
	Explored *link.Explored     // a can line whose answer is being looked for, nil for none
	Random   int64              // the seed of the next random schedule
	Focus    int                // counts the times that the console's line is to have the focus
}

// Desk is what hands know of the rest of the model, and do to it.
type Desk interface {
	desk.Desk

	// PlayTo plays to a step, which takes at most so many seconds; with 0, at the speed that
	// the viewer has chosen.
	PlayTo(step int64, seconds float64) []desk.Cmd
}

// Play plays a line where the viewer is.
func (m *Model) Play(d Desk, line string) []desk.Cmd {
	line = strings.TrimSpace(line)
	if line == "" || d.Rest().Trace == nil {
		return nil
	}
	if n := len(m.written); n == 0 || m.written[n-1] != line {
		m.written = append(m.written, line)
	}
	m.Line, m.recall, m.Wrong, m.Menu = "", 0, nil, ""
	return append(d.Pause(), d.Move(link.PlayLine{Line: line})...)
}

// Toggle opens a menu of gestures, or closes it.
func (m *Model) Toggle(menu string) []desk.Cmd {
	if m.Menu == menu {
		menu = ""
	}
	m.Menu = menu
	return nil
}

// CloseMenu closes the menu of gestures.
func (m *Model) CloseMenu() { m.Menu = "" }

// Anew is what stays of m when something else is opened.
func (m Model) Anew() Model {
	return Model{written: m.written, recall: m.recall, Random: m.Random, Focus: m.Focus}
}
