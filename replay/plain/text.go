// Package plain writes numbers, durations and the text of others for a terminal.
package plain

import (
	"strings"
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
