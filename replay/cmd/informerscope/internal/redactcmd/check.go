package redactcmd

import (
	"bufio"
	"fmt"
	"io"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/plain"
)

// check lists what of the input would stay, and writes no trace.
func (j *Redaction) check(stdout io.Writer) error {
	defer j.Captures.Bar.Done()
	if err := j.Detect(); err != nil {
		return err
	}
	if err := j.Each(func(line []byte) { j.line(bufio.NewWriter(io.Discard), line) }); err != nil {
		return err
	}
	j.Captures.Bar.Done()
	row := func(n int64, what string) { fmt.Fprintf(stdout, "%12d  %s\n", n, plain.Text(what)) }
	if kept := j.Redactor.Kept(); len(kept) > 0 {
		fmt.Fprintf(stdout, "Of the texts in %s, these stay, by their paths (* is any depth):\n", cli.Printable(j.Name))
		for _, c := range kept {
			row(c.N, c.What)
		}
		fmt.Fprintln(stdout, "Numbers, booleans and names of fields stay, too. This is taken out:")
	} else {
		fmt.Fprintf(stdout, "This is taken out of %s, and every other value stays:\n", cli.Printable(j.Name))
	}
	for _, c := range j.Redactor.Counts() {
		row(c.N, c.What)
	}
	if j.sum != nil && j.sum.Problem > 0 {
		return cli.Damage(j.sum.Problem, j.sum.Gaps, j.sum.Lost, false)
	}
	if err := j.incomplete(); err != nil {
		return err
	}
	return j.damaged()
}
