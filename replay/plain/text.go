// Package plain writes numbers, durations and the text of others for a terminal.
package plain

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Text returns s as a terminal may show it: what a terminal would act on, and what
// would change the order or the look of the text around it without being seen,
// becomes a replacement character. These are controls, escapes, line breaks, marks
// and overrides of direction (U+202E, for one), and characters without a width.
// Text that comes from a trace, a cluster or another program goes through here on
// its way to a terminal.
func Text(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !printable(r) }) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if !printable(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Lines does what Text does, for text of several lines, which it keeps.
func Lines(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = Text(strings.ReplaceAll(line, "\t", "    "))
	}
	return strings.Join(lines, "\n")
}

// printable reports whether r is seen, or is a blank.
func printable(r rune) bool {
	switch {
	case r < 0x7f:
		return r >= ' '
	case r < 0xa0:
		return false
	case r == 0x200d || 0xfe00 <= r && r <= 0xfe0f:
		return true // joins and picks emoji, and moves nothing
	}
	// Cf holds what has no look of its own, bidirectional controls among it; Zl and
	// Zp break lines.
	return !unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) && !invisible(r)
}

// invisible reports whether r is blank though they count as letters or marks.
func invisible(r rune) bool {
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0, 0x2800:
		return true
	}
	return 0xe0000 <= r && r <= 0xe0fff
}

// Count formats a number with its digits in groups of three.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// Plural formats a number of things: singular is the word for one, which gets an s if there are more.
func Plural[N int | int32 | int64 | uint64](n N, singular string) string {
	return Plural64(int64(n), singular, singular+"s")
}

// Plural64 formats a number of things that are called one or many.
func Plural64(n int64, singular, many string) string {
	if n == 1 {
		return "1 " + singular
	}
	return Count(n) + " " + many
}

// Duration formats a duration, in nanoseconds, with about three digits. What is rounded up to the next unit has that unit.
func Duration(ns int64) string {
	d := time.Duration(ns)
	switch {
	case d < time.Microsecond:
		return d.String()
	case d < 999_500:
		return fmt.Sprintf("%.3g µs", float64(d)/1e3)
	case d < 999_500_000:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	case d < 59_950_000_000:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d >= 100*24*time.Hour:
		return Count(int64(d/(24*time.Hour))) + " d"
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
