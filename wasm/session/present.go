package session

import (
	"slices"

	"github.com/informerscope/informerscope/wasm/link"
)

// Room is how the stage is shown to a room.
type Room struct {
	On      bool   // it is
	Blank   bool   // the room sees nothing for now
	Spot    string // the station on which light is thrown, "" for all
	Covered bool   // the sentence under the stage is hidden
	Noting  bool   // the speaker's window is open
}

// present begins or ends to show the stage to a room: on the whole screen, large, with one
// sentence under it, and nothing else.
func (r *Room) present(m *Model, on bool) []Cmd {
	before := m.Window()
	r.On, r.Blank, r.Spot, r.Covered = on, false, "", false
	return append(m.fit(before), FullScreen{on})
}

// left ends presenting when the browser has ended the full screen by itself, as
// it does on Escape.
func (r *Room) left(m *Model) []Cmd {
	if !r.On || m.Front.Dialog != "" {
		return nil
	}
	return r.present(m, false)
}

// light throws light on a station, so that all others are dimmed, or takes it away from the
// one that has it. Without a name it goes to the next one.
func (r *Room) light(m *Model, station string) []Cmd {
	switch {
	case !r.On:
	case station == "":
		return r.next(m, 1)
	case station == r.Spot:
		r.Spot = ""
	case slices.Contains(link.Stations, station):
		r.Spot = station
	}
	return nil
}

// next goes on to the next station, or back with by = -1. After the last one all are lit. The
// stations that matter to a lesson come first.
func (r *Room) next(m *Model, by int) []Cmd {
	if !r.On {
		return nil
	}
	var all []string
	if l := m.Lesson.Learning; l != nil {
		all = slices.Clone(l.Stations)
	}
	for _, s := range link.Stations {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	n := len(all) + 1
	i := (slices.Index(all, r.Spot) + 1 + by + n) % n
	if r.Spot = ""; i > 0 {
		r.Spot = all[i-1]
	}
	return nil
}

// cover hides the sentence under the stage, or shows it.
func (r *Room) cover() { r.Covered = !r.Covered }

// blank hides everything from the room, or shows it.
func (r *Room) blank(on bool) { r.Blank = on }

// note tells whether the speaker's window is open.
func (r *Room) note(on bool) { r.Noting = on }

// unlight takes the light away.
func (r *Room) unlight() { r.Spot = "" }
