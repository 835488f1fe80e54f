package main

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// recorded reads the inputs for the calls of recorded handlers, and returns these
// handlers by resource. There are none for the standard input, which can't be read
// twice, and for inputs that need converting, which have no calls of their own.
func (c *captures) recorded() (map[string][]report.Handler, error) {
	if len(c.inputs) != 1 || c.inputs[0].Loose || c.inputs[0].Size == 0 {
		return nil, nil
	}
	var scan *report.Scan
	_, err := c.direct(c.inputs[0], func(t *trace.Trace) func() error {
		scan = report.NewScan(t)
		return scan.Grown
	})
	switch {
	case c.ctx.Err() != nil:
		return nil, c.ctx.Err()
	case err == nil, !errors.Is(err, report.ErrNoCalls) && !errors.As(err, new(format.Foreign)):
		return scan.Handlers(), nil // what is wrong with the input is said when it is played
	}
	return nil, nil
}

// writeComparison prints how the calls of a recorded handler compare with those of
// the engine's.
func writeComparison(out *bufio.Writer, c *report.Comparison) {
	if c == nil {
		return
	}
	line := func(format string, args ...any) {
		fmt.Fprintf(out, "  %-10s   "+format+"\n", append([]any{""}, args...)...)
	}
	when := ""
	if c.From > 0 {
		when += ", added at " + report.Moment(c.From)
	}
	if c.Until > 0 {
		when += ", removed at " + report.Moment(c.Until)
	}
	if c.Equal {
		line("equal to the recorded calls%s", when)
		return
	}
	line("the engine makes %s%s", plural(int(c.Calls), "call"), when)
	if c.Differing > 0 {
		line("the calls of %s differ", plural(int(c.Differing), "key"))
	}
	for _, d := range c.Differences {
		line("%s: recorded %s", printable(d.Key), callText(d.Recorded))
		line("%s  the engine %s", blank(d.Key), callText(d.Played))
	}
	if d := c.Order; d != nil {
		line("the order of the keys differs: recorded %s of %s", callText(d.Recorded), printable(d.Recorded.Key))
		line("the engine %s of %s", callText(d.Played), printable(d.Played.Key))
	}
}

// blank is as wide as a printed name.
func blank(name string) string { return fmt.Sprintf("%*s", len([]rune(printable(name))), "") }

// callText says what a handler was called with, and when.
func callText(c *report.Call) string {
	if c == nil {
		return "no further call"
	}
	text := c.Fn
	if c.Tombstone {
		text += " with a tombstone"
	}
	if c.Initial {
		text += " in the initial list"
	}
	rv := printable(c.RV)
	if c.Fn == "OnUpdate" {
		rv = printable(c.OldRV) + " → " + rv
	}
	return fmt.Sprintf("%s, version %s, at %s", text, rv, report.Moment(c.T))
}
