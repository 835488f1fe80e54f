package ask

import (
	"slices"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Break is an expression that stays on the timeline, and at which playing stops.
type Break struct {
	Text string
	Off  bool
}

// AddBreak makes a breakpoint of the expression that is written.
func (e *Expr) AddBreak(d Desk) []desk.Cmd {
	cmds, ok := e.Watch(d)
	text := e.Asked
	x, err := ask.Parse(text)
	if !ok || err != nil || x.Type() != ask.Bool || len(e.Breaks) == link.MaxWatches-1 ||
		slices.ContainsFunc(e.Breaks, func(b Break) bool { return b.Text == text }) {
		return cmds
	}
	e.Breaks = append(slices.Clone(e.Breaks), Break{Text: text})
	return append(cmds, e.WatchAll(d)...)
}

// ToggleBreak switches a breakpoint off, or on.
func (e *Expr) ToggleBreak(d Desk, text string) []desk.Cmd {
	e.Breaks = slices.Clone(e.Breaks)
	for i := range e.Breaks {
		if b := &e.Breaks[i]; b.Text == text {
			b.Off = !b.Off
		}
	}
	return e.WatchAll(d)
}

// DropBreak takes a breakpoint away.
func (e *Expr) DropBreak(d Desk, text string) []desk.Cmd {
	e.Breaks = slices.DeleteFunc(slices.Clone(e.Breaks), func(b Break) bool { return b.Text == text })
	return e.WatchAll(d)
}

// GoOn forgets at which expression playing has stopped.
func (e *Expr) GoOn() { e.Break = "" }

// StopAt notes the expression at which playing has stopped.
func (e *Expr) StopAt(text string) { e.Break = text }
