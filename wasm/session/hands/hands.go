// Package hands is what the viewer does to the machine, as the page's model has it. That is always
// a line of script: the console, in which lines are written; the gestures at the stations, each of
// which writes one; and the futures that come of them.
package hands

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Model is what the viewer does to the machine.
type Model struct {
	desk     desk.Desk
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
	Noticed  *link.Noticed      // who has noticed the fault that was played last, nil before that is known
	Random   int64              // the seed of the next random schedule
	Focus    int                // counts the times that the console's line is to have the focus
}

// New returns the Model of a machine to which nothing was done.
func New(d desk.Desk) Model { return Model{desk: d} }

// Play plays a line where the viewer is.
func (m *Model) Play(line string) []desk.Cmd {
	line = strings.TrimSpace(line)
	if line == "" || m.desk.Surroundings().Trace == nil {
		return nil
	}
	if n := len(m.written); n == 0 || m.written[n-1] != line {
		m.written = append(m.written, line)
	}
	m.Line, m.recall, m.Wrong, m.Menu, m.Noticed = "", 0, nil, "", nil
	return append(m.desk.Pause(), m.desk.Move(link.PlayLine{Line: line})...)
}

// Toggle opens a menu of gestures, or closes it.
func (m *Model) Toggle(menu string) {
	if m.Menu == menu {
		menu = ""
	}
	m.Menu = menu
}

// Reset forgets what was open.
func (m *Model) Reset() {
	*m = Model{desk: m.desk, written: m.written, recall: m.recall, Random: m.Random, Focus: m.Focus}
}

// Lane does something to the futures.
func (m *Model) Lane(op link.Op) []desk.Cmd {
	if m.desk.Surroundings().Trace == nil || m.Lanes == nil {
		return nil
	}
	m.Renames, m.Noticed = 0, nil
	return append(m.desk.Pause(), m.desk.Move(op)...)
}

// Name gives a lane a name.
func (m *Model) Name(lane, name string) []desk.Cmd {
	n, err := strconv.Atoi(lane)
	if err != nil {
		return nil
	}
	return m.Lane(link.RenameLane{Lane: n, Name: name})
}

// Flip shows the future that the one on the stage has left, or, of the first, the
// newest.
func (m *Model) Flip() []desk.Cmd {
	to := m.Lanes.List[len(m.Lanes.List)-1].ID
	if l := m.lane(m.Lanes.Shown); l != nil && l.Parent >= 0 {
		to = l.Parent
	}
	return m.Lane(link.ShowLane{Lane: to})
}

// lane returns the lane with an ID, or nil.
func (m *Model) lane(id int) *link.Lane {
	for i := range m.Lanes.List {
		if l := &m.Lanes.List[i]; l.ID == id {
			return l
		}
	}
	return nil
}

// Changed reports whether the future that is shown is one that the viewer made.
func (m *Model) Changed() bool {
	if m.Lanes == nil {
		return false
	}
	l := m.lane(m.Lanes.Shown)
	return l != nil && len(l.Lines) > 0
}
