package plain

import (
	"fmt"
	"strconv"
	"time"
)

// Count formats a number with its digits in groups of three.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// Plural formats a number of things that are called one, and with an s if there are more.
func Plural(n int, one string) string { return Plural64(int64(n), one, one+"s") }

// Plural64 formats a number of things that are called one or many.
func Plural64(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// Duration formats a duration, in nanoseconds, with about three digits.
func Duration(ns int64) string {
	d := time.Duration(ns)
	switch {
	case d < time.Microsecond:
		return d.String()
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g µs", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// Size formats a number of bytes.
func Size(n int64) string {
	const unit = 1000
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	f, i := float64(n)/unit, 0
	for ; f >= unit && i < 3; i++ {
		f /= unit
	}
	return fmt.Sprintf("%.1f %cB", f, "kMGT"[i])
}
