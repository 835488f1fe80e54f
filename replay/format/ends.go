package format

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

var newline = []byte{'\n'}

type found uint8

const (
	more   found = iota // the end is not in b
	ended               // the object is b[:pos]
	broken              // the object is not complete, and something else begins at pos
)

// findEnd looks for the end of the object that begins b, going on where it
// stopped when b was shorter. It pairs brackets without looking at their shape.
func (v *values) findEnd(b []byte) found {
	i := v.pos
	defer func() { v.pos = i }()
	for i < len(b) {
		switch b[i] {
		case '"':
			from := max(i+1, v.inString)
			end := jsonscan.StringEndFrom(b, from)
			within := b[from:]
			if end >= 0 {
				within = b[from:end]
			}
			if n := bytes.IndexByte(within, '\n'); n >= 0 { // no JSON string goes over lines
				i, v.inString = from+n+1, 0
				return broken
			}
			if end < 0 {
				v.inString = len(b) // a long string comes in many parts
				return more
			}
			i, v.inString = end, 0
			continue
		case '{', '[':
			v.depth++
		case '}', ']':
			if v.depth--; v.depth == 0 {
				i++
				return ended
			}
		case '\n':
			switch v.beginsAnew(b[i+1:]) {
			case more:
				return more
			case broken:
				i++
				return broken
			}
		}
		i++
	}
	return more
}

// beginsAnew tells by broken that the line which begins b, within an object,
// begins another one instead, so that the former must have been cut: an indented
// object doesn't go on with a bracket at the very left, and a watch event isn't
// a part of anything.
func (v *values) beginsAnew(b []byte) found {
	const event = `{"type":"`
	if len(b) > 0 && b[0] != '{' {
		return ended
	}
	n := bytes.IndexByte(b, '\n')
	if n < 0 || n+1 == len(b) {
		if !v.ending {
			return more
		}
		n = len(b)
	}
	line := bytes.TrimRight(b[:n], " \t\r")
	if string(line) == "{" && n+1 < len(b) && (b[n+1] == ' ' || b[n+1] == '\t') {
		return broken
	}
	if bytes.HasPrefix(line, []byte(event)) && v.decode(line) == nil {
		return broken
	}
	return ended
}
