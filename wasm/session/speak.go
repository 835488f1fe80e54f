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
func (m *Model) hear(f *link.Frame) {
	now := link.Told{Step: f.Step, Said: f.Said, Why: f.Why}
	if !m.Playing && !m.Following {
		m.Heard, m.play.passed = now, nil
		return
	}
	if p := f.Passed; p != nil && (m.play.passed == nil || slices.Index(link.Marks, p.Mark) <= slices.Index(link.Marks, m.play.passed.Mark)) {
		m.play.passed = p
	}
	if m.play.now-m.play.heard < sayEvery {
		return
	}
	if m.play.passed != nil {
		now = *m.play.passed
	}
	m.Heard, m.play.passed, m.play.heard = now, nil, m.play.now
}
