package ask

import (
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// The functions of a controller. Each means the informer whose controller it is; where none
// is named, and the first one has no controller, it means the first that has one.

// ofController is the number of the informer that a call means.
func (e *Eval) ofController(n *node) int {
	i := e.of(n).Index()
	if n.informer == "" && e.w.Informers[i].Work.Controller == nil {
		for j, x := range e.w.Informers {
			if x.Work.Controller != nil {
				return j
			}
		}
	}
	return i
}

// keyed is the key that a call names, 0 for none, and the informer that it means.
func (e *Eval) keyed(n *node) (informer int, k object.Key) {
	informer = e.ofController(n)
	k, _ = e.w.Informers[informer].Config().Table.LookupKey(n.names[0])
	return informer, k
}

// beliefs calls f with what the controller believes of the key, or of every object.
func (e *Eval) beliefs(n *node, f func(world.Numbers)) {
	i, k := e.keyed(n)
	if n.names[0] == "" {
		for _, b := range world.AllNumbersOf(e.w, i) {
			f(b)
		}
	} else if b, ok := world.NumbersOf(e.w, i, k); ok {
		f(b)
	}
}

func (e *Eval) sum(n *node, of func(world.Numbers) int) Value {
	sum := 0
	e.beliefs(n, func(b world.Numbers) { sum += of(b) })
	return Value{N: int64(sum)}
}

func (e *Eval) evalBelieves(_ int, n *node) Value {
	return e.sum(n, func(b world.Numbers) int { return b.Believed })
}

func (e *Eval) evalExists(_ int, n *node) Value {
	return e.sum(n, func(b world.Numbers) int { return b.Exists })
}

func (e *Eval) evalDuplicates(_ int, n *node) Value {
	return e.sum(n, func(b world.Numbers) int { return b.Duplicates() })
}

func (e *Eval) evalStale(_ int, n *node) Value {
	stale := false
	e.beliefs(n, func(b world.Numbers) { stale = stale || b.Stale() })
	return truth(stale)
}

func (e *Eval) evalWaitsFor(_ int, n *node) Value {
	i, k := e.keyed(n)
	return Value{S: world.WaitsForOf(e.w, i, k).String()}
}

func (e *Eval) evalPriority(_ int, n *node) Value {
	i, k := e.keyed(n)
	q := world.QueueOf(e.w, i)
	for _, list := range [...][]world.Queued{q.Ready, q.Waiting} {
		for _, item := range list {
			if item.Key == k {
				return Value{N: int64(item.Priority)}
			}
		}
	}
	return Value{}
}

func (e *Eval) evalRequeues(_ int, n *node) Value {
	i, k := e.keyed(n)
	return Value{N: int64(world.LimiterOf(e.w, i).NumRequeues(k))}
}

// unseen is what the guard waits to see for a key and is furthest behind.
func (e *Eval) unseen(n *node) (u world.Unseen) {
	i, k := e.keyed(n)
	for _, v := range world.UnseenBy(e.w, i) {
		if v.Owner == k && (u.RV == 0 || v.RV-v.Seen > u.RV-u.Seen) {
			u = v
		}
	}
	return u
}

func (e *Eval) evalWritten(_ int, n *node) Value  { return Value{N: e.unseen(n).RV} }
func (e *Eval) evalObserved(_ int, n *node) Value { return Value{N: e.unseen(n).Seen} }
