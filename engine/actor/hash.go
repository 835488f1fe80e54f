package actor

import "math/bits"

// Hash is a sum of a state, by which states are distinguished without being kept.
// A station adds everything that affects what happens next, and nothing else: no
// counters, and times only as distances from now. Two states with the same Hash
// count as the same state. Among a million states, the chance that two different
// ones do is one in tens of millions.
type Hash uint64

// Add adds a number. The order matters.
func (h *Hash) Add(x uint64) {
	hi, lo := bits.Mul64(uint64(*h)^x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	*h = Hash(hi ^ lo ^ x<<1)
}

// Bool adds one bool.
func (h *Hash) Bool(b bool) {
	if b {
		h.Add(1)
	} else {
		h.Add(0)
	}
}

// Bools adds up to 64 bools as one number.
func (h *Hash) Bools(all ...bool) {
	n := uint64(0)
	for i, b := range all {
		if b {
			n |= 1 << i
		}
	}
	h.Add(n)
}

// Due adds how far ahead of now a time is. All times in the past count as now.
func (h *Hash) Due(t, now int64) {
	if t != Never {
		t = max(0, t-now)
	}
	h.Add(uint64(t))
}

// Since adds how long ago a time is, and longest where it is longer ago than that.
func (h *Hash) Since(t, now, longest int64) { h.Add(uint64(min(now-t, longest))) }

// Hash adds the actors, except workers. Those of a controller are alike, so whoever has them
// adds them by HashOf, in an order that doesn't matter.
func (s *Set) Hash(h *Hash) {
	h.Add(uint64(s.Rand))
	for i := range s.actors {
		if s.actors[i].role.Kind != Worker {
			s.HashOf(h, ID(i))
		}
	}
}

// HashOf adds one actor.
func (s *Set) HashOf(h *Hash, id ID) {
	st := &s.actors[id]
	h.Add(uint64(st.PC) | uint64(st.Wait)<<8 | uint64(uint16(st.On))<<16)
	h.Due(s.at[id], s.Now)
}

// Hash adds the lock's holder and its waiters.
func (l *Lock) Hash(h *Hash) {
	h.Add(uint64(uint16(l.holder)) | uint64(l.waiting)<<16)
	for _, w := range l.waiters[:l.waiting] {
		h.Add(uint64(w))
	}
}
