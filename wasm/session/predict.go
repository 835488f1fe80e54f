package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// Guessing is a question about what comes next, and what the viewer answers.
type Guessing struct {
	*link.Predicted
	Chosen int // -1 before he answers, and if he wants to be shown
}

// Open returns whether the question waits for an answer.
func (g *Guessing) Open() bool { return g != nil && g.Ask != "" && g.Right < 0 }

// Score is how many guesses there were, and how many were right. It is kept for the next visit.
type Score struct{ Right, All int }

// ParseScore reads what String has written.
func ParseScore(text string) (s Score) {
	right, all, _ := strings.Cut(text, "/")
	s.Right, _ = strconv.Atoi(right)
	s.All, _ = strconv.Atoi(all)
	return s
}

// String writes s as a setting.
func (s Score) String() string { return strconv.Itoa(s.Right) + "/" + strconv.Itoa(s.All) }

// predict has the machine ask what comes next.
func (m *Model) predict() []Cmd {
	cmds := m.setPlaying(false)
	return append(cmds, m.send(link.AskNext{}, false)...)
}

// predicted takes in the question, or the machine's answer to it.
func (m *Model) predicted(p *link.Predicted) []Cmd {
	if p.Right < 0 {
		if m.Frame == nil || p.Step != m.Frame.Step { // the viewer has gone on
			return nil
		}
		m.Guess = &Guessing{p, -1}
		m.Tab, m.Sheet = Explain, true
		return nil
	}
	if m.Guess == nil {
		return nil
	}
	m.Guess = &Guessing{p, m.Guess.Chosen}
	if m.Guess.Chosen < 0 {
		return nil
	}
	m.Score.All++
	if m.Guess.Chosen == p.Right {
		m.Score.Right++
	}
	return []Cmd{Keep{"score", m.Score.String()}}
}

// guess answers the question with an option: by its number, or -1 to be shown the answer. The
// machine is played on to it.
func (m *Model) guess(arg string) []Cmd {
	n, err := strconv.Atoi(arg)
	if !m.Guess.Open() || err != nil || n >= len(m.Guess.Options) || m.ask.moving != 0 {
		return nil
	}
	m.Guess = &Guessing{m.Guess.Predicted, max(n, -1)}
	return m.move(link.ShowNext{})
}

// forgetScore clears what is kept of the guesses.
func (m *Model) forgetScore() []Cmd {
	m.Score = Score{}
	return []Cmd{Keep{"score", ""}}
}
