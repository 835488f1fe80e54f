package report

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace"
)

// Scan finds out from the recorded calls of handlers how each was added, so that
// the engine's handlers can be added in the same way. A recording says what a
// handler was called with, and when; the rest follows from that:
//
//   - A handler whose first call belongs to an initial list, and comes after the
//     informer has synced, was added then.
//   - A handler that gets no more calls, while another of the same resource gets at
//     least two about changes, was removed after its last call.
//   - Calls that tell nothing new come at the resync period.
type Scan struct {
	trace   *trace.Trace
	skipped []*feed.Passing
	of      []scanned // by resource
}

// scanned is what was found out about a resource.
type scanned struct {
	changes  int     // watch events
	lists    []int64 // when lists ended, and initial events
	handlers []scannedHandler
}

type scannedHandler struct {
	name     string
	first    trace.Call
	last     int64    // t of the last call
	changes  [2]int64 // t of the last two calls that were no resyncs, the older first
	ticks    []int64  // when resyncs began
	resynced int64    // t of the last resync
}

// ErrNoCalls says that a capture holds no recorded calls, as far as it was read.
const ErrNoCalls = fault.Plain("noCalls")

// callsBy is how many watch events may come before the first call.
const callsBy = 1000

// NewScan begins to scan t, which may still be empty. It lets t forget the
// records that it has seen, so nobody else may need them.
func NewScan(t *trace.Trace) *Scan { return &Scan{trace: t} }

// Grown takes in what was added to the trace since the last call. It fails with
// ErrNoCalls as soon as reading on is of no use.
func (s *Scan) Grown() error {
	most, any := 0, false
	for i, r := range s.trace.Resources {
		if i == len(s.of) {
			s.of = append(s.of, scanned{})
			s.skipped = append(s.skipped, &feed.Passing{Feed: feed.Feed{Trace: s.trace, Resource: r}, Keys: maxKeys})
		}
		s.of[i].take(r)
		s.skipped[i].Skip()
		most, any = max(most, s.of[i].changes), any || len(r.Handlers) > 0
	}
	if most > callsBy && !any {
		return ErrNoCalls
	}
	return nil
}

func (s *scanned) take(r *trace.Resource) {
	for i := range r.Records {
		switch rec := &r.Records[i]; rec.Kind {
		case trace.WatchEvent:
			s.changes++
		case trace.ListEnd, trace.InitialEnd:
			s.lists = append(s.lists, rec.At)
		}
	}
	for i, h := range r.Handlers {
		if i == len(s.handlers) {
			s.handlers = append(s.handlers, scannedHandler{name: h.Name})
		}
		for j := range h.Calls {
			s.handlers[i].take(&h.Calls[j], s.lists)
		}
		h.Calls = h.Calls[:0]
	}
}

func (h *scannedHandler) take(c *trace.Call, lists []int64) {
	if h.first.Fn == 0 {
		h.first = *c
	}
	h.last = max(h.last, c.At)
	if c.Fn != trace.OnUpdate || c.OldRV != c.RV {
		h.changes = [2]int64{h.changes[1], c.At}
		return
	}
	if len(lists) > 0 && c.At-lists[len(lists)-1] < second { // a list tells of all objects, too
		return
	}
	if len(h.ticks) == 0 || c.At-h.resynced > second/2 {
		h.ticks = append(h.ticks, c.At)
	}
	h.resynced = c.At
}

// Handlers returns the recorded handlers of each resource, by the resource's name.
func (s *Scan) Handlers() map[string][]Handler {
	out := map[string][]Handler{}
	for i := range s.of {
		var handlers []Handler
		shortest := int64(0)
		for j := range s.of[i].handlers {
			h := s.of[i].handler(j)
			if h.Resync > 0 && (shortest == 0 || h.Resync < shortest) {
				shortest = h.Resync
			}
			handlers = append(handlers, h)
		}
		// The informer checks only at the shortest period, so the resyncs of other
		// handlers come up to that much later than they asked for.
		for j := range handlers {
			if h := &handlers[j]; h.Resync > shortest {
				h.Resync -= shortest / 2
			}
		}
		if len(handlers) > 0 {
			out[s.trace.Resources[i].Name()] = handlers
		}
	}
	return out
}

func (s *scanned) handler(i int) Handler {
	h := &s.handlers[i]
	out := Handler{Name: h.name}
	began := h.first.At - h.first.Took
	if synced := slices.Min(append(s.lists, began)); h.first.Initial && began-synced > second {
		out.From = began - justBefore
	}
	for j := range s.handlers {
		if s.handlers[j].changes[0] > h.last+second/10 {
			out.Until = h.last + justBefore
		}
	}
	since := began
	if out.From == 0 && len(s.lists) > 0 {
		since = s.lists[0]
	}
	out.Resync = h.period(since)
	return out
}

// justBefore is how long before its first call a handler is taken to have been
// added, and how long after its last call it is taken to have been removed.
const justBefore = 50_000

// period is the resync period: the usual time between two ticks, or what passed
// before the only one, in whole seconds where it is close to that.
func (h *scannedHandler) period(since int64) int64 {
	var between []int64
	last := since
	for i, at := range h.ticks {
		if i > 0 || len(h.ticks) == 1 {
			between = append(between, at-last)
		}
		last = at
	}
	if len(between) == 0 {
		return 0
	}
	slices.SortFunc(between, cmp.Compare[int64])
	p := between[len(between)/2]
	whole := (p + second/2) / second * second
	if whole > 0 && max(p-whole, whole-p) < second/10 {
		return whole
	}
	return p
}
