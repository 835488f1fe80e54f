package fifo

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

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
	seen      marks        // keys in list
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
	seen := o.seen
	seen.reset()
	*o = operation{phase: beginning, list: list, rv: rv, keys: o.keys[:0], seen: seen}
}

func (o *operation) end() { o.phase, o.list = idle, nil }

func (o *operation) copyFrom(src *operation) {
	keys, seen := o.keys, o.seen
	*o = *src
	o.keys = append(keys[:0], src.keys...)
	if src.phase != idle {
		seen.copyFrom(&src.seen)
	}
	o.seen = seen
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
	if int(k) >= len(m.byKey) {
		m.byKey = append(m.byKey, make([]uint32, int(k)+1-len(m.byKey))...)
	}
	m.byKey[k] = m.gen
	return true
}

func (m *marks) copyFrom(src *marks) {
	m.gen = src.gen
	m.byKey = append(m.byKey[:0], src.byKey...)
}

// BeginReplace starts Replace: each object of list is queued as Replaced (or
// Sync), in order, then a tombstone for each key that is known and not in list.
func (f *DeltaFIFO) BeginReplace(list []object.Ref, rv object.RV) { f.op.begin(list, rv) }

// StepReplace queues one item of the Replace that BeginReplace started.
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
		f.deleteOne(o.keys[o.next], o.next < o.fromQueue, log)
		o.next++
	}
	if o.phase != deleting || o.next < len(o.keys) {
		return false, nil
	}
	if !f.populated {
		f.populated = true
		f.initialPopulationCount = o.distinct + len(o.keys)
		log.Emit(event.Event{Kind: event.InitialPopulationCount, N: int64(f.initialPopulationCount)})
		f.checkSynced(log)
	}
	log.Emit(event.Event{Kind: event.ReplaceEnded, N: int64(o.queued)})
	o.end()
	return true, nil
}

func (f *DeltaFIFO) replaceOne(r object.Ref, log *event.Log) error {
	typ := event.Sync
	if f.opts.EmitDeltaTypeReplaced {
		typ = event.Replaced
	}
	if k := f.t.KeyOf(r); k != 0 && f.op.seen.add(k) {
		f.op.distinct++
	}
	if err := f.queueAction(typ, Object(r), true, log); err != nil {
		return err
	}
	f.op.queued++
	return nil
}

// findDeletions gathers the keys that are not in the list. Keys that only the
// queue knows count with DeletesQueued, or without KnownObjects.
func (f *DeltaFIFO) findDeletions() {
	o := &f.op
	o.phase, o.next = deleting, 0
	known := f.opts.KnownObjects
	if f.opts.DeletesQueued || known == nil {
		for i := range f.queue.n {
			if k := *f.queue.at(i); !o.seen.has(k) {
				o.keys = append(o.keys, k)
			}
		}
		slices.SortFunc(o.keys, f.t.CompareKeys)
	}
	o.fromQueue = len(o.keys)
	if known == nil {
		return
	}
	all := known.ListKeys(o.keys)
	o.keys = all[:o.fromQueue]
	for _, k := range all[o.fromQueue:] {
		if o.seen.has(k) || f.opts.DeletesQueued && f.items.of(k).n > 0 {
			continue
		}
		o.keys = append(o.keys, k)
	}
}

func (f *DeltaFIFO) deleteOne(k object.Key, queued bool, log *event.Log) {
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
	f.append(Delta{Type: event.Deleted, Item: it}, log)
	f.op.queued++
}

// BeginResync starts Resync: Sync is queued for each known object, unless its key
// has deltas. A Sync behind those would bring back an older version.
func (f *DeltaFIFO) BeginResync() { f.op.begin(nil, 0) }

// StepResync handles one known object.
func (f *DeltaFIFO) StepResync(log *event.Log) (done bool, err error) {
	o := &f.op
	if o.phase == beginning {
		o.phase = syncing
		if f.opts.KnownObjects != nil {
			o.keys = f.opts.KnownObjects.ListKeys(o.keys)
		}
	}
	if o.next < len(o.keys) {
		k := o.keys[o.next]
		o.next++
		r, known := f.opts.KnownObjects.GetByKey(k)
		if !known || f.items.of(k).n > 0 {
			log.Emit(event.Event{Kind: event.SyncSkipped, Key: k, New: r})
		} else if err := f.queueAction(event.Sync, Object(r), false, log); err != nil {
			o.end()
			return true, err
		}
	}
	if o.next < len(o.keys) {
		return false, nil
	}
	o.end()
	return true, nil
}
