package fifo

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// FIFO is cache.FIFO: for each key only the newest object. Its deltas have no
// type.
type FIFO struct {
	t     *object.Table
	queue ring[object.Key] // may hold a key twice, and keys without an item
	items rows

	populated              bool
	initialPopulationCount int
	synced                 bool // HasSynced was emitted
	closed                 bool
	head                   Popped
	counters               Counters
	op                     operation
}

var _ Queue = (*FIFO)(nil)

// NewFIFO returns an empty queue for objects of t.
func NewFIFO(t *object.Table) *FIFO { return &FIFO{t: t} }

// CopyFrom makes f what src is.
func (f *FIFO) CopyFrom(src *FIFO) {
	queue, items, op := f.queue, f.items, f.op
	*f = *src
	queue.copyFrom(&src.queue)
	items.copyFrom(&src.items)
	op.copyFrom(&src.op)
	f.queue, f.items, f.op = queue, items, op
}

// Clone returns a copy that changes on its own.
func (f *FIFO) Clone() *FIFO {
	c := new(FIFO)
	c.CopyFrom(f)
	return c
}

// Add keeps the item as the newest of its key, and queues the key if it had
// none.
func (f *FIFO) Add(it Item, log *event.Log) error {
	it, err := it.resolve(f.t)
	if err != nil {
		return err
	}
	f.populate(log)
	f.counters.In++
	if f.items.of(it.Key).n > 0 {
		newest := f.items.newest(it.Key)
		newest.Item = it
		log.Emit(event.Event{Kind: event.DeltaAppended, Key: it.Key, New: it.Obj, Flags: it.Flags(), N: 1})
		return nil
	}
	f.queue.push(it.Key)
	f.items.append(Delta{Item: it})
	log.Emit(event.Event{Kind: event.Enqueued, Key: it.Key, New: it.Obj, Flags: it.Flags(), N: int64(f.queue.n)})
	return nil
}

// Update is Add.
func (f *FIFO) Update(it Item, log *event.Log) error { return f.Add(it, log) }

// Delete drops the item and leaves its key in the queue, so that a key that is
// deleted and added is there twice.
func (f *FIFO) Delete(it Item, log *event.Log) error {
	it, err := it.resolve(f.t)
	if err != nil {
		return err
	}
	f.populate(log)
	if f.items.of(it.Key).n == 0 {
		f.counters.Ignored++
		log.Emit(event.Event{Kind: event.DeleteIgnored, Key: it.Key, New: it.Obj, Flags: it.Flags()})
		return nil
	}
	lost := f.items.newest(it.Key).Item
	f.items.take(it.Key, nil)
	f.counters.Deduped++
	log.Emit(event.Event{Kind: event.DeltasDeduplicated, Key: it.Key, Old: lost.Obj, Flags: it.Flags()})
	return nil
}

// Bookmark does nothing.
func (f *FIFO) Bookmark(object.RV, *event.Log) bool { return false }

func (f *FIFO) populate(log *event.Log) {
	f.populated = true
	f.checkSynced(log)
}

func (f *FIFO) checkSynced(log *event.Log) {
	if !f.synced && f.HasSynced() {
		f.synced = true
		log.Emit(event.Event{Kind: event.HasSynced})
	}
}

// BeginReplace starts Replace, which makes the queue hold list and nothing else,
// in the order of the keys; client-go's order is random.
func (f *FIFO) BeginReplace(list []object.Ref, rv object.RV) { f.op.begin(list, rv) }

// StepReplace does all of it.
func (f *FIFO) StepReplace(log *event.Log) (done bool, err error) {
	o := &f.op
	defer o.end()
	for _, r := range o.list {
		k := f.t.KeyOf(r)
		if k == 0 {
			return true, KeyError{Object(r)}
		}
		if o.seen.add(k) {
			o.keys = append(o.keys, k)
		}
	}
	log.Emit(event.Event{Kind: event.ReplaceStarted, N: int64(len(o.list))})
	if !f.populated {
		f.populated = true
		f.initialPopulationCount = len(o.keys)
		log.Emit(event.Event{Kind: event.InitialPopulationCount, N: int64(len(o.keys))})
		f.checkSynced(log)
	}
	for f.queue.n > 0 {
		if k := f.queue.pop(); f.items.of(k).n > 0 {
			f.items.take(k, nil)
		}
	}
	slices.SortFunc(o.keys, f.t.CompareKeys)
	for _, k := range o.keys {
		f.queue.push(k)
		f.items.append(Delta{Item: Item{Key: k}})
	}
	for _, r := range o.list { // of two with one key the last stays
		f.items.newest(f.t.KeyOf(r)).Obj = r
	}
	f.counters.In += int64(len(o.keys))
	log.Emit(event.Event{Kind: event.ReplaceEnded, N: int64(len(o.keys))})
	return true, nil
}

// BeginResync starts Resync.
func (f *FIFO) BeginResync() { f.op.begin(nil, 0) }

// StepResync does nothing: what has an item is queued.
func (f *FIFO) StepResync(*event.Log) (done bool, err error) {
	f.op.end()
	return true, nil
}

// Pop takes out the first key that has an item. Keys without one count as
// popped.
func (f *FIFO) Pop(dst []Delta, log *event.Log) ([]Delta, bool) {
	f.head = Popped{IsInInitialList: !f.HasSynced(), KeepsLock: true}
	for f.queue.n > 0 {
		k := f.queue.pop()
		if f.initialPopulationCount > 0 {
			f.initialPopulationCount--
			log.Emit(event.Event{Kind: event.InitialPopulationCount, N: int64(f.initialPopulationCount)})
			f.checkSynced(log)
		}
		if f.items.of(k).n == 0 {
			continue
		}
		f.counters.Popped++
		log.Emit(event.Event{Kind: event.Popped, Key: k, N: 1})
		return f.items.take(k, dst), true
	}
	if !f.closed {
		log.Emit(event.Event{Kind: event.PopWaits})
	}
	return dst, false
}

// PopBatch is Pop.
func (f *FIFO) PopBatch(dst []Delta, log *event.Log) ([]Delta, bool) { return f.Pop(dst, log) }

// Head says how the item of the last Pop is to be processed.
func (f *FIFO) Head() Popped { return f.head }

// Processed does nothing.
func (f *FIFO) Processed(*event.Log) {}

// AddIfNotPresent puts a popped item back, unless a newer one is queued.
func (f *FIFO) AddIfNotPresent(deltas []Delta, log *event.Log) error {
	if len(deltas) == 0 {
		return ErrZeroLengthDeltas
	}
	it, err := deltas[len(deltas)-1].resolve(f.t)
	if err != nil {
		return err
	}
	f.populate(log)
	if f.items.of(it.Key).n > 0 {
		log.Emit(event.Event{Kind: event.RequeueSkipped, Key: it.Key})
		return nil
	}
	f.queue.push(it.Key)
	f.items.append(Delta{Item: it})
	f.counters.In++
	log.Emit(event.Event{Kind: event.Requeued, Key: it.Key, N: 1})
	return nil
}

// HasSynced is DeltaFIFO's.
func (f *FIFO) HasSynced() bool { return f.populated && f.initialPopulationCount == 0 }

// Close makes Pop stop waiting.
func (f *FIFO) Close(log *event.Log) {
	f.closed = true
	log.Emit(event.Event{Kind: event.QueueClosed})
}

// Closed reports whether Close was called.
func (f *FIFO) Closed() bool { return f.closed }

// Depth is the length of queue.
func (f *FIFO) Depth() int { return f.queue.n }

// Row returns the i-th key of queue, and 0 if its item was deleted, else 1.
func (f *FIFO) Row(i int) (object.Key, int) {
	k := *f.queue.at(i)
	return k, int(f.items.of(k).n)
}

// RowDeltas appends the item of the i-th key.
func (f *FIFO) RowDeltas(i int, dst []Delta) []Delta { return f.items.list(*f.queue.at(i), dst) }

// Find returns the first place of k in queue if it has an item, or -1.
func (f *FIFO) Find(k object.Key) int {
	for i := range f.queue.n {
		if *f.queue.at(i) == k && f.items.of(k).n > 0 {
			return i
		}
	}
	return -1
}

// List returns nothing.
func (f *FIFO) List(Delta) ([]object.Ref, object.RV) { return nil, 0 }

// Populated is DeltaFIFO's.
func (f *FIFO) Populated() bool { return f.populated }

// InitialPopulationCount is DeltaFIFO's.
func (f *FIFO) InitialPopulationCount() int { return f.initialPopulationCount }

// Counters counts items.
func (f *FIFO) Counters() Counters { return f.counters }
