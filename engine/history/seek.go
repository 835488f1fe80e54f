package history

import (
	"sort"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
)

// World returns the world where [History.SeekTo] left it. It belongs to the history.
func (h *History) World() *world.World { return h.cur.World() }

// SeekTo goes to the state after the given step, 0 being before the first, and
// returns it. Its Log holds the facts of that step. A step beyond the last one
// known is taken for the last one.
func (h *History) SeekTo(step int64) *world.World {
	if h.passing {
		return h.front.World()
	}
	step = min(max(step, 0), h.front.Steps())
	if step == h.cur.Steps() {
		return h.cur.World()
	}
	back := step < h.cur.Steps()
	far := back || step-h.cur.Steps() > minEvery
	from := h.nearest(step)
	if back || from.Steps() > h.cur.Steps() {
		h.cur.copyFrom(from)
	}
	if far {
		for i, before := range copiesBefore {
			if at := step - before; at > h.cur.Steps() {
				h.rerun(h.cur, at)
				if h.cached[i] == nil {
					h.cached[i] = new(point)
				}
				h.cached[i].copyFrom(h.cur)
			}
		}
	}
	h.rerun(h.cur, step)
	return h.cur.World()
}

// nearest returns the last world that is kept at or before a step. The furthest point is one of them: a
// command that has just been carried out need not be carried out again, which takes long where a
// server takes over from a long recording.
func (h *History) nearest(step int64) *point {
	if step < h.branchStep {
		return h.parent.nearest(step)
	}
	if step == h.front.Steps() {
		return h.front
	}
	from := h.runs.before(step)
	for _, w := range h.cached {
		if w != nil && w.Steps() <= step && w.Steps() > from.Steps() {
			from = w
		}
	}
	return from
}

// reach makes w the state after a step.
func (h *History) reach(w *point, step int64) {
	from := h.nearest(step)
	if h.cur.Steps() <= step && h.cur.Steps() > from.Steps() {
		from = h.cur
	}
	w.copyFrom(from)
	h.rerun(w, step)
}

// rerun steps w on.
func (h *History) rerun(w *point, step int64) {
	for w.Steps() < step && !h.free(w) && h.advance(w) {
	}
	if h.free(w) {
		w.StepUntil(step, nil)
	}
}

// StepOf returns the last step made at or before the time t, in nanoseconds. It
// seeks there.
func (h *History) StepOf(t int64) int64 {
	marks := int(h.front.Steps()/timeEvery) + 1
	i := int64(sort.Search(marks, func(i int) bool { return h.timeAt(int64(i)) > t })) - 1
	if i < 0 {
		h.SeekTo(0)
		return 0
	}
	w := h.cur
	if now := w.Now(); now > t || w.Steps() < i*timeEvery { // and not a few steps before t, as while a run is played
		h.SeekTo(i * timeEvery)
	}
	for w.Steps() < h.front.Steps() && h.nextTime(w) <= t && h.advance(w) {
	}
	return w.Steps()
}

// NextTime returns the clock after the next step from where [History.SeekTo] left the world, or -1 if
// no such step is known.
func (h *History) NextTime() int64 {
	if h.cur.Steps() >= h.front.Steps() {
		return -1
	}
	return h.nextTime(h.cur)
}

// TimeOf returns roughly when a step was made, in nanoseconds: the clock at most
// timeEvery steps before it.
func (h *History) TimeOf(step int64) int64 {
	return h.timeAt(min(max(step, 0), h.front.Steps()) / timeEvery)
}

// timeAt returns the clock after step i*timeEvery.
func (h *History) timeAt(i int64) int64 {
	if i == 0 {
		return h.cfg.Start
	}
	first := h.branchStep/timeEvery + 1 // the first one in h.times
	if i < first {
		return h.parent.timeAt(i)
	}
	return h.times[i-first]
}

func (h *History) isEnd(step int64) bool {
	if step <= h.branchStep {
		return h.parent != nil && h.parent.isEnd(step)
	}
	return h.operationEnds.has(step - h.branchStep&^63)
}

// NextOperation returns the first step after the given step in which an actor finishes what
// it was doing, or the last step known.
func (h *History) NextOperation(step int64) int64 {
	for s := step + 1; s <= h.front.Steps(); s++ {
		if h.isEnd(s) {
			return s
		}
	}
	return h.front.Steps()
}

// PrevOperation returns the last step before the given step in which an actor finishes what
// it was doing, or 0.
func (h *History) PrevOperation(step int64) int64 {
	for s := step - 1; s > 0; s-- {
		if h.isEnd(s) {
			return s
		}
	}
	return 0
}

// NextWatchEvent returns the first step after the given step that receives a
// watch event or a list, or the last step known.
func (h *History) NextWatchEvent(step int64) int64 {
	s := &h.samples.received
	i := s.after(step)
	if i == s.Len() {
		return h.front.Steps()
	}
	return s.At(i).Step
}

// PrevWatchEvent returns the last step before the given step that receives a
// watch event or a list, or 0.
func (h *History) PrevWatchEvent(step int64) int64 {
	s := &h.samples.received
	i := s.after(step - 1)
	if i == 0 {
		return 0
	}
	return s.At(i - 1).Step
}

// Finder looks for a step of a run, a few steps at a time. It leaves the [History] where
// it is.
type Finder struct {
	h        *History
	match    func(*world.World) bool
	backward bool
	w        *point
	// Backwards, the run is looked at in parts, the last one first. These are the first
	// and the last step of the part, and its last match so far, 0 for none.
	first, to, found int64

	wanted   *event.Set  // the kinds of facts of the steps after which match is called; nil if it is called after all steps
	nextStep bool        // it is called after the next step, too
	mayPass  func() bool // nil if no part is passed over
	check    int64       // at which step a part may be passed over next
}

// Pass lets a [Finder] pass over steps and parts of the run that have no fact of any of these kinds. A
// Finder that looks forwards calls match after a step with such a fact and after the step that follows,
// and it asks may before it passes over a part.
func (s *Finder) Pass(wanted *event.Set, may func() bool) {
	s.wanted, s.nextStep = wanted, true
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
	next := s.next(s.w.Steps())
	if next == nil {
		s.check = s.w.Steps() + minEvery
		return false
	}
	if next.facts.Meets(s.wanted) {
		s.check = next.Steps()
		return false
	}
	s.w.copyFrom(next.point)
	return true
}

// next returns the checkpoint after a step, nil if there is none or the facts up to it are not known.
func (s *Finder) next(step int64) *checkpoint {
	h, end := s.h, s.h.front.Steps()
	for step < h.branchStep {
		h, end = h.parent, min(end, h.branchStep)
	}
	i := h.runs.after(step)
	if i == 0 || i == len(h.runs.worlds) || h.runs.worlds[i].Steps() > end {
		return nil
	}
	return &h.runs.worlds[i]
}

// Find returns a [Finder] for the next step after the given step that match accepts, or
// with back for the last step before it. Match gets the world after a step, with the
// step's facts in its Log. The History must not be dropped while the [Finder] is used.
func (h *History) Find(step int64, back bool, match func(*world.World) bool) *Finder {
	s := &Finder{h: h, match: match, backward: back, w: new(point)}
	step = min(max(step, 0), h.front.Steps())
	if back {
		s.begin(step - 1)
	} else {
		h.reach(s.w, step)
	}
	return s
}

// begin lets the Finder look at the last part of the run that ends with a step: from a
// checkpoint on.
func (s *Finder) begin(to int64) {
	if s.to = to; to > 0 {
		s.w.copyFrom(s.h.nearest(to))
		s.first = s.w.Steps()
		if s.mayPass != nil {
			if next := s.next(to); next != nil && !next.facts.Meets(s.wanted) {
				s.to = s.first
			}
		}
		s.look()
	}
}

func (s *Finder) look() {
	if s.w.Steps() > 0 && s.match(s.w.World()) {
		s.found = s.w.Steps()
	}
}

// forward goes on to the next step after which match is to be called, or up to the given step. It
// reports whether match is to be called there, and whether there was a step.
func (s *Finder) forward(to int64) (looks, made bool) {
	w := s.w
	from := w.Steps()
	switch {
	case from == to:
	case s.wanted == nil:
		looks = s.h.advance(w)
	case s.nextStep || !s.h.free(w):
		if s.h.advance(w) {
			has := w.Log.Has(s.wanted)
			looks = has || s.nextStep
			s.nextStep = has
		}
	default:
		looks = w.StepUntil(to, s.wanted)
		s.nextStep = looks
	}
	return looks, w.Steps() > from
}

// Step returns the step that the [Finder] has come to.
func (s *Finder) Step() int64 { return s.w.Steps() }

// Now returns the clock after that step.
func (s *Finder) Now() int64 { return s.w.Now() }

// passCosts is how many steps could be looked at while a part is passed over, about.
const passCosts = 1000

// Run looks at no more than budget steps. It returns the step that was found, or 0, and
// whether the [Finder] has ended. A Finder that has reached the front of the run can go on
// when the front has moved. One that has found a step can look for the next.
func (s *Finder) Run(budget int64) (step int64, ended bool) {
	for ; budget > 0; budget-- {
		switch {
		case !s.backward && s.mayPass != nil && s.w.Steps() >= s.check && s.pass():
			budget -= passCosts
		case !s.backward:
			from := s.w.Steps()
			to := min(from+budget, s.h.front.Steps())
			if s.mayPass != nil && s.check > from {
				to = min(to, s.check)
			}
			looks, made := s.forward(to)
			if !made {
				return 0, true
			}
			budget -= s.w.Steps() - from - 1
			if looks && s.match(s.w.World()) {
				return s.w.Steps(), true
			}
		case s.to <= 0:
			return 0, true
		case s.w.Steps() < s.to && s.h.advance(s.w):
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

// Follow takes the steps of an Exploration's Schedule, which must have been found
// from h's furthest point. From there on, only waiting takes time. Follow reports
// false if h can't go that way.
func (h *History) Follow(schedule []actor.ID) bool {
	if !h.Do(world.Command{Kind: world.TakeNoTime}) {
		return false
	}
	for _, id := range schedule {
		if !h.Choose(id) {
			return false
		}
	}
	return true
}
