package session

import (
	"slices"

	"github.com/informerscope/informerscope/wasm/link"
)

// sayEvery is how often the live region says something while steps follow one another by
// themselves, in milliseconds. A screen reader needs about that long for a sentence.
const sayEvery = 4000

// hear decides what the live region reads when a frame has come. A step by hand is read
// at once. While steps follow one another by themselves, a sentence is read now and then:
// the most telling one since the last, or else the step that is shown.
func (s *Stage) hear(m *Model, f *link.Frame) {
	now := link.Told{Step: f.Step, Said: f.Said, Why: f.Why}
	if !m.Transport.Playing && !m.Cluster.Following {
		s.Heard, m.Transport.play.passed = now, nil
		return
	}
	if p := f.Passed; p != nil && (m.Transport.play.passed == nil || slices.Index(link.Marks, p.Mark) <= slices.Index(link.Marks, m.Transport.play.passed.Mark)) {
		m.Transport.play.passed = p
	}
	if m.Transport.play.now-m.Transport.play.heard < sayEvery {
		return
	}
	if m.Transport.play.passed != nil {
		now = *m.Transport.play.passed
	}
	s.Heard, m.Transport.play.passed, m.Transport.play.heard = now, nil, m.Transport.play.now
}
