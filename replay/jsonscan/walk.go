package jsonscan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// WithinMaxDepth reports whether b nests no deeper than MaxDepth. Brackets within strings
// don't count. It doesn't matter whether b is valid JSON.
func WithinMaxDepth(b []byte) bool { return opens(b) <= MaxDepth || depth(b) <= MaxDepth }

// opens counts the opening brackets, including those within strings, which is
// an upper bound of the depth. It takes eight bytes at a time, because it looks
// at all that is ever read.
func opens(b []byte) int {
	const (
		each  = 0x0101010101010101
		low   = 0x7f * each
		case_ = 0x20 * each // the bit that sets '{' apart from '['
		curly = '{' * each
	)
	others := func(b []byte) int {
		x := (binary.LittleEndian.Uint64(b) | case_) ^ curly // a zero byte at each bracket
		return bits.OnesCount64(((x & low) + low | x) &^ low)
	}
	n := 0
	for ; len(b) >= 32; b = b[32:] { // turns of a loop cost in WebAssembly
		n += 32 - others(b) - others(b[8:]) - others(b[16:]) - others(b[24:])
	}
	for ; len(b) >= 8; b = b[8:] {
		n += 8 - others(b)
	}
	for _, c := range b {
		if c|0x20 == '{' {
			n++
		}
	}
	return n
}

func depth(b []byte) int {
	deepest, now := 0, 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = StringEnd(b, i); i < 0 {
				return deepest
			}
			i--
		case '{', '[':
			now++
			deepest = max(deepest, now)
		case '}', ']':
			now--
		}
	}
	return deepest
}

// StringEnd returns the index after the JSON string that begins at b[i], or -1
// if it doesn't end.
func StringEnd(b []byte, i int) int { return StringEndFrom(b, i+1) }

// StringEndFrom does what StringEnd does where b[from:] is the part of the string that has
// not been looked through yet. The opening quote must lie before it.
func StringEndFrom(b []byte, from int) int {
	for i := from; ; i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		slashes := 0
		for b[i-1-slashes] == '\\' { // ends at the opening quote at the latest
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}

// SkipSpace returns the index of the first byte from b[i] on that is no space.
func SkipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// EmptyLines returns how many bytes of empty lines begin b, and how many lines they are. A line ends in \n or \r\n. A file may be
// full of them.
func EmptyLines(b []byte) (n, lines int) {
	const newlines, both = '\n' * 0x0101010101010101, 0x0a0d0a0d0a0d0a0d
eight:
	for len(b)-n >= 8 {
		switch binary.LittleEndian.Uint64(b[n:]) {
		case newlines:
			n, lines = n+8, lines+8
		case both:
			n, lines = n+8, lines+4
		default:
			break eight
		}
	}
	for n < len(b) {
		switch {
		case b[n] == '\n':
			n++
		case b[n] == '\r' && n+1 < len(b) && b[n+1] == '\n':
			n += 2
		default:
			return n, lines
		}
		lines++
	}
	return n, lines
}

// ValueEnd returns the index after the value that begins at b[i], or -1 if it doesn't end, or nests deeper
// than MaxDepth. It pairs brackets without looking at their shape.
func ValueEnd(b []byte, i int) int { return SkipQuick(b, i, MaxDepth, false) }

// SkipQuick returns the index after the value that begins at b[i], or -1 if it doesn't end, or nests deeper
// than most. It checks that strings end and brackets pair, and nothing else. It may miss up to eight levels too many.
// If the value has to be on one line, there are no control characters in it.
func SkipQuick(b []byte, i, most int, oneLine bool) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		end := StringEnd(b, i)
		if oneLine && end > 0 && bytes.IndexByte(b[i:end], '\n') >= 0 {
			return -1
		}
		return end
	case '{', '[':
		return nested(b, i, most, oneLine)
	case '}', ']', ',', ':':
		return -1
	}
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
		i++
	}
	return i
}

// Field finds the value of an object's field: b[from:to]. Of several fields of
// that name the last one counts, as it does to JSON decoders.
func Field(b []byte, name string) (from, to int, ok bool) {
	Fields(b, func(key []byte, i, end int) bool {
		if IsKey(key, name) {
			from, to, ok = i, end, true
		}
		return true
	})
	return from, to, ok
}

// Fields calls each with the name of each field of an object, in its quotes, and the place of its
// value, b[from:to], until each returns false or something is damaged.
func Fields(b []byte, each func(key []byte, from, to int) bool) {
	i := SkipSpace(b, 0)
	if i >= len(b) || b[i] != '{' {
		return
	}
	for i++; ; i++ {
		i = SkipSpace(b, i)
		if i >= len(b) || b[i] != '"' {
			return
		}
		end := StringEnd(b, i)
		if end < 0 {
			return
		}
		key := b[i:end]
		if i = SkipSpace(b, end); i >= len(b) || b[i] != ':' {
			return
		}
		i = SkipSpace(b, i+1)
		end = ValueEnd(b, i)
		if end < 0 || !each(key, i, end) {
			return
		}
		if i = SkipSpace(b, end); i >= len(b) || b[i] != ',' {
			return
		}
	}
}

// IsKey reports whether a quoted name says name.
func IsKey(quoted []byte, name string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:len(quoted)-1]) == name
	}
	s, ok := Unquote(quoted)
	return ok && s == name
}

// FirstElement returns the first element of an array, nil where there is none.
func FirstElement(b []byte) (first []byte) {
	Elements(b, func(_, from, to int) bool {
		first = b[from:to]
		return false
	})
	return first
}

// Elements calls f for each element of an array, b[from:to], until f returns
// false.
func Elements(b []byte, f func(i, from, to int) bool) {
	i := SkipSpace(b, 0)
	if i >= len(b) || b[i] != '[' {
		return
	}
	i = SkipSpace(b, i+1)
	for n := 0; ; n++ {
		end := ValueEnd(b, i)
		if end < 0 || !f(n, i, end) {
			return
		}
		if i = SkipSpace(b, end); i >= len(b) || b[i] != ',' {
			return
		}
		i = SkipSpace(b, i+1)
	}
}
