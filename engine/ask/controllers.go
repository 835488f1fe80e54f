package ask

import (
	"github.com/informerscope/informerscope/engine/manager"
	"github.com/informerscope/informerscope/engine/object"
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
func (e *Eval) beliefs(n *node, f func(manager.Numbers)) {
	i, k := e.keyed(n)
	if n.names[0] == "" {
		for _, b := range e.w.AllNumbers(i) {
			f(b)
		}
	} else if b, ok := e.w.Numbers(i, k); ok {
		f(b)
	}
}

func (e *Eval) sum(n *node, of func(manager.Numbers) int) Value {
	sum := 0
	e.beliefs(n, func(b manager.Numbers) { sum += of(b) })
	return Value{N: int64(sum)}
}

func (e *Eval) evalBelieves(_ int, n *node) Value {
	return e.sum(n, func(b manager.Numbers) int { return b.Believed })
}

func (e *Eval) evalExists(_ int, n *node) Value {
	return e.sum(n, func(b manager.Numbers) int { return b.Exists })
}

func (e *Eval) evalDuplicates(_ int, n *node) Value {
	return e.sum(n, func(b manager.Numbers) int { return b.Duplicates() })
}

func (e *Eval) evalStale(_ int, n *node) Value {
	stale := false
	e.beliefs(n, func(b manager.Numbers) { stale = stale || b.Stale() })
	return truth(stale)
}

func (e *Eval) evalWaitsFor(_ int, n *node) Value {
	i, k := e.keyed(n)
	return Value{S: e.w.WaitsFor(i, k).String()}
}

func (e *Eval) evalPriority(_ int, n *node) Value {
	i, k := e.keyed(n)
	q := e.w.Queue(i)
	for _, list := range [...][]manager.Queued{q.Ready, q.Waiting} {
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
	return Value{N: int64(e.w.Informers[i].Work.Limiter().NumRequeues(k))}
}

// unseen is what the guard waits to see for a key and is furthest behind.
func (e *Eval) unseen(n *node) (u manager.Unseen) {
	i, k := e.keyed(n)
	for _, v := range e.w.Unseen(i) {
		if v.Owner == k && (u.RV == 0 || v.RV-v.Seen > u.RV-u.Seen) {
			u = v
		}
	}
	return u
}

func (e *Eval) evalWritten(_ int, n *node) Value  { return Value{N: e.unseen(n).RV} }
func (e *Eval) evalObserved(_ int, n *node) Value { return Value{N: e.unseen(n).Seen} }
