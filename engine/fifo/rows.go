package fifo

import "github.com/informerscope/informerscope/engine/object"

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

func (s *rows) of(k object.Key) row {
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
	r := s.of(k)
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
