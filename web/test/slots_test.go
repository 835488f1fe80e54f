package test

import (
	"runtime"
	"strings"
	"sync"
	"testing"
)

// slots lets only so many tests use a browser at once. What a test and its subtests open counts as one.
type slots struct {
	mu   sync.Mutex
	free *sync.Cond
	left int
	held map[string]int // tabs by the name of the test
}

func newSlots(n int) *slots {
	s := &slots{left: n, held: map[string]int{}}
	s.free = sync.NewCond(&s.mu)
	return s
}

// Chromium paints each tab as if it were the only one. Firefox paints only the tab in front.
var (
	inChromium = newSlots(1 + runtime.NumCPU())
	inFirefox  = newSlots(1)
)

// take waits until t may open a tab, and counts that tab until t ends.
func (s *slots) take(t testing.TB) {
	name, _, _ := strings.Cut(t.Name(), "/")
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.held[name] == 0 && s.left == 0 {
		s.free.Wait()
	}
	if s.held[name]++; s.held[name] == 1 {
		s.left--
	}
	t.Cleanup(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.held[name]--; s.held[name] == 0 {
			s.left++
			s.free.Broadcast()
		}
	})
}
