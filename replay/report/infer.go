package report

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// justBefore is how long before the end of its last call a handler is taken to have been
// removed that others were waiting for.
const justBefore = 50_000

// infer returns what follows from what was read, of a recording that ends at the time end:
//
//   - A handler that is first told of what the first list did not hold, or long after
//     another handler, was added then: after the newest change that it was told of as
//     something old, and before the first that it was told of on its own.
//   - A handler that gets no more calls, although there were changes, was removed, or it
//     is behind when its informer or the recording ends.
//   - Of a handler whose name another informer's handler has, too, nothing follows.
//   - Calls that tell nothing new come at the resync period, unless an event came twice
//     or a list brought them.
func (s *scanned) infer(end int64) *InferredHandlers {
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
	out := &InferredHandlers{AnyKind: s.anyKind}
	var joined, measured []int64
	for _, h := range called {
		f := FoundHandler{Name: h.name, calls: h.calls, durations: h.durations, spread: h.spread}
		if f.Shared = s.r.SharesName(h.name); f.Shared {
			joined, measured = append(joined, 0), append(measured, 0)
			out.Handlers = append(out.Handlers, f)
			continue
		}
		f.From = s.joined(h, began)
		since := f.From
		if since == 0 && len(s.lists) > 0 { // its period counts from when it was added, and not from the first list
			since = cmp.Or(s.failed, s.lists[0])
		}
		joined, measured = append(joined, since), append(measured, h.period(s.lists, since))
		s.inferEnd(h, &f, end)
		out.Handlers = append(out.Handlers, f)
	}
	var periods, from []int64
	out.Resync, periods, from = s.periods(called, joined, measured)
	for i := range out.Handlers {
		if from[i] != joined[i] {
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

// joined returns when a handler was added, 0 for before Run. began is when the first call of any
// handler began.
func (s *scanned) joined(h *scannedHandler, began int64) int64 {
	late := h.news || h.missed || h.began-began > lateThreshold && h.joined > 0
	if len(s.lists) > 0 && h.joined > 0 && h.began-s.lists[0] > second {
		late = true
	}
	if !late {
		return 0
	}
	return h.added()
}

// added returns when a handler was added to an informer that ran.
func (h *scannedHandler) added() int64 {
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

// inferEnd notes how the calls of a handler end that was not told of every change.
func (s *scanned) inferEnd(h *scannedHandler, f *FoundHandler, end int64) {
	missed, next := s.missed(h)
	if h.joining > 0 && missed == 0 { // of what was there when it joined
		missed, next = h.joining, h.began
	}
	if missed == 0 || next < h.reached-lateThreshold { // it was told of later ones: that is no end
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
	case busy && waits <= lateThreshold+2*h.longest, waits <= 2*h.longest, waits <= second/2 && next > s.reached():
		f.Ended = true
	case missed < 2:
	case busy:
		f.Until = h.last - min(h.durations.estimate(h.calls-1)/2, justBefore)
		f.lost = h.idle + lateThreshold // or else the engine may begin another call by then
	default:
		f.Until = h.last + min(lateThreshold, (next-h.last)/2)
	}
}

// missed returns how many changes a handler was not told of, and when the first of them came. The
// changes of a list have no order.
func (s *scanned) missed(h *scannedHandler) (n int, first int64) {
	for i := s.changes.First(); i < s.changes.Len(); i++ {
		c := s.changes.At(i)
		newest, known := h.newest[c.key]
		if known {
			if at, recent := s.changes.Find(newest); recent && i <= at || !recent && c.time <= h.reached {
				continue
			}
		} else if c.time < h.began {
			continue
		}
		if n++; n == 1 {
			first = c.time
		}
	}
	return n, first
}

// reached returns when the newest change had come that any handler was told of.
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
			f.Until = h.last + lateThreshold
		}
	}
}

// usual are the periods that are tried besides those that were measured, in seconds.
var usual = [...]int64{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1200, 1800, 3600, 7200, 36000, 43200}

// periods finds out the resync periods of handlers and of their informer, which checks at its
// own period whether a handler's is over. Candidates are played against the recorded ticks, and
// those that explain most are taken, the likeliest if several do. began is when each handler was
// added, and measured is what passed between its ticks, 0 for a handler that had none. from is
// began, or the time before or after it at which the ticks say that a handler was added.
func (s *scanned) periods(all []*scannedHandler, began, measured []int64) (informer int64, periods, from []int64) {
	var candidates []int64
	longest := slices.Max(measured)
	for i, h := range all { // a list between may have hidden what passed before the first one
		if len(h.ticks) > 0 {
			longest = max(longest, h.ticks[0]-began[i])
		}
	}
	for _, p := range usual {
		if p*second <= longest+second/2 {
			candidates = append(candidates, p*second)
		}
	}
	for _, p := range measured {
		if p > 0 {
			candidates = append(candidates, p)
		}
	}
	slices.Sort(candidates)
	slices.Reverse(candidates)
	candidates = slices.Compact(candidates)
	if len(candidates) == 0 {
		return 0, measured, began
	}
	least := int64(never)
	for _, stalled := range []bool{false, true} {
		for _, check := range candidates {
			wrong, tried, since := s.explain(all, began, measured, candidates, check, stalled)
			if wrong < least {
				least, informer, periods, from = wrong, check, tried, since
			}
		}
		if least == 0 {
			break
		}
	}
	return informer, periods, from
}

// explain finds for each handler the candidate that explains its ticks best, if its informer checks
// at a period, and since when the handler was there then. wrong says how badly they explain all
// ticks, never for not at all. If the process stalled, a check came later than it should have, and
// found that the period of a late handler was over. The handler is taken to have joined so much
// earlier. A handler that was added soon after the first list, as controller-runtime adds each, has
// no resync at the first check: its period ends after it.
func (s *scanned) explain(all []*scannedHandler, began, measured, candidates []int64, check int64, stalled bool) (wrong int64, periods, from []int64) {
	periods, from = make([]int64, len(all)), slices.Clone(began)
	for i, h := range all {
		if measured[i] == 0 {
			continue
		}
		best := int64(never)
		for _, p := range candidates {
			if p < check { // its period is not shorter than this one
				break
			}
			since := began[i]
			if at := s.lastDue(h.ticks[0], check) - p - second/100; stalled && at < since && at > since-maxStall && h.included > 0 && at > h.included+20_000 {
				since = at
			}
			n := h.unexplained(s, since, check, p)
			if n > 0 && h.joined > 0 && len(s.lists) > 0 && since == s.lists[0] && h.began > since {
				if later := h.unexplained(s, h.added(), check, p); later < n {
					n, since = later, h.added()
				}
			}
			if n < best || n == best && distance(p, measured[i], check) < distance(periods[i], measured[i], check) {
				best, periods[i], from[i] = n, p, since
			}
		}
		if best == never {
			return never, nil, nil
		}
		wrong += best
	}
	return wrong, periods, from
}

// maxStall is how much later than it should a check may come, in nanoseconds.
const maxStall = second * 3 / 10

// lastDue returns when a check should have come that came at the time tick.
func (s *scanned) lastDue(tick, check int64) (at int64) {
	for _, l := range s.lists {
		if l < tick {
			at = l
		}
	}
	return at + (tick-at)/check*check
}

// checked returns the longest period at which an informer may check for resyncs where no resync was due
// in the whole recording, 0 where nothing tells of a check. A handler that a list tells nothing
// of what it has in the same version is not marked as syncing. Each handler is until the first check.
func (s *scanned) checked(called []*scannedHandler, found []FoundHandler) int64 {
	for i, h := range called {
		for l := 1; l < len(s.lists); l++ {
			f := &found[i]
			if s.retained[l] == 0 || slices.Contains(h.relists, l) || (f.Until > 0 || f.Ended) && h.reached <= s.lists[l] {
				continue
			}
			if p := cmp.Or(s.checks(l, f.From, s.ends[l]-maxStall), s.checks(l, f.From, s.ends[l])); p > 0 {
				return p
			}
		}
	}
	return 0
}

// checks returns the longest period that is over for the first time after a time, and before another
// one, if its timer began with the list before list l; 0 if there is none.
func (s *scanned) checks(l int, after, before int64) int64 {
	from := s.lists[l-1]
	for _, p := range slices.Backward(usual[:]) {
		if p *= second; from+max((after-from+p-1)/p, 1)*p < before {
			return p
		}
	}
	return 0
}

// distance returns how far a period is from the likeliest that gives the measured one. A period which is no
// multiple of the informer's is over somewhere between two checks.
func distance(period, measured, check int64) int64 {
	if measured > check*5/4 {
		measured -= check / 2
	}
	return max(period-measured, measured-period)
}

// maxTicks is how many ticks of a handler are looked at.
const maxTicks = 100

// unexplained says how badly two periods explain the ticks of a handler: how many were recorded
// that would not be there, and the other way round. Its informer's timer begins anew with each
// list. It may have stopped as soon as the watch before the list had ended.
func (h *scannedHandler) unexplained(s *scanned, began, check, period int64) (n int64) {
	ticks := h.ticks[:min(len(h.ticks), maxTicks)]
	end := min(s.end, h.last+period)
	if len(ticks) < len(h.ticks) {
		end = ticks[len(ticks)-1]
	}
	next, i := began+period, 0
	for l, at := range s.lists {
		until, watched := end, end
		if l+1 < len(s.lists) {
			until, watched = min(end, s.lists[l+1]), min(end, s.ends[l+1])
		}
		for at += check; at <= until; at += check {
			if at < next {
				continue
			}
			for ; i < len(ticks) && ticks[i] < at-maxStall; i++ {
				n += 2
			}
			if i < len(ticks) && ticks[i] <= at+maxStall {
				at = max(at, ticks[i])
				i++
			} else if at > watched-maxStall && (i == len(ticks) || ticks[i] > until) { // it may have stopped
				break
			} else if at < until-second {
				n++
			}
			next = at + period - second/100
		}
	}
	return n + 2*int64(len(ticks)-i)
}

// InferredHandlers is what the recorded calls of a resource's handlers say of the informer.
type InferredHandlers struct {
	Handlers []FoundHandler
	Resync   int64 // the informer's period, at which it checks whether its handlers' periods are over
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
	// Shared tells that a handler of another informer has this name, too: see trace.Resource.Shared. Nothing follows from its
	// calls then but how long they took.
	Shared bool
	// Ended tells that notifications were waiting for it when its informer, or the
	// recording, ended.
	Ended bool

	calls     int
	durations durations
	lost      int64 // how much earlier the engine makes its last call
	spread    int64 // how long it took for the calls of one resync, or of a list that had nothing new, at most
}

// Handler returns the engine's handler that gets the recorded calls from a version of
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
	took, last := f.durations, f.calls-1
	h.DurationOf = func(call int) int64 {
		switch {
		case call == last && !blocks:
			return took.estimate(call) + longer
		case call >= last && (blocks || longer > 0):
			return informer.Forever
		}
		return took.estimate(call)
	}
	return h
}

// Dynamic reports whether the informer was one that expects objects of no kind in
// particular.
func (f *InferredHandlers) Dynamic() bool { return f != nil && f.AnyKind }

// Named returns the found handler of that name; nil if there is none.
func (f *InferredHandlers) Named(name string) *FoundHandler {
	if f != nil {
		for i := range f.Handlers {
			if f.Handlers[i].Name == name {
				return &f.Handlers[i]
			}
		}
	}
	return nil
}

// durations are what the calls of a handler took: nanoseconds, or microseconds from two
// seconds on, which have the highest bit set.
type durations []uint32

const inMicroseconds = 1 << 31

// maxDurations is how many are kept: 64 MB. A handler with more calls takes no time for
// the others.
const maxDurations = 1 << 24

func (d durations) add(took int64) durations {
	switch took = max(took, 0); {
	case len(d) == maxDurations:
		return d
	case took < inMicroseconds:
		return append(d, uint32(took))
	}
	return append(d, uint32(min(took/1000, inMicroseconds-1))|inMicroseconds)
}

// estimate returns what a call took, counted from 0, in nanoseconds. It is 0 where that is not known.
func (d durations) estimate(call int) int64 {
	switch {
	case call >= len(d):
		return 0
	case d[call] < inMicroseconds:
		return int64(d[call])
	}
	return int64(d[call]&^inMicroseconds) * 1000
}
