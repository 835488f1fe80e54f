package redact

import (
	"bytes"
	"slices"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// sheet is JSON that is read and edited: a line, or a text within a string of it.
type sheet struct {
	jsonscan.Tape
	edits  edits
	folded []byte // a name, folded
	plain  []byte // a string without its escapes

	within []int32         // the strings that hold the nested text: see enter
	outer  []jsonscan.Tape // the tapes of these strings
	spare  []jsonscan.Tape
}

// begin makes the sheet ready for a line.
func (s *sheet) begin() {
	s.edits, s.outer, s.within = s.edits[:0], s.outer[:0], s.within[:0]
}

// unquoted returns the text of the string at n. It is valid until the next call.
func (s *sheet) unquoted(n int32) []byte {
	if s.First(n) != '"' {
		return nil
	}
	s.plain = jsonscan.AppendUnquoted(s.plain[:0], s.Text(n))
	return s.plain
}

// keyOf returns the name of a field, without its quotes and escapes, until the next
// call.
func (s *sheet) keyOf(k int32) []byte {
	b := s.Text(k)
	b = b[1 : len(b)-1]
	if bytes.IndexByte(b, '\\') >= 0 {
		return s.unquoted(k)
	}
	return b
}

// isScalar reports whether the value at n holds no others.
func (s *sheet) isScalar(n int32) bool { return s.First(n) != '{' && s.First(n) != '[' }

// each calls f for each field of the object at n, with its name as appendFolded
// makes it, which holds only until f looks at something else. Nothing happens
// if n is no object.
func (s *sheet) each(n int32, f func(key []byte, k, v int32)) {
	if s.First(n) != '{' {
		return
	}
	for k := n + 1; k < s.Nodes[n].Next; k = s.Nodes[k+1].Next {
		s.folded = appendFolded(s.folded[:0], s.Text(k))
		f(s.folded, k, k+1)
	}
}

// edit replaces the value at n.
func (s *sheet) edit(n int32, by string) {
	x := s.Nodes[n]
	s.edits = append(s.edits, edit{x.From, x.To, by})
}

// enter sets the tape aside and begins a new one, for the text of the string n.
func (s *sheet) enter(n int32) {
	s.outer, s.within = append(s.outer, s.Tape), append(s.within, n)
	s.Tape = jsonscan.Tape{}
	if last := len(s.spare) - 1; last >= 0 {
		s.Tape, s.spare = s.spare[last], s.spare[:last]
	}
}

// leave goes back to the tape that enter set aside.
func (s *sheet) leave() {
	s.spare = append(s.spare, s.Tape)
	last := len(s.outer) - 1
	s.Tape, s.outer, s.within = s.outer[last], s.outer[:last], s.within[:last]
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
