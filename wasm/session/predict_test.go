package session

import (
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// A guess is answered by a number key, judged by the machine, and counted. What was asked goes
// away when the viewer goes on.
func TestGuessing(t *testing.T) {
	g := opened(t)
	ask := func() {
		t.Helper()
		g.play(Pressed{Key: "q"})
		if _, asked := g.sent[len(g.sent)-1].Op.(link.AskNext); !asked {
			t.Fatal("the answer is asked for with the question")
		}
		g.play(Replied{&link.Reply{ID: lastID[link.AskNext](g), News: &link.Predicted{Step: g.m.Stage.Frame.Step, Ask: link.AskPop, Options: []string{"a", "b"}, Right: -1}}})
	}
	judge := func(right int) {
		t.Helper()
		step := g.m.Stage.Frame.Step
		g.play(Replied{&link.Reply{ID: lastID[link.ShowNext](g), News: &link.Predicted{Step: step, Ask: link.AskPop, Options: []string{"a", "b"}, Right: right, Until: step + 5}}})
		answer[link.ShowNext](g, step+5)
	}
	ask()
	if !g.m.Guess.Asked.Open() || g.m.Front.Tab != desk.Explain {
		t.Fatal("nothing is asked")
	}
	g.play(Pressed{Key: "9"})
	if !g.m.Guess.Asked.Open() {
		t.Error("an option that isn't there is an answer")
	}
	g.play(Pressed{Key: "2"})
	judge(1)
	if gs := g.m.Guess.Asked; gs == nil || gs.Open() || gs.Chosen != 1 || g.m.Guess.Score != (Score{1, 1}) {
		t.Errorf("the guess is %+v, and the score %v", g.m.Guess.Asked, g.m.Guess.Score)
	}
	ask()
	g.play(Acted{"guess", "0", ""})
	judge(1)
	if g.m.Guess.Score != (Score{1, 2}) || parseScore(g.m.Guess.Score.String()) != g.m.Guess.Score {
		t.Errorf("the score is %v", g.m.Guess.Score)
	}
	ask()
	g.play(Acted{"guess", "-1", ""})
	judge(0)
	if g.m.Guess.Score != (Score{1, 2}) {
		t.Error("a viewer who wants to be shown the answer is taken to have guessed")
	}
	g.play(Pressed{Key: "ArrowRight"})
	answer[link.Step](g, 77)
	if g.m.Guess.Asked != nil {
		t.Error("what was asked stays when the viewer goes on")
	}
	g.play(Pressed{Key: "q"}, Replied{&link.Reply{ID: lastID[link.AskNext](g), News: &link.Predicted{Step: 3, Ask: link.AskWho, Right: -1}}})
	if g.m.Guess.Asked != nil {
		t.Error("it is asked about another step")
	}
	g.play(Acted{"forgetScore", "", ""})
	if g.m.Guess.Score.Guesses != 0 {
		t.Error("the score stays")
	}
}
