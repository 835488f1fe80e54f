package actor

import "math/bits"

// Hash sums up a state, so that states can be told apart without being kept.
// What a station adds to it is all that can make a difference to what happens
// next, and nothing else: no counters, and times only as far as they are from
// now. Two states with one Hash are taken for the same; of a million states the
// chance that this was wrong once is one in tens of millions.
type Hash uint64

// Add adds a number. The order matters.
func (h *Hash) Add(x uint64) {
	hi, lo := bits.Mul64(uint64(*h)^x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	*h = Hash(hi ^ lo ^ x<<1)
}

// Bool adds a truth.
func (h *Hash) Bool(b bool) {
	if b {
		h.Add(1)
	} else {
		h.Add(0)
	}
}

// Bools adds up to 64 truths as one number.
func (h *Hash) Bools(all ...bool) {
	n := uint64(0)
	for i, b := range all {
		if b {
			n |= 1 << i
		}
	}
	h.Add(n)
}

// Due adds how far ahead a time is: what is past is due, whenever it was.
func (h *Hash) Due(t, now int64) {
	if t != Never {
		t = max(0, t-now)
	}
	h.Add(uint64(t))
}

// Since adds how long ago a time is, but no longer than what makes a difference.
func (h *Hash) Since(t, now, longest int64) { h.Add(uint64(min(now-t, longest))) }

// Hash adds the actors.
func (s *Set) Hash(h *Hash) {
	h.Add(uint64(s.Rand))
	for i := range s.actors {
		st := &s.actors[i]
		h.Add(uint64(st.PC) | uint64(st.Wait)<<8 | uint64(uint16(st.On))<<16)
		h.Due(s.at[i], s.Now)
	}
}

// Hash adds who holds the lock and who waits for it.
func (l *Lock) Hash(h *Hash) {
	h.Add(uint64(uint16(l.holder)) | uint64(l.waiting)<<16)
	for _, w := range l.waiters[:l.waiting] {
		h.Add(uint64(w))
	}
}
