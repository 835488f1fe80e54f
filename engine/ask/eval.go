package ask

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// Eval evaluates an expression step by step. A step costs as much as its facts can
// have changed: an expression about pops costs nothing in a step without a pop.
type Eval struct {
	x        *Expr
	informer int
	w        *world.World
	due      [1 << 8]nodes // by kind of fact: those that such a fact may change
	perStep  nodes         // those that are evaluated at every step
	moves    nodes         // those that are evaluated where facts tell of a change, and where no actor moves
	hot      nodes         // those that are momentary and were true at the last step
	needs    event.Set     // of all functions that have kinds or moves
	fresh    bool          // nothing is known of the steps before
	step     int64         // the last step
	nodes    []state
}

// nodes is a set of nodes, with a bit for each of the first 63. All others share the last bit, and
// are evaluated together: to evaluate a node more often than it can change does no harm.
type nodes uint64

func nodeBit(i int) nodes { return 1 << min(i, 63) }

// state is what an Eval knows of a node.
type state struct {
	value   Value
	changed bool  // in this step; or it is momentary, and has come about again
	parents nodes // those that it is an operand of
	needs   event.Set
	memory  memory
}

// Eval returns an Eval that means the world's i-th informer where the expression
// names none.
func (x *Expr) Eval(i int) *Eval {
	e := &Eval{x: x, informer: i, nodes: make([]state, len(x.nodes)), step: -1, fresh: true}
	for i := range x.nodes {
		n := &x.nodes[i]
		for _, a := range n.args {
			e.nodes[a].parents |= nodeBit(i)
		}
		fn := n.fn
		if fn == nil {
			continue
		}
		for _, kinds := range [][]event.Kind{fn.kinds, fn.moves} {
			for _, k := range kinds {
				if fn.name != "fact" || k.String() == n.names[0] {
					e.nodes[i].needs.Add(k)
					e.needs.Add(k)
					e.due[k] |= nodeBit(i)
				}
			}
		}
		if n.everyStep() {
			e.perStep |= nodeBit(i)
		}
		if fn.moves != nil {
			e.moves |= nodeBit(i)
		}
	}
	return e
}

// everyStep reports whether the node of a function is evaluated at every step. What is momentary is
// true in no step in which its operands don't change.
func (n *node) everyStep() bool { return n.fn.perStep && !n.momentary }

// Reset forgets the steps before.
func (e *Eval) Reset() {
	for i := range e.nodes {
		e.nodes[i].memory = memory{}
	}
	e.fresh = true
}

// mayPass lets a Finder pass over steps and parts of a run in which no fact can change the value.
func (e *Eval) mayPass(f *history.Finder) {
	if e.perStep|e.moves == 0 {
		f.Pass(&e.needs, func() bool { return !e.fresh && e.hot == 0 })
	}
}

// Expr returns what is evaluated.
func (e *Eval) Expr() *Expr { return e.x }

// Look returns the expression's value after w's last step, and whether it differs
// from the value after the step before. A momentary expression also counts as
// changed if it is true again. If w hasn't made exactly one step since the last
// call, Look forgets all that was remembered.
func (e *Eval) Look(w *world.World) (v Value, changed bool) {
	at := w.Steps()
	if at != e.step+1 {
		e.Reset()
	}
	e.step = at
	changed = e.look(w)
	return e.Value(), changed
}

// look evaluates what the next step, whose number is e.step, can have changed, and reports whether the value differs.
func (e *Eval) look(w *world.World) (changed bool) {
	due := e.perStep | e.hot // without calls, since this is done at every step, and the page's program doesn't inline them
	for i := range w.Log.Events {
		due |= e.due[w.Log.Events[i].Kind]
	}
	if w.Last.Actor == actor.Nobody {
		due |= e.moves
	}
	if e.fresh {
		due = ^nodes(0)
	}
	if due == 0 {
		return false
	}
	e.w, e.hot = w, 0
	for i := range e.nodes {
		s := &e.nodes[i]
		if s.changed = false; due>>min(i, 63)&1 != 0 {
			if e.node(i); s.changed {
				due |= s.parents
			}
		}
	}
	e.w, e.fresh = nil, false
	return e.nodes[len(e.nodes)-1].changed
}

// Value returns the value at the last step that was looked at.
func (e *Eval) Value() Value { return e.nodes[len(e.nodes)-1].value }

// Explain names the values that make a bool false: "behind(\"audit\") is 1001". It
// returns "" if the expression's text says it already.
func (e *Eval) Explain() string {
	i := len(e.nodes) - 1
	for e.x.nodes[i].op == opAnd { // the first operand that is false
		n := &e.x.nodes[i]
		if i = int(n.args[0]); e.nodes[i].value.True() {
			i = int(n.args[1])
		}
	}
	n := &e.x.nodes[i]
	if n.op < opEq || n.op > opIn {
		return ""
	}
	said := ""
	for _, a := range n.args[:min(len(n.args), 2)] {
		if d := &e.x.nodes[a]; d.op != opConst {
			if said != "" {
				said += ", and "
			}
			said += e.x.text[d.pos:d.end] + " is " + e.nodes[a].value.Text(d.typ)
		}
	}
	return said
}

func (e *Eval) node(i int) {
	n, s := &e.x.nodes[i], &e.nodes[i]
	was := s.value
	switch {
	case n.fn == nil:
		s.value = e.operate(n)
	case n.fn.eval != nil:
		s.value = n.fn.eval(e, i, n)
	default:
		s.value = truth(e.matches(n, s))
	}
	again := n.momentary && s.value.N != 0
	if again {
		e.hot |= nodeBit(i)
	}
	s.changed = e.fresh || again || s.value != was
}

// matches reports whether the step has a fact that a function looks for.
func (e *Eval) matches(n *node, s *state) bool {
	x := e.w.Informers[e.w.Last.Informer]
	if n.informer != "" && x.Config().Name != n.informer {
		return false
	}
	for i := range e.w.Log.Events {
		f := &e.w.Log.Events[i]
		if s.needs[f.Kind/64]>>(f.Kind%64)&1 != 0 && n.fn.match(e, n, x, f) {
			return true
		}
	}
	return false
}

func truth(b bool) Value {
	if b {
		return Value{N: 1}
	}
	return Value{}
}

func (e *Eval) operate(n *node) Value {
	if n.op == opConst {
		return n.value
	}
	a := e.nodes[n.args[0]].value
	switch n.op {
	case opNot:
		return Value{N: 1 - a.N}
	case opNeg:
		return Value{N: -a.N}
	case opIn:
		for _, i := range n.args[1:] {
			if e.nodes[i].value == a {
				return Value{N: 1}
			}
		}
		return Value{}
	}
	b := e.nodes[n.args[1]].value
	order := 0
	switch {
	case a.N < b.N || a.S < b.S:
		order = -1
	case a != b:
		order = 1
	}
	switch n.op {
	case opOr:
		return Value{N: a.N | b.N}
	case opAnd:
		return Value{N: a.N & b.N}
	case opAdd:
		return Value{N: a.N + b.N}
	case opSub:
		return Value{N: a.N - b.N}
	case opEq:
		return truth(order == 0)
	case opNe:
		return truth(order != 0)
	case opLt:
		return truth(order < 0)
	case opLe:
		return truth(order <= 0)
	case opGt:
		return truth(order > 0)
	}
	return truth(order >= 0)
}

func (e *Eval) informerOf(n *node) *informer.Informer {
	for _, x := range e.w.Informers {
		if x.Config().Name == n.informer {
			return x
		}
	}
	return e.w.Informers[e.informer]
}

// listener returns the handler that a call names: of the informer that it is about, or of
// the first informer with such a handler. x is nil if there is none.
func (e *Eval) listener(n *node) (x *informer.Informer, i int) {
	x = e.informerOf(n)
	if i := handlerOf(x, n.names[0]); i >= 0 || n.informer != "" {
		if i < 0 {
			x = nil
		}
		return x, i
	}
	for _, x := range e.w.Informers {
		if i := handlerOf(x, n.names[0]); i >= 0 {
			return x, i
		}
	}
	return nil, -1
}

func handlerOf(x *informer.Informer, name string) int {
	return slices.IndexFunc(x.Config().Handlers, func(h informer.Handler) bool { return h.Name == name })
}

// hasText reports whether a key has a text. Any key has the text "".
func hasText(x *informer.Informer, k object.Key, text string) bool {
	return text == "" || x.Config().Table.KeyIs(k, text)
}

// The functions that have kinds.

func (*Eval) matchAny(*node, *informer.Informer, *event.Event) bool { return true }

func (*Eval) matchKey(n *node, x *informer.Informer, f *event.Event) bool {
	return hasText(x, f.Key, n.names[0])
}

func (*Eval) matchFact(n *node, x *informer.Informer, f *event.Event) bool {
	return hasText(x, f.Key, n.names[1]) && namesHandler(n.names[2], x, f)
}

// namesHandler reports whether a fact is about a handler.
func namesHandler(name string, x *informer.Informer, f *event.Event) bool {
	if name == "" {
		return true
	}
	i := f.Handler()
	return i >= 0 && x.Config().Handlers[i].Name == name
}

func (*Eval) matchDelta(n *node, x *informer.Informer, f *event.Event) bool {
	return (n.names[0] == "" || f.Delta.String() == n.names[0]) && hasText(x, f.Key, n.names[1])
}

func (*Eval) matchCall(n *node, x *informer.Informer, f *event.Event) bool {
	return namesHandler(n.names[0], x, f) && (n.names[1] == "" || fnOf(f.Delta) == n.names[1]) && hasText(x, f.Key, n.names[2])
}

// fnOf returns the function of a handler that takes a notification.
func fnOf(d event.Delta) string {
	switch d {
	case event.Updated:
		return fnNames[1]
	case event.Deleted:
		return fnNames[2]
	}
	return fnNames[0]
}

func (*Eval) matchEvent(n *node, x *informer.Informer, f *event.Event) bool {
	if n.names[0] != "" {
		which := map[event.Delta]int{event.Added: 1, event.Updated: 2, event.Deleted: 3, event.Bookmark: 4}[f.Delta]
		if f.Kind == event.WatchErrorReceived {
			which = 5
		}
		if which == 0 || eventNames[which-1] != n.names[0] {
			return false
		}
	}
	return hasText(x, f.Key, n.names[1])
}

// matchTombstone reports whether the fact makes a tombstone of a key. Where a queue takes whole lists, the informer makes
// it as it distributes the notification.
func (*Eval) matchTombstone(n *node, x *informer.Informer, f *event.Event) bool {
	return f.Flags&event.Tombstone != 0 && hasText(x, f.Key, n.names[0]) &&
		(f.Kind != event.Distributed || x.Config().Profile.RealFIFO.Atomic)
}

func (*Eval) matchPanic(n *node, x *informer.Informer, f *event.Event) bool {
	return namesHandler(n.names[0], x, f)
}
