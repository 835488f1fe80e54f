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

// aim has a film begin where the viewer is, unless he is within the steps that were chosen last.
func (m *Model) aim() {
	if f, s := m.Frame, &m.Shot; f != nil && (s.To == 0 || f.Step < s.From || f.Step > s.To) {
		s.From, s.To = f.Step, min(f.Step+usualFrames-1, f.Steps)
	}
}

// editShot changes how a picture is taken.
func (m *Model) editShot(field, value string) []Cmd {
	if m.Saving {
		return nil
	}
	m.Saved = nil
	s := &m.Shot
	n, err := strconv.ParseInt(value, 10, 64)
	switch field {
	case "theme":
		s.Theme = value
	case "says":
		s.Says = value == "true"
	}
	if err != nil || m.Frame == nil {
		return nil
	}
	switch field {
	case "from":
		s.From = min(max(n, 0), m.Frame.Steps)
		s.To = min(max(s.To, s.From), s.From+MaxFrames-1)
	case "to":
		s.To = min(max(n, 0), m.Frame.Steps)
		s.From = max(min(s.From, s.To), s.To-MaxFrames+1)
	case "millis":
		s.Millis = int(min(max(n, minMillis), maxMillis))
	}
	return nil
}

// shoot takes a picture of the stage, or begins a film.
func (m *Model) shoot() []Cmd {
	if m.SaveAs != SaveGIF {
		return []Cmd{m.camera("-step-" + strconv.FormatInt(m.Frame.Step, 10))}
	}
	s := m.Shot
	m.Film = &Film{From: s.From, To: s.To, At: s.From, Millis: s.Millis, back: m.Frame.Step}
	return append(m.setPlaying(false), m.toFrame()...)
}

// camera is the command that takes a picture of the stage as it is.
func (m *Model) camera(which string) Shoot {
	theme := m.Shot.Theme
	if theme == "" {
		theme = map[bool]string{true: "dark", false: "light"}[m.IsDark()]
	}
	return Shoot{As: m.SaveAs, Theme: theme, Says: m.Shot.Says, Name: link.FileName(m.Name, which+"."+string(m.SaveAs))}
}

// toFrame goes to the step of the next frame, and takes its picture if it is there.
func (m *Model) toFrame() []Cmd {
	f := *m.Film
	if m.Frame.Step != f.At {
		return m.move(link.Seek{Step: f.At})
	}
	f.shooting = true
	m.Film = &f
	c := m.camera("-steps-" + strconv.FormatInt(f.From, 10) + "-" + strconv.FormatInt(f.To, 10))
	c.Millis, c.More = f.Millis, f.At < f.To
	return []Cmd{c}
}

// film goes on with a film when a step is shown.
func (m *Model) film() []Cmd {
	f := m.Film
	if f == nil || f.shooting || m.ask.moving != 0 {
		return nil
	}
	if m.ask.next != nil { // the viewer's last move before the film comes first
		return m.moveOn()
	}
	if m.Frame.Step == f.At {
		return m.toFrame()
	}
	// The run has become shorter: another future is shown.
	m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.film"}}
	return m.cut()
}

// cut ends a film that is not made to its end.
func (m *Model) cut() []Cmd { return append(m.wrap(), Unshoot{}) }

// wrap ends the making of a film, and takes the viewer back to where he was.
func (m *Model) wrap() []Cmd {
	back := m.Film.back
	m.Film, m.Saving = nil, false
	if m.Frame != nil && m.Frame.Step != back {
		return m.move(link.Seek{Step: back})
	}
	return nil
}

// developed takes note of a picture that was taken, or of why there is none.
func (m *Model) developed(d Developed) []Cmd {
	if !m.Saving { // it was stopped meanwhile
		return nil
	}
	if d.Failed != "" {
		m.Saving = false
		m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.save"}, Detail: d.Failed}
		if m.Film != nil {
			return m.cut()
		}
		return nil
	}
	var cmds []Cmd
	if m.Film != nil {
		f := *m.Film
		if f.shooting = false; f.At < f.To {
			f.At++
			m.Film = &f
			return m.toFrame()
		}
		cmds = m.wrap()
	}
	m.Saving, m.Saved = false, &link.Saved{Name: d.Name, Size: d.Size}
	return cmds
}
