package save

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Film is a film that is being made.
type Film struct {
	From, To int64
	At       int64 // the step of the next frame
	Millis   int
	back     int64 // the step at which the viewer was
	shooting bool  // the frame of step At is being made
}

// toFrame goes to the step of the next frame, and takes its picture if it is there.
func (m *Model) toFrame(d Desk) []desk.Cmd {
	f := *m.Film
	if d.Rest().Frame.Step != f.At {
		return d.Move(link.Seek{Step: f.At})
	}
	f.shooting = true
	m.Film = &f
	c := m.camera(d, "-steps-"+strconv.FormatInt(f.From, 10)+"-"+strconv.FormatInt(f.To, 10))
	c.Millis, c.More = f.Millis, f.At < f.To
	return []desk.Cmd{c}
}

// Shown goes on with a film when a step is shown.
func (m *Model) Shown(d Desk) []desk.Cmd {
	f := m.Film
	if f == nil || f.shooting || d.Rest().Moving {
		return nil
	}
	if cmds, ok := d.MoveOn(); ok { // the viewer's last move before the film comes first
		return cmds
	}
	if d.Rest().Frame.Step == f.At {
		return m.toFrame(d)
	}
	// The run has become shorter: another future is shown.
	d.Fail(&link.Failure{Say: link.Sentence{ID: "fail.film"}})
	return m.cut(d)
}

// cut ends a film that is not made to its end.
func (m *Model) cut(d Desk) []desk.Cmd { return append(m.wrap(d), Unshoot{}) }

// wrap ends the making of a film, and shows the step from before the film.
func (m *Model) wrap(d Desk) []desk.Cmd {
	back := m.Film.back
	m.Film, m.Busy = nil, false
	if f := d.Rest().Frame; f != nil && f.Step != back {
		return d.Move(link.Seek{Step: back})
	}
	return nil
}

// Developed takes note of a picture that was taken, or of why there is none.
func (m *Model) Developed(d Desk, x Developed) []desk.Cmd {
	if !m.Busy { // it was stopped meanwhile
		return nil
	}
	if x.Failed != "" {
		m.Busy = false
		d.Fail(&link.Failure{Say: link.Sentence{ID: "fail.save"}, Why: link.FaultText(x.Failed)})
		if m.Film != nil {
			return m.cut(d)
		}
		return nil
	}
	var cmds []desk.Cmd
	if m.Film != nil {
		f := *m.Film
		if f.shooting = false; f.At < f.To {
			f.At++
			m.Film = &f
			return m.toFrame(d)
		}
		cmds = m.wrap(d)
	}
	m.Busy, m.Saved = false, &link.Saved{Name: x.Name, Size: x.Size}
	return cmds
}
