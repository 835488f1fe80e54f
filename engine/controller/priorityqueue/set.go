package priorityqueue

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
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

// compareReady is the order of the ready set, as the Order of the queue says. ByPriority, no ready key
// has a time.
func (q *Queue) compareReady(a, b object.Key) int {
	x, y := &q.states[a], &q.states[b]
	if c := cmp.Compare(x.readyAt, y.readyAt); c != 0 && (q.Order == ByDelays || x.priority == y.priority) {
		return c
	}
	if c := cmp.Compare(y.priority, x.priority); c != 0 {
		return c
	}
	return cmp.Compare(x.counter, y.counter)
}

// compareWaiting is the order of the waiting set, lessWaiting: by time, and then as in the
// ready set.
func (q *Queue) compareWaiting(a, b object.Key) int {
	if c := cmp.Compare(q.states[a].readyAt, q.states[b].readyAt); c != 0 {
		return c
	}
	return q.compareReady(a, b)
}

// find returns k's place in its set, or the one that it is to have.
func (q *Queue) find(k object.Key, in Place) (s *set, i int) {
	s, compare := &q.ready, q.compareReady
	if in == Waiting {
		s, compare = &q.waiting, q.compareWaiting
	}
	i, _ = slices.BinarySearchFunc(s.keys[s.head:], k, compare)
	return s, i
}

// insert puts k into a set, in which its state orders it.
func (q *Queue) insert(k object.Key, to Place) {
	q.states[k].place = to
	s, i := q.find(k, to)
	s.insert(i, k)
}

// remove takes k out of its set, before its state changes.
func (q *Queue) remove(k object.Key) {
	s, i := q.find(k, q.states[k].place)
	s.remove(i)
	q.states[k].place = Nowhere
}

func (q *Queue) grow(k object.Key) {
	if int(k) >= len(q.states) {
		q.states = append(q.states, make([]state, int(k)+1-len(q.states))...)
	}
}

// Hash adds the queue's state at the time now. Of the counters only their order
// matters: an Add without delay takes a waiting item to where its counter says.
func (q *Queue) Hash(h *actor.Hash, now int64) {
	h.Bool(q.shutdown)
	h.Add(uint64(q.waiters))
	h.Add(uint64(len(q.buffer)))
	for _, b := range q.buffer {
		h.Add(uint64(b.After))
		h.Bool(b.RateLimited)
		h.Add(uint64(b.Priority))
		h.Add(uint64(b.to))
	}
	for _, k := range q.keys {
		h.Add(uint64(k))
	}
	h.Add(uint64(q.ready.len()))
	for i := range q.ready.len() {
		k := q.ready.at(i)
		h.Add(uint64(k))
		h.Add(uint64(q.states[k].priority))
		if q.Order != ByPriority {
			h.Bool(q.states[k].readyAt != 0)
			h.Add(uint64(q.olderThan(q.states[k].counter)))
		}
	}
	h.Add(uint64(q.waiting.len()))
	for i := range q.waiting.len() {
		k := q.waiting.at(i)
		s := &q.states[k]
		h.Add(uint64(k))
		h.Add(uint64(s.priority))
		h.Due(s.readyAt, now)
		h.Add(uint64(q.olderThan(s.counter)))
	}
	for k := range q.states {
		if q.states[k].locked {
			h.Add(uint64(k) | 1<<63)
		}
	}
	q.Limiter.Hash(h, now)
}

// olderThan is how many items have been added before the counter c.
func (q *Queue) olderThan(c uint64) (n int) {
	for _, s := range [...]*set{&q.ready, &q.waiting} {
		for _, k := range s.keys[s.head:] {
			if q.states[k].counter < c {
				n++
			}
		}
	}
	return n
}
