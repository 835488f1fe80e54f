//go:build !js

package cause_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed/runtest"
)

// TestCauses checks the laws of package cause in every run. Its mirror is equal
// to the stations. Each call of a handler has exactly one chain, which begins
// where the machine says that the notification comes from. Each reconcile has
// all adds that were merged.
func TestCauses(t *testing.T) {
	called, reconciled := 0, 0
	kinds := map[cause.Kind]int{}
	runtest.All(t, func(r runtest.Run) {
		h := r.History(t)
		var all []*followed
		for i := range r.Config.Informers {
			all = append(all, &followed{Tracker: cause.New(i, 0), one: cause.New(i, 1), adds: map[object.Key]int{}, kinds: kinds})
		}
		for h.Steps() < r.Steps && h.Extend(1) == 1 {
			for _, f := range all {
				if fault := f.look(h.Front()); fault != "" {
					t.Fatalf("%s, step %d (%s): %s\n%+v", r.Name, h.Steps(), h.Front().Last.PC, fault, h.Front().Log.Events)
				}
			}
		}
		for _, f := range all {
			called += f.called
			reconciled += f.reconciled
		}
	})
	for k := cause.Write; k <= cause.Retry; k++ {
		if kinds[k] == 0 && !runtest.Fresh() {
			t.Errorf("no chain has a node of kind %d", k)
		}
	}
	t.Log(called, "calls,", reconciled, "reconciles")
}

// followed is a Tracker of all keys, and what the laws count.
type followed struct {
	*cause.Tracker
	one                *cause.Tracker     // of a single key
	adds               map[object.Key]int // to the workqueue since the key was last taken from it
	kinds              map[cause.Kind]int
	called, reconciled int
}

// look takes in a step, and says which law it breaks.
func (f *followed) look(w *world.World) string {
	f.Look(w)
	f.one.Look(w)
	x := w.Informers[f.Informer()]
	if fault := f.mirrors(w, x); fault != "" {
		return fault
	}
	mine := int(w.Last.Informer) == f.Informer()
	for _, e := range w.Log.Events {
		fault := ""
		switch {
		case e.Kind == event.ProcessKilled:
			if _, ended := w.ProcessExit(f.Informer()); ended {
				clear(f.adds)
			}
		case w.Last.PC == actor.RunEnqueue: // of a controller, which is perhaps another informer's
			r := w.Set.Role(e.Actor)
			if w.Informers[r.Informer].Config().Handlers[r.Index].Feeds.Informer == f.Informer() {
				f.adds[e.Key]++
			}
		case !mine:
		case e.Kind == event.HandlerCalled:
			fault = f.call(w, x, e)
		case e.Kind == event.WorkAdded || e.Kind == event.WorkDirty || e.Kind == event.WorkDeferred || e.Kind == event.WorkBuffered:
			f.adds[e.Key]++
		case e.Kind == event.WorkGot:
			fault = f.compareAdds(w, e)
		}
		if fault != "" {
			return fault
		}
	}
	return ""
}

// comesFrom are the kinds of nodes at which the chain of a notification begins.
var comesFrom = map[event.Cause][]cause.Kind{
	event.FromWatch:  {cause.Watch},
	event.FromList:   {cause.Item, cause.Gap, cause.Watch}, // a Watch for an initial event of a streaming list
	event.FromResync: {cause.Resync},
	event.FromCache:  {cause.Listing},
	event.NoCause:    {cause.Call}, // distribute was called by hand
}

// call compares the chain of a handler's call with what the machine says of the call.
func (f *followed) call(w *world.World, x *informer.Informer, e event.Event) string {
	f.called++
	role := w.Set.Role(e.Actor)
	_, n := f.Pair(int(role.Index), int(role.Pair))
	if n == nil || n.Kind != cause.Delivery || n.Last().Event != e || n.Handler() != e.Handler() {
		return "a call has no chain"
	}
	chain := n.Chain()
	if _, alone := f.one.Pair(int(role.Index), int(role.Pair)); e.Key == f.one.Key() && !sameChain(chain, alone) {
		return "a Tracker of one key finds another chain"
	}
	for i, c := range chain {
		f.kinds[c.Kind]++
		if i > 0 && (c.Cause != chain[i-1] || !slices.Contains(chain[i-1].Effects, c)) {
			return "a chain is broken"
		}
		if i > 0 && c.Last().Step < chain[i-1].First().Step || c.First().Time > c.Last().Time {
			return "an effect comes before its cause"
		}
	}
	origin := n.Origin()
	if !slices.Contains(comesFrom[e.Cause], origin.Kind) {
		return fmt.Sprintf("the chain of a notification with cause %d begins with kind %d", e.Cause, origin.Kind)
	}
	if streamed := origin.Kind == cause.Watch && origin.Find(event.ListStreamed) != nil; streamed != (e.Cause == event.FromList && origin.Kind == cause.Watch) {
		return "the chain of a streaming list's item does not begin with its initial event"
	}
	if origin.Kind == cause.Gap != (e.Flags&event.Tombstone != 0 && e.Cause == event.FromList) {
		return "a tombstone does not come of a list that lacks the key"
	}
	if joined := origin.Last().Event; origin.Kind == cause.Listing && (joined.Kind != event.ListenerAdded || joined.Handler() != n.Handler()) {
		return "a listing is for another handler"
	}
	if first := n.First().Event; first.Key != e.Key || first.Old != e.Old || first.New != e.New || first.Delta != e.Delta || first.Flags != e.Flags {
		return "the call is another one than the notification"
	}
	if x.Config().Transform == nil && origin.Kind == cause.Watch {
		o := e.New
		if e.Delta == event.Deleted {
			o = e.Old
		}
		if origin.First().Event.New != o {
			return "the chain begins with a watch event of another object"
		}
	}
	return ""
}

// compareAdds compares the causes of a reconcile with the adds that were counted.
func (f *followed) compareAdds(w *world.World, e event.Event) string {
	f.reconciled++
	_, n, _ := f.Work(e.Key)
	if n == nil || n.Cause == nil {
		return "a reconcile has no cause"
	}
	f.kinds[n.Kind]++
	r := n.Cause
	for _, c := range append([]*cause.Node{r, r.Cause}, r.Merged...) {
		f.kinds[c.Kind]++
		if c != r && c.Kind != cause.Delivery && c.Kind != cause.Retry && c.Kind != cause.Call && c.Kind != cause.Recorded {
			return fmt.Sprint("a reconcile comes of kind ", c.Kind)
		}
		if w.Informers[f.Informer()].Work.Controller == nil && c.Kind == cause.Retry && c.Cause != nil && c.Cause.Cause != nil && c.Cause.Kind == cause.Reconcile && c.Cause.Find(event.ReconcileFailed) == nil {
			return "a retry comes of a reconcile that has not failed" // a controller may ask for one without an error
		}
	}
	if n := 1 + len(r.Merged); n != f.adds[e.Key] && !w.ByHand() && r.Cause.First().Event.Kind != event.WorkGot { // by hand, Done can queue a key twice, and a recorded worker may get a key from nowhere
		return fmt.Sprintf("%d adds were merged, and the reconcile has %d", f.adds[e.Key], n)
	}
	f.adds[e.Key] = 0
	return ""
}

// mirrors compares the mirror with the stations.
func (f *followed) mirrors(w *world.World, x *informer.Informer) string {
	if x.Crash() != nil {
		return ""
	}
	for id := range actor.ID(w.Set.Len()) {
		r := w.Set.Role(id)
		if int(r.Informer) != f.Informer() || r.Kind != actor.Loop {
			continue
		}
		if c, _ := x.ControllerOf(id); c != &x.Controller || r.Run == 0 {
			if fault := f.mirrorsQueue(c.Queue, int(r.Run)); fault != "" {
				return fault
			}
		}
	}
	for i := range x.Processor.Listeners {
		l := &x.Processor.Listeners[i]
		pending := f.Pending(i)
		if len(pending) != l.Pending() {
			return fmt.Sprintf("listener %d has %d pending, not %d", i, l.Pending(), len(pending))
		}
		if n := len(pending); n > 0 && (!standsFor(pending[0], l.PendingAt(0)) || !standsFor(pending[n-1], l.PendingAt(n-1))) {
			return "the pending notifications are others"
		}
		for j := range l.Pairs() {
			pop, run := f.Pair(i, j)
			if p := l.PairAt(j); !standsFor(pop, p.Slot) || !standsFor(run, p.InHand) {
				return "a pair has other notifications in hand"
			}
		}
	}
	return f.mirrorsRest(x)
}

// mirrorsQueue compares the deltas of a queue, key by key.
func (f *followed) mirrorsQueue(q fifo.Queue, again int) string {
	at := map[object.Key]int{}
	var deltas []fifo.Delta
	for i := range min(q.Depth(), 100) {
		deltas = q.RowDeltas(i, deltas[:0])
		for _, d := range deltas {
			row := f.Queued(again, d.Key)
			if at[d.Key] >= len(row) {
				return "the mirror of the queue lacks a delta"
			}
			e := row[at[d.Key]].First().Event
			if at[d.Key]++; e.Delta != d.Type || e.New != d.Obj || e.Flags != d.Flags() {
				return fmt.Sprintf("the queue has %+v, and its mirror %+v", d, e)
			}
		}
	}
	for k, n := range at {
		if q.Depth() <= 100 && len(f.Queued(again, k)) != n {
			return "the mirror of the queue has a delta too many"
		}
	}
	return ""
}

// mirrorsRest compares the cache and the workqueue.
func (f *followed) mirrorsRest(x *informer.Informer) string {
	q := &x.Work.Queue
	waiting := map[object.Key]bool{}
	for i := range q.WaitingLen() {
		waiting[q.WaitingAt(i).Key] = true
	}
	for k := range object.Key(x.Config().Table.Keys()) {
		if k == 0 {
			continue
		}
		if r, ok := x.Indexer.GetByKey(k); ok != (f.Cached(k) != nil) {
			return fmt.Sprintf("the cache has a key: %v, and its mirror does not agree", ok)
		} else if n := f.Cached(k); ok && x.Config().Transform == nil && !x.Config().Table.IsTombstone(r) && n.First().Event.Delta != event.ReplacedAll && n.First().Event.New != r {
			return "the cache has an object that came with another delta"
		}
		dirty, processing, waits := f.Work(k)
		if p := x.Work.Priority; p != nil {
			if queued(&p.Queue, k) != (dirty != nil) || slices.Contains(p.Queue.Locked(nil), k) != (processing != nil) {
				return fmt.Sprintf("the priority queue has a key: %v, and a worker has it: %v; the mirror does not", queued(&p.Queue, k), slices.Contains(p.Queue.Locked(nil), k))
			}
		} else if q.IsDirty(k) != (dirty != nil) || q.IsProcessing(k) != (processing != nil) || waiting[k] != (waits != nil) {
			return fmt.Sprintf("the workqueue has a key dirty %v, processing %v, waiting %v; the mirror does not", q.IsDirty(k), q.IsProcessing(k), waiting[k])
		}
	}
	return ""
}

// queued reports whether a priority queue has a key.
func queued(p *priorityqueue.Queue, k object.Key) bool {
	has := slices.Contains(p.Buffered(nil), k)
	for i := range p.ReadyLen() {
		has = has || p.ReadyAt(i).Key == k
	}
	for i := range p.WaitingLen() {
		has = has || p.WaitingAt(i).Key == k
	}
	return has
}

// standsFor reports whether a Node stands for a notification, or there is neither.
func standsFor(n *cause.Node, m processor.Notification) bool {
	if n == nil || m.Type == 0 {
		return n == nil && m.Type == 0
	}
	e := n.First().Event
	return n.Kind == cause.Delivery && e.Key == m.Key && e.Old == m.Old && e.New == m.New && e.Delta == event.Delta(m.Type)
}

// sameChain reports whether the chain of n has the same nodes.
func sameChain(chain []*cause.Node, n *cause.Node) bool {
	return n != nil && slices.EqualFunc(chain, n.Chain(), func(a, b *cause.Node) bool {
		return a.Kind == b.Kind && a.Key == b.Key && slices.Equal(a.Links, b.Links) && len(a.Merged) == len(b.Merged)
	})
}
