package capture

import (
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// utf16Reader reads UTF-16 and returns UTF-8.
type utf16Reader struct {
	r     io.Reader
	order binary.ByteOrder
	in    [4096]byte
	held  int    // how many bytes of in are not decoded yet
	out   []byte // UTF-8 that Read has not returned yet
	err   error
}

// utf16Order tells the byte order of UTF-16 by its mark, or by two characters of ASCII. It
// is nil for what is no UTF-16.
func utf16Order(head []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return binary.BigEndian
	case len(head) < 4:
	case head[1] == 0 && head[3] == 0 && isPrinted(head[0]) && isPrinted(head[2]):
		return binary.LittleEndian
	case head[0] == 0 && head[2] == 0 && isPrinted(head[1]) && isPrinted(head[3]):
		return binary.BigEndian
	}
	return nil
}

// isPrinted reports whether c is a character of ASCII that text begins with.
func isPrinted(c byte) bool { return c > ' ' && c < 0x7f || c == ' ' || c == '\n' || c == '\r' }

// IsUTF16 reports whether head begins as UTF-16 does.
func IsUTF16(head []byte) bool { return utf16Order(head) != nil }

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		var n int
		n, u.err = u.r.Read(u.in[u.held:])
		u.decode(u.held + n)
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// decode decodes the whole characters in the first n bytes of u.in, and keeps the rest.
func (u *utf16Reader) decode(n int) {
	u.out = u.out[:0]
	i := 0
	for i+2 <= n {
		c := rune(u.order.Uint16(u.in[i:]))
		size := 2
		if utf16.IsSurrogate(c) {
			if i+4 > n && u.err == nil {
				break
			}
			size, c = u.pair(i, n, c)
		}
		if i += size; c == utf8.RuneError && size == 2 {
			u.out = append(u.out, 0xff) // so that it is found and reported as not UTF-8
		} else {
			u.out = utf8.AppendRune(u.out, c)
		}
	}
	if u.err != nil && i < n {
		u.out = append(u.out, 0xff)
		i = n
	}
	u.held = copy(u.in[:], u.in[i:n])
}

// pair decodes a surrogate pair. Its first half, at i, is first.
func (u *utf16Reader) pair(i, n int, first rune) (size int, c rune) {
	if i+4 <= n {
		if c := utf16.DecodeRune(first, rune(u.order.Uint16(u.in[i+2:]))); c != utf8.RuneError {
			return 4, c
		}
	}
	return 2, utf8.RuneError
}
