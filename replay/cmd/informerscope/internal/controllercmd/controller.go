// Package controllercmd is "informerscope controller".
package controllercmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/play"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report/controller"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
	"github.com/informerscope/informerscope/replay/triggers"
	"github.com/spf13/cobra"
)

// options are controller's flags and arguments.
type options struct {
	play.Input
	play.Verdicts
	asserts          []string
	triggers, guards bool
}

// Command returns "informerscope controller".
func Command() *cobra.Command {
	o := &options{}
	c, flags := cli.New("controller FILE…", "say what recordings from within a controller tell of its reconciles, writes and workqueue", cli.Files(math.MaxInt), o.run)
	flags.StringArrayVar(&o.asserts, "assert", nil, "fail unless this `comparison` is true; may be given several times")
	flags.BoolVar(&o.triggers, "triggers", false, "say what triggered the reconciles")
	flags.BoolVar(&o.guards, "guards", false, "say which guard would have helped against stale reads and duplicates")
	c.MarkFlagsMutuallyExclusive("triggers", "guards")
	o.Verdicts.Flags(c)
	o.Input.Flags(c)
	return c
}

func (o *options) run(ctx context.Context, names []string, stdout, stderr io.Writer) error {
	o.Names = names
	var asserts []*assert
	for _, text := range o.asserts {
		a, err := parseAssert(text)
		if err != nil {
			return play.Pointed("assert", text, err)
		}
		asserts = append(asserts, a)
	}
	var log *worker.Log
	var recent *format.Recent
	var managers *triggers.Managers
	if o.triggers {
		recent = &format.Recent{}
	}
	got, damaged, err := o.Read(ctx, stderr, recent, func(t *trace.Trace) func() error {
		log, managers = &worker.Log{}, &triggers.Managers{Bytes: recent.Bytes}
		t.OtherLine = log.Line
		return func() error {
			if o.triggers {
				managers.Read(t)
			}
			return nil
		}
	})
	if err != nil {
		return err
	}
	r := controller.Summarise(got, log)
	if len(r.Controllers)+len(r.Waiting) == 0 {
		return fmt.Errorf("%s: it holds no reconciles, and nothing that has not ended. Reconciles are there if the controller was recorded from within, by Reconcile or Sync of replay/record", files.JoinNames(o.Names))
	}
	switch {
	case o.triggers:
		gets := triggers.List(got, log)
		managers.Name(gets)
		err = o.printTriggers(stdout, triggers.Sum(log, gets), triggers.Callers(got, log))
	case o.guards:
		guarded := r.Guards()
		err = o.Output.Print(stdout, guarded, func(out *bufio.Writer) { writeGuards(out, guarded) })
	default:
		err = o.Output.Print(stdout, r, func(out *bufio.Writer) { writeReport(out, r) })
	}
	if err != nil {
		return err
	}
	summary := &evidence.Summary{Name: files.JoinNames(o.Names)}
	for _, a := range asserts {
		holds, value, err := a.evaluate(r)
		v := evidence.Row{Subject: "controllers", ID: a.Text}
		switch {
		case err != nil:
			v.Text = fmt.Sprintf("%s: %v", a.Text, err)
		case !holds:
			v.Text = fmt.Sprintf("%s is false: it is %s", a.Text, plain.Count(value))
		case r.LeftOut && !a.IsTrue(math.MaxInt64):
			v.Text = fmt.Sprintf("%s is not known to be true: its left side is at least %s, since the recorder had no room for some of it", a.Text, plain.Count(value))
		}
		summary.Rows = append(summary.Rows, v)
	}
	return play.ExitError(stderr, o.Write(summary, len(summary.Rows), stderr), damaged)
}

// assert is an --assert about recorded controllers, such as stale() == 0, or stale("web") == 0 about one of them.
type assert struct {
	*play.CountAssert
	value func(*controller.Controller) int64
}

// parseAssert reads an assert. The error is an *ask.Error with the place.
func parseAssert(text string) (*assert, error) {
	var names []string
	for _, f := range controller.Functions {
		names = append(names, f.Name)
	}
	c, err := play.ParseCounted(text, names)
	if err != nil {
		return nil, err
	}
	return &assert{c, controller.Functions[slices.Index(names, c.Name)].Value}, nil
}

// evaluate reports whether the assert is true of a recording, and what its function gives.
func (a *assert) evaluate(r *controller.Report) (holds bool, value int64, err error) {
	found := a.Arg == ""
	var names []string
	for i := range r.Controllers {
		c := &r.Controllers[i]
		names = append(names, c.Name)
		if a.Arg == "" || a.Arg == c.Name {
			value += a.value(c)
			found = true
		}
	}
	if !found {
		return false, 0, fmt.Errorf("unknown controller %q; want %s", a.Arg, strings.Join(names, ", "))
	}
	return a.IsTrue(value), value, nil
}
