package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/remarks"
)

// convertOptions are convert's flags and arguments.
type convertOptions struct {
	names        []string
	out          string
	force, quiet bool
	strict       bool
}

func convertCommand() *cobra.Command {
	o := &convertOptions{}
	c := &cobra.Command{
		Use:   "convert FILE…",
		Short: "write captures of any format as one trace",
		Long: `Writes captures of any format as a trace in informerscope's own format. Several are put together
on one clock. A FILE may be compressed with gzip or zstd, and may be a folder or an archive; - is the
standard input. If some of it can't be read, the rest is written, and the exit code is 3.

Ctrl-C removes what was written to a file. What was written to the standard output ends with a
line that says where the conversion was interrupted.`,
		Example: `  informerscope convert audit.log -o audit.trace.jsonl.gz
  informerscope convert pods.yaml nodes.yaml | informerscope report -`,
		Args: files(math.MaxInt),
		RunE: func(c *cobra.Command, names []string) error {
			o.names = names
			return o.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&o.out, "out", "o", stdinName, "the `file` to write, compressed if its name ends in .gz or .zst; - is the standard output")
	flags.BoolVar(&o.force, "force", false, "replace the file if it is there already, once all is written")
	flags.BoolVar(&o.strict, "strict", false, "write nothing if some of it can't be read")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress, and no summary")
	return c
}

func (o *convertOptions) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := noFormat(o.out); err != nil {
		return err
	}
	b := newBar(stderr, o.quiet)
	c, err := openCaptures(ctx, o.names, os.Stdin, b)
	if err != nil {
		return err
	}
	to, err := createTarget(ctx, o.out, o.force, stdout)
	if err != nil {
		return err
	}
	sum, err := convert.Convert(to, c.inputs, convert.Options{Progress: b.set})
	b.done()
	if ctx.Err() != nil {
		err = errInterrupted // even if Convert ended well: it has not read everything
	}
	lines := int64(0)
	if sum != nil {
		lines = sum.Lines
	}
	if err == nil && o.strict && sum.Problem > 0 {
		tellSummary(stderr, o.names, to.name, sum)
		return to.close(damageIn(sum.Problem, sum.Gaps, sum.Lost, true), 0)
	}
	if err = to.close(err, lines); err != nil {
		return err
	}
	if !o.quiet {
		tellSummary(stderr, o.names, to.name, sum)
	}
	return damageIn(sum.Problem, sum.Gaps, sum.Lost, false)
}

// tellSummary prints what was converted, and which places could not be read.
func tellSummary(stderr io.Writer, names []string, out string, sum *convert.Summary) {
	formats := slices.Compact(slices.Sorted(slices.Values(sum.Formats)))
	into := ""
	if out != stdinName {
		into = " to " + out
	}
	fmt.Fprintf(stderr, "%s%s: %s, from %s\n", plural(len(names), "file"), into, plural64(sum.Lines, "line", "lines"), strings.Join(formats, ", "))
	for _, m := range sum.Remarks {
		fmt.Fprintln(stderr, printable(remarks.Sentence(m.ID, m.Count, m.Detail)))
	}
	for _, p := range sum.Problems {
		text := p.Error()
		if p.Line == 0 && p.Offset == 0 {
			text = p.Reason
		}
		if len(names) == 1 {
			text = shownNames(names) + ": " + text
		}
		fmt.Fprintln(stderr, printable(text))
	}
	if more := sum.Problem - int64(len(sum.Problems)); more > 0 {
		fmt.Fprintf(stderr, "and %s more\n", plural64(more, "problem", "problems"))
	}
}
