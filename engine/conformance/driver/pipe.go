package main

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
)

// pipeFamily plays pipe.*: queue, process function, indexer and handler without
// a goroutine between them.
type pipeFamily struct {
	d      *driver
	q      queue
	s      store
	notify []string
}

func (f *pipeFamily) run(verb string, l *line, out output) {
	f.notify = []string{}
	switch {
	case verb == "new":
		f.open(l, out)
		f.print(out)
		delete(out, "notify")
		return
	case !f.ready():
		out["err"] = "no queue"
		return
	case verb == "pop":
		if deltas, ok := f.q.pop(l, f.d.base.InitialList, out); ok {
			out.fail(f.process(deltas))
			f.q.Processed(nil)
		}
	case !f.q.run(verb, l, out):
		f.s.run(verb, l, out)
	}
	f.print(out)
}

func (f *pipeFamily) ready() bool { return f.q.Queue != nil }

func (f *pipeFamily) advance(by int64, out output) {
	f.notify = []string{}
	f.print(out)
}

func (f *pipeFamily) print(out output) {
	sortRuns(f.notify)
	out["notify"] = f.notify
	out["state"] = f.q.state()
	out["store"] = f.s.state(f.d.storeRV())
}

func (f *pipeFamily) open(l *line, out output) {
	o := newObjects("")
	f.s = f.d.newStore(o, l.Indexers)
	f.q = queue{objects: o}
	transform := o.transform(l.Xform)
	if !f.d.transforms() && transform != nil {
		out["err"] = "unsupported"
		transform = nil
	}
	if f.d.gate("InOrderInformers") {
		out["queueType"] = "*cache.RealFIFO"
		opts := fifo.RealOptions{Transform: transform, Atomic: f.d.gate("AtomicFIFO")}
		if opts.Atomic {
			opts.Unlock, opts.EmitBookmark = f.d.gate("UnlockWhileProcessingFIFO"), true
		} else {
			opts.KnownObjects = f.s.x
		}
		f.q.Queue = fifo.NewRealFIFO(o.t, opts)
		return
	}
	out["queueType"] = "*cache.DeltaFIFO"
	opts := f.d.base.Queue
	opts.KnownObjects, opts.Transform = f.s.x, transform
	f.q.Queue = fifo.NewDeltaFIFO(o.t, opts)
}

func (f *pipeFamily) process(deltas []fifo.Delta) error {
	if f.q.Head().Batch {
		return f.processInBatch(deltas)
	}
	for _, d := range deltas {
		if err := f.processOne(d); err != nil {
			return err
		}
	}
	return nil
}

// processOne is one turn of processDeltas.
func (f *pipeFamily) processOne(d fifo.Delta) error {
	refs, rv := f.q.List(d)
	switch d.Type {
	case event.ReplacedAll:
		return f.replaceAll(refs, rv)
	case event.SyncAll:
		for _, r := range f.s.x.List(nil) {
			f.onUpdate(r, r)
		}
		return nil
	case event.Bookmark:
		f.s.x.Bookmark(rv)
		return nil
	case event.Deleted:
		m := f.q.t.Meta(d.Obj)
		k := d.Key
		if d.Tomb == 0 {
			k = m.Key
		}
		if err := f.s.x.Delete(k, m.RV, d.Tomb == 0, nil); err != nil {
			return err
		}
		f.onDelete(d.Item)
		return nil
	}
	d.Obj = d.Stored(f.q.t)
	k := f.q.t.KeyOf(d.Obj)
	if k == 0 {
		return fifo.KeyError{Item: d.Item}
	}
	old, exists := f.s.x.GetByKey(k)
	if err := f.s.x.Update(d.Obj, nil); err != nil {
		return err
	}
	f.onUpsert(old, exists, d.Obj)
	return nil
}

// processInBatch is processDeltasInBatch: all of the batch is in the store
// before the first notification.
func (f *pipeFamily) processInBatch(deltas []fifo.Delta) error {
	var failed error
	var ops []indexer.Op
	var calls []func()
	for _, d := range deltas {
		k := f.q.t.KeyOf(d.Obj)
		if d.Type != event.Deleted && d.Tomb > 0 {
			d.Obj = d.Stored(f.q.t)
			k = d.Key
		}
		switch {
		case d.Type == event.Deleted && (d.Tomb > 0 || k != 0):
			op := indexer.Op{Delete: true, Key: d.Key}
			if d.Tomb == 0 {
				op.Key, op.Obj = k, d.Obj
			}
			ops = append(ops, op)
			calls = append(calls, func() { f.onDelete(d.Item) })
		case k == 0:
			failed = fifo.KeyError{Item: d.Item}
		default:
			old, exists := f.s.x.GetByKey(k)
			ops = append(ops, indexer.Op{Obj: d.Obj})
			calls = append(calls, func() { f.onUpsert(old, exists, d.Obj) })
		}
	}
	if err := f.s.x.Transaction(ops, nil); err != nil {
		return err
	}
	for _, call := range calls {
		call()
	}
	return failed
}

// replaceAll makes the store hold refs: deletions are notified first, then the
// list in its order.
func (f *pipeFamily) replaceAll(refs []object.Ref, rv object.RV) error {
	inList := map[object.Key]bool{}
	for _, r := range refs {
		inList[f.q.t.KeyOf(r)] = true
	}
	var calls []func()
	for _, k := range f.s.x.ListKeys(nil) {
		if old, _ := f.s.x.GetByKey(k); !inList[k] {
			calls = append(calls, func() { f.onDelete(fifo.Tombstone(k, old)) })
		}
	}
	for _, r := range refs {
		old, exists := f.s.x.GetByKey(f.q.t.KeyOf(r))
		calls = append(calls, func() { f.onUpsert(old, exists, r) })
	}
	if err := f.s.x.Replace(refs, rv, nil); err != nil {
		return err
	}
	for _, call := range calls {
		call()
	}
	return nil
}

func (f *pipeFamily) onUpsert(old object.Ref, exists bool, r object.Ref) {
	if exists {
		f.onUpdate(old, r)
		return
	}
	text := "add "
	if f.d.base.InitialList && f.q.Head().IsInInitialList {
		text = "add(initial) "
	}
	f.notify = append(f.notify, text+f.s.text(r))
}

func (f *pipeFamily) onUpdate(old, r object.Ref) {
	if old == r {
		f.notify = append(f.notify, "resync "+f.s.text(r))
	} else {
		f.notify = append(f.notify, "update "+f.s.text(old)+" -> "+f.s.text(r))
	}
}

func (f *pipeFamily) onDelete(it fifo.Item) {
	f.notify = append(f.notify, "delete "+f.s.itemText(it))
}

// sortRuns puts notifications that come out of a Go map into one order: runs of
// deletions with tombstones, of resyncs, and of the initial list.
func sortRuns(notify []string) {
	free := []string{"delete DFSU(", "resync ", "add(initial) "}
	kind := func(s string) int {
		return slices.IndexFunc(free, func(prefix string) bool { return strings.HasPrefix(s, prefix) })
	}
	for from := 0; from < len(notify); {
		to := from + 1
		for to < len(notify) && kind(notify[to]) == kind(notify[from]) {
			to++
		}
		if kind(notify[from]) >= 0 {
			slices.Sort(notify[from:to])
		}
		from = to
	}
}
