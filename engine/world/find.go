package world

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
		s.look()
	}
}

func (s *Finder) look() {
	if s.w.steps > 0 && s.match(s.w) {
		s.found = s.w.steps
	}
}

// At is the step that the Finder has come to.
func (s *Finder) At() int64 { return s.w.steps }

// Now is the clock after that step.
func (s *Finder) Now() int64 { return s.w.Now() }

// Run looks at so many steps at most. It returns the step that was found, or 0, and
// whether the Finder has ended. A Finder that has reached the front of the run can go on
// when the front has moved. One that has found a step can look for the next.
func (s *Finder) Run(budget int64) (step int64, ended bool) {
	for ; budget > 0; budget-- {
		switch {
		case !s.back:
			if s.w.steps >= s.h.front.steps || !s.h.advance(s.w) {
				return 0, true
			}
			if s.match(s.w) {
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
		}
	}
	return 0, false
}
