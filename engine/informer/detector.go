package informer

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
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
	rotated  int64 // when cached became retained last
}

// remembered is an object and the row that told what it held.
type remembered struct{ obj, held object.Ref }

// MutationError is the panic of the mutation detector.
type MutationError struct{ Key object.Key }

func (MutationError) Error() string { return "cache: a cached object was modified" }

// startDetector is Run of the detector. Where it is called more than once, all
// of them compare what the one detector remembers.
func (x *Informer) startDetector(s *actor.Set) {
	if !x.started {
		x.detector.rotated = s.Now
	}
	s.Sleep(x.compares, actor.DetectorCompare, actor.OnTimer, s.Now+comparePeriod)
}

// copyFrom makes d equal to src.
func (d *detector) copyFrom(src *detector) {
	cached, retained := d.cached, d.retained
	*d = *src
	d.cached = append(cached[:0], src.cached...)
	d.retained = append(retained[:0], src.retained...)
}

// remember is AddObject, for each object of an add or update.
func (x *Informer) remember(obj object.Ref) {
	x.detector.cached = append(x.detector.cached, remembered{obj, x.Indexer.Read(obj)})
}

// stepDetector is CompareObjects, once a second. A change that it finds ends the process.
func (x *Informer) stepDetector(s *actor.Set, id actor.ID, _ actor.PC, log *event.Log) (finished bool) {
	d := &x.detector
	if m, found := x.altered(); found {
		k := x.cfg.Table.KeyOf(m.obj)
		log.Emit(event.Event{Kind: event.ObjectMutated, Key: k, Old: m.held, New: x.Indexer.Read(m.obj)})
		x.die(s, MutationError{k})
		return true
	}
	if s.Now-d.rotated > retainMutations {
		d.cached, d.retained, d.rotated = d.retained[:0], d.cached, s.Now
	}
	s.Sleep(id, actor.DetectorCompare, actor.OnTimer, s.Now+comparePeriod)
	return true
}

// altered returns an object that holds something else than when it was
// remembered, if there is one.
func (x *Informer) altered() (remembered, bool) {
	t := x.cfg.Table
	differs := func(m remembered) bool {
		now := x.Indexer.Read(m.obj)
		if now == m.held {
			return false
		}
		a, b := t.Meta(now), t.Meta(m.held)
		a.Source, b.Source = object.Source{}, object.Source{}
		return a != b
	}
	for _, set := range [][]remembered{x.detector.cached, x.detector.retained} {
		if i := slices.IndexFunc(set, differs); i >= 0 {
			return set[i], true
		}
	}
	return remembered{}, false
}
