package format

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/trace"
)

// Check returns a Reader that takes the same input once more, after Close, and
// adds to the Trace's Problems what is damaged in the parts of events that were not
// looked at. What was read of such an event stays. It returns nil if all was looked
// at.
func (r *Reader) Check() *Reader {
	if r.glanced == 0 {
		return nil
	}
	c := NewReader(Options{MaxLine: r.glanced})
	c.t, c.bare = r.t, true
	c.parts = &check{own: r.t.Header.Version > 0}
	return c
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
