package costs

import (
	"bytes"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// weight is how many bytes an object takes as JSON without white space.
type weight struct {
	whole    int
	metadata int          // of that, the value of its metadata
	saved    [changes]int // how much less it is after each change
	parts    []part       // its fields
	labels   []int32      // of labels; nil where nobody wants to know them
}

// part is what an object has of a field: with its name, its colon and its comma.
type part struct {
	field int32
	bytes int32
}

// scale weighs objects. It keeps its memory from one to the next.
type scale struct {
	fields *fields
	wanted omission
	tape   jsonscan.Tape
	out    weight
}

// weigh weighs the object in b. ok is false where b is no object. The parts hold until the next object is weighed.
func (s *scale) weigh(b []byte) (w *weight, ok bool) {
	if !s.tape.Parse(b) || s.tape.First(0) != '{' {
		return nil, false
	}
	s.out = weight{parts: s.out.parts[:0]}
	all := [changes]bool{}
	for i := range all {
		all[i] = true
	}
	s.out.whole = s.object(0, 0, &s.wanted, all)
	return &s.out, true
}

// value weighs the value at node n, which belongs to a field. wanted may be nil. left are the
// changes that have left out none of what the value is part of.
func (s *scale) value(n, field int32, wanted *omission, left [changes]bool) int {
	x := s.tape.Nodes[n]
	switch s.tape.First(n) {
	case '{':
		return s.object(n, field, wanted, left)
	case '[': // its elements count as parts of no field
		size := 2
		for element := n + 1; element < x.Next; element = s.tape.Nodes[element].Next {
			size += s.value(element, unnamed, wanted, left) + len(",")
		}
		return max(size-len(","), 2)
	}
	return int(x.To - x.From)
}

// object weighs the object at node n.
func (s *scale) object(n, field int32, wanted *omission, left [changes]bool) int {
	size, members := 2, 0
	var gone [changes]int // fields that a change leaves out
	for k := n + 1; k < s.tape.Nodes[n].Next; k = s.tape.Nodes[k+1].Next {
		members++
		key := s.tape.Text(k)
		below, child, still := wanted.child(key), s.fields.child(field, key), left
		if below != nil {
			below.seen = true
			for c := range below.omitted {
				still[c] = left[c] && !below.omitted[c]
			}
		}
		at := len(s.out.parts)
		if child > 0 {
			s.out.parts = append(s.out.parts, part{field: child})
		}
		value := s.value(k+1, child, below, still)
		if field == 0 && child == s.fields.metadata {
			s.out.metadata = value
		}
		length := len(key) + len(":") + value
		for c := range gone {
			if left[c] && !still[c] {
				gone[c]++
				s.out.saved[c] += length
			}
		}
		size += length + len(",")
		if child > 0 {
			s.out.parts[at].bytes = int32(length + len(","))
		}
	}
	for c := range gone { // n fields have n-1 commas
		s.out.saved[c] += min(gone[c], max(members-1, 0))
	}
	return max(size-len(","), 2)
}

// child returns the field below w that has a name, nil if nothing is wanted of that one.
func (w *omission) child(quoted []byte) *omission {
	if w == nil || w.children == nil {
		return nil
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return w.children[string(quoted[1:len(quoted)-1])]
	}
	var name string
	if json.Unmarshal(quoted, &name) != nil {
		return nil
	}
	return w.children[name]
}
