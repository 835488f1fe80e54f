package session

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
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

// hear decides what the live region reads when a frame has come. A step by hand is read
// at once. While steps follow one another by themselves, a sentence is read now and then:
// the most telling one since the last, or else the step that is shown.
func (s *Stage) hear(m *Model, f *link.Frame) {
	now := link.Told{Step: f.Step, Said: f.Said, Why: f.Why}
	if !m.Transport.Playing && !m.Cluster.Following {
		s.Heard, s.passed = now, nil
		return
	}
	if p := f.Passed; p != nil && (s.passed == nil || slices.Index(link.Marks, p.Mark) <= slices.Index(link.Marks, s.passed.Mark)) {
		s.passed = p
	}
	if m.Transport.play.now-s.heard < sayEvery {
		return
	}
	if s.passed != nil {
		now = *s.passed
	}
	s.Heard, s.passed, s.heard = now, nil, m.Transport.play.now
}

// lay chooses what the timeline's x means.
func (s *Stage) lay(a link.Axis) { s.Axis = a }

// list shows the lists of a frame.
func (s *Stage) list(f *link.Frame) { s.Lists = f }

// drawn takes in the timeline.
func (s *Stage) drawn(t *link.Timeline) { s.Timeline = t }

// show shows a frame.
func (s *Stage) show(f *link.Frame) { s.Frame = f }

// alone takes the second machine off the stage.
func (s *Stage) alone() {
	if f := s.Frame; f != nil && f.Second != nil {
		one := *f
		one.Second = nil
		s.Frame, s.Lists = &one, &one
	}
}

// listen has the live region read nothing for a while after a moment.
func (s *Stage) listen(now float64) { s.heard = now }

// logged takes in what was logged near the step shown. A log that the viewer has just laid over the trace is shown,
// and from now on the trace belongs to what was chosen with it: a reload opens both.
func (s *Stage) logged(m *Model, x *link.Log) []Cmd {
	s.Log = x
	under := m.Open.Before
	if !x.Laid || under == nil {
		return nil
	}
	m.Front.show(desk.Log)
	return []Cmd{navigation.Rechoose{N: under.Files, Under: true, URL: under.URL}}
}

// toLogged goes to the step at which the process had done what is recorded at a time, which is in nanoseconds: it had
// logged something, or its controller had begun or written something.
func (s *Stage) toLogged(m *Model, time string) []Cmd {
	at, err := strconv.ParseInt(time, 10, 64)
	if err != nil || s.Frame == nil {
		return nil
	}
	cmds := append(m.Transport.set(m, false), m.Nav.Leave(navigation.OnJump)...)
	return append(cmds, m.move(link.SeekTime{Time: at})...)
}
