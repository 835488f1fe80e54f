package format

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/trace"
)

// own is informerscope's own format: a line is a part.
type own struct{ d *trace.Decoder }

func (o own) take(r *Reader, b []byte) int {
	n := r.line(b)
	switch {
	case n > r.maxLine || n < 0 && len(b) > r.maxLine:
		return r.drop(b, trace.TooLong, r.tooLong())
	case n < 0:
		return 0
	}
	if line := bytes.TrimSpace(b[:n]); len(line) > 0 {
		done, err := false, error(nil)
		if r.glance {
			done, err = o.d.Glance(b[:n], r.offset)
		}
		switch {
		case done:
			r.glanced = max(r.glanced, n)
		case !trace.Shallow(line):
			r.report(trace.TooDeep, r.offset, r.lines+1, tooDeep)
		default:
			err = o.d.Line(b[:n], r.offset)
		}
		if err != nil {
			r.problem(trace.Damaged, line, err)
		}
	}
	r.lines++
	return n + 1
}

func (o own) finish(r *Reader, b []byte) {
	if !trace.Shallow(b) {
		r.report(trace.TooDeep, r.offset, r.lines+1, tooDeep)
	} else if err := o.d.Line(b, r.offset); err != nil {
		r.problem(cutOrDamaged(b), b, err)
	}
}
