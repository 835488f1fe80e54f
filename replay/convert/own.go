package convert

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// traceForm is informerscope's own format.
var traceForm = capture.Form{
	ID: "trace", Matches: isTrace,
	Suffixes: []string{".trace.jsonl"}, Convert: readOwn, Lost: format.EventsIn,
}

// isTrace reports whether head begins with our own format's header.
func isTrace(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	return bytes.HasPrefix(head, []byte{'{'}) && jsonscan.WithinMaxDepth(line) && trace.IsHeader(line)
}

// readOwn passes lines of our own format on as they are. A line that isn't JSON is left out.
// What is wrong with the trace that is passed on is counted and not written: whoever
// reads it finds the same.
func readOwn(c *capture.Conversion) error {
	var t trace.Trace
	var d *trace.Decoder
	err := c.Lines(func(line []byte, offset, number int64) error {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
			return nil
		case !jsonscan.WithinMaxDepth(line):
			return api.ErrTooDeep
		case d == nil:
			var err error
			d, err = ownHeader(c, &t, line)
			return capture.Fatal(err)
		}
		x, err := readPlace(line)
		if err != nil {
			return err
		}
		c.Out.Offset(x.t)
		if err := d.Line(line, offset); err != nil {
			t.Report(trace.Problem{Kind: trace.Damaged, Line: number, Offset: offset, Err: err, Lost: c.From.Form.LostEvents(line)})
		}
		forget(&t)
		return capture.Fatal(c.Out.Trace.Raw(line))
	})
	for i, p := range t.Problems {
		if i == 0 {
			p.Lost += t.Lost - lostEvents(t.Problems)
			c.Findings.ProblemCount += t.ProblemCount - int64(len(t.Problems))
			c.Findings.Gaps += t.Gaps - gapsIn(t.Problems)
		}
		c.Findings.Report(c.Named(p))
	}
	return err
}

// lostEvents returns how many watch events problems have lost.
func lostEvents(problems []trace.Problem) (n int64) {
	for _, p := range problems {
		n += p.Lost
	}
	return n
}

func gapsIn(problems []trace.Problem) (n int64) {
	for _, p := range problems {
		if p.Kind == trace.Missing {
			n++
		}
	}
	return n
}

// forgetBy is how many records of a resource are held before they are forgotten.
const forgetBy = 1 << 14

// forget lets go of records and versions of objects that have been looked at.
func forget(t *trace.Trace) {
	for _, r := range t.Resources {
		if len(r.Records) < forgetBy {
			continue
		}
		r.Forget(r.FirstKept() - r.Forgotten)
		live := r.Table.Live()
		for i := range r.Records {
			live.Ref(r.Records[i].Obj)
		}
		r.Table.Sweep(live)
	}
}

// ownHeader begins a trace with the header of another, which is read into t.
func ownHeader(c *capture.Conversion, t *trace.Trace, line []byte) (*trace.Decoder, error) {
	d, err := trace.NewDecoder(t, line)
	if err != nil {
		return nil, err
	}
	c.Out.Header = t.Header
	return d, c.Out.Begin()
}
