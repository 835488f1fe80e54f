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

// hand is what the process loop has in hand.
type hand struct {
	deltas  []fifo.Delta
	at      int
	head    fifo.Popped
	notes   []processor.Notification // the notifications that the last store write calls for
	noted   int                      // which of them is being distributed
	to      int                      // the next listener that gets it
	holding bool                     // listenersLock is held

	objects []object.Ref // scratch
	ops     []indexer.Op // scratch
}

// begin is the beginning of a store write, which has no notifications yet.
func (h *hand) begin() { h.notes, h.noted, h.to = h.notes[:0], 0, 0 }

// next goes on to the next delta that was popped. It reports whether there is one.
func (h *hand) next() bool {
	h.begin()
	h.at++
	return h.at < len(h.deltas)
}

// release lets go of everything that was popped.
func (h *hand) release() {
	h.begin()
	h.deltas, h.at, h.head, h.holding = h.deltas[:0], 0, fifo.Popped{}, false
}

// copyFrom makes h equal to src.
func (h *hand) copyFrom(src *hand) {
	kept := *h
	*h = *src
	h.deltas = append(kept.deltas[:0], src.deltas...)
	h.notes = append(kept.notes[:0], src.notes...)
	h.objects, h.ops = kept.objects, kept.ops
}

// mark adds what is in hand.
func (h *hand) mark(live *object.Live) {
	for i := range h.deltas {
		live.Key(h.deltas[i].Key)
		live.Ref(h.deltas[i].Obj)
	}
	for i := range h.notes {
		h.notes[i].Mark(live)
	}
}

func (h *hand) hash(sum *actor.Hash) {
	sum.Add(uint64(len(h.deltas)))
	for i := range h.deltas {
		h.deltas[i].Hash(sum)
	}
	sum.Add(uint64(h.at)<<32 | uint64(h.noted))
	sum.Add(uint64(len(h.notes)))
	for i := range h.notes {
		h.notes[i].Hash(sum)
	}
	sum.Bools(h.holding, h.head.IsInInitialList, h.head.Batch, h.head.KeepsLock)
	sum.Add(uint64(h.to))
}

// wire is what the reflector has in hand.
type wire struct {
	list   []object.Ref // the list to Replace with, immutable
	rv     object.RV    // of the list or the event
	again  bool         // the next request is what the reflector has Asked
	open   bool         // a watch is open while its list is put into the queue
	last   bool         // the event is the bookmark after the initial events
	resync bool         // the resync goroutine is to go on
	failed bool         // the resync has failed, and the watch has not heard of it yet
	event  event.Delta
	obj    object.Ref

	temp temp // empty but in a streaming list
}

// keep writes an event to the temporary store, from v0.34 on through the transformer. The
// object is stored under the key that it had before the transformer.
func (w *wire) keep(cfg *Config, log *event.Log) {
	t := cfg.Table
	r, k := w.obj, t.KeyOf(w.obj)
	if k == 0 {
		w.lose(fifo.KeyError{Item: fifo.Object(r)}, log)
		return
	}
	if w.event == event.Deleted {
		r = 0
	} else if cfg.Transform != nil && cfg.Profile.Reflector.StreamTransforms {
		var err error
		if r, err = cfg.Transform(t, r); err != nil {
			w.lose(fifo.TransformError{Item: fifo.Object(w.obj), Err: err}, log)
			return
		}
	}
	w.temp.put(k, r)
	log.Emit(event.Event{Kind: event.ListStreamed, Delta: w.event, Key: k, New: r, N: int64(w.temp.n)})
}

// lose tells of an event that the queue did not take.
func (w *wire) lose(err error, log *event.Log) {
	reason := event.SkipNoMeta
	if _, transform := errors.AsType[fifo.TransformError](err); transform {
		reason = event.SkipTransform
	}
	log.Emit(event.Event{Kind: event.WatchEventSkipped, Delta: w.event, New: w.obj, N: int64(reason)})
}

// mark adds what is in hand.
func (w *wire) mark(live *object.Live) {
	live.Refs(w.list)
	live.Ref(w.obj)
	live.Refs(w.temp.byKey)
}

func (w *wire) hash(h *actor.Hash) {
	h.Bools(w.again, w.open, w.last, w.resync, w.failed)
	h.Add(uint64(w.rv))
	h.Add(uint64(w.event)<<32 | uint64(uint32(w.obj)))
	refs(h, w.list)
	refs(h, w.temp.byKey)
}

// temp is the temporary store of a streaming list: the objects by their keys.
type temp struct {
	byKey []object.Ref
	n     int
}

func (t *temp) put(k object.Key, r object.Ref) {
	if int(k) >= len(t.byKey) {
		t.byKey = append(t.byKey, make([]object.Ref, int(k)+1-len(t.byKey))...)
	}
	switch old := t.byKey[k]; {
	case old == 0 && r != 0:
		t.n++
	case old != 0 && r == 0:
		t.n--
	}
	t.byKey[k] = r
}

// list is what the store holds, in the order of the keys; client-go's order is
// random.
func (t *temp) list(tbl *object.Table) []object.Ref {
	list := make([]object.Ref, 0, t.n)
	for _, k := range tbl.KeyOrder() {
		if int(k) < len(t.byKey) && t.byKey[k] != 0 {
			list = append(list, t.byKey[k])
		}
	}
	return list
}

func (t *temp) reset() { t.byKey, t.n = t.byKey[:0], 0 }

func (t *temp) copyFrom(src *temp) {
	t.byKey = append(t.byKey[:0], src.byKey...)
	t.n = src.n
}
