package words

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/link"
)

// Itoa writes a number in decimal digits.
func Itoa[T int | int32 | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

// thin is the narrow space within numbers, and between a number and its unit.
const thin = "\u202f"

// Grouped writes a number with thin spaces between its thousands.
func Grouped[T int | int64](n T) string {
	s := Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + thin + s[i:]
	}
	return s
}

// Duration writes nanoseconds with three digits and the unit that fits.
func Duration(ns int64) string {
	for _, u := range []struct {
		ns   int64
		name string
	}{{3600e9, "h"}, {60e9, "min"}, {1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.ns {
			v := float64(ns) / float64(u.ns)
			digits := 2
			if v >= 100 {
				digits = 0
			} else if v >= 10 {
				digits = 1
			}
			s := strconv.FormatFloat(v, 'f', digits, 64)
			if strings.Contains(s, ".") {
				s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
			}
			return s + thin + u.name
		}
	}
	return Itoa(max(ns, 0)) + thin + "ns"
}

// Weight writes bytes with three digits and the unit that fits.
func Weight(n int64) string {
	size, unit := int64(1), "B"
	for _, u := range []string{"kB", "MB", "GB"} {
		if n < size*1000 {
			break
		}
		size, unit = size*1000, u
	}
	digits := 1
	if size == 1 || n >= 100*size {
		digits = 0
	}
	return strings.TrimSuffix(strconv.FormatFloat(float64(n)/float64(size), 'f', digits, 64), ".0") + thin + unit
}

// Clock writes nanoseconds since the start as a time of fixed width.
func Clock(ns int64) string {
	us := max(ns, 0) / 1e3
	two := func(n int64) string { return string([]byte{byte('0' + n/10%10), byte('0' + n%10)}) }
	s := us / 1e6
	frac := Itoa(us%1e6 + 1e6)[1:]
	return two(s/3600) + ":" + two(s/60%60) + ":" + two(s%60) + "." + frac[:3] + thin + frac[3:]
}

// Seconds writes a remaining time in whole seconds, since it is said about once a second.
func Seconds(ns int64) string { return Duration((ns + 999_999_999) / 1e9 * 1e9) }

// Decimal writes nanoseconds in a larger unit, with no more digits than needed.
// The unit has ten to the power of digits nanoseconds.
func Decimal(ns int64, digits int) string {
	s := Itoa(ns)
	if len(s) <= digits {
		s = strings.Repeat("0", digits+1-len(s)) + s
	}
	whole, part := s[:len(s)-digits], strings.TrimRight(s[len(s)-digits:], "0")
	if part == "" {
		return whole
	}
	return whole + "." + part
}

// Value writes a value of an expression, or a share.
func Value(x *link.Watched, v int64) string {
	if x.Likely {
		return Percent(v)
	}
	if x.Type == ask.Duration.String() {
		return Duration(v)
	}
	return strings.ReplaceAll(Grouped(v), "-", "−")
}

// Range returns from where to where the plot of x goes.
func (w *Words) Range(x *link.Watched) string {
	ends := x.Ends
	if len(ends) != 2 {
		ends = []string{Value(x, x.Min), Value(x, x.Max)}
	}
	return w.Tn("ui.expr.range", "left", ends[0], "right", ends[1])
}

// Percent writes thousandths in percent.
func Percent(v int64) string { return strconv.FormatInt((v+5)/10, 10) + thin + "%" }

// FirstNonEmpty returns s, or other if s is empty.
func FirstNonEmpty(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
