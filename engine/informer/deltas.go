package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// batch is what the process loop has popped and works on.
type batch struct {
	deltas  []fifo.Delta
	pos     int
	head    fifo.Popped
	notes   []processor.Notification // the notifications that the last store write calls for
	noted   int                      // which of them is being distributed
	to      int                      // the next listener that gets it
	holding bool                     // listenersLock is held

	objects []object.Ref // scratch
	ops     []indexer.Op // scratch
	writes  []int32      // scratch: how many of ops there are up to the last one of a key, by the key
}

// begin begins a store write, which has no notifications yet.
func (h *batch) begin() { h.notes, h.noted, h.to = h.notes[:0], 0, 0 }

// next goes on to the next delta that was popped. It reports whether there is one.
func (h *batch) next() bool {
	h.begin()
	h.pos++
	return h.pos < len(h.deltas)
}

// release lets go of everything that was popped.
func (h *batch) release() {
	h.begin()
	h.deltas, h.pos, h.head, h.holding = h.deltas[:0], 0, fifo.Popped{}, false
}

// apply follows one round of processDeltas, before v0.24 of HandleDeltas: it applies the delta at
// work, which came from q, to the store, and makes the notifications.
func (h *batch) apply(cfg *Config, store *indexer.Indexer, q fifo.Queue, log *event.Log) error {
	d := h.deltas[h.pos]
	switch d.Type {
	case event.ReplacedAll:
		return h.applyReplacedAll(cfg, store, q, log)
	case event.SyncAll:
		h.objects = store.List(h.objects[:0])
		for _, r := range h.objects {
			h.update(cfg, r, r, event.Sync)
		}
		log.Emit(event.Event{Kind: event.StoreListed, N: int64(len(h.objects))})
		return nil
	case event.Bookmark:
		_, rv := q.List(d)
		store.Bookmark(rv)
		log.Emit(event.Event{Kind: event.StoreBookmarked, N: int64(rv)})
		return nil
	}
	if cfg.Profile.TransformsLate && cfg.Transform != nil && (d.Tomb == 0 || cfg.Profile.Queue.TransformsTombstones) {
		if d.Tomb == 0 {
			d.Obj = store.Read(d.Obj)
		}
		var err error
		if d.Item, err = d.Transformed(cfg.Table, cfg.Transform); err != nil {
			return err
		}
	}
	if d.Type == event.Deleted {
		k := cfg.storeKey(d)
		if err := store.Delete(k, cfg.Table.RVOf(d.Obj), d.Tomb == 0, log); err != nil {
			return err
		}
		h.deletion(cfg, d.Item)
		return nil
	}
	d.Obj = d.Stored(cfg.Table)
	k := cfg.Table.KeyOf(d.Obj)
	old, exists := store.GetByKey(k)
	if err := store.Update(d.Obj, log); err != nil {
		return err
	}
	h.upsert(cfg, k, old, exists, d)
	return nil
}

// applyBatch follows processDeltasInBatch (v0.35): it decides whether a delta is an add or
// an update before it writes the store, and has all of them in the store before
// the first notification. A delta without a key does not keep the others back. Where a
// key may come more than once, a delta's old object is what the delta before it has written
// (inBatch, v0.38).
func (h *batch) applyBatch(cfg *Config, store *indexer.Indexer, log *event.Log) error {
	h.ops = h.ops[:0]
	repeats := cfg.Profile.RealFIFO.Repeats
	if repeats && len(h.writes) < cfg.Table.Keys() {
		h.writes = make([]int32, cfg.Table.Keys())
	}
	for _, d := range h.deltas {
		k := cfg.storeKey(d)
		switch {
		case k == 0:
			log.Emit(event.Event{Kind: event.ProcessFailed, Delta: d.Type, New: d.Obj, Flags: d.Flags()})
		case d.Type == event.Deleted:
			op := indexer.Op{Delete: true, Key: k}
			if d.Tomb == 0 {
				op.Obj = d.Obj
			}
			h.ops = append(h.ops, op)
			h.deletion(cfg, d.Item)
		default:
			d.Obj = d.Stored(cfg.Table)
			old, exists := store.GetByKey(k)
			if repeats && h.writes[k] > 0 {
				before := &h.ops[h.writes[k]-1]
				old, exists = before.Obj, !before.Delete
			}
			h.ops = append(h.ops, indexer.Op{Key: k, Obj: d.Obj})
			h.upsert(cfg, k, old, exists, d)
		}
		if repeats && k != 0 {
			h.writes[k] = int32(len(h.ops))
		}
	}
	if repeats {
		h.ops = h.lastWrites()
	}
	return store.Transaction(h.ops, log)
}

// lastWrites returns the operations that threadSafeMap.Transaction of v0.38 carries out: the last
// one of each key.
func (h *batch) lastWrites() []indexer.Op {
	last := h.ops[:0]
	for i, op := range h.ops {
		if h.writes[op.Key] == int32(i+1) {
			h.writes[op.Key] = 0
			last = append(last, op)
		}
	}
	return last
}

// applyReplacedAll follows processReplacedAllInfo (v0.36): the store is replaced at once, and
// what has vanished is notified before what is in the list.
func (h *batch) applyReplacedAll(cfg *Config, store *indexer.Indexer, q fifo.Queue, log *event.Log) error {
	t := cfg.Table
	list, rv := q.List(h.deltas[h.pos])
	listed := make([]bool, t.Keys())
	for _, r := range list {
		k := t.KeyOf(r)
		if k == 0 {
			return object.ErrNoKey
		}
		listed[k] = true
	}
	h.objects = store.List(h.objects[:0])
	for _, r := range h.objects {
		if k := t.KeyOf(r); !listed[k] {
			h.deletion(cfg, fifo.Tombstone(k, r))
		}
	}
	for _, r := range list {
		k := t.KeyOf(r)
		old, exists := store.GetByKey(k)
		h.upsert(cfg, k, old, exists, fifo.Delta{Type: event.Replaced, Item: fifo.Object(r)})
	}
	return store.Replace(list, rv, log)
}

// note adds a notification to those that are to be distributed. It returns the
// notification, so that the caller sets its other fields where it stays.
func (h *batch) note(typ processor.Type, k object.Key, old, new object.Ref, cause event.Cause) *processor.Notification {
	h.notes = append(h.notes, processor.Notification{})
	n := &h.notes[len(h.notes)-1]
	n.Type, n.Key, n.Old, n.New, n.Cause = typ, k, old, new, cause
	return n
}

func (h *batch) upsert(cfg *Config, k object.Key, old object.Ref, exists bool, d fifo.Delta) {
	if exists {
		h.update(cfg, old, d.Obj, d.Type)
		return
	}
	n := h.note(processor.Add, k, 0, d.Obj, deltaCause(d.Type))
	if h.head.IsInInitialList && cfg.Profile.InitialList {
		n.Flags = event.IsInInitialList
	}
}

// update decides on IsSync as sharedIndexInformer.OnUpdate does, or before v0.24 HandleDeltas.
func (h *batch) update(cfg *Config, old, obj object.Ref, typ event.Delta) {
	n := h.note(processor.Update, cfg.Table.KeyOf(obj), old, obj, deltaCause(typ))
	sync := cfg.Table.RVOf(old) == cfg.Table.RVOf(obj)
	if !cfg.Profile.SyncByRV {
		sync = typ == event.Sync || typ == event.Replaced && sync
	}
	if sync {
		n.Flags = event.IsSync
	}
}

func (h *batch) deletion(cfg *Config, it fifo.Item) {
	n := h.note(processor.Delete, it.Key, it.Obj, 0, event.FromWatch)
	if it.Tomb > 0 { // only Replace makes them
		n.Flags, n.Cause = event.Tombstone, event.FromList
	}
	if it.Tomb > 1 { // a tombstone in a tombstone
		it.Tomb--
		n.Old = it.Stored(cfg.Table)
	}
}

// deltaCause returns where a delta comes from. The delta is no deletion.
func deltaCause(d event.Delta) event.Cause {
	switch d {
	case event.Replaced, event.ReplacedAll:
		return event.FromList
	case event.Sync, event.SyncAll:
		return event.FromResync
	}
	return event.FromWatch
}

func (h *batch) copyFrom(src *batch) {
	kept := *h
	*h = *src
	h.deltas = append(kept.deltas[:0], src.deltas...)
	h.notes = append(kept.notes[:0], src.notes...)
	h.objects, h.ops, h.writes = kept.objects, kept.ops, kept.writes
}

func (h *batch) mark(live *object.Live) {
	for i := range h.deltas {
		live.Key(h.deltas[i].Key)
		live.Ref(h.deltas[i].Obj)
	}
	for i := range h.notes {
		h.notes[i].Mark(live)
	}
}

func (h *batch) hash(sum *actor.Hash) {
	sum.Add(uint64(len(h.deltas)))
	for i := range h.deltas {
		h.deltas[i].Hash(sum)
	}
	sum.Add(uint64(h.pos)<<32 | uint64(h.noted))
	sum.Add(uint64(len(h.notes)))
	for i := range h.notes {
		h.notes[i].Hash(sum)
	}
	sum.Bools(h.holding, h.head.IsInInitialList, h.head.Batch, h.head.KeepsLock)
	sum.Add(uint64(h.to))
}
