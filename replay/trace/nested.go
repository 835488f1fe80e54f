package trace

import (
	"encoding/binary"
	"math/bits"
)

// Eight bytes at a time.
const (
	eachByte = 0x0101010101010101
	low      = 0x7f * eachByte
	high     = 0x80 * eachByte
	quotes   = '"' * eachByte
	slashes  = '\\' * eachByte
	controls = 0xe0 * eachByte // none of these bits: a control character
	bracket  = 0x20 * eachByte // the bit that sets '{' apart from '['
	opening  = '{' * eachByte
	turned   = ('{' ^ '}') * eachByte
)

// zeros has the highest bit of each byte of x that is zero.
func zeros(x uint64) uint64 { return ^((x&low + low) | x | low) }

// inside tells of eight bytes of JSON which are within a string, by the lowest
// bit of each, and which of them is a backslash, by the highest. Within is eachByte
// if a string goes on, and escaped has the highest bit of a first byte that is.
func inside(w, within, escaped uint64) (in, slash uint64) {
	ascii := w & low
	slash = ^((ascii ^ slashes) + low | w) & high
	quote := ^((ascii ^ quotes) + low | w | slash<<8 | escaped) & high
	return quote>>7*eachByte ^ within, slash
}

// brackets has the highest bit of each bracket that is not within a string, and
// of those that close.
func brackets(w, in uint64) (all, closing uint64) {
	x := (w&low | bracket) ^ opening
	all = ^(x&^turned + low | w | in<<7) & high // no other letter like one stands there
	return all, all & (x << 5)
}

// printable has the highest bit of each byte that is not a control character.
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
