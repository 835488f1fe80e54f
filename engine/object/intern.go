package object

import "math/rand/v2"

// interner gives each distinct string a number: a number that has become free, or else
// the next, counted from 1. All bytes lie in one block and the hash table is a
// slice of integers: nothing in it is a pointer, because the garbage collector of
// a WebAssembly instance stops it for milliseconds with every megabyte of
// pointers.
type interner struct {
	block  []byte // all strings
	places []place
	free   []int32 // numbers of strings that were freed
	reused int     // how often one was used again
	hash   hashIndex
}

// place is where a string lies in the block. That of a freed string is empty.
type place struct {
	from int64
	n    int32
}

func (in *interner) init() { in.places = make([]place, 1) }

func (in *interner) len() int { return len(in.places) }

func (in *interner) bytes(i int32) []byte {
	p := in.places[i]
	return in.block[p.from : p.from+int64(p.n) : p.from+int64(p.n)]
}

func (in *interner) intern(b []byte) int32 {
	h := hash(b)
	slot := in.hash.find(h, func(i int32) bool { return string(in.bytes(i)) == string(b) })
	if i := in.hash.at(slot); i != 0 {
		return i
	}
	i := in.number(slot, h, len(b))
	in.block = append(in.block, b...)
	return i
}

func (in *interner) internString(s string) int32 {
	h := hash(s)
	slot := in.hash.find(h, func(i int32) bool { return string(in.bytes(i)) == s })
	if i := in.hash.at(slot); i != 0 {
		return i
	}
	i := in.number(slot, h, len(s))
	in.block = append(in.block, s...)
	return i
}

// number gives a string of n bytes its number. The bytes must follow.
func (in *interner) number(slot int, h uint64, n int) int32 {
	at := place{int64(len(in.block)), int32(n)}
	id := int32(len(in.places))
	if last := len(in.free) - 1; last >= 0 {
		id, in.free = in.free[last], in.free[:last]
		in.places[id] = at
		in.reused++
	} else {
		in.places = append(in.places, at)
	}
	in.hash.put(slot, h, id)
	return id
}

// sweep frees the strings that are not live. The others keep their numbers.
func (in *interner) sweep(live bits) {
	old := in.block
	in.block, in.free = make([]byte, 0, len(old)/2), in.free[:0]
	for i := int32(len(in.places)) - 1; i > 0; i-- {
		if !live.has(i) {
			in.places[i], in.free = place{}, append(in.free, i)
			continue
		}
		p := &in.places[i]
		text := old[p.from : p.from+int64(p.n)]
		p.from = int64(len(in.block))
		in.block = append(in.block, text...)
	}
	in.hash.sweep(live)
}

func (in *interner) lookup(s string) (int32, bool) {
	slot := in.hash.find(hash(s), func(i int32) bool { return string(in.bytes(i)) == s })
	i := in.hash.at(slot)
	return i, i != 0
}

// hashIndex is an open-addressing table from hashes to positive integers, with
// linear probing. The caller compares what the integers stand for.
type hashIndex struct {
	slots []hashSlot
	used  int
}

type hashSlot struct {
	hash uint64
	id   int32
}

// find returns the slot of the id for which same is true, or the free slot
// where it would go.
func (x *hashIndex) find(h uint64, same func(id int32) bool) int {
	if len(x.slots) == 0 {
		x.slots = make([]hashSlot, 64)
	}
	mask := len(x.slots) - 1
	for i := int(h) & mask; ; i = (i + 1) & mask {
		s := &x.slots[i]
		if s.id == 0 || s.hash == h && same(s.id) {
			return i
		}
	}
}

func (x *hashIndex) at(slot int) int32 { return x.slots[slot].id }

func (x *hashIndex) put(slot int, h uint64, id int32) {
	x.slots[slot] = hashSlot{h, id}
	x.used++
	if x.used*4 < len(x.slots)*3 {
		return
	}
	old := x.slots
	x.slots = make([]hashSlot, 2*len(old))
	for _, s := range old {
		if s.id != 0 {
			x.fill(s)
		}
	}
}

func (x *hashIndex) fill(s hashSlot) {
	mask := len(x.slots) - 1
	i := int(s.hash) & mask
	for x.slots[i].id != 0 {
		i = (i + 1) & mask
	}
	x.slots[i] = s
}

func (x *hashIndex) sweep(live bits) {
	old := x.slots
	x.slots, x.used = make([]hashSlot, len(old)), 0
	for _, s := range old {
		if s.id != 0 && live.has(s.id) {
			x.fill(s)
			x.used++
		}
	}
}

// seed differs from process to process. Otherwise a capture could be made of texts that all want the
// same slot, and reading it would take as long as their number squared.
var seed = rand.Uint64()

// Hash returns a hash of b, by which texts can be told apart. It is the same in each process.
func Hash(b []byte) uint64 { return mixAll(0, b) }

func hash[T string | []byte](s T) uint64 { return mixAll(seed, s) }

// mixAll mixes eight bytes at a time, so that the low bits, which pick the slot,
// depend on all of the input. A turn of a loop is what costs in WebAssembly.
func mixAll[T string | []byte](h uint64, s T) uint64 {
	h ^= uint64(len(s))
	for ; len(s) >= 8; s = s[8:] {
		h = mix(h, uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|
			uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)
	}
	var rest uint64
	for i := range len(s) {
		rest = rest<<8 | uint64(s[i])
	}
	return mix(h, rest)
}

func mix(h, x uint64) uint64 {
	h ^= x
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}
