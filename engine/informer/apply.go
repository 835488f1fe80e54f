package informer

import (
	"errors"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// store applies a delta to the indexer, or all of them where they are a batch,
// and makes the notifications. Nobody sees an error, but what the delta stands
// for is lost. A panic is the end of the process.
func (x *Informer) store(s *actor.Set, loop actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	x.noteReached()
	h := &x.hand
	h.notes, h.noted, h.to = h.notes[:0], 0, 0
	var err error
	if h.head.Batch {
		err = x.applyBatch(log)
		h.at = len(h.deltas) - 1
		for _, d := range h.deltas {
			x.stored(d)
		}
	} else {
		d := h.deltas[h.at]
		x.stored(d)
		if err = x.apply(d, log); err != nil {
			log.Emit(event.Event{Kind: event.ProcessFailed, Delta: d.Type, Key: d.Key, New: d.Obj, Flags: d.Flags()})
			h.at = len(h.deltas) - 1 // the newer Deltas of the key are lost with this one
		}
	}
	if err != nil {
		if _, panicked := errors.AsType[indexer.Panicked](err); panicked {
			x.die(s, err)
			return true
		}
	}
	if len(h.notes) > 0 {
		s.Go(loop, actor.LoopDistribute)
	} else {
		x.nextDelta(s)
	}
	return false
}

// apply is one round of HandleDeltas, processDeltas from v0.24.
func (x *Informer) apply(d fifo.Delta, log *event.Log) error {
	switch d.Type {
	case event.ReplacedAll:
		return x.applyReplacedAll(d, log)
	case event.SyncAll:
		x.objects = x.Indexer.List(x.objects[:0])
		for _, r := range x.objects {
			x.update(r, r, event.Sync)
		}
		log.Emit(event.Event{Kind: event.StoreListed, N: int64(len(x.objects))})
		return nil
	case event.Bookmark:
		_, rv := x.Queue.List(d)
		x.Indexer.Bookmark(rv)
		log.Emit(event.Event{Kind: event.StoreBookmarked, N: int64(rv)})
		return nil
	}
	if x.cfg.Profile.TransformsLate && x.cfg.Transform != nil && d.Tomb == 0 {
		obj, err := x.cfg.Transform(x.cfg.Table, x.Indexer.Read(d.Obj))
		if err != nil {
			return fifo.TransformError{Item: d.Item, Err: err}
		}
		d.Obj = obj
	}
	if d.Type == event.Deleted {
		k := x.keyOf(d)
		if err := x.Indexer.Delete(k, x.rv(d.Obj), d.Tomb == 0, log); err != nil {
			return err
		}
		x.deletion(d.Item)
		return nil
	}
	d.Obj = d.Stored(x.cfg.Table)
	k := x.cfg.Table.KeyOf(d.Obj)
	old, exists := x.Indexer.GetByKey(k)
	if err := x.Indexer.Update(d.Obj, log); err != nil {
		return err
	}
	x.upsert(k, old, exists, d)
	return nil
}

// applyBatch is processDeltasInBatch: it decides whether a delta is an add or
// an update before it writes the store, and has all of them in the store before
// the first notification. A delta without a key does not keep the others back.
func (x *Informer) applyBatch(log *event.Log) error {
	x.ops = x.ops[:0]
	for _, d := range x.hand.deltas {
		k := x.keyOf(d)
		switch {
		case k == 0:
			log.Emit(event.Event{Kind: event.ProcessFailed, Delta: d.Type, New: d.Obj, Flags: d.Flags()})
		case d.Type == event.Deleted:
			op := indexer.Op{Delete: true, Key: k}
			if d.Tomb == 0 {
				op.Obj = d.Obj
			}
			x.ops = append(x.ops, op)
			x.deletion(d.Item)
		default:
			d.Obj = d.Stored(x.cfg.Table)
			old, exists := x.Indexer.GetByKey(k)
			x.ops = append(x.ops, indexer.Op{Obj: d.Obj})
			x.upsert(k, old, exists, d)
		}
	}
	return x.Indexer.Transaction(x.ops, log)
}

// applyReplacedAll is processReplacedAllInfo: the store is replaced at once, and
// what has vanished is notified before what is in the list.
func (x *Informer) applyReplacedAll(d fifo.Delta, log *event.Log) error {
	t := x.cfg.Table
	list, rv := x.Queue.List(d)
	listed := make([]bool, t.Keys())
	for _, r := range list {
		k := t.KeyOf(r)
		if k == 0 {
			return indexer.KeyError{Obj: r}
		}
		listed[k] = true
	}
	x.objects = x.Indexer.List(x.objects[:0])
	for _, r := range x.objects {
		if k := t.KeyOf(r); !listed[k] {
			x.deletion(fifo.Tombstone(k, r))
		}
	}
	for _, r := range list {
		k := t.KeyOf(r)
		old, exists := x.Indexer.GetByKey(k)
		x.upsert(k, old, exists, fifo.Delta{Type: event.Replaced, Item: fifo.Object(r)})
	}
	return x.Indexer.Replace(list, rv, log)
}

// keyOf is the key under which a delta's object is, or was, stored. A
// transformer may have taken it away since it was queued, and a key function may
// refuse tombstones.
func (x *Informer) keyOf(d fifo.Delta) object.Key {
	switch {
	case d.Tomb == 0:
		return x.cfg.Table.KeyOf(d.Obj)
	case x.cfg.RefusesTombstones:
		return 0
	}
	return d.Key
}

// note adds a notification to those that are to be distributed. It returns the
// notification, so that the caller sets its other fields where it stays.
func (x *Informer) note(typ processor.Type, k object.Key, old, new object.Ref, cause event.Cause) *processor.Notification {
	h := &x.hand
	h.notes = append(h.notes, processor.Notification{})
	n := &h.notes[len(h.notes)-1]
	n.Type, n.Key, n.Old, n.New, n.Cause = typ, k, old, new, cause
	if x.cfg.DetectMutations && new != 0 {
		x.detector.addObject(new, x.Indexer)
	}
	return n
}

func (x *Informer) upsert(k object.Key, old object.Ref, exists bool, d fifo.Delta) {
	if exists {
		x.update(old, d.Obj, d.Type)
		return
	}
	n := x.note(processor.Add, k, 0, d.Obj, comesFrom(d.Type))
	if x.hand.head.IsInInitialList && x.cfg.Profile.InitialList {
		n.Flags = event.IsInInitialList
	}
}

func (x *Informer) update(old, obj object.Ref, typ event.Delta) {
	n := x.note(processor.Update, x.cfg.Table.KeyOf(obj), old, obj, comesFrom(typ))
	sync := x.rv(old) == x.rv(obj)
	if !x.cfg.Profile.SyncByRV {
		sync = typ == event.Sync || typ == event.Replaced && sync
	}
	if sync {
		n.Flags = event.IsSync
	}
}

func (x *Informer) deletion(it fifo.Item) {
	n := x.note(processor.Delete, it.Key, it.Obj, 0, event.FromWatch)
	if it.Tomb > 0 { // only Replace makes them
		n.Flags, n.Cause = event.Tombstone, event.FromList
	}
	if it.Tomb > 1 { // a tombstone in a tombstone
		it.Tomb--
		n.Old = it.Stored(x.cfg.Table)
	}
}

// comesFrom is where a delta comes from. The delta is no deletion.
func comesFrom(d event.Delta) event.Cause {
	switch d {
	case event.Replaced, event.ReplacedAll:
		return event.FromList
	case event.Sync, event.SyncAll:
		return event.FromResync
	}
	return event.FromWatch
}

func (x *Informer) rv(r object.Ref) object.RV { return x.cfg.Table.RVOf(r) }
