package readyourwrites

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

// Batch is the number of a write batch: writes of one key that began between two reads.
type Batch int32

// Barriers is WriteBarriers: the writes that are in flight. Its zero value has none.
type Barriers struct {
	last     Batch
	inFlight []inFlight // batches that are not done, in the order of their numbers
	keys     []barrier  // keys with a write in flight, in the order of their numbers
}

type inFlight struct {
	batch  Batch
	writes int32
}

// barrier is keyWriteBarrier.
type barrier struct {
	key      object.Key
	writes   int32
	current  Batch // the batch that a new write joins; 0 for none
	previous []Batch
}

func (b *Barriers) copyFrom(src *Barriers) {
	b.last, b.inFlight = src.last, append(b.inFlight[:0], src.inFlight...)
	b.keys = append(b.keys[:0], src.keys...)
	for i := range b.keys {
		b.keys[i].previous = slices.Clone(src.keys[i].previous)
	}
}

func (b *Barriers) find(k object.Key) (int, bool) {
	return slices.BinarySearchFunc(b.keys, k, func(x barrier, k object.Key) int { return int(x.key) - int(k) })
}

// begin begins a write of k. The caller ends it by release.
func (b *Barriers) begin(k object.Key) Batch {
	i, known := b.find(k)
	if !known {
		b.keys = slices.Insert(b.keys, i, barrier{key: k})
	}
	x := &b.keys[i]
	if x.writes++; x.current == 0 {
		b.last++
		x.current = b.last
		b.inFlight = append(b.inFlight, inFlight{b.last, 0})
	}
	b.inFlight[b.batch(x.current)].writes++
	return x.current
}

func (b *Barriers) batch(n Batch) int {
	return slices.IndexFunc(b.inFlight, func(f inFlight) bool { return f.batch == n })
}

// release ends a write of k that belongs to a batch.
func (b *Barriers) release(k object.Key, n Batch) {
	i, _ := b.find(k)
	at := b.batch(n)
	if b.inFlight[at].writes--; b.inFlight[at].writes == 0 {
		b.inFlight = slices.Delete(b.inFlight, at, at+1)
		if b.keys[i].current == n {
			b.keys[i].current = 0
		}
	}
	if b.keys[i].writes--; b.keys[i].writes == 0 {
		b.keys = slices.Delete(b.keys, i, i+1)
	}
}

// seal appends the batches of k that a read which begins now has to wait for. Writes that
// begin later belong to another batch.
func (b *Barriers) seal(k object.Key, dst []Batch) []Batch {
	i, known := b.find(k)
	if !known {
		return dst
	}
	x := &b.keys[i]
	if x.current != 0 {
		x.previous = append(x.previous, x.current)
		x.current = 0
	}
	x.previous = slices.DeleteFunc(x.previous, func(n Batch) bool { return b.batch(n) < 0 })
	return append(dst, x.previous...)
}

// sealAll does what seal does, for all keys.
func (b *Barriers) sealAll(dst []Batch) []Batch {
	for i := range b.keys {
		dst = b.seal(b.keys[i].key, dst)
	}
	return dst
}

// answered reports whether no write of the batches is in flight.
func (b *Barriers) answered(batches []Batch) bool {
	return !slices.ContainsFunc(batches, func(n Batch) bool { return b.batch(n) >= 0 })
}

// InFlight is how many writes a key has in flight.
type InFlight struct {
	Key    object.Key
	Writes int
}

// InFlight appends the keys that have writes in flight, in the order of their numbers.
func (b *Barriers) InFlight(dst []InFlight) []InFlight {
	for i := range b.keys {
		dst = append(dst, InFlight{b.keys[i].key, int(b.keys[i].writes)})
	}
	return dst
}

// Hash adds the writes in flight. Of the batches' numbers only the order counts.
func (b *Barriers) Hash(h *actor.Hash) {
	h.Add(uint64(len(b.inFlight)) | uint64(len(b.keys))<<32)
	for _, f := range b.inFlight {
		h.Add(uint64(f.writes))
	}
	for i := range b.keys {
		x := &b.keys[i]
		h.Add(uint64(x.key) | uint64(x.writes)<<32)
		h.Add(uint64(b.batch(x.current) + 1))
		for _, n := range x.previous {
			if at := b.batch(n); at >= 0 {
				h.Add(uint64(at) | 1<<32)
			}
		}
	}
}
