// Package fifo holds the queues that stand between the reflector and the
// process loop: DeltaFIFO (client-go up to v0.32) and RealFIFO (from v0.33), each
// as pure data. The informer knows who waits, and who holds the lock while popped
// deltas are processed. A queue only says what client-go would do.
//
// A call takes effect at once and never waits. Replace and Resync queue one item a step
// (StepReplace, StepResync), since the world counts their time. Only Pop and Processed may be
// called in between, and the queue panics if a second Replace or Resync is begun. Each call adds the
// facts of what it did to the log. A queue is not safe for concurrent use. An error is
// [object.ErrNoKey], a [TransformError], or from AddIfNotPresent [ErrZeroLengthDeltas].
//
// DeltaFIFO follows tools/cache/delta_fifo.go of v0.22 to v0.32, and RealFIFO follows
// tools/cache/the_real_fifo.go of v0.33 to v0.38.0-beta.0. What differs between these is
// in [Options] and [RealOptions].
package fifo

import (
	"errors"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Item is what a delta is about: an object, or a DeletedFinalStateUnknown.
type Item struct {
	Key object.Key // worked out by the queue unless Tomb is set
	Obj object.Ref // may be 0 in a tombstone
	// Tomb is 0 for the object itself and 1 for DeletedFinalStateUnknown{Key,
	// Obj}. The classic queue can wrap a tombstone again on every relist: n is
	// a tombstone in n-1 others, all of the same key.
	Tomb uint8
}

// Object returns the [Item] of a plain object.
func Object(r object.Ref) Item { return Item{Obj: r} }

// Tombstone returns the [Item] of a DeletedFinalStateUnknown.
func Tombstone(k object.Key, r object.Ref) Item { return Item{Key: k, Obj: r, Tomb: 1} }

// Flags returns the event flags of the [Item].
func (i Item) Flags() event.Flags {
	if i.Tomb > 0 {
		return event.Tombstone
	}
	return 0
}

// resolve returns the item with its key filled in, as KeyOf of client-go's
// queues does.
func (i Item) resolve(t *object.Table) (Item, error) {
	if i.Tomb == 0 {
		i.Key = t.KeyOf(i.Obj)
	}
	obj, depth := unwrap(t, i.Obj)
	i.Obj, i.Tomb = obj, i.Tomb+depth
	if i.Key == 0 {
		return i, object.ErrNoKey
	}
	return i, nil
}

// unwrap takes the object out of tombstones that were stored as if they were objects, and counts them.
func unwrap(t *object.Table, r object.Ref) (obj object.Ref, depth uint8) {
	for t.IsTombstone(r) {
		r = t.InTombstone(r)
		depth++
	}
	return r, depth
}

// Transformed returns the item under its key as f returns it. A tombstone is given to f as the row that a store holds
// of it. The error is a [TransformError].
func (i Item) Transformed(t *object.Table, f TransformFunc) (Item, error) {
	given := i.Stored(t)
	got, err := f(t, given)
	if err != nil {
		return i, TransformError{err}
	}
	if got != given {
		i.Obj, i.Tomb = unwrap(t, got)
	}
	return i, nil
}

// Stored returns what a store holds once it was given the item: the object, or the
// tombstone itself, which client-go's stores take like any object.
func (i Item) Stored(t *object.Table) object.Ref {
	r := i.Obj
	for range i.Tomb {
		r = t.Tombstone(i.Key, r)
	}
	return r
}

// Delta is cache.Delta. Instead of an [Item], ReplacedAll and Bookmark have a List,
// for which [Queue.List] returns what they carry. SyncAll carries nothing.
type Delta struct {
	Type event.Delta
	Item
	List int32
}

// emit appends a fact of kind k about the delta to the log.
func (d *Delta) emit(k event.Kind, n int, log *event.Log) {
	e := log.Add(k)
	e.Delta, e.Flags, e.Key, e.New, e.N = d.Type, d.Flags(), d.Key, d.Obj, int64(n)
}

// TransformFunc is cache.TransformFunc: it returns the version to queue instead of
// r, which may be r itself, or an error. Up to v0.30, r may be a tombstone.
type TransformFunc func(t *object.Table, r object.Ref) (object.Ref, error)

// KnownObjects is what a queue asks about objects that have left it:
// cache.KeyListerGetter. The indexer is one.
type KnownObjects interface {
	// ListKeys appends the keys of all known objects in the order of
	// Table.CompareKeys.
	ListKeys(dst []object.Key) []object.Key
	GetByKey(k object.Key) (object.Ref, bool)
	// Read returns the row with the present content of obj: obj itself, unless
	// it was changed in place.
	Read(obj object.Ref) object.Ref
}

// Popped says how the deltas that Pop has just returned are to be processed.
type Popped struct {
	IsInInitialList bool // they belong to the first list (from v0.27)
	Batch           bool // PopBatch: more than one key, for processDeltasInBatch
	KeepsLock       bool // the queue's lock stays held while they are processed
}

// Counters count what went through a queue since it was made.
type Counters struct {
	In      int64 // deltas queued
	Deduped int64 // deltas lost to dedupDeltas
	Ignored int64 // deletions of unknown keys, which were not queued
	Popped  int64 // deltas popped
}

// Queue is cache.Queue as reflector and informer see it. Every operation emits
// what it did; a nil log is allowed. Operations other than Pop and Processed
// must not run while a Replace or a Resync is under way, since client-go holds
// the lock all through them.
type Queue interface {
	Add(it Item, log *event.Log) error
	Update(it Item, log *event.Log) error
	Delete(it Item, log *event.Log) error

	// Bookmark queues a Bookmark delta. It reports false where the queue takes
	// none.
	Bookmark(rv object.RV, log *event.Log) bool

	// BeginReplace starts Replace(list, rv). No Replace or Resync may be under
	// way, and the list must not change until it is done. StepReplace queues
	// one item, and reports done with the last. An error ends it as well; what
	// was queued before stays.
	BeginReplace(list []object.Ref, rv object.RV)
	StepReplace(log *event.Log) (done bool, err error)

	// BeginResync and StepResync do the same for Resync.
	BeginResync()
	StepResync(log *event.Log) (done bool, err error)

	// Pop removes the head and appends its deltas to dst. Head says how to
	// process them, and Processed must be called afterwards. ok is false if the
	// queue is empty: the caller then waits, or stops if the queue is Closed.
	Pop(dst []Delta, log *event.Log) (deltas []Delta, ok bool)
	// PopBatch pops up to a thousand keys, if the queue can do that.
	PopBatch(dst []Delta, log *event.Log) (deltas []Delta, ok bool)
	Head() Popped
	Processed(log *event.Log)

	// AddIfNotPresent puts popped deltas back, unless newer ones for their key
	// are queued.
	AddIfNotPresent(deltas []Delta, log *event.Log) error

	HasSynced() bool
	Close(log *event.Log)
	Closed() bool

	// Depth is the number of rows: keys, or deltas in a RealFIFO.
	Depth() int
	// Row returns row i counted from the head: its key and how many deltas it
	// has. RowDeltas appends those.
	Row(i int) (k object.Key, n int)
	RowDeltas(i int, dst []Delta) []Delta
	// Find returns the first row of k, or -1.
	Find(k object.Key) int
	// List returns what a ReplacedAll or Bookmark delta carries. It is valid
	// until Processed is called.
	List(d Delta) ([]object.Ref, object.RV)

	// Populated reports whether the first Replace has happened, or any other call that queues an object.
	Populated() bool
	// InitialPopulationCount is how much of the first Replace is still to be popped: keys, or deltas in a RealFIFO.
	InitialPopulationCount() int
	Counters() Counters

	// CopyTo makes dst, if it is of the same kind, equal to the queue, or else a new one, and returns it. Each then
	// changes on its own. Known is the copy of the known objects.
	CopyTo(dst Queue, known KnownObjects) Queue
	// Hash adds the queue's state.
	Hash(h *actor.Hash)
	// Mark adds the objects that the queue refers to.
	Mark(live *object.Live)
}

// common is what both queues have.
type common struct {
	t                      *object.Table
	populated              bool
	initialPopulationCount int
	synced                 bool // HasSynced was emitted
	closed                 bool
	head                   Popped
	counters               Counters
	op                     operation
}

// populate sets populated. Add, Update, Delete and AddIfNotPresent do that, even
// before the first Replace.
func (f *common) populate(log *event.Log) {
	f.populated = true
	f.checkSynced(log)
}

// checkSynced follows checkSynced_locked of RealFIFO (v0.36), which closes the synced channel once.
// HasSynced of the versions before comes to the same.
func (f *common) checkSynced(log *event.Log) {
	if !f.synced && f.populated && f.initialPopulationCount == 0 {
		f.synced = true
		log.Emit(event.Event{Kind: event.HasSynced})
	}
}

// passInitial counts n keys or deltas as popped, if some of the first list are still to be.
func (f *common) passInitial(n int, log *event.Log) {
	if f.initialPopulationCount > 0 {
		f.countInitial(f.initialPopulationCount-min(n, f.initialPopulationCount), log)
	}
}

func (f *common) countInitial(n int, log *event.Log) {
	f.initialPopulationCount = n
	log.Emit(event.Event{Kind: event.InitialPopulationCount, N: int64(n)})
	f.checkSynced(log)
}

// BeginReplace starts a Replace.
func (f *common) BeginReplace(list []object.Ref, rv object.RV) { f.op.begin(list, rv) }

// endReplace ends a Replace. If it was the first, n is the initialPopulationCount.
func (f *common) endReplace(n int, log *event.Log) {
	if !f.populated {
		f.populated = true
		f.countInitial(n, log)
	}
	log.Emit(event.Event{Kind: event.ReplaceEnded, N: int64(f.op.queued)})
	f.op.end()
}

// BeginResync starts a Resync.
func (f *common) BeginResync() { f.op.begin(nil, 0) }

// Head says how the deltas of the last Pop are to be processed.
func (f *common) Head() Popped { return f.head }

// Close makes Pop stop waiting. What is queued can still be popped, and
// queueing goes on working.
func (f *common) Close(log *event.Log) {
	f.closed = true
	log.Emit(event.Event{Kind: event.QueueClosed})
}

// Closed reports whether Close was called.
func (f *common) Closed() bool { return f.closed }

// Populated reports what [Queue] says.
func (f *common) Populated() bool { return f.populated }

// InitialPopulationCount returns what [Queue] says.
func (f *common) InitialPopulationCount() int { return f.initialPopulationCount }

// Counters returns how many deltas went through the queue.
func (f *common) Counters() Counters { return f.counters }

func (f *common) hash(h *actor.Hash) {
	h.Bools(f.populated, f.synced, f.closed, f.head.IsInInitialList, f.head.Batch, f.head.KeepsLock)
	h.Add(uint64(f.initialPopulationCount))
}

// TransformError says that the [TransformFunc] failed, so nothing was queued.
type TransformError struct{ Err error }

func (e TransformError) Error() string { return "transform failed: " + e.Err.Error() }

// Unwrap returns the [TransformFunc]'s error.
func (e TransformError) Unwrap() error { return e.Err }

// ErrZeroLengthDeltas is cache.ErrZeroLengthDeltas, in AddIfNotPresent.
var ErrZeroLengthDeltas = errors.New("0 length Deltas object; can't get key")

// Hash adds the delta. It leaves out List, which is only the position of a list.
func (d *Delta) Hash(h *actor.Hash) {
	h.Add(uint64(d.Type) | uint64(d.Tomb)<<8 | uint64(uint32(d.Key))<<32)
	h.Add(uint64(uint32(d.Obj)))
}

// operation is a Replace or Resync under way. It handles one item a step, so that
// the viewer sees each. The queue's lock is held from the first to the last.
type operation struct {
	phase     phase
	list      []object.Ref // Replace's argument
	rv        object.RV
	next      int          // index of the next item of list, or of keys
	keys      []object.Key // Replace: to be deleted; Resync: known
	fromQueue int          // the number of keys, from the first, that are deleted because they are queued; the others are deleted because they are known
	distinct  int          // distinct keys in list
	queued    int          // deltas queued so far
	listed    marks        // keys in list
}

type phase uint8

const (
	idle      phase = iota
	beginning       // nothing done yet
	listing         // queueing the list
	deleting        // queueing deletions
	syncing
)

// begin starts an operation, and uses the memory of the last one again.
func (o *operation) begin(list []object.Ref, rv object.RV) {
	if o.phase != idle {
		panic("fifo: Replace or Resync begun while one is under way")
	}
	seen := o.listed
	seen.reset()
	*o = operation{phase: beginning, list: list, rv: rv, keys: o.keys[:0], listed: seen}
}

func (o *operation) end() { o.phase, o.list = idle, nil }

// addKnown adds the keys of the known objects to those that are to be deleted. It leaves out those that stay.
func (o *operation) addKnown(known KnownObjects, stays func(object.Key) bool) {
	all := known.ListKeys(o.keys)
	o.keys = all[:o.fromQueue]
	for _, k := range all[o.fromQueue:] {
		if !stays(k) {
			o.keys = append(o.keys, k)
		}
	}
}

// resync calls sync for the next of the known objects, if there are any. An error ends the Resync.
func (o *operation) resync(objects KnownObjects, sync func(k object.Key, r object.Ref, known bool) error) (done bool, err error) {
	if o.phase == beginning {
		o.phase = syncing
		if objects != nil {
			o.keys = objects.ListKeys(o.keys)
		}
	}
	if o.next < len(o.keys) {
		k := o.keys[o.next]
		o.next++
		r, known := objects.GetByKey(k)
		err = sync(k, r, known)
	}
	if done = err != nil || o.next == len(o.keys); done {
		o.end()
	}
	return done, err
}

func (o *operation) copyFrom(src *operation) {
	keys, seen := o.keys, o.listed
	*o = *src
	o.keys = append(keys[:0], src.keys...)
	if src.phase != idle {
		seen.copyFrom(&src.listed)
	}
	o.listed = seen
}

// marks is a set of keys. Increasing gen empties it.
type marks struct {
	gen   uint32
	byKey []uint32
}

func (m *marks) reset() { m.gen++ }

func (m *marks) has(k object.Key) bool { return int(k) < len(m.byKey) && m.byKey[k] == m.gen }

// add adds k, and reports whether it was not in the set.
func (m *marks) add(k object.Key) bool {
	if m.has(k) {
		return false
	}
	m.byKey = object.Grown(m.byKey, k)
	m.byKey[k] = m.gen
	return true
}

func (m *marks) copyFrom(src *marks) {
	m.gen = src.gen
	m.byKey = append(m.byKey[:0], src.byKey...)
}

// hash adds the operation. It leaves out seen, which follows from the list.
func (o *operation) hash(h *actor.Hash) {
	h.Add(uint64(o.phase))
	if o.phase == idle {
		return
	}
	h.Add(uint64(o.rv))
	h.Add(uint64(o.next))
	h.Add(uint64(o.queued))
	actor.HashAll(h, o.list)
	actor.HashAll(h, o.keys)
}

func (o *operation) mark(live *object.Live) {
	live.Refs(o.list)
	for _, k := range o.keys {
		live.Key(k)
	}
}
