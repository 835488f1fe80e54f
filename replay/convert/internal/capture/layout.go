package capture

import (
	"bufio"
	"bytes"
	"io"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Layout is what stands around the values of an input. All but Wraps replaces it by spaces, so
// that offsets stay as they are in the input. So do lines, unless Flat is set.
type Layout struct {
	Above  int64    // bytes of lines above the first value: a prompt, a warning
	Lines  int64    // in them
	Cut    bool     // they are the end of a value
	Flat   bool     // each value becomes a line
	Level  int      // where Flat is set, how many brackets are around a value; the innermost one opens an array
	Wraps  *Payload // the values are wrapped, and taken out of that
	Sort   bool     // where Wraps is set: the values come in any order, and are sorted by their times
	Stamps bool     // a time stands before each line
}

// Flattened returns head with each value on a line, as an input is read that has that Layout.
func Flattened(head []byte, level int) []byte {
	head = bytes.Clone(head)
	(&flat{level: level}).blank(head)
	return head
}

// open returns r without the layout. s learns the times before lines, and what was unwrapped.
func (l Layout) open(r io.Reader, s *Source) io.Reader {
	if l.Above > 0 {
		left := l.Above
		r = &blanked{r, func(b []byte) {
			b = b[:min(int64(len(b)), left)]
			left -= int64(len(b))
			BlankOut(b)
		}}
	}
	if l.Flat {
		r = &blanked{r, (&flat{level: l.Level}).blank}
	}
	if l.Wraps != nil {
		s.wrapper = &wrapper{in: NewReader(r), payload: l.Wraps, limits: s.Limits, sort: l.Sort, goesOn: !l.Flat && !l.Sort}
		r = s.wrapper
	}
	if l.Stamps {
		s.stamps = &stamps{r: NewReader(r)}
		r = s.stamps
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

// ReadEmptyLines reads into p empty lines that begin r, at least one if there is any. end tells that p has the last of them whole.
func ReadEmptyLines(r *bufio.Reader, p []byte) (n int, end bool) {
	if n, _ = emptyLines(r); n == 0 {
		return 0, true
	}
	n, _ = r.Read(p[:min(n, len(p))])
	return n, p[n-1] != '\r'
}

// emptyLines returns what jsonscan.EmptyLines does of what r has read ahead.
func emptyLines(r *bufio.Reader) (n, lines int) {
	if b, _ := r.Peek(1); len(b) == 0 || b[0] != '\n' && b[0] != '\r' {
		return 0, 0
	}
	b, _ := r.Peek(max(r.Buffered(), len("\r\n")))
	return jsonscan.EmptyLines(b)
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

// flat makes a line of each value. What stands between the brackets around the values becomes
// spaces, and so do newlines within a value.
type flat struct {
	level   int
	depth   int
	array   bool // the innermost bracket opens an array
	quoted  bool
	escaped bool
}

func (f *flat) blank(b []byte) {
	for i, x := range b {
		if f.escaped {
			f.escaped = false
			x = 'x'
		}
		switch {
		case f.quoted && x == '\\':
			f.escaped = true
		case x == '"':
			f.quoted = !f.quoted
		case x == '\n':
			f.quoted = false // it is damaged: no string goes over lines
			if f.depth > f.level {
				b[i] = ' '
			}
			continue
		case f.quoted:
		case x == '{' || x == '[':
			if f.depth++; f.depth == f.level {
				f.array = x == '['
				b[i] = ' '
			}
		case x == '}' || x == ']':
			if f.depth == f.level && f.array {
				f.array = false
				b[i] = '\n'
				f.depth--
				continue
			}
			f.depth = max(f.depth-1, 0)
		case x == ',' && f.depth == f.level && f.array:
			b[i] = '\n' // so that what is damaged ends with its element
		}
		if f.level > 0 && !f.array && f.depth > 0 {
			b[i] = ' '
		}
	}
}
