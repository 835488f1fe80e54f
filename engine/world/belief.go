package world

import (
	"slices"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/program"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/object"
)

// ControllerOf returns the controller of an informer, nil if it has none.
func ControllerOf(w *World, informer int) *reconciler.Controller {
	return w.Informers[informer].Work.Controller
}

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
	if r.run.Obj = w.Simulated(own).Storage.Get(k); r.run.Obj == 0 {
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

// Numbers are how many children a controller believes a key's object to have, and how many
// it has. BeliefOf has the children themselves.
type Numbers struct {
	Key      object.Key
	Believed int // children, as a read of the program would find them now
	Exists   int // children on the server
	Wants    int // children that the program is to make, by the object on the server; -1 if it makes none
}

// Duplicates is how many children there are more than the program is to make.
func (b *Numbers) Duplicates() int {
	if b.Wants < 0 {
		return 0
	}
	return max(b.Exists-b.Wants, 0)
}

// Stale reports whether the controller believes what isn't so.
func (b *Numbers) Stale() bool { return b.Believed != b.Exists }

// NumbersOf compares what an informer's controller believes of a key's object with what is
// true. It reports false if neither the cache nor the server has the object.
func NumbersOf(w *World, informer int, k object.Key) (b Numbers, ok bool) {
	c, x := ControllerOf(w, informer), w.Informers[informer]
	server := w.Simulated(informer)
	if c == nil || server == nil || k == 0 {
		return b, false
	}
	t := x.Config().Table
	cached, _ := x.Indexer.GetByKey(k)
	there := server.Storage.Get(k)
	b = Numbers{Key: k, Wants: -1}
	if there != 0 && c.Config().Program.Makes {
		b.Wants = wanted(t, c.Config().Program.Wants, there)
	}
	if cached == 0 {
		cached = there
	}
	if c.Config().Owns >= 0 && cached != 0 {
		if there != 0 {
			b.Exists = len(ownedBy(t, w.Held(c.Config().Owns), ownerText(t, there), nil))
		}
		g := c.Guard
		if g.Kind == guard.Mutation { // reading it changes it
			g.Mutations[guard.Children] = g.Mutations[guard.Children].Clone()
		}
		b.Believed = len(children(w, &g, c.Config().Owns, ownerText(t, cached), nil))
	}
	return b, cached != 0
}

// wanted is how many children a program is to make for an object.
func wanted(t *object.Table, wants program.Term, o object.Ref) (n int) {
	text := wants.Text
	if wants.Is == program.Field {
		text = apiserver.Field(t, t.LabelSetOf(o), wants.Text)
	}
	for _, d := range text {
		if d < '0' || d > '9' || n > 1<<20 {
			return 0
		}
		n = n*10 + int(d-'0')
	}
	return n
}

// AllNumbersOf returns the Numbers of each object that the cache or the server of an informer's
// controller has, in the order of their keys' texts.
func AllNumbersOf(w *World, informer int) (all []Numbers) {
	x := w.Informers[informer]
	t := x.Config().Table
	keys := x.Indexer.ListKeys(nil)
	for _, o := range w.Held(informer) {
		keys = append(keys, t.KeyOf(o))
	}
	slices.SortFunc(keys, t.CompareKeys)
	for _, k := range slices.Compact(keys) {
		if b, ok := NumbersOf(w, informer, k); ok {
			all = append(all, b)
		}
	}
	return all
}
