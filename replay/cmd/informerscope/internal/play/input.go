// Package play has what the commands share that read captures and play them: their flags, how a
// capture is read and judged, the expressions and asserts, and the lines that several of them print.
package play

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
)

// Input is the captures that a command reads, and how it prints what it has found in them.
type Input struct {
	Names  []string
	Output cli.Output
	strict bool
	quiet  bool
	kind   string
}

// Flags adds the flags to a command. More are formats that it prints beside text, json and yaml.
func (in *Input) Flags(c *cobra.Command, more ...cli.Output) {
	cli.OutputFlag(c, &in.Output, more...)
	c.Flags().BoolVar(&in.strict, "strict", false, "report nothing if some of it can't be read")
	files.KindFlag(c, &in.kind)
	c.Flags().BoolVarP(&in.quiet, "quiet", "q", false, "show no progress")
}

// Open checks that the captures are there.
func (in *Input) Open(ctx context.Context, stderr io.Writer) (*files.Captures, error) {
	c, err := files.Open(ctx, in.Names, os.Stdin, files.NewBar(stderr, in.quiet))
	if err == nil {
		c.SetKind(in.kind)
	}
	return c, err
}

// Read reads the captures for a command that plays nothing. It calls begin with each trace before its records come, and
// what begin returned as they do. Recent is kept meanwhile, unless it is nil. Damaged is as Judge returns it.
func (in *Input) Read(ctx context.Context, stderr io.Writer, recent *format.Recent, begin func(*trace.Trace) func() error) (t *trace.Trace, damaged, err error) {
	c, err := in.Open(ctx, stderr)
	if err != nil {
		return nil, nil, err
	}
	c.Recent = recent
	got, err := c.Read(begin)
	if err != nil {
		return nil, nil, cli.Interrupted(ctx, err)
	}
	damaged, err = in.Judge(stderr, got.Trace)
	return got.Trace, damaged, err
}

// Judge prints the problems of a capture. Damaged is the error with which the command exits if it is damaged. With
// --strict err is that, too, and nothing is to be printed of the capture.
func (in *Input) Judge(stderr io.Writer, t *trace.Trace) (damaged, err error) {
	files.TellProblems(stderr, in.Names, t)
	damaged = cli.Damage(t.ProblemCount, t.Gaps, t.Lost, in.strict)
	if in.strict {
		return damaged, damaged
	}
	return damaged, nil
}

// ExitError returns the error with which a command exits. If calls differ and the capture is damaged as
// well, it prints the damage and returns the difference.
func ExitError(stderr io.Writer, differs, damaged error) error {
	if differs != nil && damaged != nil {
		fmt.Fprintln(stderr, damaged)
	}
	return cmp.Or(differs, damaged)
}

// OtherResources says which resources a trace has, where --resource names none of them.
func OtherResources(t *trace.Trace) string {
	var names []string
	for _, r := range t.Resources {
		names = append(names, r.Name())
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	const most = 10
	more := ""
	if names = slices.Compact(names); len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	return "; it has " + cli.Printable(strings.Join(names, ", ")) + more
}

// NothingToPlay returns the error about captures without a resource that could be played.
func NothingToPlay(names []string, t *trace.Trace) error {
	return fmt.Errorf("%s: it holds no resource to play%s", files.JoinNames(names), OtherResources(t))
}
