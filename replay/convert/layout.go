package convert

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// layout is what stands around the values of an input. It is replaced by spaces, so that
// offsets stay as they are in the input. So do lines, except in an array.
type layout struct {
	above   int64 // bytes of lines above the first value: a prompt, a warning
	lines   int64 // in them
	cut     bool  // they are the end of a value
	array   bool  // the values are the elements of one JSON array
	compact bool  // each element has to be on one line
	stamps  bool  // a time stands before each line
}

// maxAbove is how many lines may stand above the first value.
const maxAbove = 100

// withLayout finds the format of an input that no form knows by its beginning. It tries
// what is left when a layout is taken away.
func withLayout(head []byte) (*form, layout) {
	var l layout
	if f := l.within(head); f != nil {
		return f, l
	}
	if f := stamped(head); f != nil {
		return f, layout{stamps: true}
	}
	for at := 0; l.lines < maxAbove; {
		n := bytes.IndexByte(head[at:], '\n')
		if n < 0 {
			break
		}
		cut := l.cut || bytes.Contains(head[at:at+n], []byte(`":`)) || bytes.HasSuffix(bytes.TrimRight(head[at:at+n], "\r"), []byte{'}'})
		at += n + 1
		l = layout{above: int64(at), lines: l.lines + 1, cut: cut}
		if rest := head[at:]; begins(rest) {
			if f := formOf(rest); f != nil {
				return f, l
			}
			if f := l.within(rest); f != nil {
				return f, l
			}
		}
	}
	return nil, layout{}
}

// begins tells whether b may begin with JSON or YAML.
func begins(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	switch firstKey(b[:min(len(b), 40)]) {
	case "apiVersion", "items", "kind", "object":
		return true
	}
	return b[0] == '{' || b[0] == '['
}

// within returns the format of the elements of the array that head begins with, nil
// where it doesn't.
func (l *layout) within(head []byte) *form {
	head = bytes.TrimLeft(head, " \t\r\n")
	if len(head) == 0 || head[0] != '[' {
		return nil
	}
	inner := bytes.Clone(head)
	(&array{compact: true}).blank(inner)
	f := formOf(bytes.TrimLeft(inner, " \n"))
	compact := f != nil && f.byLine
	if !compact {
		copy(inner, head)
		(&array{}).blank(inner)
		f = formOf(bytes.TrimLeft(inner, " \t\r\n"))
	}
	if f == nil {
		return nil
	}
	l.array, l.compact = true, compact
	return f
}

// open returns r with the layout replaced by spaces. The times go to c.
func (l layout) open(r io.Reader, c *stamps) io.Reader {
	if l.above > 0 {
		left := l.above
		r = &blanked{r, func(b []byte) {
			b = b[:min(int64(len(b)), left)]
			left -= int64(len(b))
			blankOut(b)
		}}
	}
	if l.array {
		r = &blanked{r, (&array{compact: l.compact}).blank}
	}
	if l.stamps {
		c.r = newReader(r)
		r = c
	}
	return r
}

// readInLine reads into p what r has, at most to the end of the line. end tells that
// it came there.
func readInLine(r *bufio.Reader, p []byte) (n int, end bool, err error) {
	if _, err := r.Peek(1); err != nil {
		return 0, false, err
	}
	b, _ := r.Peek(min(r.Buffered(), len(p)))
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		b, end = b[:n+1], true
	}
	n = copy(p, b)
	r.Discard(n)
	return n, end, nil
}

// blankOut replaces all of b but its newlines by spaces.
func blankOut(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

// blanked is a reader that passes all it reads through blank.
type blanked struct {
	r     io.Reader
	blank func(b []byte)
}

func (f *blanked) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	f.blank(p[:n])
	return n, err
}

// array blanks out the brackets of an array and the commas between its elements,
// which become lines.
type array struct {
	compact bool // there is no line within an element
	depth   int
	quoted  bool
	escaped bool
}

func (a *array) blank(b []byte) {
	for i, x := range b {
		switch {
		case a.escaped:
			a.escaped = false
		case a.quoted && x == '\\':
			a.escaped = true
		case x == '"':
			a.quoted = !a.quoted
		case x == '\n':
			a.quoted = false // it is damaged: no string goes over lines
			if a.compact {
				b[i] = ' '
			}
		case a.quoted:
		case x == '{' || x == '[':
			if a.depth++; a.depth == 1 && x == '[' {
				b[i] = ' '
			}
		case x == '}' || x == ']':
			if a.depth--; a.depth == 0 && x == ']' {
				b[i] = ' '
			}
			a.depth = max(a.depth, 0)
		case x == ',' && a.depth <= 1:
			b[i] = '\n' // so that what is damaged ends with its element
		}
	}
}

// utf16Reader reads UTF-16 and returns UTF-8.
type utf16Reader struct {
	r     io.Reader
	order binary.ByteOrder
	in    [4096]byte
	held  int    // how many bytes of in are not decoded yet
	out   []byte // UTF-8 that Read has not returned yet
	err   error
}

// utf16Order tells the byte order of UTF-16 by its mark, nil where there is none.
func utf16Order(head []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return binary.BigEndian
	}
	return nil
}

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
