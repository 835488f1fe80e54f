package world

import (
	"sort"

	"github.com/informerscope/informerscope/engine/actor"
)

// At is the world where SeekTo left it. It belongs to the history.
func (h *History) At() *World { return h.cur }

// SeekTo goes to the state after the given step, 0 being before the first, and
// returns it. Its Log holds the facts of that step. A step beyond the last one
// known is taken for the last one.
func (h *History) SeekTo(step int64) *World {
	if h.passing {
		return h.front
	}
	step = min(max(step, 0), h.front.steps)
	if step == h.cur.steps {
		return h.cur
	}
	back := step < h.cur.steps
	from := h.nearest(step)
	if back || from.steps > h.cur.steps {
		h.cur.copyFrom(from)
	}
	if back {
		for i, before := range nearBefore {
			if at := step - before; at > h.cur.steps {
				h.rerun(h.cur, at)
				if h.near[i] == nil {
					h.near[i] = new(World)
				}
				h.near[i].copyFrom(h.cur)
			}
		}
	}
	h.rerun(h.cur, step)
	return h.cur
}

// nearest is the last world that is kept at or before a step.
func (h *History) nearest(step int64) *World {
	if step < h.left {
		return h.parent.nearest(step)
	}
	from := h.runs.before(step)
	for _, w := range h.near {
		if w != nil && w.steps <= step && w.steps > from.steps {
			from = w
		}
	}
	return from
}

// reach makes w the state after a step.
func (h *History) reach(w *World, step int64) {
	from := h.nearest(step)
	if h.cur.steps <= step && h.cur.steps > from.steps {
		from = h.cur
	}
	w.copyFrom(from)
	h.rerun(w, step)
}

// rerun steps w on.
func (h *History) rerun(w *World, step int64) {
	for w.steps < step && h.advance(w) {
	}
}

// StepOf returns the last step made at or before the time t, in nanoseconds. It
// seeks there.
func (h *History) StepOf(t int64) int64 {
	marks := int(h.front.steps/timeEvery) + 1
	i := int64(sort.Search(marks, func(i int) bool { return h.timeAt(int64(i)) > t })) - 1
	if i < 0 {
		h.SeekTo(0)
		return 0
	}
	w := h.cur
	if now := w.Now(); now > t || w.steps < i*timeEvery { // and not a few steps before t, as while a run is played
		w = h.SeekTo(i * timeEvery)
	}
	for w.steps < h.front.steps && h.nextTime(w) <= t && h.advance(w) {
	}
	return w.steps
}

// NextTime is the clock after the next step from where SeekTo left the world, or -1 if
// no such step is known.
func (h *History) NextTime() int64 {
	if h.cur.steps >= h.front.steps {
		return -1
	}
	return h.nextTime(h.cur)
}

// nextTime is the clock after the next step from w.
func (h *History) nextTime(w *World) int64 {
	if w.inputs < len(h.inputs) && h.inputs[w.inputs].Step == w.steps+1 {
		if in := &h.inputs[w.inputs]; in.Command == nil {
			return max(w.Now(), w.Set.At(in.Actor))
		}
		return w.Now()
	}
	at := actor.Never
	if id, ok := w.Next(); ok {
		at = w.Set.At(id)
	}
	if w.horizon != 0 {
		at = min(at, w.horizon)
	}
	return max(w.Now(), at)
}

// TimeOf is roughly when a step was made, in nanoseconds: the clock at most
// timeEvery steps before it.
func (h *History) TimeOf(step int64) int64 {
	return h.timeAt(min(max(step, 0), h.front.steps) / timeEvery)
}

// timeAt is the clock after step i*timeEvery.
func (h *History) timeAt(i int64) int64 {
	if i == 0 {
		return h.cfg.Start
	}
	first := h.left/timeEvery + 1 // the first one in h.times
	if i < first {
		return h.parent.timeAt(i)
	}
	return h.times[i-first]
}

func (h *History) setEnd(step int64) {
	i := int(step>>6 - h.left>>6)
	for i >= len(h.ends) {
		h.ends = append(h.ends, 0)
	}
	h.ends[i] |= 1 << (step & 63)
}

func (h *History) isEnd(step int64) bool {
	if step <= h.left {
		return h.parent != nil && h.parent.isEnd(step)
	}
	i := int(step>>6 - h.left>>6)
	return i < len(h.ends) && h.ends[i]>>(step&63)&1 != 0
}

// NextOperation returns the first step after the given one that finishes what
// its actor was doing, or the last step known.
func (h *History) NextOperation(step int64) int64 {
	for s := step + 1; s <= h.front.steps; s++ {
		if h.isEnd(s) {
			return s
		}
	}
	return h.front.steps
}

// PrevOperation returns the last step before the given one that finishes what
// its actor was doing, or 0.
func (h *History) PrevOperation(step int64) int64 {
	for s := step - 1; s > 0; s-- {
		if h.isEnd(s) {
			return s
		}
	}
	return 0
}

// NextWatchEvent returns the first step after the given one that receives a
// watch event or a list, or the last step known.
func (h *History) NextWatchEvent(step int64) int64 {
	s := &h.samples.received
	i := s.after(step)
	if i == s.Len() {
		return h.front.steps
	}
	return s.At(i).Step
}

// PrevWatchEvent returns the last step before the given one that receives a
// watch event or a list, or 0.
func (h *History) PrevWatchEvent(step int64) int64 {
	s := &h.samples.received
	i := s.after(step - 1)
	if i == 0 {
		return 0
	}
	return s.At(i - 1).Step
}
