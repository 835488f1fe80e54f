package actor

import (
	"math/bits"
	"strconv"
	"strings"
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

// HashAll adds the length of a list, and its numbers.
func HashAll[T ~uint8 | ~int16 | ~int32](h *Hash, list []T) {
	h.Add(uint64(len(list)))
	for _, x := range list {
		h.Add(uint64(x))
	}
}

// Due adds how far ahead of now a time is. All times in the past count as now.
func (h *Hash) Due(t, now int64) {
	if t != Never {
		t = max(0, t-now)
	}
	h.Add(uint64(t))
}

// Since adds how long ago a time is, at most longest.
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

// Units of time in nanoseconds.
const second = int64(1_000_000_000)

var units = []struct {
	name string
	ns   int64
}{{"h", 3600 * second}, {"m", 60 * second}, {"s", second}, {"ms", 1_000_000}, {"µs", 1000}, {"us", 1000}, {"ns", 1}}

// ParseDuration reads "1m30s", "20ms" or "1.5s" as nanoseconds. ok is false for any other text, and
// for more than half of the virtual time there is.
func ParseDuration(text string) (ns int64, ok bool) {
	if text == "0" {
		return 0, true
	}
	for text != "" {
		i := 0
		for i < len(text) && (text[i] == '.' || '0' <= text[i] && text[i] <= '9') {
			i++
		}
		n, err := strconv.ParseFloat(text[:i], 64)
		if err != nil {
			return 0, false
		}
		j := i
		for j < len(text) && text[j] != '.' && (text[j] < '0' || text[j] > '9') {
			j++
		}
		unit := int64(0)
		for _, u := range units {
			if u.name == text[i:j] {
				unit = u.ns
			}
		}
		part := n * float64(unit)
		if unit == 0 || part > float64(Never/4) {
			return 0, false
		}
		if ns += int64(part + 0.5); ns > Never/2 {
			return 0, false
		}
		ok, text = true, text[j:]
	}
	return ns, ok
}

// DurationText writes nanoseconds in the largest unit that is not longer than they are: "1.005s".
func DurationText(ns int64) string {
	if ns < 0 {
		return "-" + DurationText(-ns)
	}
	for _, u := range units[2:] {
		if ns >= u.ns && u.name != "us" {
			s := strconv.FormatInt(ns/u.ns, 10)
			if part := ns % u.ns; part != 0 {
				s += "." + strings.TrimRight(strconv.FormatInt(u.ns+part, 10)[1:], "0")
			}
			return s + u.name
		}
	}
	return "0s"
}
