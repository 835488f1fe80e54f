package actor

import (
	"math/rand/v2"
	"testing"
)

func newSet(n int) *Set {
	s := &Set{Costs: Costs{LoopPop: 5, RunCall: 2}}
	for range n {
		s.Add(Role{})
	}
	return s
}

// TestLock checks that waiters are woken one by one in the order in which they
// came, and that none is forgotten when another actor takes the lock and releases
// it at once.
func TestLock(t *testing.T) {
	s := newSet(4)
	var l Lock
	for id := range ID(3) {
		if got := s.Acquire(&l, FIFOLock, id, LoopPop, nil); got != (id == 0) {
			t.Fatalf("actor %d acquires: %v", id, got)
		}
	}
	if l.Holder() != 0 || len(l.Waiters()) != 2 || s.ReadyAt(1) != Never || s.State(1).Wait != OnLock {
		t.Fatalf("held by %d, waited for by %v", l.Holder(), l.Waiters())
	}
	s.Now = 10
	s.Release(&l, FIFOLock, nil)
	if l.Holder() != Nobody || s.ReadyAt(1) != 15 || s.ReadyAt(2) != Never {
		t.Fatalf("after the release: held by %d, next at %d and %d", l.Holder(), s.ReadyAt(1), s.ReadyAt(2))
	}
	s.Passed(&l) // actor 3 overtakes
	if s.ReadyAt(2) != 15 || len(l.Waiters()) != 0 {
		t.Fatalf("actor 2 is forgotten: %v", l.Waiters())
	}
}

func TestSet(t *testing.T) {
	s := newSet(2)
	s.Now = 100
	s.Schedule(0, LoopPop)
	s.Sleep(1, RunCall, OnTimer, 50)
	if s.ReadyAt(0) != 105 || s.ReadyAt(1) != 100 {
		t.Errorf("next at %d and %d", s.ReadyAt(0), s.ReadyAt(1))
	}
	var c Set
	c.CopyFrom(s)
	c.Stop(0)
	c.Add(Role{Kind: Worker})
	s.Add(Role{Kind: Pop})
	if s.ReadyAt(0) != 105 || c.ReadyAt(0) != Never || s.Role(2).Kind != Pop || c.Role(2).Kind != Worker {
		t.Error("a copy is not on its own")
	}
}

// TestEarliest checks that, of actors that are done at the same time, the one with
// the lowest ID is found.
func TestEarliest(t *testing.T) {
	const seed = 604
	r := rand.New(rand.NewPCG(seed, 0))
	for n := range 20 {
		s := newSet(n)
		for range 50 {
			first, least := Nobody, Never
			for id := range ID(n) {
				if s.Block(id, LoopPop, OnCond, 0); r.IntN(3) > 0 {
					s.Sleep(id, LoopPop, OnTimer, r.Int64N(int64(n)+1))
				}
				if at := s.ReadyAt(id); at < least {
					first, least = id, at
				}
			}
			if id, at := s.Earliest(); id != first || at != least {
				t.Fatalf("seed %d: of %d, %d is found at %d, not %d at %d", seed, n, id, at, first, least)
			}
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for pc := range NumPC {
		if pc.String() == "" || seen[pc.String()] {
			t.Errorf("program counter %d is called %q", pc, pc)
		}
		seen[pc.String()] = true
	}
}
