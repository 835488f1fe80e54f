package jsonscan

import (
	"bytes"
	"math"
	"slices"
)

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
