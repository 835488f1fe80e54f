package report

import (
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// Found is what the recorded calls of a resource's handlers say of the informer.
type Found struct {
	Handlers []FoundHandler
	Resync   int64 // the informer's period, at which it checks whether those of its handlers are over
	// AnyKind tells that handlers were called with objects of another kind: a dynamic
	// informer expects none in particular.
	AnyKind bool
}

// FoundHandler is what the recorded calls of a handler say of it.
type FoundHandler struct {
	Name   string
	Resync int64 // the period that explains its resyncs
	From   int64 // when it was added to a running informer; 0 for before Run
	Until  int64 // when it was removed; 0 for never
	// Ended tells that notifications were waiting for it when its informer, or the
	// recording, ended.
	Ended bool

	calls  int
	took   durations
	lost   int64 // how much earlier the engine makes its last call
	spread int64 // how long it took for the calls of one resync, or of a list that had nothing new, at most
}

// Handler is the engine's handler that gets the recorded calls from a version of
// client-go. Each call takes as long as it was recorded to take. A call that is the last
// although more is waiting does not return if the handler was not removed.
func (f *FoundHandler) Handler(p world.Profile) Handler {
	h := Handler{Name: f.Name, Resync: f.Resync, From: f.From}
	blocks, longer := f.Ended, int64(0)
	if f.Until > 0 {
		if h.Until = f.Until; p.Registrations {
			longer = f.lost
		} else {
			blocks = true // nothing else keeps the calls from it
		}
	}
	took, last := f.took, f.calls-1
	h.Took = func(call int) int64 {
		switch {
		case call == last && !blocks:
			return took.at(call) + longer
		case call >= last && (blocks || longer > 0):
			return informer.Forever
		}
		return took.at(call)
	}
	return h
}

// Dynamic reports whether the informer was one that expects objects of no kind in
// particular.
func (f *Found) Dynamic() bool { return f != nil && f.AnyKind }

// Named is the found handler of that name; nil if there is none.
func (f *Found) Named(name string) *FoundHandler {
	if f != nil {
		for i := range f.Handlers {
			if f.Handlers[i].Name == name {
				return &f.Handlers[i]
			}
		}
	}
	return nil
}

// justBefore is how long before the end of its last call a handler is taken to have been
// removed that others were waiting for.
const justBefore = 50_000

// found is what follows from what was read, of a recording that ends at the time end:
//
//   - A handler that is first told of what the first list did not hold, or long after
//     another handler, was added then: after the newest change that it was told of as
//     something old, and before the first that it was told of on its own.
//   - A handler that gets no more calls, although there were changes, was removed, or it
//     is behind when its informer or the recording ends.
//   - Calls that tell nothing new come at the resync period, unless an event came twice
//     or a list brought them.
func (s *scanned) found(end int64) *Found {
	var called []*scannedHandler
	began := int64(never)
	for _, h := range s.handlers {
		if h.calls > 0 {
			called, began = append(called, h), min(began, h.began)
		}
	}
	if len(called) == 0 {
		return nil
	}
	if s.stopped > 0 { // calls that were under way then return later
		end = min(end, s.stopped)
	}
	out := &Found{AnyKind: s.anyKind}
	var joined, measured []int64
	for _, h := range called {
		f := FoundHandler{Name: h.name, calls: h.calls, took: h.took, spread: h.spread, From: s.joined(h, began)}
		since := f.From
		if since == 0 && len(s.lists) > 0 {
			since = s.lists[0]
		}
		joined, measured = append(joined, since), append(measured, h.period(s.lists, since))
		s.left(h, &f, end)
		out.Handlers = append(out.Handlers, f)
	}
	var periods, from []int64
	out.Resync, periods, from = s.periods(called, joined, measured)
	for i := range out.Handlers {
		if out.Handlers[i].From > 0 {
			out.Handlers[i].From = from[i]
		}
		out.Handlers[i].Resync = measured[i]
		s.silenced(called, i, &out.Handlers[i])
		out.Handlers[i].Resync = periods[i]
	}
	if out.Resync == 0 {
		out.Resync = s.checked(called, out.Handlers)
	}
	return out
}

// lateBy is how much later than another handler a handler may first be called although both were
// added before Run.
const lateBy = 100 * millisecond

// joined is when a handler was added, 0 for before Run. began is when the first call of any
// handler began.
func (s *scanned) joined(h *scannedHandler, began int64) int64 {
	late := h.news || h.missed || h.began-began > lateBy && h.joined > 0
	if len(s.lists) > 0 && h.joined > 0 && h.began-s.lists[0] > second {
		late = true
	}
	if !late {
		return 0
	}
	from := h.began // the engine may be slower than the process was with what came just before
	if h.excluded <= from {
		from = h.excluded - 1000
	}
	if h.included >= from {
		if from = h.included + 20_000; from >= h.excluded {
			from = h.included + (h.excluded-h.included)/2
		}
	}
	return max(from, 1)
}

// left notes how the calls of a handler end that was not told of every change.
func (s *scanned) left(h *scannedHandler, f *FoundHandler, end int64) {
	missed, next := s.missed(h)
	if h.joining > 0 && missed == 0 { // of what was there when it joined
		missed, next = h.joining, h.began
	}
	if missed == 0 || next < h.reached-lateBy { // it was told of later ones: that is no end
		return
	}
	for _, at := range s.agains { // handlers are told of these, too
		if at > next {
			missed++
		}
	}
	busy := next <= h.last
	waits := end - max(next, h.last) // the next call would have taken as long
	switch {
	case busy && waits <= lateBy+2*h.longest, waits <= 2*h.longest, waits <= second/2 && next > s.reached():
		f.Ended = true
	case missed < 2:
	case busy:
		f.Until = h.last - min(h.took.at(h.calls-1)/2, justBefore)
		f.lost = h.idle + lateBy // or else the engine may begin another call by then
	default:
		f.Until = h.last + min(lateBy, (next-h.last)/2)
	}
}

// missed is how many changes a handler was not told of, and when the first of them came. The
// changes of a list have no order.
func (s *scanned) missed(h *scannedHandler) (n int, first int64) {
	for i := max(0, s.changes-maxRecent); i < s.changes; i++ {
		c := s.at(i)
		told, known := h.has[c.key]
		if known {
			if at, recent := s.positions[told]; recent && i <= at || !recent && c.at <= h.reached {
				continue
			}
		} else if c.at < h.began {
			continue
		}
		if n++; n == 1 {
			first = c.at
		}
	}
	return n, first
}

// reached is when the newest change had come that any handler was told of.
func (s *scanned) reached() (at int64) {
	for _, h := range s.handlers {
		at = max(at, h.reached)
	}
	return at
}

// silenced notes that a handler was removed if it gets no more resyncs while another one does.
func (s *scanned) silenced(all []*scannedHandler, i int, f *FoundHandler) {
	h := all[i]
	if f.Resync == 0 || f.Ended || f.Until > 0 {
		return
	}
	last := h.ticks[len(h.ticks)-1]
	for _, other := range all {
		if n := len(other.ticks); n > 0 && other.ticks[n-1] > last+f.Resync*3/2 && other.ticks[n-1] > h.last+f.Resync/2 {
			f.Until = h.last + lateBy
		}
	}
}
