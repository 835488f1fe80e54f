package session

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
)

// MaxFrames is how many steps a film may have.
const MaxFrames = 200

// The length of a frame in milliseconds. Browsers show none for less than 20 ms.
const (
	minMillis   = 20
	maxMillis   = 10_000
	usualMillis = 800
	usualFrames = 30
)

// Shot is how a picture of the stage is taken.
type Shot struct {
	Theme    string // "dark", "light", or "" for the page's
	Says     bool   // the sentence about the step stands below the stage
	From, To int64  // the steps of a film
	Millis   int    // how long a film shows each of them
}

// Film is a film that is being made.
type Film struct {
	From, To int64
	At       int64 // the step of the next frame
	Millis   int
	back     int64 // the step at which the viewer was
	shooting bool  // the frame of step At is being made
}

// aim has a film begin at the step shown, unless that is within the steps that were chosen last.
func (sa *Saving) aim(m *Model) {
	if f, s := m.Stage.Frame, &sa.Shot; f != nil && (s.To == 0 || f.Step < s.From || f.Step > s.To) {
		s.From, s.To = f.Step, min(f.Step+usualFrames-1, f.Steps)
	}
}

// editShot changes how a picture is taken.
func (sa *Saving) editShot(m *Model, field, value string) []Cmd {
	if sa.Busy {
		return nil
	}
	sa.Saved = nil
	s := &sa.Shot
	n, err := strconv.ParseInt(value, 10, 64)
	switch field {
	case "theme":
		s.Theme = value
	case "says":
		s.Says = value == "true"
	}
	if err != nil || m.Stage.Frame == nil {
		return nil
	}
	switch field {
	case "from":
		s.From = min(max(n, 0), m.Stage.Frame.Steps)
		s.To = min(max(s.To, s.From), s.From+MaxFrames-1)
	case "to":
		s.To = min(max(n, 0), m.Stage.Frame.Steps)
		s.From = max(min(s.From, s.To), s.To-MaxFrames+1)
	case "millis":
		s.Millis = int(min(max(n, minMillis), maxMillis))
	}
	return nil
}

// shoot takes a picture of the stage, or begins a film.
func (sa *Saving) shoot(m *Model) []Cmd {
	if sa.As != SaveGIF {
		return []Cmd{sa.camera(m, "-step-"+strconv.FormatInt(m.Stage.Frame.Step, 10))}
	}
	s := sa.Shot
	sa.Film = &Film{From: s.From, To: s.To, At: s.From, Millis: s.Millis, back: m.Stage.Frame.Step}
	return append(m.Transport.set(m, false), sa.toFrame(m)...)
}

// camera is the command that takes a picture of the stage as it is.
func (s *Saving) camera(m *Model, which string) Shoot {
	theme := s.Shot.Theme
	if theme == "" {
		theme = map[bool]string{true: "dark", false: "light"}[m.Settings.IsDark()]
	}
	return Shoot{As: s.As, Theme: theme, Says: s.Shot.Says, Name: link.FileName(m.Open.Name, which+"."+string(s.As))}
}

// toFrame goes to the step of the next frame, and takes its picture if it is there.
func (s *Saving) toFrame(m *Model) []Cmd {
	f := *s.Film
	if m.Stage.Frame.Step != f.At {
		return m.move(link.Seek{Step: f.At})
	}
	f.shooting = true
	s.Film = &f
	c := s.camera(m, "-steps-"+strconv.FormatInt(f.From, 10)+"-"+strconv.FormatInt(f.To, 10))
	c.Millis, c.More = f.Millis, f.At < f.To
	return []Cmd{c}
}

// film goes on with a film when a step is shown.
func (s *Saving) film(m *Model) []Cmd {
	f := s.Film
	if f == nil || f.shooting || m.ask.moving != 0 {
		return nil
	}
	if m.ask.next != nil { // the viewer's last move before the film comes first
		return m.moveOn()
	}
	if m.Stage.Frame.Step == f.At {
		return s.toFrame(m)
	}
	// The run has become shorter: another future is shown.
	m.Open.fail(&link.Failure{Say: link.Sentence{ID: "fail.film"}})
	return s.cut(m)
}

// cut ends a film that is not made to its end.
func (s *Saving) cut(m *Model) []Cmd { return append(s.wrap(m), Unshoot{}) }

// wrap ends the making of a film, and shows the step from before the film.
func (s *Saving) wrap(m *Model) []Cmd {
	back := s.Film.back
	s.Film, s.Busy = nil, false
	if m.Stage.Frame != nil && m.Stage.Frame.Step != back {
		return m.move(link.Seek{Step: back})
	}
	return nil
}

// developed takes note of a picture that was taken, or of why there is none.
func (s *Saving) developed(m *Model, d Developed) []Cmd {
	if !s.Busy { // it was stopped meanwhile
		return nil
	}
	if d.Failed != "" {
		s.Busy = false
		m.Open.fail(&link.Failure{Say: link.Sentence{ID: "fail.save"}, Why: link.FaultText(d.Failed)})
		if s.Film != nil {
			return s.cut(m)
		}
		return nil
	}
	var cmds []Cmd
	if s.Film != nil {
		f := *s.Film
		if f.shooting = false; f.At < f.To {
			f.At++
			s.Film = &f
			return s.toFrame(m)
		}
		cmds = s.wrap(m)
	}
	s.Busy, s.Saved = false, &link.Saved{Name: d.Name, Size: d.Size}
	return cmds
}
