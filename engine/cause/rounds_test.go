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
				if n.Cause != nil && n.Cause.Kind != cause.Reconcile || n.Trigger.Event.Kind != event.WriteSent || n.Trigger.Step >= n.First().Step {
					t.Errorf("%s: step %d: comes of a write in step %d", r.Name, n.First().Step, n.Trigger.Step)
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
