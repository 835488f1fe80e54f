package ask

import (
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/manager"
	"github.com/informerscope/informerscope/engine/metrics"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// The functions of the present state. Each takes a few nanoseconds, so most are asked at
// every step. A search asks those that are common only where facts tell of a change (moves).

func (e *Eval) evalSynced(_ int, n *node) Value {
	if n.names[0] == "" {
		return truth(e.informerOf(n).HasSynced())
	}
	x, i := e.listener(n)
	return truth(x != nil && x.Processor.Listeners[i].Synced)
}

// listeners returns the listener of the handler that a call names, or all of the informer's listeners.
func (e *Eval) listeners(n *node) []processor.Listener {
	if n.names[0] == "" {
		return e.informerOf(n).Processor.Listeners
	}
	x, i := e.listener(n)
	if x == nil {
		return nil
	}
	return x.Processor.Listeners[i : i+1]
}

// maxOfListeners returns the highest of the numbers that listeners have.
func (e *Eval) maxOfListeners(n *node, value func(*processor.Listener) int) Value {
	most, l := 0, e.listeners(n)
	for i := range l {
		most = max(most, value(&l[i]))
	}
	return Value{N: int64(most)}
}

func (e *Eval) evalCalls(_ int, n *node) Value {
	sum, l := int64(0), e.listeners(n)
	for i := range l {
		sum += l[i].Calls
	}
	return Value{N: sum}
}

func (e *Eval) evalQueued(_ int, n *node) Value {
	x := e.informerOf(n)
	k, ok := x.Config().Table.LookupKey(n.names[0])
	return truth(ok && x.Queue.Find(k) >= 0)
}

// cachedOf returns the object that the cache holds for a key, 0 for none.
func cachedOf(x *informer.Informer, key string) object.Ref {
	k, ok := x.Config().Table.LookupKey(key)
	if !ok {
		return 0
	}
	o, _ := x.Indexer.GetByKey(k)
	return o
}

func (e *Eval) evalVersion(_ int, n *node) Value {
	x := e.informerOf(n)
	return Value{N: numberOf(x.Config().Table.RVOf(cachedOf(x, n.names[0])))}
}

// numberOf returns a resourceVersion as a number. A resourceVersion that is no
// number becomes a negative one, which only the same resourceVersion has.
func numberOf(rv object.RV) int64 {
	if n, ok := rv.Number(); ok {
		return int64(n)
	}
	return -int64(uint32(rv))
}

// evalBackoff returns how long the reflector sleeps before its next list or watch. A retry of rest.Request
// doesn't count.
func (e *Eval) evalBackoff(_ int, n *node) Value {
	_, id, _, _ := e.informerOf(n).Actors()
	st := e.w.Set.State(id)
	if st.Wait != actor.OnTimer || st.PC != actor.ReflectorBackoff && st.PC != actor.ReflectorRewatch {
		return Value{}
	}
	return Value{N: e.w.Set.ReadyAt(id) - st.Since}
}

func (e *Eval) evalActor(_ int, _ *node) Value {
	if e.w.Last.Actor == actor.Nobody {
		return Value{S: "nobody"}
	}
	return Value{S: e.w.Set.Role(e.w.Last.Actor).Kind.String()}
}

func (e *Eval) evalLeaders(_ int, _ *node) Value {
	all, n := e.w.Election, int64(0)
	for i := 0; all != nil && i < len(all.Replicas); i++ {
		if e.w.Leads(i) {
			n++
		}
	}
	return Value{N: n}
}

func (e *Eval) evalLeads(_ int, n *node) Value {
	all := e.w.Election
	return truth(all != nil && e.w.Leads(e.w.Replica(e.informerOf(n).Index())))
}

func (e *Eval) evalHolders(_ int, n *node) Value {
	i, k := e.keyed(n)
	return Value{N: int64(e.w.Holders(i, k))}
}

func (e *Eval) evalReconciling(_ int, n *node) Value {
	i, k := e.keyed(n)
	return Value{N: int64(e.w.Workers(i, k))}
}

// The functions of a controller. Each means the informer whose controller it is; where none
// is named, and the first one has no controller, it means the first that has one.

// ofController returns the number of the informer that a call means.
func (e *Eval) ofController(n *node) int {
	i := e.informerOf(n).Index()
	if n.informer == "" && e.w.Informers[i].Work.Controller == nil {
		for j, x := range e.w.Informers {
			if x.Work.Controller != nil {
				return j
			}
		}
	}
	return i
}

// keyed returns the key that a call names, 0 for none, and the informer that it means.
func (e *Eval) keyed(n *node) (informer int, k object.Key) {
	informer = e.ofController(n)
	k, _ = e.w.Informers[informer].Config().Table.LookupKey(n.names[0])
	return informer, k
}

// beliefs calls f with what the controller believes of the key, or of every object.
func (e *Eval) beliefs(n *node, f func(manager.ChildCounts)) {
	i, k := e.keyed(n)
	if n.names[0] == "" {
		for _, b := range e.w.AllChildCounts(i) {
			f(b)
		}
	} else if b, ok := e.w.ChildCounts(i, k); ok {
		f(b)
	}
}

func (e *Eval) sum(n *node, value func(manager.ChildCounts) int) Value {
	sum := 0
	e.beliefs(n, func(b manager.ChildCounts) { sum += value(b) })
	return Value{N: int64(sum)}
}

func (e *Eval) evalStale(_ int, n *node) Value {
	stale := false
	e.beliefs(n, func(b manager.ChildCounts) { stale = stale || b.Stale() })
	return truth(stale)
}

func (e *Eval) evalWaitsFor(_ int, n *node) Value {
	i, k := e.keyed(n)
	return Value{S: e.w.WaitReason(i, k).String()}
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

// unseen returns what the guard waits to see for a key and is furthest behind.
func (e *Eval) unseen(n *node) (u manager.UnobservedWrite) {
	i, k := e.keyed(n)
	for _, v := range e.w.UnobservedWrites(i) {
		if v.Owner == k && (u.RV == 0 || v.RV-v.Observed > u.RV-u.Observed) {
			u = v
		}
	}
	return u
}

// What a histogram's name ends with, in the two of its series that have no buckets.
const (
	countSuffix = "_count"
	sumSuffix   = "_sum"
)

// isTime reports whether a call is of a metric in seconds, whose value is a duration.
func isTime(n *node) bool {
	return n.fn.name == "metric" && strings.HasSuffix(strings.TrimSuffix(n.names[0], sumSuffix), "_seconds")
}

// evalMetric returns what client-go would export of the informer that the call is about, or of that informer's
// workqueue.
func (e *Eval) evalMetric(i int, n *node) Value {
	m, x := &e.nodes[i].memory, e.informerOf(n)
	if m.metrics == nil {
		m.metrics = metrics.NewObserver(e.w)
	}
	m.metrics.Look(e.w)
	var v Value
	m.metrics.Each(x.Index(), e.w.Now(), func(f *metrics.Family, value int64, h *metrics.Observed) {
		suffix, found := strings.CutPrefix(n.names[0], f.Name)
		switch {
		case !found:
		case suffix == "" && h != nil:
			v.N = h.Quantile(f, float64(n.value.N)/unit)
		case suffix == "":
			v.N = value
		case h != nil && suffix == countSuffix:
			v.N = h.Count
		case h != nil && suffix == sumSuffix:
			v.N = h.Sum
		}
	})
	return v
}
