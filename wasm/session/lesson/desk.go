package lesson

import "github.com/informerscope/informerscope/wasm/session/desk"

// Desk is what a lesson knows of the rest of the model, and does to it.
type Desk interface {
	desk.Desk

	// OpenLesson opens a lesson of the course. Chosen has the lines of its script in which
	// another value was chosen.
	OpenLesson(name string, chosen []string) []desk.Cmd
	// ReopenLesson opens it in the place of what is open, with no entry of its own in the browser's
	// history. Where that is on its way yet, the way that leads on stays, and what was chosen.
	ReopenLesson(name string, chosen []string) []desk.Cmd
	// Rewrite makes a text the one of the lesson that is open, which is the viewer's own from then on.
	Rewrite(text string)

	// PauseOnTheWay is Pause, but a way that a link leads is gone on.
	PauseOnTheWay() []desk.Cmd
	// PlayTo plays to a step, which takes at most so many seconds; with 0, at the speed that
	// the viewer has chosen.
	PlayTo(step int64, seconds float64) []desk.Cmd
	// Skip goes to the step to which the machine plays. It reports false if it plays to none.
	Skip() (cmds []desk.Cmd, ok bool)
	// EndGuess ends the question about what comes next.
	EndGuess()
}
