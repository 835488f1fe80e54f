package jsonscan

import (
	"strings"
	"unsafe"
)

// Stopped is returned by a function that has read everything and need not look further.
const Stopped = -2

// PlainMembers calls each with the name of each member of the object that begins at
// b[i], and with the index of its value. each returns the index after the value. If it
// returns Stopped or -1, PlainMembers returns the same at once. There must be no space.
func PlainMembers(b []byte, i int, each func(name string, i int) int) int {
	if i >= len(b) || b[i] != '{' {
		return -1
	}
	if i++; i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		var name string
		if i = PlainText(b, i, &name); i < 0 || i >= len(b) || b[i] != ':' {
			return -1
		}
		if i = each(name, i+1); i < 0 {
			return i
		} else if i >= len(b) {
			return -1
		}
		switch b[i] {
		case ',':
			i++
		case '}':
			return i + 1
		default:
			return -1
		}
	}
}

// PlainText reads the string that begins at b[i] and returns the index after it, or
// -1 unless it is plain ASCII without escapes.
func PlainText(b []byte, i int, s *string) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	i++
	at := plain(b, i)
	if at == len(b) || b[at] != '"' {
		return -1
	}
	if at > i {
		*s = unsafe.String(&b[i], at-i)
	}
	return at + 1
}

// PlainNumber reads the whole number that begins at b[i] and returns the index after
// it, or -1 unless it certainly fits an int64.
func PlainNumber(b []byte, i int, n *int64) int {
	from := i
	for *n = 0; i < len(b) && b[i]-'0' <= 9; i++ {
		*n = *n*10 + int64(b[i]-'0')
	}
	if digits := i - from; digits == 0 || digits > 18 || digits > 1 && b[from] == '0' {
		return -1
	}
	return i
}

// Like reports whether a decoder would take name for one of names. Decoders ignore case.
func Like(name string, names ...string) bool {
	for _, n := range names {
		if len(n) == len(name) && strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}
