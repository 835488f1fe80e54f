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
	bracket  = 0x20 * eachByte // what sets '{' apart from '['
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

// nested returns the index behind the object or array that begins at b[i], or -1
// if it doesn't end, or nests deeper than most, of which up to 32 go unseen. If it
// has to be on one line, there may be no control characters in it either.
func nested(b []byte, i, most int, oneLine bool) int {
	depth := 0
	var within, escaped, mustPrint uint64
	if oneLine {
		mustPrint = high
	}
	for {
		// Four words a turn: in WebAssembly a turn is a jump to wherever a table says.
		for i+32 <= len(b) {
			four := b[i : i+32 : i+32]
			w0, w1 := binary.LittleEndian.Uint64(four), binary.LittleEndian.Uint64(four[8:])
			w2, w3 := binary.LittleEndian.Uint64(four[16:]), binary.LittleEndian.Uint64(four[24:])
			in0, slash0 := inside(w0, within, escaped)
			in1, slash1 := inside(w1, in0>>56&1*eachByte, slash0>>56)
			in2, slash2 := inside(w2, in1>>56&1*eachByte, slash1>>56)
			in3, slash3 := inside(w3, in2>>56&1*eachByte, slash2>>56)
			all0, closing0 := brackets(w0, in0)
			all1, closing1 := brackets(w1, in1)
			all2, closing2 := brackets(w2, in2)
			all3, closing3 := brackets(w3, in3)
			pairs := slash0&(slash0<<8|escaped) | slash1&(slash1<<8|slash0>>56) | slash2&(slash2<<8|slash1>>56) | slash3&(slash3<<8|slash2>>56)
			closes := bits.OnesCount64(closing0 | closing1>>1 | closing2>>2 | closing3>>3)
			unseen := mustPrint &^ (printable(w0) & printable(w1) & printable(w2) & printable(w3))
			if pairs|unseen != 0 || closes >= depth || depth > most {
				break
			}
			depth += bits.OnesCount64(all0|all1>>1|all2>>2|all3>>3) - 2*closes
			within, escaped = in3>>56&1*eachByte, slash3>>56
			i += 32
		}
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
