package format

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/trace"
)

// NewCheck returns a Reader that takes the input of t once more, which was read
// with Options.Glance, and adds to t's Problems what is damaged in the parts that
// were not looked at. What was read of such an event stays.
func NewCheck(t *trace.Trace) *Reader {
	r := NewReader(Options{})
	r.t, r.bare = t, true
	r.parts = &check{own: t.Header.Version > 0}
	return r
}

type check struct {
	own bool
	all struct{}
}

func (c *check) take(r *Reader, b []byte) int {
	n := r.line(b)
	switch {
	case n > r.maxLine || n < 0 && len(b) > r.maxLine:
		r.dropping = true
		return r.takeOne(b)
	case n < 0:
		return 0
	}
	line := bytes.TrimRight(b[:n], " \t\r")
	if trace.Glances(line, c.own) {
		if err := trace.Decode(line, &c.all); err != nil {
			r.problem(trace.Damaged, line, err)
		}
	}
	r.lines++
	return n + 1
}

// finish has nothing to do: a line that the input ends in was not glanced at.
func (c *check) finish(*Reader, []byte) {}
