package priorityqueue

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

// items are the keys of a Queue in their order: what is known of each, and the two sets in which they lie.
type items struct {
	order          Order
	states         []state // by key
	ready, waiting set
	addedCounter   uint64
}

// state is what the queue knows of a key.
type state struct {
	counter  uint64
	readyAt  int64
	priority int
	place    Place
	locked   bool // handed out, and Done was not called yet
}

func (x *items) copyFrom(src *items) {
	x.order, x.addedCounter = src.order, src.addedCounter
	x.states = append(x.states[:0], src.states...)
	x.ready.copyFrom(&src.ready)
	x.waiting.copyFrom(&src.waiting)
}

func (x *items) count() uint64 {
	x.addedCounter++
	return x.addedCounter - 1
}

func (x *items) item(k object.Key) Item {
	s := &x.states[k]
	return Item{k, s.counter, s.priority, s.readyAt}
}

// next returns the first ready item from the i-th on that no worker has.
func (x *items) next(i int) int {
	for i < x.ready.len() && x.states[x.ready.at(i)].locked {
		i++
	}
	return i
}

// compareReady compares two keys in the order of the ready set, as the Order says. ByPriority, no ready key
// has a time.
func (x *items) compareReady(a, b object.Key) int {
	l, r := &x.states[a], &x.states[b]
	if c := cmp.Compare(l.readyAt, r.readyAt); c != 0 && (x.order == ByDelays || l.priority == r.priority) {
		return c
	}
	if c := cmp.Compare(r.priority, l.priority); c != 0 {
		return c
	}
	return cmp.Compare(l.counter, r.counter)
}

// compareWaiting compares two keys in the order of the waiting set, lessWaiting: by time, and then as in the
// ready set.
func (x *items) compareWaiting(a, b object.Key) int {
	if c := cmp.Compare(x.states[a].readyAt, x.states[b].readyAt); c != 0 {
		return c
	}
	return x.compareReady(a, b)
}

// find returns k's place in its set, or the place that k is to have there.
func (x *items) find(k object.Key, in Place) (s *set, i int) {
	s, compare := &x.ready, x.compareReady
	if in == Waiting {
		s, compare = &x.waiting, x.compareWaiting
	}
	i, _ = slices.BinarySearchFunc(s.keys[s.head:], k, compare)
	return s, i
}

// insert puts k into a set, in which its state orders it.
func (x *items) insert(k object.Key, to Place) {
	x.states[k].place = to
	s, i := x.find(k, to)
	s.insert(i, k)
}

// remove takes k out of its set, before its state changes.
func (x *items) remove(k object.Key) {
	s, i := x.find(k, x.states[k].place)
	s.remove(i)
	x.states[k].place = Nowhere
}

// hash adds the state at the time now. Of the counters only their order matters: an Add without delay takes
// a waiting item to where its counter says.
func (x *items) hash(h *actor.Hash, now int64) {
	h.Add(uint64(x.ready.len()))
	for i := range x.ready.len() {
		k := x.ready.at(i)
		h.Add(uint64(k))
		h.Add(uint64(x.states[k].priority))
		if x.order != ByPriority {
			h.Bool(x.states[k].readyAt != 0)
			h.Add(uint64(x.olderThan(x.states[k].counter)))
		}
	}
	h.Add(uint64(x.waiting.len()))
	for i := range x.waiting.len() {
		k := x.waiting.at(i)
		s := &x.states[k]
		h.Add(uint64(k))
		h.Add(uint64(s.priority))
		h.Due(s.readyAt, now)
		h.Add(uint64(x.olderThan(s.counter)))
	}
	for k := range x.states {
		if x.states[k].locked {
			h.Add(uint64(k) | 1<<63)
		}
	}
}

// olderThan returns how many items have been added before the counter c.
func (x *items) olderThan(c uint64) (n int) {
	for _, s := range [...]*set{&x.ready, &x.waiting} {
		for _, k := range s.keys[s.head:] {
			if x.states[k].counter < c {
				n++
			}
		}
	}
	return n
}

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
