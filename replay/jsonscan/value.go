package jsonscan

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"
)

// MaxDepth is how deep JSON may nest. Code that recurses over it, or decodes it into maps, relies on
// that, because the stack of a browser's worker is small, and an overflow cannot be recovered from.
const MaxDepth = 1000

// Valid reports whether b is one JSON value (RFC 8259) that nests no deeper than MaxDepth. Within strings
// it takes bytes that are not UTF-8, as encoding/json does.
func Valid(b []byte) bool { return Check(b) == nil }

// Check returns a SyntaxError unless b is Valid.
func Check(b []byte) error {
	r := NewReader(b)
	r.Skip()
	return r.End()
}

// Skip passes over any value.
func (r *Reader) Skip() { r.value(nil) }

// value passes over any value. It writes on tape where everything lies, unless that is nil.
func (r *Reader) value(tape *Tape) {
	if r.syntax != nil {
		return
	}
	var arrays [MaxDepth/64 + 1]uint64 // a bit for each level: it is an array, and no object
	b, i := r.b, r.i
	level, array := uint(0), true // array is the bit of the level at b[i]
	room := uint(MaxDepth - r.depth)
	open := int32(-1) // on the tape, the array or object at b[i]
	for {
		if !array { // a field's name stands before the value
			if i >= len(b) || b[i] != '"' { // most JSON has no space, and none is looked for then
				if i = SkipSpace(b, i); i >= len(b) || b[i] != '"' {
					r.failAt(i, objectKey)
					return
				}
			}
			from := i
			if i = skipPlain(b, i+1); i < len(b) && b[i] == '"' {
				i++
			} else if i = r.stringRest(i); r.syntax != nil {
				return
			}
			if tape != nil && !tape.leaf(from, i) {
				r.failAt(i, anyValue)
				return
			}
			if i >= len(b) || b[i] != ':' {
				if i = SkipSpace(b, i); i >= len(b) || b[i] != ':' {
					r.failAt(i, afterKey)
					return
				}
			}
			i++
		}
		if i >= len(b) || b[i] <= ' ' {
			if i = SkipSpace(b, i); i >= len(b) {
				r.failAt(i, anyValue)
				return
			}
		}
		from := i
		switch c := b[i]; c {
		case '{', '[':
			if level >= room {
				r.failAt(i, tooDeep)
				return
			}
			if i++; i < len(b) && b[i] <= ' ' {
				i = SkipSpace(b, i)
			}
			if i < len(b) && b[i] == c+2 { // the bracket that closes it
				i++
				break
			}
			if tape != nil {
				if open = tape.open(from, open); open < 0 {
					r.failAt(i, anyValue)
					return
				}
			}
			level++
			if array = c == '['; array {
				arrays[level/64] |= 1 << (level % 64)
			} else {
				arrays[level/64] &^= 1 << (level % 64)
			}
			continue
		case '"':
			if i = skipPlain(b, i+1); i < len(b) && b[i] == '"' {
				i++
			} else {
				i = r.stringRest(i)
			}
		case 't':
			i = r.literalEnd(i, 0, 4)
		case 'f':
			i = r.literalEnd(i, 4, 9)
		case 'n':
			i = r.literalEnd(i, 9, 13)
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			i = r.numberEnd(i)
		default:
			r.failAt(i, anyValue)
		}
		if r.syntax != nil {
			return
		}
		if tape != nil && !tape.leaf(from, i) {
			r.failAt(i, anyValue)
			return
		}
		for { // the value has ended, and perhaps some around it
			if level == 0 {
				r.i = i
				return
			}
			if i >= len(b) || b[i] <= ' ' {
				if i = SkipSpace(b, i); i >= len(b) {
					r.failAt(i, placeBehind(array))
					return
				}
			}
			c := b[i]
			if c == ',' {
				i++
				break
			}
			if c != '}' && c != ']' || array != (c == ']') {
				r.failAt(i, placeBehind(array))
				return
			}
			i++
			if tape != nil {
				open = tape.close(open, i)
			}
			level--
			array = level == 0 || arrays[level/64]>>(level%64)&1 != 0
		}
	}
}

// placeBehind returns the place behind an element of an array, or behind a field of an object.
func placeBehind(array bool) place {
	if array {
		return afterElement
	}
	return afterField
}

// stringEnd returns the index after the string that begins at b[i].
func (r *Reader) stringEnd(i int) int { return r.stringRest(skipPlain(r.b, i+1)) }

// stringRest returns the index after a string that goes on at b[i], where plain has stopped.
func (r *Reader) stringRest(i int) int {
	b := r.b
	for ; ; i = skipPlain(b, i) {
		if i == len(b) {
			r.failAt(i, inString)
			return i
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			r.odd = true
			if i = r.escapeEnd(i); r.syntax != nil {
				return i
			}
		case c >= utf8.RuneSelf:
			r.odd = true
			x, n := utf8.DecodeRune(b[i:])
			r.mangled = r.mangled || x == utf8.RuneError && n == 1
			i += n
		case c < ' ':
			r.failAt(i, inString)
			return i
		default: // DEL is no control character in JSON
			i++
		}
	}
}

// escapeEnd returns the index after the escape whose backslash is b[i].
func (r *Reader) escapeEnd(i int) int {
	b := r.b
	if i++; i < len(b) {
		switch b[i] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			return i + 1
		case 'u':
			for range 4 {
				if i++; i >= len(b) || HexDigit(b[i]) < 0 {
					r.failAt(i, inHex)
					return i
				}
			}
			return i + 1
		}
	}
	r.failAt(i, inEscape)
	return i
}

// numberEnd returns the index after the number that begins at b[i].
func (r *Reader) numberEnd(i int) int {
	b := r.b
	if b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else {
		i = r.digits(i, inNumber)
	}
	if i < len(b) && b[i] == '.' {
		i = r.digits(i+1, inFraction)
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		i = r.digits(i, inExponent)
	}
	return i
}

// digits returns the index after the digits that begin at b[i]. There must be one.
func (r *Reader) digits(i int, where place) int {
	from := i
	for i < len(r.b) && r.b[i]-'0' <= 9 {
		i++
	}
	if i == from {
		r.failAt(i, where)
		return len(r.b)
	}
	return i
}

// literalEnd returns the index after literals[from:to], with which b[i] begins.
func (r *Reader) literalEnd(i, from, to int) int {
	for ; from < to; from++ {
		if i >= len(r.b) || r.b[i] != literals[from] {
			r.failAt(i, inLiteral+place(from))
			return i
		}
		i++
	}
	return i
}

// Compact appends b, which must be JSON, to dst without the space between its tokens.
func Compact(dst, b []byte) ([]byte, error) {
	if err := Check(b); err != nil {
		return dst, err
	}
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			end := StringEnd(b, i)
			dst = append(dst, b[i:end]...)
			i = end
		case c > ' ':
			dst = append(dst, c)
			i++
		default:
			i++
		}
	}
	return dst, nil
}

// MaxNodes is how many values, with the names of fields, a Tape may have.
const MaxNodes = 5 << 20

// A Tape is a JSON value, flat: each value in it and each field's name in the order of the text. A field's
// value follows its name.
type Tape struct {
	B     []byte
	Nodes []Node
}

// A Node is B[From:To] of its Tape. Next is the node after it and all that it holds.
type Node struct{ From, To, Next int32 }

// longText is how long a text is for which counting its values first costs less than letting the nodes grow.
const longText = 1 << 20

// Parse reads b, and reports whether it is Valid and has no more than MaxNodes values. The memory of the
// last text is used again.
func (t *Tape) Parse(b []byte) bool {
	t.B, t.Nodes = b, t.Nodes[:0]
	if len(b) > math.MaxInt32 {
		return false
	}
	if len(b) > longText {
		n := 1
		for _, before := range []string{",", ":", "[", "{"} { // each value follows one, but the first
			n += bytes.Count(b, []byte(before))
		}
		t.Nodes = slices.Grow(t.Nodes, min(n, MaxNodes+1))
	}
	r := NewReader(b)
	r.value(t)
	return r.End() == nil
}

// Text returns the text of a node.
func (t *Tape) Text(n int32) []byte {
	x := t.Nodes[n]
	return t.B[x.From:x.To]
}

// First returns the first byte of a node.
func (t *Tape) First(n int32) byte { return t.B[t.Nodes[n].From] }

// leaf appends a name, or a value that holds no other. It returns false where there is no room.
func (t *Tape) leaf(from, to int) bool {
	n := len(t.Nodes)
	t.Nodes = append(t.Nodes, Node{int32(from), int32(to), int32(n + 1)})
	return n < MaxNodes
}

// open appends an array or object within outer, and returns its node, or -1 where there is no room. Until
// it closes, Next is outer.
func (t *Tape) open(from int, outer int32) int32 {
	n := len(t.Nodes)
	if n >= MaxNodes {
		return -1
	}
	t.Nodes = append(t.Nodes, Node{From: int32(from), Next: outer})
	return int32(n)
}

// close ends an array or object, and returns the one around it.
func (t *Tape) close(n int32, to int) (outer int32) {
	x := &t.Nodes[n]
	outer = x.Next
	x.To, x.Next = int32(to), int32(len(t.Nodes))
	return outer
}
