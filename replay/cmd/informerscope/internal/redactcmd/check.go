package redactcmd

import (
	"fmt"
	"io"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/redact"
)

// check lists what looks like a secret in the input, and writes no trace. It fails
// if there is anything.
func (j *Redaction) check(stdout io.Writer) error {
	defer j.Captures.Bar.Done()
	if err := j.Detect(); err != nil {
		return err
	}
	c := redact.NewCheck()
	j.tooLong = c.Drop
	if err := j.Each(c.Line); err != nil {
		return err
	}
	j.Captures.Bar.Done()
	if _, err := stdout.Write(c.AppendText(nil)); err != nil {
		return err
	}
	switch list, more := c.Found(); {
	case len(list) > 0:
		where := ""
		if j.sum != nil {
			where = "; the lines are those of the trace that informerscope convert makes of it"
		}
		return fmt.Errorf("%s has %s%s", j.Name, cli.Plural64(int64(len(list))+more, "place that looks like a secret", "places that look like a secret"), where)
	case j.damage != nil:
		return cli.Exit(cli.ExitDamaged, fmt.Errorf("%s is damaged after line %d: %w; what comes after that was not looked at", j.Name, j.lines, j.damage))
	case j.sum != nil && j.sum.Problem > 0:
		return cli.Damage(j.sum.Problem, j.sum.Gaps, j.sum.Lost, false)
	}
	fmt.Fprintf(stdout, "nothing in %s looks like a secret, which is no promise that there is none\n", j.Name)
	return nil
}
