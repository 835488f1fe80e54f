package object

// interner numbers distinct strings from 1 in the order of first sight. All
// bytes lie in one block and the hash table is a slice of integers: nothing in
// it is a pointer, because the garbage collector of a WebAssembly instance
// stops it for milliseconds with every megabyte of pointers.
type interner struct {
	block []byte
	ends  []int64 // ends[i] is where string i ends in block; string i begins where i-1 ends
	hash  hashIndex
}

func (in *interner) init() { in.ends = make([]int64, 1) }

func (in *interner) len() int { return len(in.ends) }

func (in *interner) bytes(i int32) []byte {
	if i == 0 {
		return nil
	}
	return in.block[in.ends[i-1]:in.ends[i]:in.ends[i]]
}

func (in *interner) intern(b []byte) int32 {
	h := hashBytes(b)
	slot := in.hash.find(h, func(i int32) bool { return string(in.bytes(i)) == string(b) })
	if i := in.hash.at(slot); i != 0 {
		return i
	}
	in.block = append(in.block, b...)
	return in.added(slot, h)
}

func (in *interner) internString(s string) int32 {
	h := hashString(s)
	slot := in.hash.find(h, func(i int32) bool { return string(in.bytes(i)) == s })
	if i := in.hash.at(slot); i != 0 {
		return i
	}
	in.block = append(in.block, s...)
	return in.added(slot, h)
}

func (in *interner) added(slot int, h uint64) int32 {
	in.ends = append(in.ends, int64(len(in.block)))
	id := int32(len(in.ends) - 1)
	in.hash.put(slot, h, id)
	return id
}

func (in *interner) lookup(s string) (int32, bool) {
	slot := in.hash.find(hashString(s), func(i int32) bool { return string(in.bytes(i)) == s })
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
	mask := len(x.slots) - 1
	for _, s := range old {
		if s.id == 0 {
			continue
		}
		i := int(s.hash) & mask
		for x.slots[i].id != 0 {
			i = (i + 1) & mask
		}
		x.slots[i] = s
	}
}

// FNV-1a with a final mix, so that the low bits, which pick the slot, depend on
// all of the input.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func hashBytes(b []byte) uint64 {
	h := uint64(fnvOffset)
	for _, c := range b {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return mix(h, 0)
}

func hashString(s string) uint64 {
	h := uint64(fnvOffset)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return mix(h, 0)
}

func mix(h, x uint64) uint64 {
	h ^= x
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}
