// Package convertcmd is "informerscope convert".
package convertcmd

import (
	"context"
	"io"
	"math"
	"os"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/convert"
)

// convertOptions are convert's flags and arguments.
type convertOptions struct {
	out          string
	force, quiet bool
	strict       bool
	kind         string
}

// Command returns "informerscope convert".
func Command() *cobra.Command {
	o := &convertOptions{}
	c, flags := cli.New("convert FILE…", "write captures of any format as one trace", cli.Files(math.MaxInt), o.run)
	flags.StringVarP(&o.out, "out", "o", files.Stdin, "the `file` to write, compressed if its name ends in .gz or .zst; - is the standard output")
	flags.BoolVar(&o.force, "force", false, "replace the file if it is there already, once all is written")
	flags.BoolVar(&o.strict, "strict", false, "write nothing if some of it can't be read")
	files.KindFlag(c, &o.kind)
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress, and no summary")
	return c
}

func (o *convertOptions) run(ctx context.Context, names []string, stdout, stderr io.Writer) error {
	if err := cli.NoFormat(o.out); err != nil {
		return err
	}
	b := files.NewBar(stderr, o.quiet)
	c, err := files.Open(ctx, names, os.Stdin, b)
	if err != nil {
		return err
	}
	c.SetKind(o.kind)
	to, err := files.Create(ctx, o.out, o.force, stdout)
	if err != nil {
		return err
	}
	sum, err := convert.Convert(to, c.Inputs, convert.Options{Progress: b.Set})
	b.Done()
	err = c.Explained(err)
	if ctx.Err() != nil {
		err = cli.ErrInterrupted // even if Convert ended well: it has not read everything
	}
	lines := int64(0)
	if sum != nil {
		lines = sum.Lines
	}
	if err == nil && o.strict && sum.ProblemCount > 0 {
		files.TellSummary(stderr, names, to.Name, sum)
		return to.Close(cli.Damage(sum.ProblemCount, sum.Gaps, sum.Lost, true), 0)
	}
	if err = to.Close(err, lines); err != nil {
		return err
	}
	if !o.quiet {
		files.TellSummary(stderr, names, to.Name, sum)
	}
	return cli.Damage(sum.ProblemCount, sum.Gaps, sum.Lost, false)
}
