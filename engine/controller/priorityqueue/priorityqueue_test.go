package priorityqueue

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
)

// random plays n random operations, and returns what was handed out.
func random(q *Queue, rnd *rand.Rand, n int, now *int64, check func()) (out []Item) {
	for range n {
		k := object.Key(1 + rnd.Intn(8))
		switch rnd.Intn(8) {
		case 0, 1:
			q.AddWithOpts(AddOpts{After: int64(rnd.Intn(60) - 10), RateLimited: rnd.Intn(3) == 0, Priority: rnd.Intn(3) - 1}, k, object.Key(1+rnd.Intn(8)))
		case 2:
			q.Add(k)
		case 3:
			q.HandleAddBuffer(*now, nil)
		case 4:
			q.HandleWaitingItems(*now, nil)
		case 5:
			q.GetWithPriority()
		case 6:
			out = append(out, q.HandleReadyItems(*now, nil, nil)...)
		default:
			q.Done(k)
		}
		if *now += int64(rnd.Intn(10)); check != nil {
			check()
		}
	}
	return out
}

func TestLaws(t *testing.T) {
	for seed := range int64(40) {
		rnd, now := rand.New(rand.NewSource(seed)), int64(0)
		q := New(workqueue.Exponential(5, 1000), Order(seed%3))
		random(q, rnd, 400, &now, func() {
			seen := map[object.Key]bool{}
			for i := range q.ReadyLen() {
				if k := q.items.ready.at(i); seen[k] || q.items.states[k].place != Ready || i > 0 && q.items.compareReady(q.items.ready.at(i-1), k) >= 0 {
					t.Fatalf("seed %d: key %d is in the ready set at %d", seed, k, i)
				} else {
					seen[k] = true
				}
			}
			for i := range q.WaitingLen() {
				if k := q.items.waiting.at(i); seen[k] || q.items.states[k].place != Waiting || i > 0 && q.items.compareWaiting(q.items.waiting.at(i-1), k) >= 0 {
					t.Fatalf("seed %d: key %d is in the waiting set at %d", seed, k, i)
				} else {
					seen[k] = true
				}
			}
		})
	}
}

// TestCopiesGoOnAlike: a copy comes to the same, and two states with the same Hash do so
// even if their counters and clocks differ.
func TestCopiesGoOnAlike(t *testing.T) {
	for seed := range int64(40) {
		rnd, now := rand.New(rand.NewSource(seed)), int64(1000)
		q := New(workqueue.Exponential(5, 1000), Order(seed%3))
		random(q, rnd, 60, &now, nil)
		later := new(Queue)
		later.CopyFrom(q)
		for k := range later.items.states {
			s := &later.items.states[k]
			if s.counter += 100; s.readyAt != 0 {
				s.readyAt += 500
			}
		}
		later.items.addedCounter += 100
		if a, b := hashed(q, now), hashed(later, now+500); a != b {
			t.Fatalf("seed %d: 500 ns later, with other counters, the same state has another hash", seed)
		}
		again, then := rand.New(rand.NewSource(seed+1000)), now+500
		b := random(later, again, 200, &then, nil)
		a := random(q, rand.New(rand.NewSource(seed+1000)), 200, &now, nil)
		strip := func(items []Item) (out string) {
			for _, it := range items {
				out += fmt.Sprint(it.Key, " p", it.Priority, ",")
			}
			return out
		}
		if strip(a) != strip(b) {
			t.Fatalf("seed %d: two states with one hash hand out\n%s\n%s", seed, strip(a), strip(b))
		}
	}
}

func hashed(q *Queue, now int64) actor.Hash {
	var h actor.Hash
	q.Hash(&h, now)
	return h
}

func TestEachDifferenceIsHashed(t *testing.T) {
	all := map[actor.Hash]string{}
	for name, change := range map[string]func(q *Queue){
		"nothing":  func(*Queue) {},
		"buffered": func(q *Queue) { q.Add(1) },
		"ready":    func(q *Queue) { q.Add(1); q.HandleAddBuffer(0, nil) },
		"high":     func(q *Queue) { q.AddWithOpts(AddOpts{Priority: 1}, 1); q.HandleAddBuffer(0, nil) },
		"waiting":  func(q *Queue) { q.AddAfter(1, 5); q.HandleAddBuffer(0, nil) },
		"sooner":   func(q *Queue) { q.AddAfter(1, 4); q.HandleAddBuffer(0, nil) },
		"waiter":   func(q *Queue) { q.GetWithPriority() },
		"locked":   func(q *Queue) { q.Add(1); q.GetWithPriority(); q.HandleReadyItems(0, nil, nil) },
		"failed":   func(q *Queue) { q.Limiter.When(1, 0) },
		"shutdown": func(q *Queue) { q.ShutDown() },
		"put off": func(q *Queue) {
			q.items.order = ByDelays
			q.AddAfter(1, 5)
			q.HandleAddBuffer(-5, nil)
			q.HandleWaitingItems(0, nil)
		},
	} {
		q := New(DefaultLimiter(), ByPriority)
		change(q)
		h := hashed(q, 0)
		if other, is := all[h]; is {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		all[h] = name
	}
}

// A ready key that is raised goes last among its new equals, and a fact says so.
func TestFacts(t *testing.T) {
	q := New(DefaultLimiter(), ByPriority)
	var log event.Log
	q.AddAfter(1, 100)
	q.AddWithOpts(AddOpts{Priority: 2}, 1, 2)
	q.AddRateLimited(2)
	q.HandleAddBuffer(7, &log)
	want := []event.Event{
		{Kind: event.WorkDelayed, Key: 1, N: 100},
		{Kind: event.WorkRaised, Key: 1, N: 2}, {Kind: event.WorkQueued, Key: 1, N: 2},
		{Kind: event.WorkQueued, Key: 2, N: 2},
		{Kind: event.WorkRateLimited, Key: 2, N: 1}, {Kind: event.WorkKept, Key: 2, N: 2},
	}
	if !slices.Equal(log.Events, want) {
		t.Errorf("the facts are\n%+v, want\n%+v", log.Events, want)
	}
}

// TestOrders: where a key that was put off comes, before and after it is added again without a delay.
func TestOrders(t *testing.T) {
	for order, want := range map[Order][2]string{ByPriority: {"2143", "2143"}, ByPriorityDelays: {"2413", "1243"}, ByDelays: {"2431", "1243"}} {
		q := New(DefaultLimiter(), order)
		ready := func() (text string) {
			q.HandleAddBuffer(5, nil)
			q.HandleWaitingItems(5, nil)
			for i := range q.ReadyLen() {
				text += fmt.Sprint(q.ReadyAt(i).Key)
			}
			return text
		}
		q.AddWithOpts(AddOpts{After: 5, Priority: 5}, 1)
		q.AddWithOpts(AddOpts{Priority: 5}, 2)
		q.AddWithOpts(AddOpts{Priority: -100}, 3)
		q.HandleAddBuffer(0, nil)
		ready()
		q.AddWithOpts(AddOpts{Priority: 5}, 4)
		first := ready()
		q.Add(1)
		if got := [2]string{first, ready()}; got != want {
			t.Errorf("order %d: %v, want %v", order, got, want)
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	q := New(DefaultLimiter(), ByPriority)
	var items []Item
	now := int64(0)
	run := func() {
		for k := object.Key(1); k < 60; k++ {
			q.AddWithOpts(AddOpts{Priority: int(k) % 3}, k)
			q.AddRateLimited(k)
		}
		q.HandleAddBuffer(now, nil)
		now += 1e9
		q.HandleWaitingItems(now, nil)
		for range 60 {
			q.GetWithPriority()
		}
		items = q.HandleReadyItems(now, items[:0], nil)
		for _, it := range items {
			q.Done(it.Key)
			q.Forget(it.Key)
		}
		q.waiters = 0
	}
	run()
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("a round through the queue makes %v allocations", n)
	}
	c := new(Queue)
	c.CopyFrom(q)
	if n := testing.AllocsPerRun(20, func() { c.CopyFrom(q) }); n != 0 {
		t.Errorf("CopyFrom makes %v allocations", n)
	}
}
