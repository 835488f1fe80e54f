package lesson

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// maxVotes is how many votes an option can have.
const maxVotes = 9999

// OpenVotes shows a field for the votes of each option of the question at the stop, and gives
// the first one the focus.
func (m *Model) OpenVotes() []desk.Cmd {
	q := m.Learning.Open()
	if q < 0 {
		return nil
	}
	if m.Learning.Votes[q] == nil {
		m.Learning = m.Learning.voted(q, make([]int, len(m.Learning.Parts[q].Options)))
	}
	m.VoteFocus++
	return nil
}

// Vote takes in how many in the room are for an option. Arg is "part.option".
func Vote(m *Model, _ Desk, arg, value string) []desk.Cmd {
	part, option, _ := strings.Cut(arg, ".")
	q, _ := strconv.Atoi(part)
	k, _ := strconv.Atoi(option)
	n, _ := strconv.Atoi(value)
	if m.Learning == nil || m.Learning.Find(lesson.Question) != q || k < 0 || k >= len(m.Learning.Votes[q]) {
		return nil
	}
	votes := slices.Clone(m.Learning.Votes[q])
	votes[k] = min(max(n, 0), maxVotes)
	m.Learning = m.Learning.voted(q, votes)
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
