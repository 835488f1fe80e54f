package session

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
)

// present begins or ends to show the stage to a room: on the whole screen, large, with one
// sentence under it, and nothing else.
func (m *Model) present(on bool) []Cmd {
	before := m.Window()
	m.Presenting, m.Blank, m.Spot, m.Covered = on, false, "", false
	return append(m.fit(before), FullScreen{on})
}

// leftFullScreen ends presenting when the browser has ended the full screen by itself, as
// it does on Escape.
func (m *Model) leftFullScreen() []Cmd {
	if !m.Presenting || m.Dialog != "" {
		return nil
	}
	return m.present(false)
}

// spot throws light on a station, so that all others are dimmed, or takes it away from the
// one that has it. Without a name it goes to the next one.
func (m *Model) spot(station string) []Cmd {
	switch {
	case !m.Presenting:
	case station == "":
		return m.nextSpot(1)
	case station == m.Spot:
		m.Spot = ""
	case slices.Contains(link.Stations, station):
		m.Spot = station
	}
	return nil
}

// nextSpot goes on to the next station, or back with by = -1. After the last one all are lit.
func (m *Model) nextSpot(by int) []Cmd {
	if !m.Presenting {
		return nil
	}
	n := len(link.Stations) + 1
	i := (slices.Index(link.Stations, m.Spot) + 1 + by + n) % n
	if m.Spot = ""; i > 0 {
		m.Spot = link.Stations[i-1]
	}
	return nil
}

// maxVotes is how many votes an option can have.
const maxVotes = 9999

// openVotes shows a field for the votes of each option of the question at the stop, and gives
// the first one the focus; or takes the fields away if nobody has voted.
func (m *Model) openVotes() []Cmd {
	q := m.Learning.Open()
	if q < 0 {
		return nil
	}
	if m.Learning.Votes[q] == nil {
		m.setVotes(q, make([]int, len(m.Learning.Parts[q].Options)))
	}
	m.VoteFocus++
	return nil
}

// vote takes in how many in the room are for an option. Arg is "part.option".
func (m *Model) vote(arg, value string) []Cmd {
	part, option, _ := strings.Cut(arg, ".")
	q, _ := strconv.Atoi(part)
	k, _ := strconv.Atoi(option)
	n, _ := strconv.Atoi(value)
	if m.Learning == nil || m.Learning.Find(lesson.Question) != q || k < 0 || k >= len(m.Learning.Votes[q]) {
		return nil
	}
	votes := slices.Clone(m.Learning.Votes[q])
	votes[k] = min(max(n, 0), maxVotes)
	m.setVotes(q, votes)
	return nil
}

func (m *Model) setVotes(q int, votes []int) {
	next := *m.Learning
	next.Votes = maps.Clone(next.Votes)
	if next.Votes == nil {
		next.Votes = map[int][]int{}
	}
	next.Votes[q] = votes
	m.Learning = &next
}
