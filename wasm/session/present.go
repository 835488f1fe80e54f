package session

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
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
func (r *Room) light(station string) []Cmd {
	switch {
	case !r.On:
	case station == "":
		return r.next(1)
	case station == r.Spot:
		r.Spot = ""
	case slices.Contains(link.Stations, station):
		r.Spot = station
	}
	return nil
}

// next goes on to the next station, or back with by = -1. After the last one all are lit.
func (r *Room) next(by int) []Cmd {
	if !r.On {
		return nil
	}
	n := len(link.Stations) + 1
	i := (slices.Index(link.Stations, r.Spot) + 1 + by + n) % n
	if r.Spot = ""; i > 0 {
		r.Spot = link.Stations[i-1]
	}
	return nil
}

// maxVotes is how many votes an option can have.
const maxVotes = 9999

// openVotes shows a field for the votes of each option of the question at the stop, and gives
// the first one the focus; or takes the fields away if nobody has voted.
func (l *Lessons) openVotes() []Cmd {
	q := l.Learning.Open()
	if q < 0 {
		return nil
	}
	if l.Learning.Votes[q] == nil {
		l.Learning = l.Learning.voted(q, make([]int, len(l.Learning.Parts[q].Options)))
	}
	l.VoteFocus++
	return nil
}

// vote takes in how many in the room are for an option. Arg is "part.option".
func (l *Lessons) vote(arg, value string) []Cmd {
	part, option, _ := strings.Cut(arg, ".")
	q, _ := strconv.Atoi(part)
	k, _ := strconv.Atoi(option)
	n, _ := strconv.Atoi(value)
	if l.Learning == nil || l.Learning.Find(lesson.Question) != q || k < 0 || k >= len(l.Learning.Votes[q]) {
		return nil
	}
	votes := slices.Clone(l.Learning.Votes[q])
	votes[k] = min(max(n, 0), maxVotes)
	l.Learning = l.Learning.voted(q, votes)
	return nil
}

// voted is l with the votes of a question.
func (l *Learning) voted(q int, votes []int) *Learning {
	next := *l
	next.Votes = maps.Clone(next.Votes)
	if next.Votes == nil {
		next.Votes = map[int][]int{}
	}
	next.Votes[q] = votes
	return &next
}

// cover hides the sentence under the stage, or shows it.
func (r *Room) cover() { r.Covered = !r.Covered }

// blank hides everything from the room, or shows it.
func (r *Room) blank(on bool) { r.Blank = on }

// note tells whether the speaker's window is open.
func (r *Room) note(on bool) { r.Noting = on }

// unlight takes the light away.
func (r *Room) unlight() { r.Spot = "" }
