package world

import "math"

// seen are the states that were seen, by their sums, and at which depth and how
// early at least.
type seen struct {
	slots []slot
	n     int
}

type slot struct {
	hash  uint64
	depth int32 // counted from 1; 0 is a free slot
	clock int32 // milliseconds
}

func (s *seen) reset() {
	if s.slots == nil {
		s.slots = make([]slot, 1<<12)
	}
	clear(s.slots)
	s.n = 0
}

// add notes a state that came about so many nanoseconds after the beginning. It is
// fresh if it was not seen before, and it can be worth going on from if it was not
// seen at so small a depth, or so early.
func (s *seen) add(h uint64, depth int, clock int64) (fresh, shallower, earlier bool) {
	at, ms := s.find(h), int32(min(clock/1e6, math.MaxInt32))
	if at.depth != 0 {
		if shallower = int(at.depth) > depth+1; shallower {
			at.depth = int32(depth + 1)
		}
		if earlier = at.clock > ms; earlier {
			at.clock = ms
		}
		return false, shallower, earlier
	}
	*at = slot{h, int32(depth + 1), ms}
	if s.n++; 4*s.n > 3*len(s.slots) {
		old := s.slots
		s.slots = make([]slot, 2*len(old))
		for _, o := range old {
			if o.depth != 0 {
				*s.find(o.hash) = o
			}
		}
	}
	return true, true, true
}

func (s *seen) find(h uint64) *slot {
	mask := uint64(len(s.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		if at := &s.slots[i]; at.depth == 0 || at.hash == h {
			return at
		}
	}
}
