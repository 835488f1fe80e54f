package fifo

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

const (
	// batchSize is how many deltas PopBatch takes at most.
	batchSize = 1000
	// keepLockFrom is the depth from which a RealFIFO keeps its lock while
	// deltas are processed, so that a reflector that is too fast has to wait.
	keepLockFrom = 2000
)

// RealOptions are what [RealFIFO] is made with. client-go allows two combinations:
// Atomic without [KnownObjects], or [KnownObjects] without Atomic, Unlock and
// EmitBookmark.
type RealOptions struct {
	KnownObjects KnownObjects
	Transform    TransformFunc
	Atomic       bool // Replace and Resync queue one delta for all (from v0.36)
	Unlock       bool // UnlockWhileProcessingFIFO: the lock is released while popped deltas are processed
	EmitBookmark bool // Bookmark queues a delta (from v0.36)
	// Repeats lets a batch have several deltas of one key, and go on after a delta
	// whose object has no key (from v0.38).
	Repeats bool
}

// RealFIFO is cache.RealFIFO: deltas in the order in which they came. It doesn't
// group them by key or deduplicate them, and it queues deletions of unknown keys,
// too.
type RealFIFO struct {
	common
	opts RealOptions

	items ring[Delta]
	lists ring[list] // what ReplacedAll and Bookmark deltas in items, or popped, carry
	first int32      // List of the first of lists

	popped, takenLists int // by the last Pop

	lastOf []int32 // during Replace, by queued key: the place of its last delta in items
	batch  marks
}

// list never changes once it is queued, so copies of a queue share it.
type list struct {
	refs []object.Ref
	rv   object.RV
}

var _ Queue = (*RealFIFO)(nil)

// NewRealFIFO returns an empty queue for objects of t,
// cache.NewRealFIFOWithOptions.
func NewRealFIFO(t *object.Table, opts RealOptions) *RealFIFO {
	return &RealFIFO{common: common{t: t}, opts: opts, first: 1}
}

// CopyFrom makes f equal to src. Afterwards they share only the Table, the lists,
// which never change, and the contents of [RealOptions].
func (f *RealFIFO) CopyFrom(src *RealFIFO) {
	items, lists, op, lastOf, batch := f.items, f.lists, f.op, f.lastOf, f.batch
	*f = *src
	items.copyFrom(&src.items)
	lists.copyFrom(&src.lists)
	op.copyFrom(&src.op)
	if src.op.phase != idle {
		lastOf = append(lastOf[:0], src.lastOf...)
	}
	f.items, f.lists, f.op, f.lastOf, f.batch = items, lists, op, lastOf, batch
}

// CopyTo makes dst, if it is a [RealFIFO], equal to f, or else a new one. The copy has known for its KnownObjects, unless f
// is Atomic.
func (f *RealFIFO) CopyTo(dst Queue, known KnownObjects) Queue {
	c, ok := dst.(*RealFIFO)
	if !ok {
		c = new(RealFIFO)
	}
	if c.CopyFrom(f); !f.opts.Atomic {
		c.opts.KnownObjects = known
	}
	return c
}

// Add queues Added, as RealFIFO.Add does.
func (f *RealFIFO) Add(it Item, log *event.Log) error { return f.change(event.Added, it, log) }

// Update queues Updated.
func (f *RealFIFO) Update(it Item, log *event.Log) error { return f.change(event.Updated, it, log) }

// Delete queues Deleted, even for an unknown key.
func (f *RealFIFO) Delete(it Item, log *event.Log) error { return f.change(event.Deleted, it, log) }

// change counts the queue as populated even if the delta is refused.
func (f *RealFIFO) change(typ event.Delta, it Item, log *event.Log) error {
	f.populate(log)
	return f.add(typ, it, f.opts.Transform, log)
}

// add follows RealFIFO.addToItems_locked: it makes the key before it transforms the object,
// and transforms no tombstone. A nil transform is skipTransform, as for Sync.
func (f *RealFIFO) add(typ event.Delta, it Item, transform TransformFunc, log *event.Log) error {
	it, err := it.resolve(f.t)
	if err != nil {
		return err
	}
	if transform != nil && it.Tomb == 0 {
		obj, err := transform(f.t, it.Obj)
		if err != nil {
			return TransformError{err}
		}
		// The transformed object may have lost its key. That is noticed only
		// when it is processed.
		it.Obj, it.Key = obj, f.t.KeyOf(obj)
	}
	f.append(Delta{Type: typ, Item: it}, log)
	return nil
}

func (f *RealFIFO) append(d Delta, log *event.Log) {
	f.items.push(d)
	f.counters.In++
	d.emit(event.Enqueued, f.items.n, log)
}

func (f *RealFIFO) newList(refs []object.Ref, rv object.RV) int32 {
	f.lists.push(list{refs, rv})
	return f.first + int32(f.lists.n) - 1
}

// Bookmark follows RealFIFO.Bookmark (v0.36): the delta tells the store what
// resourceVersion it has reached.
func (f *RealFIFO) Bookmark(rv object.RV, log *event.Log) bool {
	if f.opts.EmitBookmark {
		f.append(Delta{Type: event.Bookmark, List: f.newList(nil, rv)}, log)
	}
	return f.opts.EmitBookmark
}

// Pop removes one delta, as RealFIFO.Pop does.
func (f *RealFIFO) Pop(dst []Delta, log *event.Log) ([]Delta, bool) {
	return f.take(dst, 1, log)
}

// PopBatch follows RealFIFO.PopBatch (v0.35). It removes deltas from the front: at most
// a thousand, and none beyond the first list. A delta for a whole list is popped alone.
// Without Repeats, the keys of a batch differ.
func (f *RealFIFO) PopBatch(dst []Delta, log *event.Log) ([]Delta, bool) {
	limit := min(batchSize, f.items.n)
	if f.initialPopulationCount > 0 {
		limit = min(limit, f.initialPopulationCount)
	}
	f.batch.reset()
	n := 0
	for ; n < limit; n++ {
		d := f.items.at(n)
		if d.Type > event.Sync { // Bookmark, ReplacedAll, SyncAll
			n = max(n, 1)
			break
		}
		if f.opts.Repeats {
			continue
		}
		if d.Key == 0 {
			n++
			break
		}
		if !f.batch.add(d.Key) {
			break
		}
	}
	return f.take(dst, n, log)
}

// take decides on KeepsLock as whileProcessing_locked does (v0.36).
func (f *RealFIFO) take(dst []Delta, n int, log *event.Log) ([]Delta, bool) {
	if f.items.n == 0 {
		if !f.closed {
			log.Add(event.PopWaits)
		}
		return dst, false
	}
	f.head = Popped{IsInInitialList: !f.synced, Batch: n > 1}
	f.popped, f.takenLists = n, 0
	for range n {
		d := f.items.pop()
		if d.List != 0 {
			f.takenLists++
		}
		dst = append(dst, d)
		d.emit(event.Popped, 1, log)
	}
	f.counters.Popped += int64(n)
	f.head.KeepsLock = !f.opts.Unlock || f.items.n >= keepLockFrom
	return dst, true
}

// Processed counts the deltas of the last Pop as popped, even if processing failed: Pop
// and PopBatch defer that.
func (f *RealFIFO) Processed(log *event.Log) {
	for ; f.takenLists > 0; f.takenLists-- {
		f.lists.pop()
		f.first++
	}
	f.passInitial(f.popped, log)
	f.popped = 0
}

// AddIfNotPresent does nothing: since v0.33 there is none.
func (f *RealFIFO) AddIfNotPresent([]Delta, *event.Log) error { return nil }

// HasSynced reports true once the first list has been processed, and then for ever.
func (f *RealFIFO) HasSynced() bool { return f.synced }

// Depth returns the number of deltas.
func (f *RealFIFO) Depth() int { return f.items.n }

// Row returns the key of the i-th delta, or 0 if the delta is about a whole list.
func (f *RealFIFO) Row(i int) (object.Key, int) { return f.items.at(i).Key, 1 }

// RowDeltas appends the i-th delta.
func (f *RealFIFO) RowDeltas(i int, dst []Delta) []Delta { return append(dst, *f.items.at(i)) }

// Find returns the place of the first delta of k, counted from 0, or -1.
func (f *RealFIFO) Find(k object.Key) int {
	for i := range f.items.n {
		if f.items.at(i).Key == k {
			return i
		}
	}
	return -1
}

// List returns what a ReplacedAll or Bookmark delta carries.
func (f *RealFIFO) List(d Delta) ([]object.Ref, object.RV) {
	if d.List == 0 {
		return nil, 0
	}
	l := f.lists.at(int(d.List - f.first))
	return l.refs, l.rv
}

// Hash adds the queue's state to h.
func (f *RealFIFO) Hash(h *actor.Hash) {
	f.common.hash(h)
	h.Add(uint64(f.popped))
	h.Add(uint64(f.items.n))
	for i := range f.items.n {
		f.items.at(i).Hash(h)
	}
	h.Add(uint64(f.lists.n))
	for i := range f.lists.n {
		l := f.lists.at(i)
		h.Add(uint64(l.rv))
		actor.HashAll(h, l.refs)
	}
	f.op.hash(h)
}

// Mark adds the objects that the queue refers to, to live. Lists that were popped and not
// yet processed are among them.
func (f *RealFIFO) Mark(live *object.Live) {
	for i := range f.items.n {
		live.Key(f.items.at(i).Key)
		live.Ref(f.items.at(i).Obj)
	}
	for i := range f.lists.n {
		live.Refs(f.lists.at(i).refs)
	}
	f.op.mark(live)
}

// StepReplace queues one delta of RealFIFO.Replace, in the order of reconcileReplacement (v0.36;
// a part of Replace before). An Atomic queue queues the whole list as one delta. Any other first queues
// the deletions, in contrast to [DeltaFIFO], and then each object as Replaced.
func (f *RealFIFO) StepReplace(log *event.Log) (done bool, err error) {
	o := &f.op
	if o.phase == beginning {
		log.Emit(event.Event{Kind: event.ReplaceStarted, N: int64(len(o.list))})
		if f.opts.Atomic {
			err = f.replaceAll(log)
		} else {
			err = f.findDeletions()
		}
		if err != nil {
			o.end()
			return true, err
		}
	}
	if o.phase == deleting && o.next < len(o.keys) {
		f.deleteOne(o.keys[o.next], o.next < o.fromQueue, log)
		o.next++
		o.queued++
	} else if o.phase == listing && o.next < len(o.list) {
		if err := f.add(event.Replaced, Object(o.list[o.next]), f.opts.Transform, log); err != nil {
			o.end()
			return true, err
		}
		o.next++
		o.queued++
	}
	if o.phase == deleting && o.next == len(o.keys) {
		o.phase, o.next = listing, 0
	}
	if o.phase == deleting || o.next < len(o.list) {
		return false, nil
	}
	f.endReplace(f.items.n, log)
	return true, nil
}

// replaceAll follows addReplaceToItemsLocked (v0.36): it transforms all objects before it queues
// anything.
func (f *RealFIFO) replaceAll(log *event.Log) error {
	o := &f.op
	refs := slices.Clone(o.list)
	if f.opts.Transform != nil {
		for i, r := range refs {
			obj, err := f.opts.Transform(f.t, r)
			if err != nil {
				return TransformError{err}
			}
			refs[i] = obj
		}
	}
	f.append(Delta{Type: event.ReplacedAll, List: f.newList(refs, o.rv)}, log)
	o.phase, o.next, o.queued = listing, len(o.list), 1
	return nil
}

// findDeletions gathers the keys to delete as reconcileReplacement does. They are not in the
// list: first the queued keys whose last delta is no deletion, in the order in which they came,
// then the other known keys.
func (f *RealFIFO) findDeletions() error {
	o := &f.op
	o.phase, o.next = deleting, 0
	for _, r := range o.list {
		k := f.t.KeyOf(r)
		if k == 0 {
			return object.ErrNoKey
		}
		o.listed.add(k)
	}
	for i := range f.items.n {
		d := f.items.at(i)
		if d.Key == 0 {
			return object.ErrNoKey
		}
		f.lastOf = object.Grown(f.lastOf, d.Key)
		f.lastOf[d.Key] = int32(i)
	}
	for i := range f.items.n {
		k := f.items.at(i).Key
		if o.listed.add(k) && f.items.at(int(f.lastOf[k])).Type != event.Deleted {
			o.keys = append(o.keys, k)
		}
	}
	o.fromQueue = len(o.keys)
	if f.opts.KnownObjects != nil {
		o.addKnown(f.opts.KnownObjects, o.listed.has)
	}
	return nil
}

// deleteOne queues what reconcileReplacement gives to onDelete: a DeletedFinalStateUnknown with the
// object of the key's last delta, which may be a tombstone itself, or with the known one.
func (f *RealFIFO) deleteOne(k object.Key, queued bool, log *event.Log) {
	it := Item{Key: k, Tomb: 1}
	if queued {
		last := f.items.at(int(f.lastOf[k]))
		it.Obj, it.Tomb = last.Obj, min(last.Tomb, 254)+1
	} else {
		it.Obj, _ = f.opts.KnownObjects.GetByKey(k)
	}
	f.append(Delta{Type: event.Deleted, Item: it}, log)
}

// StepResync handles one known object of RealFIFO.Resync: a key with deltas gets no Sync. For an
// Atomic queue it follows addResyncToItemsLocked (v0.36): it queues one SyncAll, which takes the objects from the store
// when it is processed.
func (f *RealFIFO) StepResync(log *event.Log) (done bool, err error) {
	o := &f.op
	if f.opts.Atomic {
		f.append(Delta{Type: event.SyncAll}, log)
		o.end()
		return true, nil
	}
	for i := 0; o.phase == beginning && i < f.items.n; i++ {
		d := f.items.at(i)
		if d.Key == 0 {
			o.end()
			return true, object.ErrNoKey
		}
		o.listed.add(d.Key)
	}
	return o.resync(f.opts.KnownObjects, func(k object.Key, r object.Ref, known bool) error {
		if known && !o.listed.has(k) {
			return f.add(event.Sync, Object(r), nil, log)
		}
		log.Emit(event.Event{Kind: event.SyncSkipped, Key: k, New: r})
		return nil
	})
}
