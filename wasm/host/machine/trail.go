package machine

import (
	"slices"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// trail remembers what was said of consecutive steps of a history. So going on
// step by step doesn't run the steps before the one shown again each time.
type trail struct {
	history *history.History
	entries []link.StepSummary

	units  []link.StepSummary // the list by operation or watch event that was made last
	unit   link.Unit
	source *history.History // the history of units
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
	if w.Unit == link.Operation || w.Unit == link.WatchEvent {
		return r.unitsBefore(w)
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

// unitsBefore returns the operations or the watch events before the step shown, the newest last, with what is said of each
// to whoever goes from one to the next.
func (r *Run) unitsBefore(w link.Window) (all []link.StepSummary) {
	h, t := r.History(), &r.trail
	if t.source != h || t.unit != w.Unit {
		t.source, t.unit, t.units = h, w.Unit, nil
	}
	at := h.World().Steps()
	ends := []int64{r.next(w.Unit, at, false)} // the newest first, and one more than is listed
	for len(ends) <= link.MaxBefore && ends[len(ends)-1] > 0 {
		ends = append(ends, r.next(w.Unit, ends[len(ends)-1], false))
	}
	for i := len(ends) - 2; i >= 0; i-- {
		known := slices.IndexFunc(t.units, func(s link.StepSummary) bool { return s.Step == ends[i] })
		if known >= 0 {
			all = append(all, t.units[known])
			continue
		}
		all = append(all, r.unitUpTo(ends[i], ends[i+1], w))
	}
	h.SeekTo(at)
	t.units = all
	return all
}

// unitUpTo returns what is said of a unit that ends at a step, as the frame of that unit says it.
func (r *Run) unitUpTo(to, from int64, w link.Window) link.StepSummary {
	h := r.History()
	h.SeekTo(from)
	way := r.route(w.Unit, w)
	for s := from + 1; s <= to && to-from <= maxRouted; s++ {
		h.SeekTo(s)
		way.Add(r.Stage(w))
	}
	h.SeekTo(to)
	out := r.Stage(w).Summary()
	out.Reason = nil
	if said := way.Sentence(r.Stage(w)); said != nil && to-from <= maxRouted {
		out.Sentence = *said
	}
	return out
}

// telling returns the most telling of the steps after one up to another, or nil if none
// of them is.
func (r *Run) telling(from, to int64, w link.Window) *link.StepSummary {
	step, mark := timeline.Telling(r.History().Samples(), r.Informer, from, to)
	if mark == "" {
		return nil
	}
	r.History().SeekTo(step)
	summary := r.Stage(w).Summary()
	summary.Mark = mark
	return &summary
}
