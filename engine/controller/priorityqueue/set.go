package priorityqueue

import (
	"slices"

	"github.com/informerscope/informerscope/engine/object"
)

// set is an ordered set of keys: a B-tree in the real one. It is a slice with room
// at both ends, because keys come and go mostly there.
type set struct {
	keys []object.Key
	head int // keys[:head] is free
}

func (s *set) len() int            { return len(s.keys) - s.head }
func (s *set) at(i int) object.Key { return s.keys[s.head+i] }

func (s *set) copyFrom(src *set) {
	s.keys, s.head = append(s.keys[:0], src.keys[src.head:]...), 0
}

// insert puts k before the i-th key.
func (s *set) insert(i int, k object.Key) {
	if s.head > 0 && i < s.len()/2 {
		s.head--
		copy(s.keys[s.head:], s.keys[s.head+1:s.head+1+i])
		s.keys[s.head+i] = k
		return
	}
	if len(s.keys) == cap(s.keys) && s.head > len(s.keys)/2 { // move up rather than grow
		s.keys, s.head = s.keys[:copy(s.keys, s.keys[s.head:])], 0
	}
	s.keys = slices.Insert(s.keys, s.head+i, k)
}

func (s *set) remove(i int) {
	if i < s.len()/2 {
		copy(s.keys[s.head+1:], s.keys[s.head:s.head+i])
		s.head++
	} else {
		s.keys = slices.Delete(s.keys, s.head+i, s.head+i+1)
	}
	if s.head == len(s.keys) {
		s.keys, s.head = s.keys[:0], 0
	}
}
