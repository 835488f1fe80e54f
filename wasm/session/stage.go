package session

import (
	"slices"

	"github.com/informerscope/informerscope/wasm/link"
)

// Stage is what is on the stage.
type Stage struct {
	Frame    *link.Frame // the newest
	Lists    *link.Frame // whose lists are shown: the newest, or at high speed a recent one
	Timeline *link.Timeline
	Log      *link.Log // what was logged near the step shown, nil where the trace has no log
	Axis     link.Axis
	Heard    link.Told  // what the live region reads
	passed   *link.Told // the most telling step since it last read something
	heard    float64    // when that was, in milliseconds
}

// sayEvery is how often the live region says something while steps follow one another by
// themselves, in milliseconds. A screen reader needs about that long for a sentence.
const sayEvery = 4000

// hear decides what the live region reads when a frame has come, at a time in milliseconds. A step by hand is read
// at once. While steps follow one another by themselves, a sentence is read now and then:
// the most telling one since the last, or else the step that is shown.
func (s *Stage) hear(f *link.Frame, byItself bool, at float64) {
	now := link.Told{Step: f.Step, Said: f.Said, Why: f.Why}
	if !byItself {
		s.Heard, s.passed = now, nil
		return
	}
	if p := f.Passed; p != nil && (s.passed == nil || slices.Index(link.Marks, p.Mark) <= slices.Index(link.Marks, s.passed.Mark)) {
		s.passed = p
	}
	if at-s.heard < sayEvery {
		return
	}
	if s.passed != nil {
		now = *s.passed
	}
	s.Heard, s.passed, s.heard = now, nil, at
}

// showLists shows the newest lists.
func (s *Stage) showLists() { s.Lists = s.Frame }

// quiet has the live region read nothing for a while after a time in milliseconds.
func (s *Stage) quiet(at float64) { s.heard = at }

// removeSecond takes the second machine off the stage.
func (s *Stage) removeSecond() {
	if f := s.Frame; f != nil && f.Second != nil {
		one := *f
		one.Second = nil
		s.Frame, s.Lists = &one, &one
	}
}
