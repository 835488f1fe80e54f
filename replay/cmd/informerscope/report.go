package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// reportCommand plays captures to handlers, and prints what can be said of them
// and of what the handlers were called with.
func reportCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := reportFlags(args, stderr)
	if o == nil {
		return err
	}
	b := newBar(stderr, o.quiet)
	c, err := openCaptures(ctx, o.names, os.Stdin, b)
	if err != nil {
		return err
	}
	run, err := o.play(c)
	defer run.close()
	if err != nil {
		return interrupted(ctx, err)
	}
	tellProblems(stderr, o.names, run.got.trace)
	damaged := damageIn(run.got.trace.ProblemCount, run.got.trace.Lost, o.strict)
	if o.strict && damaged != nil {
		return damaged
	}
	played := run.Played()
	if len(played) == 0 {
		return fmt.Errorf("%s: there is nothing of that in it to play", shownNames(o.names))
	}
	out := bufio.NewWriterSize(stdout, 64<<10)
	switch {
	case o.notifications:
		for _, m := range run.got.trace.Remarks {
			fmt.Fprintln(stderr, printable(convert.Sentence(m.ID, m.Count, m.Detail)))
		}
		for _, r := range played {
			name := ""
			if len(played) > 1 {
				name = r.Name()
			}
			if c := run.calls[r]; c != nil {
				if err := c.writeTo(out, name); err != nil {
					return err
				}
			}
		}
	case o.asJSON:
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(run.report()); err != nil {
			return err
		}
	default:
		writeReport(out, run.report())
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return damaged
}

// reporting is a capture that was played.
type reporting struct {
	*report.Playing
	names []string
	got   *captured
	calls map[*trace.Resource]*calls // where they are wanted
}

// play plays captures while they are read. What it returns must be closed, after
// an error, too.
func (o *reportOptions) play(c *captures) (run *reporting, err error) {
	run = &reporting{names: o.names}
	how := o.how
	how.Stopped = c.ctx.Err
	if o.notifications {
		how.Called = run.add
	}
	run.got, err = c.read(func(t *trace.Trace) func() error {
		run.close()
		run.calls = map[*trace.Resource]*calls{}
		run.Playing = report.Play(t, how)
		return run.Grown
	})
	return run, err
}

func (r *reporting) add(of *trace.Resource, call report.Call) error {
	c := r.calls[of]
	if c == nil {
		c = newCalls()
		r.calls[of] = c
	}
	return c.add(call)
}

// close takes temporary files away.
func (r *reporting) close() {
	for _, c := range r.calls {
		c.close()
	}
}

// report is what there is to say when all has been played.
func (r *reporting) report() *report.Report {
	out := r.Report()
	out.Inputs, out.Bytes = r.names, r.got.bytes
	for i := range out.Remarks {
		m := &out.Remarks[i]
		m.Text = convert.Sentence(m.ID, m.Count, m.Detail)
	}
	return out
}

// shownNames are inputs as people know them.
func shownNames(names []string) string {
	names = slices.Clone(names)
	for i := range names {
		if names[i] == stdinName {
			names[i] = "the standard input"
		}
	}
	return strings.Join(names, ", ")
}

// tellProblems says which places could not be read.
func tellProblems(stderr io.Writer, names []string, t *trace.Trace) {
	prefix := ""
	if len(names) == 1 { // else the problems say it
		prefix = shownNames(names) + ": "
	}
	for _, p := range t.Problems {
		fmt.Fprintf(stderr, "%s%s\n", prefix, printable(p.Error()))
	}
	if more := t.ProblemCount - int64(len(t.Problems)); more > 0 {
		fmt.Fprintf(stderr, "%sand %d more problems\n", prefix, more)
	}
}

var errInterrupted = errors.New("interrupted")

// interrupted says of an error in plain words that it is only ctx's end.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return errInterrupted
	}
	return err
}
