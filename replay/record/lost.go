package record

import (
	"sync/atomic"

	"github.com/informerscope/informerscope/replay/trace"
)

// lost counts what was left out.
type lost struct {
	all  atomic.Int64 // of the kinds below, since the start
	told atomic.Int64 // parts of answers; the trace has a mark for each

	// Of these the trace has not told yet.
	calls, work, reconciles, writes, requests, marks atomic.Int64
}

// left counts one thing that was left out.
func (r *Recorder) left(kind *atomic.Int64) {
	r.lost.all.Add(1)
	kind.Add(1)
}

// take returns what the trace is to be told, if there is anything.
func (l *lost) take() (o trace.LeftOut, any bool) {
	o = trace.LeftOut{
		Calls: l.calls.Swap(0), Work: l.work.Swap(0), Reconciles: l.reconciles.Swap(0),
		Writes: l.writes.Swap(0), Requests: l.requests.Swap(0), Marks: l.marks.Swap(0),
	}
	return o, o != trace.LeftOut{}
}
