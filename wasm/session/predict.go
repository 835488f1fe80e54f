package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Guesses are the viewer's guesses of what comes next.
type Guesses struct {
	desk  desk.Desk
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
type Score struct{ Right, Guesses int }

func parseScore(text string) (s Score) {
	right, all, _ := strings.Cut(text, "/")
	s.Right, _ = strconv.Atoi(right)
	s.Guesses, _ = strconv.Atoi(all)
	return s
}

// String writes s as a setting.
func (s Score) String() string { return strconv.Itoa(s.Right) + "/" + strconv.Itoa(s.Guesses) }

func (g *Guesses) ask() []Cmd { return append(g.desk.Pause(), g.desk.Send(link.AskNext{})...) }

// predicted takes in the question, or the machine's answer to it.
func (g *Guesses) predicted(p *link.Predicted) []Cmd {
	if p.Right < 0 {
		if f := g.desk.Surroundings().Frame; f == nil || p.Step != f.Step { // the viewer has gone on
			return nil
		}
		g.Asked = &Guessing{p, -1}
		g.desk.Show(desk.Explain)
		return nil
	}
	if g.Asked == nil {
		return nil
	}
	g.Asked.Predicted = p
	if g.Asked.Chosen < 0 {
		return nil
	}
	g.Score.Guesses++
	if g.Asked.Chosen == p.Right {
		g.Score.Right++
	}
	return []Cmd{desk.StoreSetting{Name: "score", Value: g.Score.String()}}
}

// answer answers the question with an option: by its number, or -1 to be shown the answer. The
// machine is played on to it.
func (g *Guesses) answer(n int) []Cmd {
	if !g.Asked.Open() || n >= len(g.Asked.Options) || g.desk.Surroundings().Moving {
		return nil
	}
	g.Asked.Chosen = max(n, -1)
	return g.desk.Move(link.ShowNext{})
}

// stepShown ends the question when a step is shown that is none of its two: the viewer goes on.
func (g *Guesses) stepShown(step int64) {
	if g.Asked != nil && step != g.Asked.Step && step != g.Asked.Until {
		g.Asked = nil
	}
}

// forget clears what is kept of the guesses.
func (g *Guesses) forget() []Cmd {
	g.Score = Score{}
	return []Cmd{desk.StoreSetting{Name: "score"}}
}
