package jsonscan

import (
	"encoding/binary"
	"math/bits"
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
	at := skipPlain(b, i)
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

// MatchesName reports whether a decoder would take name for one of names. Decoders ignore case.
func MatchesName(name string, names ...string) bool {
	for _, n := range names {
		if len(n) == len(name) && strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// Eight bytes at a time.
const (
	eachByte = 0x0101010101010101
	low      = 0x7f * eachByte
	high     = 0x80 * eachByte
	quotes   = '"' * eachByte
	slashes  = '\\' * eachByte
	spaces   = ' ' * eachByte
	controls = 0xe0 * eachByte // none of these bits: a control character
	bracket  = 0x20 * eachByte // the bit that sets '{' apart from '['
	opening  = '{' * eachByte
	turned   = ('{' ^ '}') * eachByte
)

// firstSpecial finds the first byte of w that is a quote, a backslash, a control character, or not
// ASCII, and returns its highest bit. Bits of later bytes may be set, too, whatever these are.
// Without such a byte, firstSpecial returns 0.
func firstSpecial(w uint64) uint64 {
	return (((w ^ quotes) - eachByte) | ((w ^ slashes) - eachByte) | (w - spaces) | w) & high
}

// skipPlain returns the index of the first byte of b[i:] that is a quote, a backslash, a control
// character, or not ASCII, or len(b) if there is none.
func skipPlain(b []byte, i int) int {
	for i <= len(b)-8 {
		if stop := firstSpecial(binary.LittleEndian.Uint64(b[i:])); stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
		for i += 8; i <= len(b)-16; i += 16 {
			w := b[i : i+16 : i+16]
			if firstSpecial(binary.LittleEndian.Uint64(w))|firstSpecial(binary.LittleEndian.Uint64(w[8:])) != 0 {
				break
			}
		}
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i]-' ' < 0x60 {
		i++
	}
	return i
}

// Printable reports whether b is ASCII without control characters.
func Printable(b []byte) bool {
	i := 0
	for ; i <= len(b)-32; i += 32 { // turns of a loop cost in WebAssembly
		w := b[i : i+32 : i+32]
		if unprintable(w)|unprintable(w[8:])|unprintable(w[16:])|unprintable(w[24:]) != 0 {
			return false
		}
	}
	for _, c := range b[i:] {
		if c-' ' >= 0x60 {
			return false
		}
	}
	return true
}

// unprintable returns another number than 0 if one of the first eight bytes of b is not printable.
func unprintable(b []byte) uint64 {
	w := binary.LittleEndian.Uint64(b)
	return ((w - spaces) | w) & high
}

// inside returns of eight bytes of JSON which are within a string, by the lowest
// bit of each, and which of them is a backslash, by the highest. Within is eachByte
// if a string goes on, and escaped has the highest bit of a first byte that is.
func inside(w, within, escaped uint64) (in, slash uint64) {
	ascii := w & low
	slash = ^((ascii ^ slashes) + low | w) & high
	quote := ^((ascii ^ quotes) + low | w | slash<<8 | escaped) & high
	return quote>>7*eachByte ^ within, slash
}

// brackets returns the highest bit of each bracket that is not within a string, and
// of those that close.
func brackets(w, in uint64) (all, closing uint64) {
	x := (w&low | bracket) ^ opening
	all = ^(x&^turned + low | w | in<<7) & high // no other letter like one stands there
	return all, all & (x << 5)
}

// printable returns the highest bit of each byte that is not a control character.
func printable(w uint64) uint64 { return w&(controls&low) + low | w }

// nested returns the index after the object or array that begins at b[i], or -1
// if it doesn't end, or nests deeper than most. It may miss up to eight levels too many.
// If it has to be on one line, there may be no control characters in it either.
func nested(b []byte, i, most int, oneLine bool) int {
	depth := 0
	var within, escaped, mustPrint uint64
	if oneLine {
		mustPrint = high
	}
	for {
		for i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			in, slash := inside(w, within, escaped)
			all, closing := brackets(w, in)
			closes := bits.OnesCount64(closing)
			if slash&(slash<<8|escaped)|mustPrint&^printable(w) != 0 || closes >= depth || depth > most {
				break
			}
			depth += bits.OnesCount64(all) - 2*closes
			within, escaped = in>>56&1*eachByte, slash>>56
			i += 8
		}
		stop := min(i+8, len(b))
		if i == stop || depth > most {
			return -1
		}
		skip := escaped != 0
		for ; i < stop; i++ {
			c := b[i]
			switch {
			case c < ' ' && oneLine:
				return -1
			case skip:
				skip = false
			case within != 0:
				skip = c == '\\'
				if c == '"' {
					within = 0
				}
			case c == '"':
				within = eachByte
			case c|0x20 == '{':
				depth++
			case c|0x20 == '}':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		escaped = 0
		if skip {
			escaped = 0x80
		}
	}
}
