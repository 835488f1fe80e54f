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
	less     [changes]int // how much less it is after each change
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
	wanted want
	b      []byte
	i      int
	out    weight
}

// weigh weighs the object in b, which nests no deeper than jsonscan.MaxDepth. ok is false where b is
// no object. The parts hold until the next object is weighed.
func (s *scale) weigh(b []byte) (w *weight, ok bool) {
	s.b, s.i, s.out = b, 0, weight{parts: s.out.parts[:0]}
	if s.space(); s.i >= len(b) || b[s.i] != '{' {
		return nil, false
	}
	all := [changes]bool{}
	for i := range all {
		all[i] = true
	}
	s.out.whole, ok = s.object(0, &s.wanted, all)
	return &s.out, ok
}

func (s *scale) space() {
	for s.i < len(s.b) && s.b[s.i] <= ' ' {
		s.i++
	}
}

// accept reports whether c comes next, and passes over it.
func (s *scale) accept(c byte) bool {
	s.space()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// value weighs the next value, which belongs to a field. wanted may be nil. left are the
// changes that have left out none of what the value is part of.
func (s *scale) value(field int32, wanted *want, left [changes]bool) (size int, ok bool) {
	s.space()
	if s.i >= len(s.b) {
		return 0, false
	}
	switch s.b[s.i] {
	case '{':
		return s.object(field, wanted, left)
	case '[':
		return s.array(wanted, left)
	}
	return s.scalar()
}

// scalar weighs a string, a number or a word.
func (s *scale) scalar() (size int, ok bool) {
	from := s.i
	if s.b[from] == '"' {
		end := jsonscan.StringEnd(s.b, from)
		s.i = end
		return end - from, end > 0
	}
	for s.i < len(s.b) && s.b[s.i] > ' ' && s.b[s.i] != ',' && s.b[s.i] != '}' && s.b[s.i] != ']' {
		s.i++
	}
	return s.i - from, s.i > from
}

// array weighs the array that comes next. Its elements count as parts of no field.
func (s *scale) array(wanted *want, left [changes]bool) (size int, ok bool) {
	s.i++
	if size = 2; s.accept(']') {
		return size, true
	}
	for {
		one, ok := s.value(unnamed, wanted, left)
		if !ok {
			return 0, false
		}
		size += one
		if !s.accept(',') {
			return size, s.accept(']')
		}
		size++
	}
}

// object weighs the object that comes next.
func (s *scale) object(field int32, wanted *want, left [changes]bool) (size int, ok bool) {
	s.i++
	if size = 2; s.accept('}') {
		return size, true
	}
	var gone [changes]int // fields that a change leaves out
	for n := 1; ; n++ {
		if s.space(); s.i >= len(s.b) || s.b[s.i] != '"' {
			return 0, false
		}
		quoted, ok := s.scalar()
		if !ok {
			return 0, false
		}
		key := s.b[s.i-quoted : s.i]
		if !s.accept(':') {
			return 0, false
		}
		below, child, still := wanted.child(key), s.fields.child(field, key), left
		if below != nil {
			below.seen = true
			for c := range below.gone {
				still[c] = left[c] && !below.gone[c]
			}
		}
		at := len(s.out.parts)
		if child > 0 {
			s.out.parts = append(s.out.parts, part{field: child})
		}
		value, ok := s.value(child, below, still)
		if !ok {
			return 0, false
		}
		if field == 0 && child == s.fields.metadata {
			s.out.metadata = value
		}
		one := quoted + 1 + value
		for c := range gone {
			if left[c] && !still[c] {
				gone[c]++
				s.out.less[c] += one
			}
		}
		size += one
		comma := s.accept(',')
		if comma {
			size++
		}
		if child > 0 {
			s.out.parts[at].bytes = int32(one + 1)
		}
		if comma {
			continue
		}
		for c := range gone { // n fields have n-1 commas
			s.out.less[c] += min(gone[c], n-1)
		}
		return size, s.accept('}')
	}
}

// child returns the field below w that has a name, nil if nothing is wanted of that one.
func (w *want) child(quoted []byte) *want {
	if w == nil || w.below == nil {
		return nil
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return w.below[string(quoted[1:len(quoted)-1])]
	}
	var name string
	if json.Unmarshal(quoted, &name) != nil {
		return nil
	}
	return w.below[name]
}
