package actor

import "testing"

func newSet(n int) *Set {
	costs := Costs{LoopPop: 5, RunCall: 2}
	s := &Set{Costs: &costs}
	for range n {
		s.Add(Role{})
	}
	return s
}

// TestLock: those who wait are woken one by one in the order in which they came,
// and none is forgotten when another takes the lock and gives it back at once.
func TestLock(t *testing.T) {
	s := newSet(4)
	var l Lock
	for id := range ID(3) {
		if got := s.Acquire(&l, FIFOLock, id, LoopPop, nil); got != (id == 0) {
			t.Fatalf("actor %d acquires: %v", id, got)
		}
	}
	if l.Holder() != 0 || len(l.Waiters()) != 2 || s.At(1) != Never || s.State(1).Wait != OnLock {
		t.Fatalf("held by %d, waited for by %v", l.Holder(), l.Waiters())
	}
	s.Now = 10
	s.Release(&l, FIFOLock, nil)
	if l.Holder() != Nobody || s.At(1) != 15 || s.At(2) != Never {
		t.Fatalf("after the release: held by %d, next at %d and %d", l.Holder(), s.At(1), s.At(2))
	}
	s.Passed(&l) // actor 3 overtakes
	if s.At(2) != 15 || len(l.Waiters()) != 0 {
		t.Fatalf("actor 2 is forgotten: %v", l.Waiters())
	}
}

func TestSet(t *testing.T) {
	s := newSet(2)
	s.Now = 100
	s.Go(0, LoopPop)
	s.Sleep(1, RunCall, OnTimer, 50)
	if s.At(0) != 105 || s.At(1) != 100 {
		t.Errorf("next at %d and %d", s.At(0), s.At(1))
	}
	var c Set
	c.CopyFrom(s)
	c.Stop(0)
	c.Add(Role{Kind: Worker})
	s.Add(Role{Kind: Pop})
	if s.At(0) != 105 || c.At(0) != Never || s.Role(2).Kind != Pop || c.Role(2).Kind != Worker {
		t.Error("a copy is not on its own")
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
