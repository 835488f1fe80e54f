package hands

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Elsewhere reports whether another future than that which was opened is shown.
func (m *Model) Elsewhere() bool { return m.Lanes != nil && m.Lanes.Shown != m.Lanes.All[0].ID }

// Futures takes in the futures that there are.
func (m *Model) Futures(l *link.Lanes) { m.Lanes = l }

// Lane does something to the futures.
func (m *Model) Lane(d Desk, op link.Op) []desk.Cmd {
	if d.Rest().Trace == nil || m.Lanes == nil {
		return nil
	}
	m.Renames = 0
	return append(d.Pause(), d.Move(op)...)
}

// Rename begins to edit a lane's name.
func (m *Model) Rename(lane string) { m.Renames, _ = strconv.Atoi(lane) }

// Name gives a lane a name.
func (m *Model) Name(d Desk, lane, name string) []desk.Cmd {
	n, err := strconv.Atoi(lane)
	if err != nil {
		return nil
	}
	return m.Lane(d, link.RenameLane{Lane: n, Name: name})
}

// Flip shows the future that the one on the stage has left, or, of the first, the
// newest.
func (m *Model) Flip(d Desk) []desk.Cmd {
	if m.Lanes == nil || len(m.Lanes.All) < 2 {
		return nil
	}
	to := m.Lanes.All[len(m.Lanes.All)-1].ID
	if l := m.lane(m.Lanes.Shown); l != nil && l.Of >= 0 {
		to = l.Of
	}
	return m.Lane(d, link.ShowLane{Lane: to})
}

// lane is the lane with an ID, or nil.
func (m *Model) lane(id int) *link.Lane {
	for i := range m.Lanes.All {
		if l := &m.Lanes.All[i]; l.ID == id {
			return l
		}
	}
	return nil
}

// HasLane reports whether there is a lane with an ID.
func (m *Model) HasLane(id int) bool { return m.lane(id) != nil }

// Changed reports whether the future that is shown is one that the viewer made.
func (m *Model) Changed() bool {
	if m.Lanes == nil {
		return false
	}
	l := m.lane(m.Lanes.Shown)
	return l != nil && len(l.Lines) > 0
}
