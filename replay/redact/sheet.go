package redact

import (
	"bytes"
	"slices"
)

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
