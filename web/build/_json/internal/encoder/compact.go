// Package encoder copies JSON, compacted or indented. It encodes nothing.
package encoder

import "bytes"

// The lowest and the highest bit of each byte of a word, by which formatString looks at eight bytes at once.
const (
	lsb = 0x0101010101010101
	msb = 0x8080808080808080
)

// Compact appends src to buf without the spaces between its tokens. It reports whether src is valid.
func Compact(buf *bytes.Buffer, src []byte) bool {
	buf.Grow(len(src))
	dst, _, ok := formatJSON(buf.AvailableBuffer(), ended(src), false, nil)
	if ok {
		buf.Write(dst)
	}
	return ok
}

// Indent appends src to buf, indented, and the spaces after it as they are. It reports whether src is valid.
func Indent(buf *bytes.Buffer, src []byte, prefix, indent string) bool {
	buf.Grow(2 * len(src))
	dst, end, ok := formatJSON(buf.AvailableBuffer(), ended(src), false, &formatIndent{prefix: prefix, indent: indent})
	if ok {
		buf.Write(append(dst, src[end:]...))
	}
	return ok
}

// ended returns a copy of src with the byte after it that ends a pass.
func ended(src []byte) []byte { return append(append(make([]byte, 0, len(src)+1), src...), 0) }

// escapeEnd returns the index after the escape whose second byte is at i, or -1 if there is no such escape.
func escapeEnd(src []byte, i int) int {
	if i >= len(src) {
		return -1
	}
	switch src[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		for n := 1; n <= 4; n++ {
			if i+n >= len(src) || !isHex(src[i+n]) {
				return -1
			}
		}
		return i + 5
	}
	return -1
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
