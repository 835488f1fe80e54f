package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
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
	*h = hand{deltas: h.deltas[:0], notes: h.notes[:0], objects: h.objects, ops: h.ops}
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
