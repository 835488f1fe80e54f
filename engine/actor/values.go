package actor

import (
	"math/bits"
)

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

// Rand is the seed and state of a generator (splitmix64).
type Rand uint64

// Next returns 64 random bits.
func (r *Rand) Next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Float returns a number in [0,1).
func (r *Rand) Float() float64 { return float64(r.Next()>>11) / (1 << 53) }

// Intn returns a number in [0,n).
func (r *Rand) Intn(n int) int { return int(r.Next() % uint64(n)) }
