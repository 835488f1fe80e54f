package report

import (
	"slices"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// scannedHandler is what was read of a recorded handler.
type scannedHandler struct {
	name    string
	calls   int
	took    durations
	has     map[object.Key]version // what it was told last of each key
	began   int64                  // when the first call began
	last    int64                  // when the last call returned
	longest int64                  // what the longest took

	// What passed besides the calls since it last had nothing to do: between the change
	// and the first call about it, and between the calls. The engine loses no time there.
	idle int64

	before   int   // how many changes had been read when the first call was
	joining  int   // how many OnAdd may still be of what was there when it joined
	initial  bool  // OnAdd says whether it is one of these
	joined   int   // how many there were
	news     bool  // one of them was not in the first list
	included int64 // the newest change among them
	excluded int64 // the first change that came before the first call, and was told on its own

	received int   // the position after the newest change that it was told of
	reached  int64 // when that had come
	missed   bool  // its first change was not the first of all

	again map[version]int
	vague bool    // some of ticks are a bit too early, because it was behind
	ticks []int64 // when resyncs began, as far as it is known

	relists []int // the lists that it was told of although they had nothing new
	same0   int64 // when the first call of the newest resync, or of such a list, began
	spread  int64 // the longest time from there to the end of the last call of it
}

// gap is the longest time between two calls of a handler that has notifications waiting.
const gap = millisecond

func (h *scannedHandler) take(s *scanned, c *trace.Call) {
	began := c.At - max(c.Took, 0)
	first := h.calls == 0
	idle := first || began-h.last > gap
	if idle {
		h.idle = 0
	} else {
		h.idle += max(began-h.last, 0)
	}
	if first {
		h.began, h.joining, h.initial, h.before = began, s.standingAt(began), c.Initial, s.changes
	}
	h.calls++
	h.took = h.took.add(c.Took)
	h.longest = max(h.longest, c.Took)
	defer func() { h.last = c.At }()
	s.tells = s.tells || c.Initial
	if c.Fn == trace.OnUpdate && c.OldRV == c.RV {
		h.same(s, c, began, idle && !h.behind(s, began))
		return
	}
	v := version{c.Key, c.RV, c.Fn == trace.OnDelete}
	if _, other := s.others[v]; other {
		s.anyKind = true
		delete(s.others, v)
		s.changed(v, c.At)
	}
	h.has[c.Key] = v
	position, known := s.positions[v]
	if idle && known {
		h.idle = max(began-s.at(position).at, 0)
	}
	if first && !c.Initial && (s.tells || known && position == 0 && len(s.first) == 0 && began-s.at(0).at <= lateBy) {
		h.joining = 0 // nothing came before it
	}
	// An object may have been deleted by the first call, and be in the initial list all the same.
	if c.Fn == trace.OnAdd && (h.joining > 0 || h.initial) && c.Initial == h.initial {
		h.joining = max(h.joining-1, 0)
		h.joined++
		if s.first[c.Key] != c.RV {
			h.news = true
		}
		if known {
			h.included = max(h.included, s.at(position).at)
			h.received = max(h.received, position+1)
			h.excludes(s, v.key, position)
		}
		return
	}
	h.joining = 0
	if !known {
		return
	}
	at := s.at(position).at
	if at < h.began {
		h.excluded = min(h.excluded, at)
	}
	if h.received == 0 && h.joined == 0 && position > 0 {
		h.missed = true
	}
	h.received, h.reached = max(h.received, position+1), max(h.reached, at)
}

// excludes notes the first change of a key after a position that the handler was not told of when
// it joined, although the change had come by then.
func (h *scannedHandler) excludes(s *scanned, k object.Key, position int) {
	for i := max(position+1, h.before-maxAhead, s.changes-maxRecent); i < h.before; i++ {
		if c := s.at(i); c.key == k && c.at < h.began {
			h.excluded = min(h.excluded, c.at)
			return
		}
	}
}

// behind reports whether a change had come a while before a time that the handler has yet to be
// told of. A pause between two calls says little then: the process may have been slow.
func (h *scannedHandler) behind(s *scanned, at int64) bool {
	return h.received > 0 && h.received >= s.changes-maxRecent && h.received < s.changes && s.at(h.received).at < at-second/10
}

// same takes in a call that tells nothing new: because of an event that came twice, of
// a list, or of a resync.
func (h *scannedHandler) same(s *scanned, c *trace.Call, began int64, idle bool) {
	v := version{key: c.Key, rv: c.RV}
	if s.again[v] > h.again[v] {
		if h.again == nil {
			h.again = map[version]int{}
		}
		h.again[v]++
		return
	}
	earliest := began
	if !idle {
		earliest = min(h.reached, began)
	}
	for i := len(s.lists) - 1; i >= 0 && s.lists[i] > earliest-second/2; i-- {
		if s.lists[i] <= began {
			if n := len(h.relists); n == 0 || h.relists[n-1] != i {
				h.relists, h.same0 = append(h.relists, i), began
			}
			h.spread = max(h.spread, c.At-h.same0)
			return
		}
	}
	n := len(h.ticks)
	if n > 0 {
		earliest = max(earliest, h.ticks[n-1])
	}
	if n == 0 || earliest-h.ticks[n-1] > second/2 {
		h.ticks = append(h.ticks, earliest)
		h.vague = h.vague || !idle
		h.same0 = began
	}
	h.spread = max(h.spread, c.At-h.same0)
}

// period is the resync period as the recording has it: the usual time between two resyncs
// with no list between them, or what passed before the only one since the handler joined
// or a list came. It is in whole seconds where it is so close to them that nothing tells
// the difference.
func (h *scannedHandler) period(lists []int64, since int64) int64 {
	if len(h.ticks) == 0 {
		return 0
	}
	listed := func(from, to int64) (at int64) {
		for _, l := range lists {
			if l > from && l < to {
				at = l
			}
		}
		return at
	}
	var between []int64
	for i := 1; i < len(h.ticks); i++ {
		if listed(h.ticks[i-1], h.ticks[i]) == 0 {
			between = append(between, h.ticks[i]-h.ticks[i-1])
		}
	}
	if len(between) == 0 {
		between = append(between, h.ticks[0]-max(since, listed(since, h.ticks[0])))
	}
	slices.Sort(between)
	p := between[len(between)/2]
	sum, n := int64(0), int64(0)
	for _, d := range between {
		if max(d-p, p-d) < p/5 {
			sum, n = sum+d, n+1
		}
	}
	p = sum / n
	whole := max((p+second/2)/second*second, second) // client-go has no shorter period
	off := max(p-whole, whole-p)
	if off < second/10 && off*n < second/4 || h.vague && off < second*2/5 || p < second {
		return whole
	}
	return p
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

// at is what a call took, counted from 0, in nanoseconds. It is 0 where that is not known.
func (d durations) at(call int) int64 {
	switch {
	case call >= len(d):
		return 0
	case d[call] < inMicroseconds:
		return int64(d[call])
	}
	return int64(d[call]&^inMicroseconds) * 1000
}
