// Package plainfifo is a queue of client-go that no informer uses.
package plainfifo

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
)

// FIFO is cache.FIFO: for each key only the newest object. Its deltas have no
// type. No informer uses it, so it is no part of the engine; the scripts have it
// because it shares its interface with the queues that informers use. It emits no
// facts.
type FIFO struct {
	t       *object.Table
	latched bool         // what a Pop passes over doesn't make it synced for what it returns (from v0.36)
	queue   []object.Key // may hold a key twice, and keys without an item
	items   map[object.Key]fifo.Item

	populated              bool
	initialPopulationCount int
	closed                 bool
	head                   fifo.Popped
	list                   []object.Ref // of a Replace that has begun
}

var _ fifo.Queue = (*FIFO)(nil)

// New returns an empty queue for objects of t, cache.NewFIFO.
func New(t *object.Table, latched bool) *FIFO {
	return &FIFO{t: t, latched: latched, items: map[object.Key]fifo.Item{}}
}

// resolve returns the item with its key.
func (f *FIFO) resolve(it fifo.Item) (fifo.Item, error) {
	if it.Tomb == 0 {
		it.Key = f.t.KeyOf(it.Obj)
	}
	if it.Key == 0 {
		return it, fifo.KeyError{Item: it}
	}
	return it, nil
}

// Add keeps the item as the newest of its key, and queues the key if it has no
// item yet.
func (f *FIFO) Add(it fifo.Item, _ *event.Log) error {
	it, err := f.resolve(it)
	if err != nil {
		return err
	}
	f.put(it, true)
	return nil
}

// put queues the key of an item that is not there yet. newer tells that the item
// replaces one that is.
func (f *FIFO) put(it fifo.Item, newer bool) {
	f.populated = true
	_, queued := f.items[it.Key]
	if !queued {
		f.queue = append(f.queue, it.Key)
	}
	if !queued || newer {
		f.items[it.Key] = it
	}
}

// Update does what Add does.
func (f *FIFO) Update(it fifo.Item, log *event.Log) error { return f.Add(it, log) }

// Delete drops the item and leaves its key in the queue. A key that is deleted and
// added again is there twice.
func (f *FIFO) Delete(it fifo.Item, _ *event.Log) error {
	it, err := f.resolve(it)
	if err != nil {
		return err
	}
	f.populated = true
	delete(f.items, it.Key)
	return nil
}

// Bookmark does nothing.
func (f *FIFO) Bookmark(object.RV, *event.Log) bool { return false }

// BeginReplace starts Replace, which makes the queue hold list and nothing else,
// in the order of the keys. client-go's order is random.
func (f *FIFO) BeginReplace(list []object.Ref, _ object.RV) { f.list = list }

// StepReplace does all of it.
func (f *FIFO) StepReplace(*event.Log) (done bool, err error) {
	items := map[object.Key]fifo.Item{}
	var queue []object.Key
	for _, r := range f.list {
		it, err := f.resolve(fifo.Object(r))
		if err != nil {
			return true, err
		}
		if _, queued := items[it.Key]; !queued {
			queue = append(queue, it.Key)
		}
		items[it.Key] = it
	}
	slices.SortFunc(queue, f.t.CompareKeys)
	if !f.populated {
		f.populated, f.initialPopulationCount = true, len(queue)
	}
	f.queue, f.items, f.list = queue, items, nil
	return true, nil
}

// BeginResync starts Resync.
func (f *FIFO) BeginResync() {}

// StepResync does nothing: every key that has an item is queued.
func (f *FIFO) StepResync(*event.Log) (done bool, err error) { return true, nil }

// Pop takes out the first key that has an item. Keys without one count as popped.
func (f *FIFO) Pop(dst []fifo.Delta, _ *event.Log) ([]fifo.Delta, bool) {
	f.head = fifo.Popped{IsInInitialList: !f.HasSynced(), KeepsLock: true}
	for len(f.queue) > 0 {
		if !f.latched {
			f.head.IsInInitialList = !f.HasSynced()
		}
		k := f.queue[0]
		f.queue = f.queue[1:]
		f.initialPopulationCount = max(0, f.initialPopulationCount-1)
		if it, ok := f.items[k]; ok {
			delete(f.items, k)
			return append(dst, fifo.Delta{Item: it}), true
		}
	}
	return dst, false
}

// PopBatch does what Pop does.
func (f *FIFO) PopBatch(dst []fifo.Delta, log *event.Log) ([]fifo.Delta, bool) {
	return f.Pop(dst, log)
}

// Head says how the item of the last Pop is to be processed.
func (f *FIFO) Head() fifo.Popped { return f.head }

// Processed does nothing.
func (f *FIFO) Processed(*event.Log) {}

// AddIfNotPresent puts a popped item back, unless a newer one is queued.
func (f *FIFO) AddIfNotPresent(deltas []fifo.Delta, _ *event.Log) error {
	if len(deltas) == 0 {
		return fifo.ErrZeroLengthDeltas
	}
	it, err := f.resolve(deltas[len(deltas)-1].Item)
	if err != nil {
		return err
	}
	f.put(it, false)
	return nil
}

// HasSynced reports what DeltaFIFO's does.
func (f *FIFO) HasSynced() bool { return f.populated && f.initialPopulationCount == 0 }

// Close makes Pop stop waiting.
func (f *FIFO) Close(*event.Log) { f.closed = true }

// Closed reports whether Close was called.
func (f *FIFO) Closed() bool { return f.closed }

// Depth returns the length of queue.
func (f *FIFO) Depth() int { return len(f.queue) }

// Row returns the i-th key of queue, with 0 if its item was deleted and 1 otherwise.
func (f *FIFO) Row(i int) (object.Key, int) {
	k := f.queue[i]
	if _, ok := f.items[k]; !ok {
		return k, 0
	}
	return k, 1
}

// RowDeltas appends the item of the i-th key.
func (f *FIFO) RowDeltas(i int, dst []fifo.Delta) []fifo.Delta {
	if it, ok := f.items[f.queue[i]]; ok {
		dst = append(dst, fifo.Delta{Item: it})
	}
	return dst
}

// Find returns the first place of k in queue if it has an item, or -1.
func (f *FIFO) Find(k object.Key) int {
	if _, ok := f.items[k]; !ok {
		return -1
	}
	return slices.Index(f.queue, k)
}

// List returns nothing.
func (f *FIFO) List(fifo.Delta) ([]object.Ref, object.RV) { return nil, 0 }

// Populated reports what DeltaFIFO's does.
func (f *FIFO) Populated() bool { return f.populated }

// InitialPopulationCount returns what DeltaFIFO's does.
func (f *FIFO) InitialPopulationCount() int { return f.initialPopulationCount }

// Counters counts nothing: no script asks.
func (f *FIFO) Counters() fifo.Counters { return fifo.Counters{} }
