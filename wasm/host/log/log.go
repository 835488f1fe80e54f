// Package log finds what the recorded process logged near a step.
package log

import (
	"math"
	"sort"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// The page gets these numbers of entries before and after the moment shown, and maxText characters of each. Few
// stand before the moment, so the viewer sees the last one of them without scrolling.
const (
	linesBefore = 6
	linesAfter  = 24
	maxText     = 600
)

// Sent is what the page knows of a log.
type Sent struct {
	trace         *trace.Trace // nil before the page was told
	before, total int          // as the page was told
	Laid          bool         // the log that comes next was laid over what was open
}

// LinesAround returns what was logged near the step of a frame, or nil where the page knows that. What was logged before the
// next step belongs to the step.
func (x *Sent) LinesAround(t *trace.Trace, f *link.Frame) *link.Log {
	all := t.Log
	if len(all) == 0 {
		return nil
	}
	last := max(f.Time, f.Next-1)
	if f.Step == f.Steps && f.Complete {
		last = math.MaxInt64
	}
	by := sort.Search(len(all), func(i int) bool { return all[i].Time > last })
	if x.trace == t && x.before == by && x.total == len(all) {
		return nil
	}
	out := &link.Log{Total: len(all), Reached: by, From: max(0, by-linesBefore), Laid: x.Laid}
	for _, e := range all[out.From:min(len(all), by+linesAfter)] {
		out.Entries = append(out.Entries, link.Logged{Time: e.Time, Level: string(e.Level), Text: machine.Short(e.Text, maxText)})
	}
	*x = Sent{trace: t, before: by, total: len(all)}
	return out
}
