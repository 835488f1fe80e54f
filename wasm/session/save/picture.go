package save

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
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

// Shoot takes a picture of the stage after the model as it is now has been painted.
type Shoot struct {
	Format  Format
	Theme   string // "dark" or "light"
	Caption bool   // the sentence about the step stands below the stage
	Name    string // of the file

	Millis    int  // of a film: how long this frame is shown
	Continues bool // of a film: this is not the last frame
}

// Unshoot drops the frames of a film that is not made to its end.
type Unshoot struct{}

// Developed says that a picture was taken. Size is the size of the file that the viewer got, 0 for
// a frame that is not the last of its film. Failed says why there is no
// picture, "" if there is one.
type Developed struct {
	Name   string
	Size   int64
	Failed string
}

func (Shoot) Cmd()     {}
func (Unshoot) Cmd()   {}
func (Developed) Msg() {}

// Shot is how a picture of the stage is taken.
type Shot struct {
	Theme    string // "dark", "light", or "" for the page's
	Caption  bool   // the sentence about the step stands below the stage
	From, To int64  // the steps of a film
	Millis   int    // how long a film shows each of them
}

// chooseSteps makes a film begin at the step shown, unless that is within the steps that were chosen last.
func (m *Model) chooseSteps() {
	if f, s := m.desk.Surroundings().Frame, &m.Shot; f != nil && (s.To == 0 || f.Step < s.From || f.Step > s.To) {
		s.From, s.To = f.Step, min(f.Step+usualFrames-1, f.Steps)
	}
}

// EditShot changes how a picture is taken.
func (m *Model) EditShot(field, value string) {
	if m.Busy {
		return
	}
	m.Saved = nil
	s, f := &m.Shot, m.desk.Surroundings().Frame
	n, err := strconv.ParseInt(value, 10, 64)
	switch field {
	case "theme":
		s.Theme = value
	case "says":
		s.Caption = value == "true"
	}
	if err != nil || f == nil {
		return
	}
	switch field {
	case "from":
		s.From = min(max(n, 0), f.Steps)
		s.To = min(max(s.To, s.From), s.From+MaxFrames-1)
	case "to":
		s.To = min(max(n, 0), f.Steps)
		s.From = max(min(s.From, s.To), s.To-MaxFrames+1)
	case "millis":
		s.Millis = int(min(max(n, minMillis), maxMillis))
	}
}

// shoot takes a picture of the stage, or begins a film.
func (m *Model) shoot() []desk.Cmd {
	if m.Format != GIF {
		return []desk.Cmd{m.shootCmd("-step-" + strconv.FormatInt(m.desk.Surroundings().Frame.Step, 10))}
	}
	s := m.Shot
	m.Film = &Film{From: s.From, To: s.To, Step: s.From, Millis: s.Millis, returnStep: m.desk.Surroundings().Frame.Step}
	return append(m.desk.Pause(), m.toFrame()...)
}

// shootCmd returns the command that takes a picture of the stage as it is.
func (m *Model) shootCmd(which string) Shoot {
	theme, r := m.Shot.Theme, m.desk.Surroundings()
	if theme == "" {
		theme = map[bool]string{true: "dark", false: "light"}[r.Dark]
	}
	return Shoot{Format: m.Format, Theme: theme, Caption: m.Shot.Caption, Name: link.FileName(r.Name, which+"."+string(m.Format))}
}

// Film is a film that is being made.
type Film struct {
	From, To   int64
	Step       int64 // the step of the next frame
	Millis     int
	returnStep int64 // the step at which the viewer was
	shooting   bool  // the frame of step At is being made
}

// toFrame goes to the step of the next frame, and takes its picture if it is there.
func (m *Model) toFrame() []desk.Cmd {
	f := m.Film
	if m.desk.Surroundings().Frame.Step != f.Step {
		return m.desk.Move(link.Seek{Step: f.Step})
	}
	f.shooting = true
	c := m.shootCmd("-steps-" + strconv.FormatInt(f.From, 10) + "-" + strconv.FormatInt(f.To, 10))
	c.Millis, c.Continues = f.Millis, f.Step < f.To
	return []desk.Cmd{c}
}

// FrameShown goes on with a film when a step is shown.
func (m *Model) FrameShown() []desk.Cmd {
	f := m.Film
	if f == nil || f.shooting || m.desk.Surroundings().Moving {
		return nil
	}
	if cmds, ok := m.desk.MoveOn(); ok { // the viewer's last move before the film comes first
		return cmds
	}
	if m.desk.Surroundings().Frame.Step == f.Step {
		return m.toFrame()
	}
	// The run has become shorter: another future is shown.
	m.desk.Fail(&link.Failure{Sentence: link.Sentence{ID: "fail.film"}})
	return m.abortFilm()
}

// abortFilm ends a film that is not made to its end.
func (m *Model) abortFilm() []desk.Cmd { return append(m.endFilm(), Unshoot{}) }

// endFilm ends the making of a film, and shows the step from before the film.
func (m *Model) endFilm() []desk.Cmd {
	back := m.Film.returnStep
	m.Film, m.Busy = nil, false
	if f := m.desk.Surroundings().Frame; f != nil && f.Step != back {
		return m.desk.Move(link.Seek{Step: back})
	}
	return nil
}

// Developed takes note of a picture that was taken, or of why there is none.
func (m *Model) Developed(x Developed) []desk.Cmd {
	if !m.Busy { // it was stopped meanwhile
		return nil
	}
	if x.Failed != "" {
		m.Busy = false
		m.desk.Fail(&link.Failure{Sentence: link.Sentence{ID: "fail.save"}, Reason: link.FaultText(x.Failed)})
		if m.Film != nil {
			return m.abortFilm()
		}
		return nil
	}
	var cmds []desk.Cmd
	if m.Film != nil {
		f := m.Film
		if f.shooting = false; f.Step < f.To {
			f.Step++
			return m.toFrame()
		}
		cmds = m.endFilm()
	}
	m.Busy, m.Saved = false, &link.Saved{Name: x.Name, Size: x.Size}
	return cmds
}
