package controller

import (
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/controller/expectations"
	"github.com/informerscope/informerscope/engine/controller/mutation"
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
)

// guard is a part that can be copied and hashed.
type guard struct {
	name   string
	copied func(t *testing.T) (before, after, copied, changed actor.Hash)
}

func sum(add func(h *actor.Hash)) (h actor.Hash) {
	add(&h)
	return h
}

// TestCopiesStandAlone holds that a copy of each part is equal to it, and that what is
// then done to the copy doesn't change the part.
func TestCopiesStandAlone(t *testing.T) {
	table := object.NewTable(nil)
	a, b := table.Key("ns/a"), table.Key("ns/b")
	obj := func(name, rv string) object.Ref {
		return table.Add(object.Meta{Namespace: table.Sym("ns"), Name: table.Sym(name), RV: table.RV(rv)})
	}
	for _, g := range []guard{
		{"expectations", func(*testing.T) (before, after, copied, changed actor.Hash) {
			var e, c expectations.UIDTrackingControllerExpectations
			e.ExpectDeletions(a, []object.Key{b, a, b}, 0)
			before = sum(func(h *actor.Hash) { e.Hash(h, 5) })
			c.CopyFrom(&e)
			copied = sum(func(h *actor.Hash) { c.Hash(h, 5) })
			c.DeletionObserved(a, b)
			return before, sum(func(h *actor.Hash) { e.Hash(h, 5) }), copied, sum(func(h *actor.Hash) { c.Hash(h, 5) })
		}},
		{"consistency", func(*testing.T) (before, after, copied, changed actor.Hash) {
			s := consistency.New(table)
			s.WroteAt(a, 1, 0, table.RV("7"))
			before = sum(s.Hash)
			c := s.Clone()
			copied = sum(c.Hash)
			c.WroteAt(a, 1, 0, table.RV("8"))
			return before, sum(s.Hash), copied, sum(c.Hash)
		}},
		{"mutation", func(t *testing.T) (before, after, copied, changed actor.Hash) {
			m := mutation.New(table, mutation.Options{})
			x, y := obj("a", "5"), obj("b", "6")
			for _, o := range []object.Ref{x, y} {
				if err := m.Mutation(o, 0); err != nil {
					t.Fatal(err)
				}
			}
			before = sum(func(h *actor.Hash) { m.Hash(h, 5) })
			c := m.Clone()
			copied = sum(func(h *actor.Hash) { c.Hash(h, 5) })
			if err := c.OnDelete(x, 5); err != nil {
				t.Fatal(err)
			}
			return before, sum(func(h *actor.Hash) { m.Hash(h, 5) }), copied, sum(func(h *actor.Hash) { c.Hash(h, 5) })
		}},
		{"priority queue", func(*testing.T) (before, after, copied, changed actor.Hash) {
			q := priorityqueue.New(priorityqueue.DefaultLimiter(), priorityqueue.ByPriority)
			q.AddWithOpts(priorityqueue.AddOpts{RateLimited: true}, a)
			before = sum(func(h *actor.Hash) { q.Hash(h, 5) })
			var c priorityqueue.Queue
			c.CopyFrom(q)
			copied = sum(func(h *actor.Hash) { c.Hash(h, 5) })
			c.AddWithOpts(priorityqueue.AddOpts{}, b)
			return before, sum(func(h *actor.Hash) { q.Hash(h, 5) }), copied, sum(func(h *actor.Hash) { c.Hash(h, 5) })
		}},
		{"workqueue", func(*testing.T) (before, after, copied, changed actor.Hash) {
			q := workqueue.RateLimiting{Limiter: workqueue.DefaultController()}
			q.AddRateLimited(a, 0, nil)
			before = sum(func(h *actor.Hash) { q.Hash(h, 5) })
			var c workqueue.RateLimiting
			c.CopyFrom(&q)
			copied = sum(func(h *actor.Hash) { c.Hash(h, 5) })
			c.Add(b, nil)
			return before, sum(func(h *actor.Hash) { q.Hash(h, 5) }), copied, sum(func(h *actor.Hash) { c.Hash(h, 5) })
		}},
	} {
		before, after, copied, changed := g.copied(t)
		if before != copied || before != after || before == changed {
			t.Errorf("%s: the hash is %x, of the copy %x, of the changed copy %x, and then %x", g.name, before, copied, changed, after)
		}
	}
}

// TestOutcomes holds the order in which a result's parts count.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		result Result
		want   Outcome
	}{
		{Result{}, Succeeded},
		{Result{RequeueAfter: -5}, Succeeded},
		{Result{Requeue: true, RequeueAfter: -5}, Requeued},
		{Result{Requeue: true, RequeueAfter: 5}, RequeuedAfter},
		{Result{Failure: Failed, Requeue: true, RequeueAfter: 5}, Retried},
		{Result{Failure: TerminalError, RequeueAfter: 5}, TerminalFailure},
	} {
		if got := c.result.Outcome(); got != c.want {
			t.Errorf("%+v comes to %d, want %d", c.result, got, c.want)
		}
	}
}
