//go:build !js

package cause_test

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/replay/feed/runtest"
)

// TestRounds follows a recorded controller that its own writes wake: each Add after the first one comes of the write before it, and a chain
// goes back through some rounds.
func TestRounds(t *testing.T) {
	runtest.Recorded(t, "replay/findings/testdata/own-writes.not-half.trace.jsonl.gz", func(r runtest.Run) {
		r.Config.Informers[0].Handlers[0].Name = "web" // as the recorded one
		h := r.History(t)
		k, ok := h.World().Informers[0].Config().Table.LookupKey("shop/a")
		if !ok {
			t.Fatal("the recording has no shop/a")
		}
		tr := cause.New(0, k)
		for h.Steps() < r.Steps && h.Extend(1) == 1 {
			tr.Look(h.Front())
		}
		back, longest := 0, 0
		for _, n := range tr.Chains() {
			if n.Kind != cause.Recorded {
				continue
			}
			if !strings.HasPrefix(n.Caller, "web On") {
				t.Errorf("%s: step %d: called by %q", r.Name, n.First().Step, n.Caller)
			}
			if n.Trigger.Step > 0 {
				back++
				if n.Trigger.Event.Kind != event.WriteSent || n.Trigger.Step >= n.First().Step {
					t.Errorf("%s: step %d: comes of a write in step %d", r.Name, n.First().Step, n.Trigger.Step)
				}
			}
			if from := n.Cause; from != nil { // the recording is of a bubble, where the process is faster than the engine
				if !n.Early() || from.Kind != cause.Delivery || from.Origin().Kind == cause.Watch && (from.Origin().Cause == nil || from.Origin().Cause.Kind != cause.Reconcile) {
					t.Errorf("%s: step %d: comes of %+v, and that of %+v", r.Name, n.First().Step, from, from.Origin())
				}
				path := n.Path()
				for i := 1; i < len(path); i++ {
					if path[i].Step < path[i-1].Step && (path[i-1].Event.Kind != event.HandlerCalled || path[i].Event.Kind != event.WorkAdded) {
						t.Errorf("%s: step %d: the path goes from %v back to %v", r.Name, n.First().Step, path[i-1].Event.Kind, path[i].Event.Kind)
					}
				}
			}
			rounds := 0
			for _, c := range n.Chain() {
				if c.Kind == cause.Recorded {
					rounds++
				}
			}
			longest = max(longest, rounds)
		}
		if back < 59 || longest != 17 {
			t.Errorf("%s: %d Adds come of a write, and %d are in one chain", r.Name, back, longest)
		}
	})
}
