package world

import (
	"sort"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
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
	far := back || step-h.cur.steps > minEvery
	from := h.nearest(step)
	if back || from.steps > h.cur.steps {
		h.cur.copyFrom(from)
	}
	if far {
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

// nearest is the last world that is kept at or before a step. The furthest point is one of them: a
// command that has just been carried out need not be carried out again, which takes long where a
// server takes over from a long recording.
func (h *History) nearest(step int64) *World {
	if step < h.left {
		return h.parent.nearest(step)
	}
	if step == h.front.steps {
		return h.front
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
	for w.steps < step && !h.free(w) && h.advance(w) {
	}
	if h.free(w) {
		w.runTo(step, nil)
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

func (h *History) isEnd(step int64) bool {
	if step <= h.left {
		return h.parent != nil && h.parent.isEnd(step)
	}
	return h.ends.has(step - h.left&^63)
}

// stepSet is a set of steps. They are counted from a step that the owner chooses.
type stepSet []uint64

func (s *stepSet) add(n int64) {
	for int(n/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[n/64] |= 1 << (n % 64)
}

func (s stepSet) has(n int64) bool { return int(n/64) < len(s) && s[n/64]>>(n%64)&1 != 0 }

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

// Finder looks for a step of a run, a few steps at a time. It leaves the History where
// it is.
type Finder struct {
	h     *History
	match func(*World) bool
	back  bool
	w     *World
	// Backwards, the run is looked at in parts, the last one first. These are the first
	// and the last step of the part, and its last match so far, 0 for none.
	first, to, found int64

	wanted  *event.Set  // the kinds of facts of the steps after which match is called; nil if it is called after all steps
	again   bool        // it is called after the next step, too
	mayPass func() bool // nil if no part is passed over
	check   int64       // at which step a part may be passed over next
}

// Pass lets a Finder pass over steps and parts of the run that have no fact of any of these kinds. A
// Finder that looks forwards calls match after a step with such a fact and after the step that follows,
// and it asks may before it passes over a part.
func (s *Finder) Pass(wanted *event.Set, may func() bool) {
	s.wanted, s.again = wanted, true
	for k := range event.Kind(event.NumKinds) {
		if wanted.Has(k) && classes[k] > lastNoted {
			return
		}
	}
	s.mayPass = may
}

// pass goes to the next checkpoint if it is known that nothing that is wanted happens up to it,
// and reports whether it did.
//
//go:noinline
func (s *Finder) pass() bool {
	if !s.mayPass() {
		return false
	}
	next := s.next(s.w.steps)
	if next == nil {
		s.check = s.w.steps + minEvery
		return false
	}
	if next.facts.Meets(s.wanted) {
		s.check = next.steps
		return false
	}
	s.w.copyFrom(next.World)
	return true
}

// next is the checkpoint after a step, nil if there is none or the facts up to it are not known.
func (s *Finder) next(step int64) *checkpoint {
	h, end := s.h, s.h.front.steps
	for step < h.left {
		h, end = h.parent, min(end, h.left)
	}
	i := h.runs.after(step)
	if i == 0 || i == len(h.runs.worlds) || h.runs.worlds[i].steps > end {
		return nil
	}
	return &h.runs.worlds[i]
}

// Find returns a Finder for the next step after the given one that match accepts, or
// with back for the last one before it. Match gets the world after a step, with the
// step's facts in its Log. The History must not be dropped while the Finder is used.
func (h *History) Find(step int64, back bool, match func(*World) bool) *Finder {
	s := &Finder{h: h, match: match, back: back, w: new(World)}
	step = min(max(step, 0), h.front.steps)
	if back {
		s.begin(step - 1)
	} else {
		h.reach(s.w, step)
	}
	return s
}

// begin has the Finder look at the last part of the run that ends with a step: from a
// checkpoint on.
func (s *Finder) begin(to int64) {
	if s.to = to; to > 0 {
		s.w.copyFrom(s.h.nearest(to))
		s.first = s.w.steps
		if s.mayPass != nil {
			if next := s.next(to); next != nil && !next.facts.Meets(s.wanted) {
				s.to = s.first
			}
		}
		s.look()
	}
}

func (s *Finder) look() {
	if s.w.steps > 0 && s.match(s.w) {
		s.found = s.w.steps
	}
}

// forward goes on to the next step after which match is to be called, or up to the given step. It
// reports whether match is to be called there, and whether there was a step.
func (s *Finder) forward(to int64) (looks, made bool) {
	w := s.w
	from := w.steps
	switch {
	case from == to:
	case s.wanted == nil:
		looks = s.h.advance(w)
	case s.again || !s.h.free(w):
		if s.h.advance(w) {
			has := w.Log.Has(s.wanted)
			looks = has || s.again
			s.again = has
		}
	default:
		looks = w.runTo(to, s.wanted)
		s.again = looks
	}
	return looks, w.steps > from
}

// At is the step that the Finder has come to.
func (s *Finder) At() int64 { return s.w.steps }

// Now is the clock after that step.
func (s *Finder) Now() int64 { return s.w.Now() }

// passCosts is how many steps could be looked at while a part is passed over, about.
const passCosts = 1000

// Run looks at so many steps at most. It returns the step that was found, or 0, and
// whether the Finder has ended. A Finder that has reached the front of the run can go on
// when the front has moved. One that has found a step can look for the next.
func (s *Finder) Run(budget int64) (step int64, ended bool) {
	for ; budget > 0; budget-- {
		switch {
		case !s.back && s.mayPass != nil && s.w.steps >= s.check && s.pass():
			budget -= passCosts
		case !s.back:
			from := s.w.steps
			to := min(from+budget, s.h.front.steps)
			if s.mayPass != nil && s.check > from {
				to = min(to, s.check)
			}
			looks, made := s.forward(to)
			if !made {
				return 0, true
			}
			budget -= s.w.steps - from - 1
			if looks && s.match(s.w) {
				return s.w.steps, true
			}
		case s.to <= 0:
			return 0, true
		case s.w.steps < s.to && s.h.advance(s.w):
			s.look()
		case s.found > 0:
			return s.found, true
		default:
			s.begin(s.first - 1)
			budget -= passCosts
		}
	}
	return 0, false
}
