package session

import (
	"slices"

	"github.com/informerscope/informerscope/wasm/link"
)

// Stage is what is on the stage.
type Stage struct {
	Frame    *link.Frame // the newest
	Lists    *link.Frame // whose lists are shown: the newest, or at high speed a recent one
	Timeline *link.Timeline
	Log      *link.Log // what was logged near the step shown, nil where the trace has no log
	Axis     link.Axis
	Heard    link.StepSummary  // what the live region reads
	passed   *link.StepSummary // the most telling step since it last read something
	heard    float64           // when that was, in milliseconds
}

// announceEvery is how often the live region says something while steps follow one another by
// themselves, in milliseconds. A screen reader needs about that long for a sentence.
const announceEvery = 4000

// hear decides what the live region reads when a frame has come, at a time in milliseconds. A step by hand is read
// at once. While steps follow one another by themselves, a sentence is read now and then:
// the most telling one since the last, or else the step that is shown.
func (s *Stage) hear(f *link.Frame, byItself bool, at float64) {
	now := link.StepSummary{Step: f.Step}
	now.Sentence, now.Reason = f.Sentences()
	if !byItself {
		s.Heard, s.passed = now, nil
		return
	}
	if p := f.Passed; p != nil && (s.passed == nil || slices.Index(link.Marks, p.Mark) <= slices.Index(link.Marks, s.passed.Mark)) {
		s.passed = p
	}
	if at-s.heard < announceEvery {
		return
	}
	if s.passed != nil {
		now = *s.passed
	}
	s.Heard, s.passed, s.heard = now, nil, at
}

func (s *Stage) showLists() { s.Lists = s.Frame }

// quiet makes the live region read nothing for a while after a time in milliseconds.
func (s *Stage) quiet(at float64) { s.heard = at }

func (s *Stage) removeSecond() {
	if f := s.Frame; f != nil && f.Second != nil {
		shown := *f
		shown.Second = nil
		s.Frame, s.Lists = &shown, &shown
	}
}

// Room is how the stage is shown to a room.
type Room struct {
	Active  bool   // it is
	Blank   bool   // the room sees nothing for now
	Spot    string // the station on which light is thrown, "" for all
	Covered bool   // the sentence under the stage is hidden
	Noting  bool   // the speaker's window is open
}

// present begins or ends to show the stage to a room: on the whole screen, large, with one
// sentence under it, and nothing else.
func (r *Room) present(on bool) []Cmd {
	*r = Room{Active: on, Noting: r.Noting}
	return []Cmd{FullScreen{on}}
}

// light throws light on a station, so that all others are dimmed, or puts the light out where the station has
// it.
func (r *Room) light(station string) {
	switch {
	case station == r.Spot:
		r.Spot = ""
	case slices.Contains(link.Stations, station):
		r.Spot = station
	}
}

// next goes on to the next station, or back with by = -1. After the last one all are lit. Those
// that matter come first.
func (r *Room) next(matter []string, by int) {
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
	if m.Front.Dialog != "" {
		return nil
	}
	return m.Room.present(false)
}
