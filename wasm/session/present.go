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
func (r *Room) present(on bool) []Cmd {
	*r = Room{On: on, Noting: r.Noting}
	return []Cmd{FullScreen{on}}
}

// light throws light on a station, so that all others are dimmed, or takes it away from the
// one that has it.
func (r *Room) light(station string) {
	switch {
	case !r.On:
	case station == r.Spot:
		r.Spot = ""
	case slices.Contains(link.Stations, station):
		r.Spot = station
	}
}

// next goes on to the next station, or back with by = -1. After the last one all are lit. Those
// that matter come first.
func (r *Room) next(matter []string, by int) {
	if !r.On {
		return
	}
	all := slices.Clone(matter)
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
}
