package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math/bits"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// tokens make what stands in the place of a text. The same text has the same token under the same key, and
// nobody can tell the text of its token without the key.
type tokens struct{ k0, k1 uint64 }

func newTokens(key []byte) tokens {
	return tokens{binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:])}
}

// The brackets of a token, and the digits of a name's.
const (
	opening     = "‹"
	closing     = "›"
	hexDigits   = "0123456789abcdef"
	dots        = "................................................................"
	nameDigits  = "abcdefghijkmnpqrstuvwxyz23456789"
	namePrefix  = "n-"
	nameLength  = 10
	leastDigits = 6
	mostDigits  = 16
)

// class returns the length class of a text of n bytes, which is how long its token is. Classes are an eighth of
// a power of two apart, and no less than 4. A text's class is no longer than the text, unless that is shorter than any
// token: so the lengths of many texts nearly keep their sum.
func class(n int) int {
	const least = len(opening) + leastDigits + len(closing)
	step := max(1<<max(bits.Len(uint(max(n, 0)))-4, 0), 4)
	return max(n/step*step, least)
}

// append appends the token of a text that has n bytes as JSON.
func (t *tokens) append(out, text []byte, n int) []byte {
	h := t.hash(text)
	n = class(n) - len(opening) - len(closing)
	out = append(out, opening...)
	for i := range min(n, mostDigits) {
		out = append(out, hexDigits[h>>(4*i)&15])
	}
	for n -= mostDigits; n > 0; n -= len(dots) {
		out = append(out, dots[:min(n, len(dots))]...)
	}
	return append(out, closing...)
}

// appendBase64 appends the token of a text in base64, so that what was base64 can still be decoded.
func (t *tokens) appendBase64(out, text []byte, n int) []byte {
	return base64.StdEncoding.AppendEncode(out, t.append(nil, text, n*3/4))
}

// appendName appends the token of a name, which is a valid name of an object or a label's value.
func (t *tokens) appendName(out, name []byte) []byte {
	if len(name) == 0 {
		return out
	}
	name, generates := bytes.CutSuffix(name, []byte{'-'})
	h := t.hash(name)
	out = append(out, namePrefix...)
	for i := range nameLength {
		out = append(out, nameDigits[h>>(5*i)&31])
	}
	if generates {
		out = append(out, '-')
	}
	return out
}

// hash is SipHash-1-3, whose results can't be guessed without the key.
func (t *tokens) hash(b []byte) uint64 {
	v0, v1, v2, v3 := t.k0^0x736f6d6570736575, t.k1^0x646f72616e646f6d, t.k0^0x6c7967656e657261, t.k1^0x7465646279746573
	last := uint64(len(b)) << 56
	for ; len(b) >= 8; b = b[8:] {
		m := binary.LittleEndian.Uint64(b)
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3^m)
		v0 ^= m
	}
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3^last)
	v0, v2 = v0^last, v2^0xff
	for range 3 {
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	}
	return v0 ^ v1 ^ v2 ^ v3
}

func sipRound(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v2 += v3
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v1
	v0 += v3
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	return v0, v1, bits.RotateLeft64(v2, 32), v3
}

// unquoted returns what a string of JSON says, and how many bytes it has as JSON, without quotes, as most programs write
// it. The text is a part of quoted where nothing is escaped, and otherwise written over room.
func unquoted(room, quoted []byte) (text []byte, size int) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], len(quoted) - 2
	}
	text = jsonscan.AppendUnquoted(room[:0], quoted)
	return text, spelled(text)
}

// spelled returns how many bytes a text has as JSON, without quotes.
func spelled(text []byte) int {
	n := len(text)
	for _, c := range text {
		if c == '"' || c == '\\' || c < ' ' {
			n++
		}
	}
	return n
}
