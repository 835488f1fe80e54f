package driver

import (
	"strings"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
)

// queue is one of the queues with the objects in it.
type queue struct {
	*objects
	fifo      fifo.Queue
	bookmarks bool // it has a method Bookmark, as a RealFIFO from v0.36 on
}

// finish runs a Replace or a Resync to its end.
func finish(step func(*event.Log) (bool, error)) error {
	for {
		if done, err := step(nil); done {
			return err
		}
	}
}

// run plays what is the same for every family that has a queue. It reports
// false for a verb that it doesn't know.
func (q queue) run(verb string, l *line, out output) bool {
	switch verb {
	case "add":
		out.fail(q.fifo.Add(q.item(l.O), nil))
	case "update":
		out.fail(q.fifo.Update(q.item(l.O), nil))
	case "delete":
		out.fail(q.fifo.Delete(q.item(l.O), nil))
	case "replace":
		q.fifo.BeginReplace(q.list(l.Items), q.t.RV(l.RV))
		out.fail(finish(q.fifo.StepReplace))
	case "resync":
		q.fifo.BeginResync()
		out.fail(finish(q.fifo.StepResync))
	case "bookmark":
		if _, real := q.fifo.(*fifo.RealFIFO); real && q.bookmarks {
			q.fifo.Bookmark(q.t.RV(l.RV), nil)
		} else {
			out["unsupported"] = true
		}
	case "hasSynced":
		out["ret"] = q.fifo.HasSynced()
	case "close":
		q.fifo.Close(nil)
	default:
		return false
	}
	return true
}

// pop takes out what Pop or PopBatch would, and prints it. ok is false if there
// was nothing.
func (q queue) pop(batch, initial bool, out output) (deltas []fifo.Delta, ok bool) {
	if batch {
		deltas, ok = q.fifo.PopBatch(nil, nil)
	} else {
		deltas, ok = q.fifo.Pop(nil, nil)
	}
	if ok {
		q.popped(deltas, initial, out)
	} else {
		q.printEmpty(out)
	}
	return deltas, ok
}

// popped prints what was popped. initial says whether the process function learns
// what is in the initial list.
func (q queue) popped(deltas []fifo.Delta, initial bool, out output) {
	if initial {
		out["initial"] = q.fifo.Head().IsInInitialList
	}
	if q.fifo.Head().Batch {
		out["batch"] = q.deltaTexts(deltas)
	} else {
		out["popped"] = q.deltaTexts(deltas)
	}
}

// printEmpty prints that the queue is empty.
func (q queue) printEmpty(out output) {
	if q.fifo.Closed() {
		out["err"] = "ErrFIFOClosed"
	} else {
		out["ret"] = "would-block"
	}
}

func (q queue) deltaTexts(deltas []fifo.Delta) []string {
	out := []string{}
	for _, d := range deltas {
		refs, rv := q.fifo.List(d)
		switch text := d.Type.String() + " "; d.Type {
		case event.ReplacedAll:
			out = append(out, text+"rv="+q.t.RVText(rv)+" ["+strings.Join(q.texts(refs), " ")+"]")
		case event.SyncAll:
			out = append(out, text+"*")
		case event.Bookmark:
			out = append(out, text+"rv="+q.t.RVText(rv))
		default:
			out = append(out, text+q.itemText(d.Item))
		}
	}
	return out
}

func (q queue) state() output {
	out := output{"closed": q.fifo.Closed(), "hasSynced": q.fifo.HasSynced(), "populated": q.fifo.Populated(), "initialPopulationCount": q.fifo.InitialPopulationCount()}
	if _, real := q.fifo.(*fifo.RealFIFO); real {
		var deltas []fifo.Delta
		for i := range q.fifo.Depth() {
			deltas = q.fifo.RowDeltas(i, deltas)
		}
		out["items"] = q.deltaTexts(deltas)
		return out
	}
	keys, items := []string{}, output{}
	for i := range q.fifo.Depth() {
		k, n := q.fifo.Row(i)
		text := q.t.KeyText(k)
		keys = append(keys, text)
		if n > 0 {
			items[text] = q.deltaTexts(q.fifo.RowDeltas(i, nil))
		}
	}
	out["queue"], out["items"] = keys, items
	return out
}

// fifoFamily plays fifo.*: a queue, and a store of what was popped from it.
type fifoFamily struct {
	d       *driver
	q       queue
	indexer store // x is nil where the queue has no knownObjects
}

func (f *fifoFamily) run(verb string, l *line, out output) {
	switch {
	case verb == "new":
		f.open(l, out)
		if f.q.fifo != nil {
			out["state"] = f.q.state()
		}
		return
	case !f.ready():
		out["err"] = "no queue"
		return
	case verb == "pop":
		f.pop(l, out)
	case verb == "addIfNotPresent":
		f.addIfNotPresent(l, out)
	case !f.q.run(verb, l, out):
		out["err"] = "unknown operation"
	}
	f.print(out)
}

func (f *fifoFamily) ready() bool { return f.q.fifo != nil }

func (f *fifoFamily) advance(by int64, out output) { f.print(out) }

func (f *fifoFamily) print(out output) {
	out["state"] = f.q.state()
	if f.indexer.x != nil {
		out["known"] = f.indexer.items()
	}
}

func (f *fifoFamily) open(l *line, out output) {
	o := newObjects(l.Keyfn)
	f.q, f.indexer = queue{objects: o, bookmarks: f.d.profile.RealFIFO.Atomic}, store{}
	if !f.d.profile.InOrder && strings.HasPrefix(l.Kind, "real") || !f.d.profile.RealFIFO.Atomic && l.Kind == "real-atomic" {
		out["err"] = "unsupported"
		return
	}
	var known fifo.KnownObjects
	if (l.Known == nil || *l.Known) && l.Kind != "real-atomic" {
		f.indexer = f.d.newStore(o, nil)
		known = f.indexer.x
	}
	transform := o.transform(l.Xform)
	if !f.d.transforms() && transform != nil {
		out["err"] = "unsupported"
		transform = nil
	}
	switch l.Kind {
	case "real", "real-atomic":
		atomic := l.Kind == "real-atomic"
		f.q.fifo = fifo.NewRealFIFO(o.t, fifo.RealOptions{KnownObjects: known, Transform: transform, Atomic: atomic, Unlock: atomic, EmitBookmark: atomic, Repeats: f.d.profile.RealFIFO.Repeats})
	default:
		opts := f.d.profile.Queue
		opts.KnownObjects, opts.EmitDeltaTypeReplaced, opts.Transform = known, l.Replaced, transform
		f.q.fifo = fifo.NewDeltaFIFO(o.t, opts)
	}
}

func (f *fifoFamily) pop(l *line, out output) {
	deltas, ok := f.q.pop(l.Batch && f.d.profile.Batch, f.d.profile.InitialList, out)
	if !ok {
		return
	}
	switch {
	case l.Ret == "requeue" && !f.d.profile.InOrder:
		out["err"] = "requeue me"
		out.fail(f.q.fifo.AddIfNotPresent(deltas, nil))
	case l.Ret != "":
		out["err"] = "process failed"
	case f.indexer.x != nil:
		out.fail(f.apply(deltas))
	}
	f.q.fifo.Processed(nil)
}

// apply writes popped deltas to the known objects, as an informer does.
func (f *fifoFamily) apply(deltas []fifo.Delta) error {
	for _, d := range deltas {
		var err error
		if d.Type == event.Deleted {
			err = f.indexer.x.Delete(d.Key, 0, false, nil)
		} else {
			err = f.indexer.x.Update(d.Stored(f.q.t), nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *fifoFamily) addIfNotPresent(l *line, out output) {
	types := map[string]event.Delta{}
	for t := event.Added; t <= event.Sync; t++ {
		types[t.String()] = t
	}
	switch {
	case f.d.profile.InOrder:
		out["unsupported"] = true
	case l.Kind == "":
		out["err"] = "NotDeltas"
	default:
		out.fail(f.q.fifo.AddIfNotPresent([]fifo.Delta{{Type: types[l.Kind], Item: f.q.item(l.O)}}, nil))
	}
}

// knownFamily plays known.*: what idx.* does, on the known objects of a queue.
type knownFamily struct{ f *fifoFamily }

func (k knownFamily) run(verb string, l *line, out output) {
	if k.f.indexer.x == nil {
		out["err"] = "no store"
		return
	}
	k.f.indexer.run(verb, l, out)
	k.f.print(out)
}

func (k knownFamily) ready() bool { return k.f.ready() }

func (k knownFamily) advance(by int64, out output) { k.f.print(out) }
