package capture

import (
	"bufio"
	"bytes"
	"io"
)

// Layout is what stands around the values of an input. It is replaced by spaces, so that
// offsets stay as they are in the input. So do lines, except in an array.
type Layout struct {
	Above   int64 // bytes of lines above the first value: a prompt, a warning
	Lines   int64 // in them
	Cut     bool  // they are the end of a value
	Array   bool  // the values are the elements of one JSON array
	Compact bool  // each element has to be on one line
	Stamps  bool  // a time stands before each line
}

// Unarray returns head without the brackets of the array that it begins with, and without
// the commas between the elements, as an input is read that has that Layout.
func Unarray(head []byte, compact bool) []byte {
	head = bytes.Clone(head)
	(&array{compact: compact}).blank(head)
	return head
}

// open returns r with the layout replaced by spaces. The times go to c.
func (l Layout) open(r io.Reader, c *stamps) io.Reader {
	if l.Above > 0 {
		left := l.Above
		r = &blanked{r, func(b []byte) {
			b = b[:min(int64(len(b)), left)]
			left -= int64(len(b))
			BlankOut(b)
		}}
	}
	if l.Array {
		r = &blanked{r, (&array{compact: l.Compact}).blank}
	}
	if l.Stamps {
		c.r = NewReader(r)
		r = c
	}
	return r
}

// ReadInLine reads into p what r has, at most to the end of the line. end tells that
// it came there.
func ReadInLine(r *bufio.Reader, p []byte) (n int, end bool, err error) {
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

// BlankOut replaces all of b but its newlines by spaces.
func BlankOut(b []byte) {
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
