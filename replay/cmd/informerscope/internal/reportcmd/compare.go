package reportcmd

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// recorded reads the inputs for the calls of recorded handlers and for the work of recorded
// controllers, and returns both by resource. There are none for the standard input, which can't be read
// twice, and for inputs that need converting, which have no calls of their own.
func recorded(c *files.Captures) (map[string]*report.Found, map[string]*feed.Controller, error) {
	if len(c.Inputs) != 1 || c.Inputs[0].Loose || c.Inputs[0].Size == 0 {
		return nil, nil, nil
	}
	var scan *report.Scan
	_, err := c.Direct(c.Inputs[0], func(t *trace.Trace) func() error {
		scan = report.NewScan(t)
		return scan.Grown
	})
	switch {
	case c.Ctx.Err() != nil:
		return nil, nil, c.Ctx.Err()
	case err == nil, !errors.Is(err, report.ErrNoCalls) && !errors.As(err, new(format.Foreign)):
		return scan.Found(), scan.Controllers(), nil // what is wrong with the input is said when it is played
	}
	return nil, nil, nil
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
		if c.Passed > 0 {
			when += fmt.Sprintf("; %s of one side alone, at the moment of a change or at the end, not counted", cli.Plural64(c.Passed, "resync", "resyncs"))
		}
		line("equal to the recorded calls%s", when)
		return
	}
	line("the engine makes %s%s", cli.Plural(int(c.Calls), "call"), when)
	if c.Differing > 0 {
		line("the calls of %s differ", cli.Plural(int(c.Differing), "key"))
	}
	for _, d := range c.Differences {
		line("%s: recorded %s", cli.Printable(d.Key), callText(d.Recorded))
		line("%s  the engine %s", blank(d.Key), callText(d.Played))
	}
	if d := c.Order; d != nil {
		line("the order of the keys differs: recorded %s of %s", callText(d.Recorded), cli.Printable(d.Recorded.Key))
		line("the engine %s of %s", callText(d.Played), cli.Printable(d.Played.Key))
	}
}

// blank is as wide as a printed name.
func blank(name string) string { return fmt.Sprintf("%*s", len([]rune(cli.Printable(name))), "") }

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
	rv := cli.Printable(c.RV)
	if c.Fn == "OnUpdate" {
		rv = cli.Printable(c.OldRV) + " → " + rv
	}
	return fmt.Sprintf("%s, version %s, at %s", text, rv, report.Moment(c.T))
}
