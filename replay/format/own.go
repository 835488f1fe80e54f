package format

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/trace"
)

// own is informerscope's own format: a line is a part.
type own struct{ d *trace.Decoder }

func (o own) take(r *Reader, b []byte) int {
	if r.glance {
		n, err := o.d.Glance(r.within(b), r.offset)
		if err != nil {
			r.problem(trace.Damaged, b[:n], err, EventsIn(b[:n]))
		}
		if n > 0 {
			return r.glancedAt(b, n)
		}
	}
	n := r.line(b)
	switch {
	case n > r.maxLine || n < 0 && len(b) > r.maxLine:
		return r.dropLong(b)
	case n < 0:
		return 0
	}
	if line := bytes.TrimSpace(b[:n]); len(line) > 0 {
		if err := o.d.Line(b[:n], r.offset); err != nil {
			r.problem(trace.Damaged, line, err, EventsIn(line))
		} else {
			r.checkUTF8(line)
		}
	}
	r.lines++
	return n + 1
}

func (o own) finish(r *Reader, b []byte) {
	if err := o.d.Line(b, r.offset); err != nil {
		r.problem(cutOrDamaged(b), b, err, EventsIn(b))
	} else {
		r.checkUTF8(b)
	}
}
