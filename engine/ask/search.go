package ask

import (
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/world"
)

// Search evaluates an expression over a run from its first step on, a few steps at a
// time, and leaves the History where it is. A caller that needs no more of it drops
// it.
type Search struct {
	e     *Eval
	f     *history.Finder
	value Value
	seen  func(Change)
}

// Change is a step at which an expression has another value than before, or at which a
// momentary one is true.
type Change struct {
	Step, Time int64
	Value      Value
	World      *world.World // after the step, until seen returns
}

// Search begins to evaluate the expression over h. It means the world's i-th informer
// where it names none. Each Change is given to seen, including the value at the first
// step.
func (x *Expr) Search(h *history.History, i int, seen func(Change)) *Search {
	s := &Search{e: x.Eval(i), seen: seen}
	s.f = h.Find(0, false, func(w *world.World) bool {
		s.e.at = w.Steps() // the steps that were passed over have changed nothing
		if s.e.look(w) {
			v := s.e.Value()
			s.seen(Change{s.e.at, w.Now(), v, w})
			s.value = v
		}
		return false
	})
	s.e.mayPass(s.f)
	return s
}

// At is the step that the Search has come to, and Value the value there.
func (s *Search) At() int64    { return s.f.At() }
func (s *Search) Now() int64   { return s.f.Now() }
func (s *Search) Value() Value { return s.value }

// Go evaluates so many steps at most. It reports whether it has come to the end of what
// is known of the run. If more is known later it can go on.
func (s *Search) Go(steps int64) (ended bool) {
	_, ended = s.f.Run(steps)
	s.e.at = s.f.At()
	return ended
}

// Find looks for the next step after the given one at which the expression, which must
// be a bool that remembers nothing, is true, or with back for the last one before it.
func (x *Expr) Find(h *history.History, i int, step int64, back bool) *history.Finder {
	e := x.Eval(i)
	f := h.Find(step, back, func(w *world.World) bool {
		v, _ := e.Look(w)
		return v.True()
	})
	if !back || x.Momentary() { // what is momentary is false where no fact makes it true
		e.mayPass(f)
	}
	return f
}

// Begin returns an Eval that has seen the run up to its furthest point.
func (x *Expr) Begin(h *history.History, i int) *Eval {
	if !x.remember {
		e := x.Eval(i)
		e.Look(h.Front())
		return e
	}
	s := x.Search(h, i, func(Change) {})
	for !s.Go(1 << 20) {
	}
	return s.e
}
