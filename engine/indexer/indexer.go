// Package indexer is the informer's local cache: client-go's ThreadSafeStore with
// its indices, as pure data. It has no lock, because only one actor moves at a
// time. It follows tools/cache/thread_safe_store.go, index.go and store.go of v0.22 to
// v0.38.0-beta.0. [Gates] has what differs between these.
//
// A method that writes adds the facts of what it did to its log, which may be nil.
// Its error is [object.ErrNoKey], and nothing has changed, or it is [Panicked].
// [Indexer.AddIndexers] has errors of its own: [ConflictError] and [ErrRunning].
package indexer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// IndexFunc is cache.IndexFunc: it appends the values under which r is to be
// filed to dst.
type IndexFunc func(t *object.Table, r object.Ref, dst []object.Sym) ([]object.Sym, error)

// Named is one entry of cache.Indexers.
type Named struct {
	Name string
	Func IndexFunc
}

// Gates are the differences between client-go's versions.
type Gates struct {
	// KeepUnchanged leaves an index as it is if old and new version each have
	// one value in it, and it is the same (from v0.23.0).
	KeepUnchanged bool
	// KeepSame does the same for objects with several values in an index, or none,
	// if they are the same in the same order (from v0.38).
	KeepSame bool
	// LosesKept is a mistake in the first form of KeepUnchanged. An object that
	// had one value in an index and gets others beside it is no longer found by
	// the first (v0.23.0 to v0.23.5).
	LosesKept bool
	// IndexLate lets AddIndexers index objects that are stored already (from
	// v0.30).
	IndexLate bool
	// TrackRV keeps the resourceVersion that the store has seen (from v0.35).
	TrackRV bool
}

// Indexer is cache.Indexer on top of a threadSafeMap. It keeps objects by
// reference: a caller that gets an object holds the same object as the cache.
type Indexer struct {
	t       *object.Table
	gates   Gates
	items   []object.Ref // by key
	n       int
	indices []index // in the order of their names
	rv      object.RV
	hasRV   bool // rv was set
	changed []mutation

	old, new []object.Sym // scratch
	cuts     []cut        // scratch
}

// mutation is an object that somebody changed in place.
type mutation struct{ obj, reads object.Ref }

// New returns an empty store for objects of t, cache.NewIndexer.
func New(t *object.Table, gates Gates, indexers ...Named) (*Indexer, error) {
	x := &Indexer{t: t, gates: gates}
	return x, x.AddIndexers(indexers, nil)
}

// CopyFrom makes x equal to src. They share the Table and the IndexFuncs.
func (x *Indexer) CopyFrom(src *Indexer) {
	x.t, x.gates, x.n, x.rv, x.hasRV = src.t, src.gates, src.n, src.rv, src.hasRV
	x.items = append(x.items[:0], src.items...)
	x.changed = append(x.changed[:0], src.changed...)
	x.indices = object.Resized(x.indices, len(src.indices))
	for i := range x.indices {
		x.indices[i].copyFrom(&src.indices[i])
	}
}

// Panicked stands for the panic of client-go when an [IndexFunc] fails: "unable
// to calculate an index entry". The items have been written by then, and the
// indices only in part.
type Panicked struct {
	Index string
	Key   object.Key
	Err   error
}

func (p Panicked) Error() string {
	return "unable to calculate an index entry on index " + p.Index + ": " + p.Err.Error()
}

// Unwrap returns the [IndexFunc]'s error.
func (p Panicked) Unwrap() error { return p.Err }

// Add stores r under its key, whether or not something is there: Add and Update
// are the same in client-go.
func (x *Indexer) Add(r object.Ref, log *event.Log) error { return x.Update(r, log) }

// Update does what [Indexer.Add] does. A tombstone, which a Table can make a row of, is stored like
// any object, but has no resourceVersion.
func (x *Indexer) Update(r object.Ref, log *event.Log) error {
	k := x.t.KeyOf(r)
	if k == 0 {
		return object.ErrNoKey
	}
	if err := x.put(k, r, log); err != nil {
		return err
	}
	if !x.t.IsTombstone(r) {
		x.setRV(x.t.RVOf(r))
	}
	return nil
}

// Delete removes the object of key k; an absent key is no error. rv is the
// resourceVersion of the object that the caller was given, and hasRV is false
// if that was a tombstone, which has none.
func (x *Indexer) Delete(k object.Key, rv object.RV, hasRV bool, log *event.Log) error {
	if k == 0 {
		return object.ErrNoKey
	}
	if err := x.remove(k, log); err != nil {
		return err
	}
	if hasRV {
		x.setRV(rv)
	}
	return nil
}

// Replace follows cache.Replace and threadSafeMap.Replace: it makes the store hold the objects of list and no others. Of two objects
// with the same key, the last one stays. If an object has no key, nothing changes.
func (x *Indexer) Replace(list []object.Ref, rv object.RV, log *event.Log) error {
	for _, r := range list {
		if x.t.KeyOf(r) == 0 {
			return object.ErrNoKey
		}
	}
	clear(x.items)
	x.n = 0
	for i := range x.indices {
		x.indices[i].clear()
	}
	for _, r := range list {
		k := x.t.KeyOf(r)
		if x.grow(k); x.items[k] == 0 {
			x.n++
		}
		x.items[k] = r
	}
	x.setRV(rv)
	log.Emit(event.Event{Kind: event.StoreReplaced, N: int64(x.n)})
	for _, r := range list {
		if k := x.t.KeyOf(r); x.items[k] == r {
			if err := x.reindex(k, 0, r, log); err != nil {
				return err
			}
		}
	}
	return nil
}

// Op is one operation of a Transaction.
type Op struct {
	Delete bool       // of Key; otherwise Obj is stored
	Key    object.Key // Obj's
	Obj    object.Ref // for Delete: what gives the resourceVersion, 0 for a tombstone
}

// Transaction follows threadSafeMap.Transaction (v0.35): it does all of ops under one
// write lock, so that no reader sees the store between them. The caller must have removed objects
// without a key.
func (x *Indexer) Transaction(ops []Op, log *event.Log) error {
	var last object.Ref
	for _, op := range ops {
		var err error
		if op.Delete {
			err = x.remove(op.Key, log)
		} else {
			err = x.put(op.Key, op.Obj, log)
		}
		if err != nil {
			return err
		}
		last = op.Obj
	}
	if last != 0 && !x.t.IsTombstone(last) {
		x.setRV(x.t.RVOf(last))
	}
	return nil
}

// Bookmark notes that the store has seen everything up to rv.
func (x *Indexer) Bookmark(rv object.RV) { x.setRV(rv) }

// LastStoreSyncResourceVersion returns the newest resourceVersion that reached the
// store, 0 without TrackRV.
func (x *Indexer) LastStoreSyncResourceVersion() object.RV { return x.rv }

// HasRV reports whether the store has been told a resourceVersion, which may be an empty one.
func (x *Indexer) HasRV() bool { return x.hasRV }

func (x *Indexer) setRV(rv object.RV) {
	if x.gates.TrackRV {
		x.rv, x.hasRV = rv, true
	}
}

func (x *Indexer) grow(k object.Key) {
	if int(k) >= len(x.items) {
		x.items = append(x.items, make([]object.Ref, int(k)+1-len(x.items))...)
	}
}

// put writes the item before the indices, as threadSafeMap.Update does. If an IndexFunc
// fails, the object is stored, but the index doesn't find it.
func (x *Indexer) put(k object.Key, r object.Ref, log *event.Log) error {
	x.grow(k)
	old := x.items[k]
	x.items[k] = r
	kind := event.StoreUpdated
	if old == 0 {
		x.n++
		kind = event.StoreAdded
	}
	e := log.Add(kind)
	e.Key, e.Old, e.New = k, old, r
	return x.reindex(k, old, r, log)
}

// remove follows threadSafeMap.Delete: the indices first, then the item.
func (x *Indexer) remove(k object.Key, log *event.Log) error {
	old, ok := x.GetByKey(k)
	if !ok {
		log.Emit(event.Event{Kind: event.StoreDeleted, Key: k})
		return nil
	}
	// An IndexFunc that fails here leaves the item in the store.
	if err := x.reindex(k, old, 0, log); err != nil {
		return err
	}
	x.items[k] = 0
	x.n--
	log.Emit(event.Event{Kind: event.StoreDeleted, Key: k, Old: old})
	return nil
}

// Len returns the number of objects.
func (x *Indexer) Len() int { return x.n }

// GetByKey returns the object stored under k.
func (x *Indexer) GetByKey(k object.Key) (object.Ref, bool) {
	if int(k) >= len(x.items) || x.items[k] == 0 {
		return 0, false
	}
	return x.items[k], true
}

// ListKeys appends all keys in the order of Table.CompareKeys. client-go's
// order is random.
func (x *Indexer) ListKeys(dst []object.Key) []object.Key {
	for _, k := range x.t.KeyOrder() {
		if int(k) < len(x.items) && x.items[k] != 0 {
			dst = append(dst, k)
		}
	}
	return dst
}

// List appends all objects in the order of their keys.
func (x *Indexer) List(dst []object.Ref) []object.Ref {
	for _, k := range x.t.KeyOrder() {
		if int(k) < len(x.items) && x.items[k] != 0 {
			dst = append(dst, x.items[k])
		}
	}
	return dst
}

// Mutate changes a cached object in place, which is forbidden and happens: obj
// stays the same object, and from now on has the content of reads. The indices
// don't change. Rows of a Table can't change, so the store keeps a list of such
// objects.
func (x *Indexer) Mutate(obj, reads object.Ref) {
	for i := range x.changed {
		if x.changed[i].obj == obj {
			x.changed[i].reads = reads
			return
		}
	}
	x.changed = append(x.changed, mutation{obj, reads})
}

// Read returns the row with the present content of obj: obj itself, unless it was
// mutated.
func (x *Indexer) Read(obj object.Ref) object.Ref {
	for _, m := range x.changed {
		if m.obj == obj {
			return m.reads
		}
	}
	return obj
}

// Hash adds the store's state to h. It leaves out the indices, because they follow from
// what was written unless objects were changed in place.
func (x *Indexer) Hash(h *actor.Hash) {
	last := len(x.items)
	for last > 0 && x.items[last-1] == 0 {
		last--
	}
	actor.HashAll(h, x.items[:last])
	h.Add(uint64(x.rv))
	for _, m := range x.changed {
		h.Add(uint64(m.obj)<<32 | uint64(m.reads))
	}
}

// Mark adds the objects that the store holds to live. It reports false, and the
// Table must forget nothing, if there are indices: their values, and the strings
// that IndexFuncs look for, may belong to no object.
func (x *Indexer) Mark(live *object.Live) bool {
	live.Refs(x.items)
	for _, m := range x.changed {
		live.Ref(m.obj)
		live.Ref(m.reads)
	}
	return len(x.indices) == 0
}
