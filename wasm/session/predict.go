package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Guesses are the viewer's guesses of what comes next.
type Guesses struct {
	Asked *Guessing // nil while nothing is asked
	Score Score
}

// Guessing is a question about what comes next, and what the viewer answers.
type Guessing struct {
	*link.Predicted
	Chosen int // -1 before an answer, and for "show me"
}

// Open reports whether the question waits for an answer.
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

// ask has the machine ask what comes next.
func (g *Guesses) ask(m *Model) []Cmd {
	cmds := m.Transport.set(m, false)
	return append(cmds, m.send(link.AskNext{}, false)...)
}

// told takes in the question, or the machine's answer to it.
func (g *Guesses) told(m *Model, p *link.Predicted) []Cmd {
	if p.Right < 0 {
		if m.Stage.Frame == nil || p.Step != m.Stage.Frame.Step { // the viewer has gone on
			return nil
		}
		g.Asked = &Guessing{p, -1}
		m.Front.show(desk.Explain)
		return nil
	}
	if g.Asked == nil {
		return nil
	}
	g.Asked = &Guessing{p, g.Asked.Chosen}
	if g.Asked.Chosen < 0 {
		return nil
	}
	g.Score.All++
	if g.Asked.Chosen == p.Right {
		g.Score.Right++
	}
	return []Cmd{desk.Keep{Name: "score", Value: g.Score.String()}}
}

// answer answers the question with an option: by its number, or -1 to be shown the answer. The
// machine is played on to it.
func (g *Guesses) answer(m *Model, arg string) []Cmd {
	n, err := strconv.Atoi(arg)
	if !g.Asked.Open() || err != nil || n >= len(g.Asked.Options) || m.ask.moving != 0 {
		return nil
	}
	g.Asked = &Guessing{g.Asked.Predicted, max(n, -1)}
	return m.move(link.ShowNext{})
}

// forget clears what is kept of the guesses.
func (g *Guesses) forget() []Cmd {
	g.Score = Score{}
	return []Cmd{desk.Keep{Name: "score", Value: ""}}
}

// restore takes in the score of the last visit.
func (g *Guesses) restore(score string) { g.Score = ParseScore(score) }

// end ends the question.
func (g *Guesses) end() { g.Asked = nil }
