package fifo

import (
	"github.com/informerscope/informerscope/engine/object"
)

// node is a delta in the arena of rows; next is 0 at the end of a row.
type node struct {
	Delta
	next int32
}

// row is the Deltas of one key. n is 0 where the key has none.
type row struct {
	head, tail int32
	n          int32
	seq        int64 // number of the key's place in queue, counted since the queue was made
}

// rows is DeltaFIFO's items, key → Deltas: linked lists whose nodes share one
// arena with a freelist, so that queueing allocates nothing once it has grown.
type rows struct {
	byKey []row
	nodes []node // nodes[0] is no node
	free  int32  // head of the freelist
}

func (s *rows) rowOf(k object.Key) row {
	if int(k) >= len(s.byKey) {
		return row{}
	}
	return s.byKey[k]
}

func (s *rows) newest(k object.Key) *Delta { return &s.nodes[s.byKey[k].tail].Delta }

// append adds a delta to the row of its key and returns the row.
func (s *rows) append(d Delta) *row {
	if int(d.Key) >= len(s.byKey) {
		s.byKey = append(s.byKey, make([]row, int(d.Key)+1-len(s.byKey))...)
	}
	if len(s.nodes) == 0 {
		s.nodes = append(s.nodes, node{})
	}
	at := s.free
	if at != 0 {
		s.free = s.nodes[at].next
		s.nodes[at] = node{Delta: d}
	} else {
		at = int32(len(s.nodes))
		s.nodes = append(s.nodes, node{Delta: d})
	}
	r := &s.byKey[d.Key]
	if r.n == 0 {
		r.head = at
	} else {
		s.nodes[r.tail].next = at
	}
	r.tail = at
	r.n++
	return r
}

func (s *rows) list(k object.Key, dst []Delta) []Delta {
	r := s.rowOf(k)
	for i, at := int32(0), r.head; i < r.n; i++ {
		dst = append(dst, s.nodes[at].Delta)
		at = s.nodes[at].next
	}
	return dst
}

// take removes the row of k and appends its deltas to dst.
func (s *rows) take(k object.Key, dst []Delta) []Delta {
	dst = s.list(k, dst)
	r := &s.byKey[k]
	s.nodes[r.tail].next = s.free
	s.free = r.head
	*r = row{}
	return dst
}

func (s *rows) copyFrom(src *rows) {
	s.byKey = append(s.byKey[:0], src.byKey...)
	s.nodes = append(s.nodes[:0], src.nodes...)
	s.free = src.free
}

func (s *rows) mark(live *object.Live) {
	for k, r := range s.byKey {
		if r.n > 0 {
			live.Key(object.Key(k))
		}
		for n, at := int32(0), r.head; n < r.n; n++ {
			live.Ref(s.nodes[at].Obj)
			at = s.nodes[at].next
		}
	}
}

// ring is a queue in one slice whose length is a power of two.
type ring[T any] struct {
	slots []T
	head  int
	n     int
}

func (r *ring[T]) at(i int) *T { return &r.slots[(r.head+i)&(len(r.slots)-1)] }

func (r *ring[T]) push(v T) {
	if r.n == len(r.slots) {
		grown := make([]T, max(16, 2*len(r.slots)))
		for i := range r.n {
			grown[i] = *r.at(i)
		}
		r.slots, r.head = grown, 0
	}
	r.n++
	*r.at(r.n - 1) = v
}

func (r *ring[T]) pop() T {
	v := *r.at(0)
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	return v
}

// copyFrom makes r hold what src holds. Only what is queued is copied, because
// a ring stays as large as the longest queue that it ever held.
func (r *ring[T]) copyFrom(src *ring[T]) {
	if len(r.slots) < src.n || len(r.slots) == 0 && len(src.slots) > 0 {
		size := 16
		for size < src.n {
			size *= 2
		}
		r.slots = make([]T, size)
	}
	r.head, r.n = 0, src.n
	if src.n == 0 {
		return
	}
	first := copy(r.slots, src.slots[src.head:min(len(src.slots), src.head+src.n)])
	copy(r.slots[first:], src.slots[:src.n-first])
}
