package fifo

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Options are what [DeltaFIFO] is made with, and the gates in which client-go's
// versions differ.
type Options struct {
	// KnownObjects may be nil.
	KnownObjects KnownObjects
	// EmitDeltaTypeReplaced makes Replace queue Replaced and not Sync. Shared
	// informers set it.
	EmitDeltaTypeReplaced bool
	// DeletesQueued makes Replace delete keys that only the queue knows (from
	// v0.24.13, v0.25.9, v0.26.4, v0.27). Without it, such a key stays as a
	// ghost.
	DeletesQueued bool
	// Transform runs on what is queued (from the same versions), nil for none.
	Transform TransformFunc
	// TransformsSync lets Resync transform objects from KnownObjects a second
	// time (up to v0.30).
	TransformsSync bool
	// TransformsTombstones gives the Transform a DeletedFinalStateUnknown, too (up to v0.30).
	TransformsTombstones bool
}

// DeltaFIFO is cache.DeltaFIFO: the Deltas of each key that have not been popped,
// and the keys in the order in which they came.
type DeltaFIFO struct {
	common
	opts Options

	queue   ring[object.Key]
	items   rows
	nextSeq int64 // seq of the next key to be queued
}

var _ Queue = (*DeltaFIFO)(nil)

// NewDeltaFIFO returns an empty queue for objects of t,
// cache.NewDeltaFIFOWithOptions.
func NewDeltaFIFO(t *object.Table, opts Options) *DeltaFIFO {
	return &DeltaFIFO{common: common{t: t}, opts: opts}
}

// ForgetKnownObjects makes f a queue without KnownObjects.
func (f *DeltaFIFO) ForgetKnownObjects() { f.opts.KnownObjects = nil }

// CopyFrom makes f equal to src. Afterwards they share only the Table, the lists
// being replaced and the contents of [Options].
func (f *DeltaFIFO) CopyFrom(src *DeltaFIFO) {
	queue, items, op := f.queue, f.items, f.op
	*f = *src
	queue.copyFrom(&src.queue)
	items.copyFrom(&src.items)
	op.copyFrom(&src.op)
	f.queue, f.items, f.op = queue, items, op
}

// CopyTo makes dst, if it is a [DeltaFIFO], equal to f, or else a new one. The copy has known for its KnownObjects, unless f
// has none.
func (f *DeltaFIFO) CopyTo(dst Queue, known KnownObjects) Queue {
	c, ok := dst.(*DeltaFIFO)
	if !ok {
		c = new(DeltaFIFO)
	}
	if c.CopyFrom(f); f.opts.KnownObjects != nil {
		c.opts.KnownObjects = known
	}
	return c
}

// Add queues Added.
func (f *DeltaFIFO) Add(it Item, log *event.Log) error {
	f.populate(log)
	return f.queueAction(event.Added, it, true, log)
}

// Update queues Updated.
func (f *DeltaFIFO) Update(it Item, log *event.Log) error {
	f.populate(log)
	return f.queueAction(event.Updated, it, true, log)
}

// Delete follows DeltaFIFO.Delete: it queues Deleted, unless neither the queue nor [KnownObjects] know the key.
// Without [KnownObjects], the deletion of an object that has been popped is lost.
func (f *DeltaFIFO) Delete(it Item, log *event.Log) error {
	it, err := it.resolve(f.t)
	if err != nil {
		return err
	}
	f.populate(log)
	if f.items.rowOf(it.Key).n == 0 {
		known := false
		if f.opts.KnownObjects != nil {
			_, known = f.opts.KnownObjects.GetByKey(it.Key)
		}
		if !known {
			f.counters.Ignored++
			log.Emit(event.Event{Kind: event.DeleteIgnored, Key: it.Key, New: it.Obj, Flags: it.Flags()})
			return nil
		}
	}
	return f.queueAction(event.Deleted, it, true, log)
}

// Bookmark does nothing: [DeltaFIFO] has no such delta.
func (f *DeltaFIFO) Bookmark(object.RV, *event.Log) bool { return false }

// queueAction follows DeltaFIFO.queueActionLocked, or queueActionInternalLocked (v0.31): it
// appends a delta to the key's Deltas, and the key to queue unless it is there. transform is
// false for syncKeyLocked, whose object has been transformed already.
func (f *DeltaFIFO) queueAction(typ event.Delta, it Item, transform bool, log *event.Log) error {
	it, err := it.resolve(f.t)
	if err != nil {
		return err
	}
	if f.opts.Transform != nil && (transform || f.opts.TransformsSync) && (it.Tomb == 0 || f.opts.TransformsTombstones) {
		if !transform && it.Tomb == 0 {
			it.Obj = f.opts.KnownObjects.Read(it.Obj)
		}
		if it, err = it.Transformed(f.t, f.opts.Transform); err != nil {
			return err
		}
	}
	f.append(Delta{Type: typ, Item: it}, log)
	return nil
}

// append includes dedupDeltas and isDeletionDup: of two adjacent Deleted at the tail it keeps the
// older one, unless that is a tombstone, which knows less.
func (f *DeltaFIFO) append(d Delta, log *event.Log) {
	f.counters.In++
	if f.items.rowOf(d.Key).n == 0 {
		f.queue.push(d.Key)
		f.items.append(d).seq = f.nextSeq
		f.nextSeq++
		d.emit(event.Enqueued, f.queue.n, log)
		return
	}
	if older := f.items.newest(d.Key); d.Type == event.Deleted && older.Type == event.Deleted {
		winner, loser := *older, d
		if older.Tomb > 0 {
			winner, loser = d, *older
			*older = d
		}
		f.counters.Deduped++
		log.Emit(event.Event{Kind: event.DeltasDeduplicated, Delta: event.Deleted, Key: d.Key, Old: loser.Obj, New: winner.Obj, Flags: winner.Flags(), N: int64(f.items.rowOf(d.Key).n)})
		return
	}
	r := f.items.append(d)
	d.emit(event.DeltaAppended, int(r.n), log)
}

// Pop follows DeltaFIFO.Pop: it removes the Deltas of the key that has waited longest.
// Its lock is held until they have been processed.
func (f *DeltaFIFO) Pop(dst []Delta, log *event.Log) ([]Delta, bool) {
	if f.queue.n == 0 {
		if !f.closed {
			log.Add(event.PopWaits)
		}
		return dst, false
	}
	f.head = Popped{IsInInitialList: !f.HasSynced(), KeepsLock: true}
	k := f.queue.pop()
	before := len(dst)
	dst = f.items.take(k, dst)
	f.counters.Popped += int64(len(dst) - before)
	e := log.Add(event.Popped)
	e.Key, e.N = k, int64(len(dst)-before)
	// Before they are processed: HasSynced may be true while the last of the
	// first list is still on its way to the cache.
	f.passInitial(1, log)
	return dst, true
}

// PopBatch does what [DeltaFIFO.Pop] does: [DeltaFIFO] batches by key alone.
func (f *DeltaFIFO) PopBatch(dst []Delta, log *event.Log) ([]Delta, bool) { return f.Pop(dst, log) }

// Processed does nothing here; see [DeltaFIFO.Pop].
func (f *DeltaFIFO) Processed(*event.Log) {}

// AddIfNotPresent follows DeltaFIFO.addIfNotPresent: it puts Deltas whose processing failed
// (ErrRequeue, RetryOnError) back at the tail, unless newer ones for the key are queued.
func (f *DeltaFIFO) AddIfNotPresent(deltas []Delta, log *event.Log) error {
	if len(deltas) == 0 {
		return ErrZeroLengthDeltas
	}
	newest, err := deltas[len(deltas)-1].resolve(f.t)
	if err != nil {
		return err
	}
	f.populate(log)
	k := newest.Key
	if f.items.rowOf(k).n > 0 {
		log.Emit(event.Event{Kind: event.RequeueSkipped, Key: k})
		return nil
	}
	f.queue.push(k)
	for _, d := range deltas {
		d.Key = k
		f.items.append(d)
	}
	f.items.byKey[k].seq = f.nextSeq
	f.nextSeq++
	f.counters.In += int64(len(deltas))
	log.Emit(event.Event{Kind: event.Requeued, Key: k, N: int64(len(deltas))})
	return nil
}

// HasSynced follows DeltaFIFO.HasSynced. It reports whether the first list has been popped, or
// something was queued before it.
func (f *DeltaFIFO) HasSynced() bool { return f.populated && f.initialPopulationCount == 0 }

// Depth returns the number of keys in queue.
func (f *DeltaFIFO) Depth() int { return f.queue.n }

// Row returns the i-th key of queue and the length of its Deltas.
func (f *DeltaFIFO) Row(i int) (object.Key, int) {
	k := *f.queue.at(i)
	return k, int(f.items.rowOf(k).n)
}

// RowDeltas appends the Deltas of the i-th key.
func (f *DeltaFIFO) RowDeltas(i int, dst []Delta) []Delta { return f.items.list(*f.queue.at(i), dst) }

// Find returns the place of k in queue, counted from 0, or -1.
func (f *DeltaFIFO) Find(k object.Key) int {
	r := f.items.rowOf(k)
	if r.n == 0 {
		return -1
	}
	return f.queue.n - int(f.nextSeq-r.seq)
}

// List returns nothing: no delta of a [DeltaFIFO] carries a list.
func (f *DeltaFIFO) List(Delta) ([]object.Ref, object.RV) { return nil, 0 }

// Hash adds the queue's state to h.
func (f *DeltaFIFO) Hash(h *actor.Hash) {
	f.common.hash(h)
	h.Add(uint64(f.queue.n))
	for i := range f.queue.n {
		r := f.items.rowOf(*f.queue.at(i))
		h.Add(uint64(r.n))
		for n, at := int32(0), r.head; n < r.n; n++ {
			f.items.nodes[at].Delta.Hash(h)
			at = f.items.nodes[at].next
		}
	}
	f.op.hash(h)
}

// Mark adds the objects that the queue refers to, to live.
func (f *DeltaFIFO) Mark(live *object.Live) {
	f.items.mark(live)
	f.op.mark(live)
}

// StepReplace queues one item of DeltaFIFO.Replace: each object of the list as Replaced (or Sync), in order, then a
// tombstone for each key that is known and not in the list. After the last one it sets
// initialPopulationCount, if this is the first list.
func (f *DeltaFIFO) StepReplace(log *event.Log) (done bool, err error) {
	o := &f.op
	if o.phase == beginning {
		log.Emit(event.Event{Kind: event.ReplaceStarted, N: int64(len(o.list))})
		o.phase = listing
		if len(o.list) == 0 {
			f.findDeletions()
		}
	}
	if o.phase == listing {
		if err := f.replaceOne(o.list[o.next], log); err != nil {
			o.end()
			return true, err
		}
		if o.next++; o.next == len(o.list) {
			f.findDeletions()
		}
	} else if o.next < len(o.keys) {
		if err := f.deleteOne(o.keys[o.next], o.next < o.fromQueue, log); err != nil {
			o.end()
			return true, err
		}
		o.next++
	}
	if o.phase != deleting || o.next < len(o.keys) {
		return false, nil
	}
	f.endReplace(o.distinct+len(o.keys), log)
	return true, nil
}

// replaceOne follows the first loop of DeltaFIFO.Replace.
func (f *DeltaFIFO) replaceOne(r object.Ref, log *event.Log) error {
	typ := event.Sync
	if f.opts.EmitDeltaTypeReplaced {
		typ = event.Replaced
	}
	if k := f.t.KeyOf(r); k != 0 && f.op.listed.add(k) {
		f.op.distinct++
	}
	if err := f.queueAction(typ, Object(r), true, log); err != nil {
		return err
	}
	f.op.queued++
	return nil
}

// findDeletions gathers the keys over which DeltaFIFO.Replace then loops: those that are not
// in the list. Keys that only the queue knows count with DeletesQueued, or without
// KnownObjects. The order of f.items is random in client-go.
func (f *DeltaFIFO) findDeletions() {
	o := &f.op
	o.phase, o.next = deleting, 0
	known := f.opts.KnownObjects
	if f.opts.DeletesQueued || known == nil {
		for i := range f.queue.n {
			if k := *f.queue.at(i); !o.listed.has(k) {
				o.keys = append(o.keys, k)
			}
		}
		slices.SortFunc(o.keys, f.t.CompareKeys)
	}
	o.fromQueue = len(o.keys)
	if known == nil {
		return
	}
	o.addKnown(known, func(k object.Key) bool {
		return o.listed.has(k) || f.opts.DeletesQueued && f.items.rowOf(k).n > 0
	})
}

// deleteOne follows the body of these loops of DeltaFIFO.Replace: it queues a
// DeletedFinalStateUnknown.
func (f *DeltaFIFO) deleteOne(k object.Key, queued bool, log *event.Log) error {
	it := Item{Key: k, Tomb: 1}
	if queued {
		newest := f.items.newest(k)
		it.Obj = newest.Obj
		if !f.opts.DeletesQueued {
			// v0.22 puts the newest item into the new tombstone, even if that item is a tombstone.
			it.Tomb = min(newest.Tomb, 254) + 1
		} else if newest.Tomb > 1 {
			it.Tomb = newest.Tomb
		}
	} else {
		it.Obj, _ = f.opts.KnownObjects.GetByKey(k)
	}
	if f.opts.Transform != nil && f.opts.TransformsTombstones {
		var err error
		if it, err = it.Transformed(f.t, f.opts.Transform); err != nil {
			return err
		}
	}
	f.append(Delta{Type: event.Deleted, Item: it}, log)
	f.op.queued++
	return nil
}

// StepResync follows DeltaFIFO.syncKeyLocked for one known object: Sync is queued, unless the key has deltas. A Sync behind
// those would bring back an older version.
func (f *DeltaFIFO) StepResync(log *event.Log) (done bool, err error) {
	return f.op.resync(f.opts.KnownObjects, func(k object.Key, r object.Ref, known bool) error {
		if known && f.items.rowOf(k).n == 0 {
			return f.queueAction(event.Sync, Object(r), false, log)
		}
		log.Emit(event.Event{Kind: event.SyncSkipped, Key: k, New: r})
		return nil
	})
}
