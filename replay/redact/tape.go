package redact

import (
	"bytes"
	"math"
	"slices"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// MaxValues is how many values, with the names of fields, a line may have. A
// line with more is left out.
const MaxValues = 5 << 20

// tape is a line's JSON, flat: each value and each field's name in the order of
// the text. A field's value follows its name.
type tape struct {
	b     []byte
	nodes []node
}

// node is b[from:to]. next is the node after it and all that it holds.
type node struct{ from, to, next int32 }

// parse reads b. It is strict: what it lets through every JSON decoder reads in
// the same way, up to the bytes within strings. ok is false if b is not JSON,
// or nests deeper than jsonscan.MaxDepth, or has too many values.
func (t *tape) parse(b []byte) (ok bool) {
	t.b, t.nodes = b, t.nodes[:0]
	if len(b) > math.MaxInt32 || !jsonscan.Shallow(b) {
		return false
	}
	if len(b) > longLine {
		t.nodes = slices.Grow(t.nodes, atMost(b))
	}
	i := t.value(t.space(0))
	return i >= 0 && t.space(i) == len(b)
}

// longLine is how long a line is for which counting its values first costs less than
// letting the nodes grow.
const longLine = 1 << 20

// atMost is how many nodes b may have. Each follows a bracket, a comma or a colon, but
// the first.
func atMost(b []byte) int {
	n := 1
	for _, before := range []string{",", ":", "[", "{"} {
		n += bytes.Count(b, []byte(before))
	}
	return min(n, MaxValues+1)
}

func (t *tape) space(i int) int {
	for i < len(t.b) && (t.b[i] == ' ' || t.b[i] == '\n' || t.b[i] == '\t' || t.b[i] == '\r') {
		i++
	}
	return i
}

func (t *tape) is(i int, c byte) bool { return i < len(t.b) && t.b[i] == c }

// value reads the value at i and returns the index after it, or -1.
func (t *tape) value(i int) int {
	if i >= len(t.b) || len(t.nodes) >= MaxValues {
		return -1
	}
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{from: int32(i)})
	switch t.b[i] {
	case '{':
		i = t.object(i)
	case '[':
		i = t.array(i)
	case '"':
		i = t.str(i)
	case 't':
		i = t.literal(i, "true")
	case 'f':
		i = t.literal(i, "false")
	case 'n':
		i = t.literal(i, "null")
	default:
		i = t.number(i)
	}
	t.nodes[at].to, t.nodes[at].next = int32(i), int32(len(t.nodes))
	return i
}

func (t *tape) object(i int) int {
	if i = t.space(i + 1); t.is(i, '}') {
		return i + 1
	}
	for {
		if !t.is(i, '"') {
			return -1
		}
		key := i
		if i = t.str(i); i < 0 {
			return -1
		}
		t.nodes = append(t.nodes, node{int32(key), int32(i), int32(len(t.nodes) + 1)})
		if i = t.space(i); !t.is(i, ':') {
			return -1
		}
		if i = t.value(t.space(i + 1)); i < 0 {
			return -1
		}
		i = t.space(i)
		if t.is(i, '}') {
			return i + 1
		}
		if !t.is(i, ',') {
			return -1
		}
		i = t.space(i + 1)
	}
}

func (t *tape) array(i int) int {
	if i = t.space(i + 1); t.is(i, ']') {
		return i + 1
	}
	for {
		if i = t.value(i); i < 0 {
			return -1
		}
		i = t.space(i)
		if t.is(i, ']') {
			return i + 1
		}
		if !t.is(i, ',') {
			return -1
		}
		i = t.space(i + 1)
	}
}

func (t *tape) str(i int) int {
	b := t.b
	for i++; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c < ' ':
			return -1
		case c == '\\':
			if i++; i >= len(b) {
				return -1
			}
			switch b[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if i+4 >= len(b) || hex4(b[i+1:]) < 0 {
					return -1
				}
				i += 4
			default:
				return -1
			}
		}
	}
	return -1
}

func (t *tape) literal(i int, s string) int {
	if len(t.b)-i < len(s) || string(t.b[i:i+len(s)]) != s {
		return -1
	}
	return i + len(s)
}

func (t *tape) number(i int) int {
	if t.is(i, '-') {
		i++
	}
	from := i
	if i = t.digits(i); i == from || i > from+1 && t.b[from] == '0' {
		return -1
	}
	if t.is(i, '.') {
		from = i + 1
		if i = t.digits(from); i == from {
			return -1
		}
	}
	if t.is(i, 'e') || t.is(i, 'E') {
		i++
		if t.is(i, '+') || t.is(i, '-') {
			i++
		}
		from = i
		if i = t.digits(i); i == from {
			return -1
		}
	}
	return i
}

func (t *tape) digits(i int) int {
	for i < len(t.b) && '0' <= t.b[i] && t.b[i] <= '9' {
		i++
	}
	return i
}

// bytes is the text of the value at n.
func (t *tape) bytes(n int32) []byte {
	x := t.nodes[n]
	return t.b[x.from:x.to]
}

// first is the first character of the value at n.
func (t *tape) first(n int32) byte { return t.b[t.nodes[n].from] }

func (t *tape) isScalar(n int32) bool { return t.first(n) != '{' && t.first(n) != '[' }

// sheet is JSON that is read and edited: a line, or a text within a string of it.
type sheet struct {
	tape
	edits  edits
	folded []byte // a name, folded
	plain  []byte // a string without its escapes

	within []int32 // the strings that hold the nested text: see enter
	outer  []tape  // the tapes of these strings
	spare  []tape
}

// begin makes the sheet ready for a line.
func (s *sheet) begin() {
	s.edits, s.outer, s.within = s.edits[:0], s.outer[:0], s.within[:0]
}

// unquoted returns the text of the string at n. It is valid until the next call.
func (s *sheet) unquoted(n int32) []byte {
	if s.first(n) != '"' {
		return nil
	}
	s.plain = appendUnquoted(s.plain[:0], s.bytes(n))
	return s.plain
}

// keyOf is the name of a field, without its quotes and escapes, until the next
// call.
func (s *sheet) keyOf(k int32) []byte {
	b := s.bytes(k)
	b = b[1 : len(b)-1]
	if bytes.IndexByte(b, '\\') >= 0 {
		return s.unquoted(k)
	}
	return b
}

// each calls f for each field of the object at n, with its name as appendFolded
// makes it, which holds only until f looks at something else. Nothing happens
// if n is no object.
func (s *sheet) each(n int32, f func(key []byte, k, v int32)) {
	if s.first(n) != '{' {
		return
	}
	for k := n + 1; k < s.nodes[n].next; k = s.nodes[k+1].next {
		s.folded = appendFolded(s.folded[:0], s.bytes(k))
		f(s.folded, k, k+1)
	}
}

// edit replaces the value at n.
func (s *sheet) edit(n int32, by string) {
	x := s.nodes[n]
	s.edits = append(s.edits, edit{x.from, x.to, by})
}

// enter sets the tape aside and begins a new one, for the text of the string n.
func (s *sheet) enter(n int32) {
	s.outer, s.within = append(s.outer, s.tape), append(s.within, n)
	s.tape = tape{}
	if last := len(s.spare) - 1; last >= 0 {
		s.tape, s.spare = s.spare[last], s.spare[:last]
	}
}

// leave goes back to the tape that enter set aside.
func (s *sheet) leave() {
	s.spare = append(s.spare, s.tape)
	last := len(s.outer) - 1
	s.tape, s.outer, s.within = s.outer[last], s.outer[:last], s.within[:last]
}

// edit replaces a piece of the line.
type edit struct {
	from, to int32
	by       string
}

// edits are those of a sheet, in any order.
type edits []edit

// sort brings the edits into the order of the text.
func (e edits) sort() {
	slices.SortStableFunc(e, func(a, b edit) int { return int(a.from) - int(b.from) })
}

// appendTo appends b with the edits made, which are sorted.
func (e edits) appendTo(out, b []byte) []byte {
	at := int32(0)
	for _, x := range e {
		out = append(append(out, b[at:x.from]...), x.by...)
		at = x.to
	}
	return append(out, b[at:]...)
}
