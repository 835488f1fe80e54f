package fifo

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// BeginReplace starts Replace. An Atomic queue queues the whole list as one delta.
// Any other first queues the deletions, in contrast to DeltaFIFO, and then each
// object as Replaced.
func (f *RealFIFO) BeginReplace(list []object.Ref, rv object.RV) { f.op.begin(list, rv) }

// StepReplace queues one delta of the Replace that BeginReplace started.
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
	if !f.populated {
		f.populated = true
		f.initialPopulationCount = f.items.n
		log.Emit(event.Event{Kind: event.InitialPopulationCount, N: int64(f.initialPopulationCount)})
		f.checkSynced(log)
	}
	log.Emit(event.Event{Kind: event.ReplaceEnded, N: int64(o.queued)})
	o.end()
	return true, nil
}

func (f *RealFIFO) replaceAll(log *event.Log) error {
	o := &f.op
	refs := slices.Clone(o.list)
	if f.opts.Transform != nil {
		for i, r := range refs {
			obj, err := f.opts.Transform(f.t, r)
			if err != nil {
				return TransformError{Object(r), err}
			}
			refs[i] = obj
		}
	}
	f.append(Delta{Type: event.ReplacedAll, List: f.newList(refs, o.rv)}, log)
	o.phase, o.next, o.queued = listing, len(o.list), 1
	return nil
}

// findDeletions gathers the keys to delete, which are not in the list: first the
// queued keys whose last delta is no deletion, in the order in which they came,
// then the other known keys.
func (f *RealFIFO) findDeletions() error {
	o := &f.op
	o.phase, o.next = deleting, 0
	for _, r := range o.list {
		k := f.t.KeyOf(r)
		if k == 0 {
			return KeyError{Object(r)}
		}
		o.seen.add(k)
	}
	for i := range f.items.n {
		d := f.items.at(i)
		if d.Key == 0 {
			return KeyError{d.Item}
		}
		if int(d.Key) >= len(f.lastOf) {
			f.lastOf = append(f.lastOf, make([]int32, int(d.Key)+1-len(f.lastOf))...)
		}
		f.lastOf[d.Key] = int32(i)
	}
	for i := range f.items.n {
		k := f.items.at(i).Key
		if o.seen.add(k) && f.items.at(int(f.lastOf[k])).Type != event.Deleted {
			o.keys = append(o.keys, k)
		}
	}
	o.fromQueue = len(o.keys)
	if f.opts.KnownObjects == nil {
		return nil
	}
	all := f.opts.KnownObjects.ListKeys(o.keys)
	o.keys = all[:o.fromQueue]
	for _, k := range all[o.fromQueue:] {
		if !o.seen.has(k) {
			o.keys = append(o.keys, k)
		}
	}
	return nil
}

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

// BeginResync starts Resync. An Atomic queue queues one SyncAll, which takes the
// objects from the store when it is processed.
func (f *RealFIFO) BeginResync() { f.op.begin(nil, 0) }

// StepResync handles one known object.
func (f *RealFIFO) StepResync(log *event.Log) (done bool, err error) {
	o := &f.op
	if f.opts.Atomic {
		f.append(Delta{Type: event.SyncAll}, log)
		o.end()
		return true, nil
	}
	if o.phase == beginning {
		o.phase = syncing
		for i := range f.items.n {
			d := f.items.at(i)
			if d.Key == 0 {
				o.end()
				return true, KeyError{d.Item}
			}
			o.seen.add(d.Key)
		}
		if f.opts.KnownObjects != nil {
			o.keys = f.opts.KnownObjects.ListKeys(o.keys)
		}
	}
	if o.next < len(o.keys) {
		k := o.keys[o.next]
		o.next++
		r, known := f.opts.KnownObjects.GetByKey(k)
		if !known || o.seen.has(k) {
			log.Emit(event.Event{Kind: event.SyncSkipped, Key: k, New: r})
		} else if err := f.add(event.Sync, Object(r), nil, log); err != nil {
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
