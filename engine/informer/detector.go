package informer

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
)

// Times of the mutation detector, in nanoseconds.
const (
	comparePeriod   = 1_000_000_000
	retainMutations = 120_000_000_000
)

// detector is the defaultCacheMutationDetector: it remembers each object that is
// handed out, with a copy of what it held then, and compares once a second. An
// object is looked at for two to four minutes.
type detector struct {
	cached   []remembered
	retained []remembered
	rotated  int64 // when cached became retained last, or Run was called
}

// remembered is an object and the row that told what it held.
type remembered struct{ obj, row object.Ref }

// MutationError is the panic of the mutation detector.
type MutationError struct{ Key object.Key }

func (MutationError) Error() string { return "cache: a cached object was modified" }

// addObject follows AddObject, for each object of an add or update.
func (d *detector) addObject(obj object.Ref, store *indexer.Indexer) {
	d.cached = append(d.cached, remembered{obj, store.Read(obj)})
}

// rotate lets objects go that were looked at long enough.
func (d *detector) rotate(now int64) {
	if now-d.rotated > retainMutations {
		d.cached, d.retained, d.rotated = d.retained[:0], d.cached, now
	}
}

// altered returns an object of store that holds something else than when it was
// remembered, if there is one.
func (d *detector) altered(t *object.Table, store *indexer.Indexer) (remembered, bool) {
	differs := func(m remembered) bool {
		now := store.Read(m.obj)
		if now == m.row {
			return false
		}
		a, b := t.Meta(now), t.Meta(m.row)
		a.Source, b.Source = object.Source{}, object.Source{}
		return a != b
	}
	for _, set := range d.sets() {
		if i := slices.IndexFunc(set, differs); i >= 0 {
			return set[i], true
		}
	}
	return remembered{}, false
}

func (d *detector) sets() [2][]remembered { return [...][]remembered{d.cached, d.retained} }

func (d *detector) copyFrom(src *detector) {
	d.cached = append(d.cached[:0], src.cached...)
	d.retained = append(d.retained[:0], src.retained...)
	d.rotated = src.rotated
}

func (d *detector) mark(live *object.Live) {
	for _, set := range d.sets() {
		for _, m := range set {
			live.Ref(m.obj)
			live.Ref(m.row)
		}
	}
}

// hash adds what is remembered, and since when, at the time now.
func (d *detector) hash(h *actor.Hash, now int64) {
	h.Since(d.rotated, now, retainMutations+1)
	for _, set := range d.sets() {
		h.Add(uint64(len(set)))
		for _, m := range set {
			h.Add(uint64(uint32(m.obj))<<32 | uint64(uint32(m.row)))
		}
	}
}
