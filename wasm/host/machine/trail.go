package machine

import (
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// trail remembers what was said of consecutive steps of a history. So going on
// step by step doesn't run the steps before the one shown again each time.
type trail struct {
	history *history.History
	entries []link.StepSummary
}

// maxTrail is how many steps a trail remembers.
const maxTrail = 1024

// add takes in a step of h. Steps that aren't next to it are forgotten.
func (t *trail) add(h *history.History, s link.StepSummary) {
	if s.Step == 0 || t.covers(h, s.Step, s.Step) {
		return
	}
	if n := len(t.entries); t.history != h || n == 0 || t.entries[n-1].Step+1 != s.Step {
		t.history, t.entries = h, nil
	} else if n == maxTrail {
		t.entries = append([]link.StepSummary(nil), t.entries[maxTrail/2:]...)
	}
	s.Reason = nil
	t.entries = append(t.entries, s)
}

// covers reports whether all steps of h from one up to another are remembered.
func (t *trail) covers(h *history.History, from, to int64) bool {
	n := len(t.entries)
	return t.history == h && n > 0 && t.entries[0].Step <= from && to <= t.entries[n-1].Step
}

// stepsBefore returns the steps before the one shown, the newest last.
func (r *Run) stepsBefore(w link.Window) []link.StepSummary {
	h, t := r.History(), &r.trail
	at := h.World().Steps()
	from := max(1, at-link.MaxBefore)
	if at <= 1 {
		return nil
	}
	if !t.covers(h, from, at-1) {
		// A viewer who goes back step by step will need the steps before these.
		for s := max(1, from-2*link.MaxBefore); s < at; s++ {
			h.SeekTo(s)
			t.add(h, r.Stage(w).Summary())
		}
		h.SeekTo(at)
	}
	t.add(h, r.Stage(w).Summary())
	first := t.entries[0].Step
	return t.entries[from-first : at-first]
}

// telling returns the most telling of the steps after one up to another, or nil if none
// of them is.
func (r *Run) telling(from, to int64, w link.Window) *link.StepSummary {
	step, mark := timeline.Telling(r.History().Samples(), r.Informer, from, to)
	if mark == "" {
		return nil
	}
	r.History().SeekTo(step)
	told := r.Stage(w).Summary()
	told.Mark = mark
	return &told
}
