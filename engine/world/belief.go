package world

import (
	"slices"

	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/object"
)

// Belief is what a controller takes the children of an object for, and what they are.
type Belief struct {
	Wants  string       // how many children the program wants; "" where it makes none
	Cached []object.Ref // in the controller's cache
	Held   []object.Ref // on the API server

	// Asked tells that a worker has the object in hand and has read its children. Read are
	// those, and Made is how many it has created since, less what it has deleted.
	Asked bool
	Read  []object.Ref
	Made  int
	// Expected is how many more children expectations wait for, and negative where they wait
	// for deletions.
	Expected int
}

// Count is how many children the controller takes the object to have: what its worker has
// read and made, or else what is in its cache and what it expects.
func (b *Belief) Count() int {
	if b.Asked {
		return len(b.Read) + b.Made
	}
	return len(b.Cached) + b.Expected
}

// BeliefOf is what the controller of informer own takes the children of an object for. It
// reports false if nobody has such an object, or if the controller's objects own none.
func BeliefOf(w *World, own int, k object.Key) (b Belief, ok bool) {
	x := w.Informers[own]
	c := x.Work.Controller
	if c == nil || c.Config().Owns < 0 || w.Simulated(own) == nil {
		return b, false
	}
	r := reconcile{w: w, x: x, c: c, run: new(reconciler.Run)}
	if r.run.Obj = w.Simulated(own).Get(k); r.run.Obj == 0 {
		r.run.Obj, _ = x.Indexer.GetByKey(k)
	}
	for i := range x.Work.Workers {
		if at := &c.Runs[i]; x.Work.Workers[i].Key == k && at.Obj != 0 {
			r.run = at
			b.Asked = slices.ContainsFunc(at.Reads, func(r reconciler.Read) bool { return r.Resource == guard.Children })
		}
	}
	if r.run.Obj == 0 {
		return b, false
	}
	owner, children := ownerText(r.table(), r.run.Obj), w.Informers[r.owns()]
	b.Cached = ownedBy(r.table(), children.Indexer.List(nil), owner, nil)
	b.Held = ownedBy(r.table(), w.Held(r.owns()), owner, nil)
	if b.Asked {
		b.Read, b.Made = r.run.Children, r.run.Made
	}
	if p := &c.Config().Program; p.Makes {
		b.Wants = r.value(p.Wants)
	}
	if e, has := c.Guard.Expectations.GetExpectations(k); has {
		b.Expected = int(max(e.Add, 0) - max(e.Del, 0))
	}
	return b, true
}
