package host

import (
	"math"
	"sort"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// The page gets these numbers of entries before and after the moment shown, and maxLogText characters of each. Few
// stand before the moment, so the viewer sees the last one of them without scrolling.
const (
	logLinesBefore = 6
	logLinesAfter  = 24
	maxLogText     = 600
)

// sentLog is what the page knows of a log.
type sentLog struct {
	trace         *trace.Trace // nil before the page was told
	before, total int          // as the page was told
	laid          bool         // the log that comes next was laid over what was open
}

// linesAround returns what was logged near the step of a frame, or nil where the page knows that. What was logged before the
// next step belongs to the step.
func (x *sentLog) linesAround(t *trace.Trace, f *link.Frame) *link.Log {
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
	out := &link.Log{Total: len(all), Reached: by, From: max(0, by-logLinesBefore), Laid: x.laid}
	for _, e := range all[out.From:min(len(all), by+logLinesAfter)] {
		out.Entries = append(out.Entries, link.Logged{Time: e.Time, Level: string(e.Level), Text: machine.Short(e.Text, maxLogText)})
	}
	*x = sentLog{trace: t, before: by, total: len(all)}
	return out
}
