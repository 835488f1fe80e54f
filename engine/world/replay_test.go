package world

import (
	"fmt"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
)

// TestSimulatedHistory checks that a run against simulated servers, with what was
// done to them, is the same however one gets to a step of it.
func TestSimulatedHistory(t *testing.T) {
	for _, p := range Profiles() {
		for seed := range uint64(10) {
			name := fmt.Sprintf("%s, seed %d", p.Name, seed)
			r := actor.Rand(seed)
			cfg := simulated(&r, p)
			h, err := NewHistory(cfg)
			if err != nil {
				t.Fatal(err)
			}
			for step := int64(40); step < 1200; step += 1 + int64(r.Below(30)) {
				c := randomCommand(&r, h.front)
				c.After = step
				h.commands = append(h.commands, c)
			}
			sum := func(w *World) actor.Hash {
				h := actor.Hash(w.Now())
				w.hash(&h, uint64(w.Steps()))
				return h
			}
			sums := []actor.Hash{sum(h.front)}
			for h.Extend(1) == 1 {
				sums = append(sums, sum(h.front))
			}
			for range 60 {
				step := int64(r.Below(len(sums)))
				if got := sum(h.SeekTo(step)); got != sums[step] {
					t.Fatalf("%s: step %d of %d is another when it is sought", name, step, len(sums))
				}
			}
			c := h.SeekTo(int64(len(sums) / 2)).Clone()
			if sum(c) != sums[len(sums)/2] {
				t.Fatalf("%s: a clone differs", name)
			}
			var ready []actor.ID
			for range 200 { // a copy leaves the original alone
				if ready = slices.DeleteFunc(c.Ready(ready[:0]), c.idle); len(ready) == 0 {
					break
				}
				c.Do(randomCommand(&r, c))
				c.Step(ready[r.Below(len(ready))])
			}
			if sum(h.At()) != sums[len(sums)/2] {
				t.Fatalf("%s: what a clone does shows in the original", name)
			}
		}
	}
}
