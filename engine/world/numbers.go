package world

import (
	"slices"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/program"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/object"
)

// How many children a controller believes an object to have, and how many it has.

// ControllerOf returns the controller of an informer, nil if it has none.
func ControllerOf(w *World, informer int) *reconciler.Controller {
	return w.Informers[informer].Work.Controller
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
	there := server.Get(k)
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
