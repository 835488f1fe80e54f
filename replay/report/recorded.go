package report

import (
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/trace"
)

// recorded is what playing one resource needs to know of its records and calls, so that they
// need not be kept.
type recorded struct {
	r       *trace.Resource
	seen    int // how many records were counted
	lists   relisted
	changes changes
	listed  bool // see Listed
}

// readNew counts the records that were read since the last time, passes the recorded
// calls of handlers to told, and removes them from the trace.
func (s *recorded) readNew(told func(handler string, c *trace.Call)) {
	for ; s.seen < s.r.Forgotten+len(s.r.Records); s.seen++ {
		rec := &s.r.Records[s.seen-s.r.Forgotten]
		s.lists.addRecord(rec)
		s.changes.addRecord(rec)
	}
	for _, h := range s.r.Handlers {
		for i := range h.Calls {
			told(h.Name, &h.Calls[i])
		}
		h.Forget()
	}
}

// report returns the recorded part of a Resource. madeUp says that the capture has
// no times.
func (s *recorded) report(t *findings.Tally, madeUp bool) Resource {
	keys, atMost := t.Keys()
	out := Resource{
		Name: s.r.Name(), Group: s.r.Group, Version: s.r.Version, Resource: s.r.Resource, Kind: s.r.Kind,
		First: t.First, Last: t.Last, Bytes: t.Bytes, Events: t.Events, Requests: t.Requests,
		Rate: t.Rate(madeUp), Keys: keys, KeysAtMost: atMost, Hottest: t.Hottest(),
	}
	for _, h := range t.Handlers {
		out.Handlers = append(out.Handlers, RecordedHandler{Name: h.Name, Calls: h.Calls, Took: h.Took, Longest: h.Longest, At: h.At})
	}
	if !madeUp {
		out.Gap = t.Gap()
	}
	return out
}
