package report

import (
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Scan finds out from the recorded calls of handlers how each was added, so that
// the engine's handlers can be added in the same way. A recording says what a
// handler was called with, when, and how long that took. The rest follows from that
// and from what the server sent: see scanned.infer.
type Scan struct {
	trace   *trace.Trace
	log     worker.Log
	skipped []*feed.Passing
	of      []*scanned // by resource
}

// ErrNoCalls says that a capture holds no recorded calls, as far as it was read.
const ErrNoCalls = fault.Plain("noCalls")

// callsBy is how many watch events may come before the first call.
const callsBy = 1000

// NewScan begins to scan t, which must still be empty. It lets t forget the
// records that it has seen, so nobody else may need them.
func NewScan(t *trace.Trace) *Scan {
	s := &Scan{trace: t}
	t.Others = s.log.Line
	return s
}

// Grown takes in what was added to the trace since the last call. It fails with
// ErrNoCalls as soon as reading on is of no use.
func (s *Scan) Grown() error {
	most, any := 0, len(s.log.Reconciles) > 0
	for i, r := range s.trace.Resources {
		if i == len(s.of) {
			one := newScanned(r)
			s.of = append(s.of, one)
			s.skipped = append(s.skipped, &feed.Passing{Feed: feed.Feed{Trace: s.trace, Resource: r}, Keys: maxKeys, Gone: one.forgetKey})
		}
		s.of[i].readNew()
		for _, h := range r.Handlers {
			h.Forget()
		}
		s.skipped[i].Skip()
		most, any = max(most, s.of[i].events), any || len(r.Handlers) > 0
	}
	if most > callsBy && !any {
		return ErrNoCalls
	}
	return nil
}

// Inferred returns what was found out about each resource that has recorded handlers, by
// the resource's name.
func (s *Scan) Inferred() map[string]*InferredHandlers {
	out := map[string]*InferredHandlers{}
	end := int64(0)
	for _, one := range s.of {
		end = max(end, one.end)
	}
	for _, one := range s.of {
		if f := one.infer(end); f != nil {
			out[one.r.Name()] = f
		}
	}
	return out
}

// Controllers returns the recorded controller of each resource, by the resource's name.
func (s *Scan) Controllers() map[string]*feed.Controller { return feed.Controllers(s.trace, &s.log) }

// InferHandlers returns what a whole trace, which keeps its records and calls, says of the
// handlers of its resource r; nil if none was recorded.
func InferHandlers(t *trace.Trace, r *trace.Resource) *InferredHandlers {
	if len(r.Handlers) == 0 {
		return nil
	}
	end := int64(0)
	for _, other := range t.Resources {
		if n := len(other.Records); n > 0 {
			end = max(end, other.Records[n-1].At)
		}
		for _, h := range other.Handlers {
			if n := len(h.Calls); n > 0 {
				end = max(end, h.Calls[n-1].At)
			}
		}
	}
	one := newScanned(r)
	one.readNew()
	return one.infer(end)
}
