package trace

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/trace/compact"
)

// MaxDepth is how deep JSON from a trace may nest. Code that recurses over it,
// or decodes it into maps, relies on that, because the stack of a browser's
// worker is small, and an overflow cannot be recovered from.
const MaxDepth = 1000

// Shallow tells whether b nests no deeper than MaxDepth. Brackets within strings
// don't count. It doesn't matter whether b is valid JSON.
func Shallow(b []byte) bool { return opens(b) <= MaxDepth || depth(b) <= MaxDepth }

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

// StringEndFrom is StringEnd where b[from:] is the part of the string that has
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

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue returns the index after the value that begins at b[i], or -1 if it
// doesn't end, or nests deeper than MaxDepth. It pairs brackets without looking at
// their shape.
func skipValue(b []byte, i int) int { return skip(b, i, MaxDepth, false) }

// skip is skipValue where another depth is the deepest, and, if it has to be on one
// line, there are no control characters.
func skip(b []byte, i, most int, oneLine bool) int {
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
		return compact.Nested(b, i, most, oneLine)
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
	fields(b, func(key []byte, i, end int) bool {
		if isKey(key, name) {
			from, to, ok = i, end, true
		}
		return true
	})
	return from, to, ok
}

// Fields calls each with the name of each field of an object, in its quotes, and the place of its
// value, b[from:to], until each returns false or something is damaged.
func Fields(b []byte, each func(name []byte, from, to int) bool) { fields(b, each) }

// fields calls each with the name of each field of an object, in its quotes, and
// the place of its value, until that returns false or something is damaged.
func fields(b []byte, each func(key []byte, from, to int) bool) {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '{' {
		return
	}
	for i++; ; i++ {
		i = skipSpace(b, i)
		if i >= len(b) || b[i] != '"' {
			return
		}
		end := StringEnd(b, i)
		if end < 0 {
			return
		}
		key := b[i:end]
		if i = skipSpace(b, end); i >= len(b) || b[i] != ':' {
			return
		}
		i = skipSpace(b, i+1)
		end = skipValue(b, i)
		if end < 0 || !each(key, i, end) {
			return
		}
		if i = skipSpace(b, end); i >= len(b) || b[i] != ',' {
			return
		}
	}
}

// Head appends the object b up to and including its metadata. What is read of
// an object stands in that part, which is a small one. An object whose kind
// doesn't stand there is appended as it is.
func Head(dst, b []byte) []byte {
	kind, end := false, 0
	fields(b, func(key []byte, _, to int) bool {
		kind = kind || isKey(key, "kind")
		if isKey(key, "metadata") {
			end = to
		}
		return end == 0
	})
	if !kind || end == 0 {
		return append(dst, b...)
	}
	return append(append(dst, b[:end]...), '}')
}

// WithoutStamp returns what stands in a line of our own format besides t, id and in,
// with the bracket that closes it. ok is false where these, if they are there, don't
// stand first.
func WithoutStamp(line []byte) (rest []byte, ok bool) {
	i := skipSpace(line, 0)
	if i >= len(line) || line[i] != '{' {
		return nil, false
	}
	i = skipSpace(line, i+1)
	for i < len(line) && line[i] == '"' {
		end := StringEnd(line, i)
		if end < 0 {
			return nil, false
		}
		if !isKey(line[i:end], "t") && !isKey(line[i:end], "id") && !isKey(line[i:end], "in") {
			break
		}
		if end = skipSpace(line, end); end >= len(line) || line[end] != ':' {
			return nil, false
		}
		if i = skipValue(line, skipSpace(line, end+1)); i < 0 {
			return nil, false
		}
		if i = skipSpace(line, i); i < len(line) && line[i] == ',' {
			i = skipSpace(line, i+1)
		}
	}
	rest = line[i:]
	first := true
	fields(line, func(key []byte, from, _ int) bool {
		first = from < i || !isKey(key, "t") && !isKey(key, "id") && !isKey(key, "in")
		return first
	})
	return rest, first && len(rest) > 0
}

func isKey(quoted []byte, name string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:len(quoted)-1]) == name
	}
	var s string
	return json.Unmarshal(quoted, &s) == nil && s == name
}

// Elements calls f for each element of an array, b[from:to], until f returns
// false.
func Elements(b []byte, f func(i, from, to int) bool) {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '[' {
		return
	}
	i = skipSpace(b, i+1)
	for n := 0; ; n++ {
		end := skipValue(b, i)
		if end < 0 || !f(n, i, end) {
			return
		}
		if i = skipSpace(b, end); i >= len(b) || b[i] != ',' {
			return
		}
		i = skipSpace(b, i+1)
	}
}
