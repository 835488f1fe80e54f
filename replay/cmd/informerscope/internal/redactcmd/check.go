package main

import (
	"fmt"
	"io"

	"github.com/informerscope/informerscope/replay/redact"
)

// check lists what looks like a secret in the input, and writes no trace. It fails
// if there is anything.
func (j *redaction) check(stdout io.Writer) error {
	defer j.captures.bar.done()
	if err := j.detect(); err != nil {
		return err
	}
	c := redact.NewCheck()
	if err := j.each(c.Line); err != nil {
		return err
	}
	j.captures.bar.done()
	if _, err := stdout.Write(c.AppendText(nil)); err != nil {
		return err
	}
	switch list, more := c.Found(); {
	case len(list) > 0:
		where := ""
		if j.sum != nil {
			where = "; the lines are those of the trace that informerscope convert makes of it"
		}
		return fmt.Errorf("%s has %d places that look like a secret%s", j.name, int64(len(list))+more, where)
	case j.damage != nil:
		return exitError{exitDamaged, fmt.Errorf("%s is damaged after line %d: %w; what comes after that was not looked at", j.name, j.lines, j.damage)}
	case j.sum != nil && j.sum.Problem > 0:
		return damageIn(j.sum.Problem, j.sum.Gaps, j.sum.Lost, false)
	}
	fmt.Fprintf(stdout, "nothing in %s looks like a secret, which is no promise that there is none\n", j.name)
	return nil
}
