// Package save is what the viewer makes a file of, as the page's model has it: what is open, a text
// about it, or a picture of the stage. The worker makes the texts, and the page takes the pictures.
package save

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Model is what the viewer makes a file of, and how far that is.
type Model struct {
	As       As
	Shot     Shot        // how a picture is to be taken
	Film     *Film       // that is being made, nil for none
	Redact   link.Redact // what the viewer chooses to take out
	Busy     bool
	Saved    *link.Saved
	Copied   string         // whether Saved is on the clipboard: "", "yes" or "no"
	Making   *link.Making   // how far the text is that is being made, nil before it is known
	Suspects *link.Suspects // what would be left that looks like a secret
}

// careful is what is taken out of a saved trace unless the viewer decides otherwise.
var careful = link.Redact{Secrets: true, Env: true, Applied: true, Tokens: true}

// New is the Model before the viewer has chosen anything.
func New() Model {
	return Model{As: File, Shot: Shot{Says: true, Millis: usualMillis}, Redact: careful}
}

// Desk is what saving knows of the rest of the model, and does to it.
type Desk interface {
	desk.Desk

	// MoveOn sends the request that waits until the machine was moved. It reports false if none does.
	MoveOn() (cmds []desk.Cmd, ok bool)
}

// As is what a file is made of. For the As "svg", the catalogues have
// the title under "ui.saveAs.svg", and what the file is good for under
// "ui.saveAs.svg.why".
type As string

// What a file can be made of.
const (
	File As = "file" // what is open: a trace without secrets, or a script
	SVG  As = "svg"  // a picture of the stage
	PNG  As = "png"
	GIF  As = "gif" // pictures of some steps, one after the other

	Session           = As(link.AsSession)
	GoTest            = As(link.AsGoTest)
	ControllerTest    = As(link.AsControllerTest)
	Calls             = As(link.AsCalls)
	Transcript        = As(link.AsTranscript)
	Perfetto          = As(link.AsPerfetto)
	Least          As = "least" // a part of the recording, without secrets
)

// All lists them.
var All = []As{File, Least, SVG, PNG, GIF, Session, GoTest, ControllerTest, Calls, Transcript, Perfetto}

// Picture reports whether the file is a picture of the stage, which the page takes itself.
func (a As) Picture() bool { return a == SVG || a == PNG || a == GIF }

// Can reports whether there is something to make such a file of.
func (a As) Can(r desk.Rest) bool {
	switch a {
	case File:
		return r.Trace != nil
	case Least:
		return r.Least != nil && r.Least.Objects > 0
	case Session, GoTest: // a recording is played by no script
		return r.Trace != nil && r.Trace.Script
	case ControllerTest:
		return r.Trace != nil && (r.Trace.Script || r.Trace.Complete && !r.Trace.NoTimes)
	}
	return r.Frame != nil
}

// Stops reports whether the making of such a file can be stopped.
func (a As) Stops() bool { return a != File && a != Least && a != SVG && a != PNG }

// Open opens the dialog that asks what to save.
func (m *Model) Open(d Desk) []desk.Cmd {
	if d.Rest().Trace == nil {
		return nil
	}
	d.SetDialog("save")
	m.Saved, m.Suspects = nil, nil
	d.Fail(nil)
	if !m.As.Can(d.Rest()) {
		m.As = File
	}
	m.aim(d)
	return nil
}

// OpenLeast opens the dialog that saves the smallest recording that was found.
func (m *Model) OpenLeast(d Desk) []desk.Cmd {
	if !Least.Can(d.Rest()) {
		return nil
	}
	return append(m.Open(d), m.Choose(d, string(Least))...)
}

// OpenPicture opens the dialog that takes a picture of the stage.
func (m *Model) OpenPicture(d Desk) []desk.Cmd {
	cmds := m.Open(d)
	if m.As.Picture() {
		return cmds
	}
	return append(cmds, m.Choose(d, string(PNG))...)
}

// EditRedact changes what is taken out of a trace that is saved.
func (m *Model) EditRedact(field, value string) []desk.Cmd {
	r := &m.Redact
	m.Suspects = nil // it will be looked again
	on := value == "true"
	switch field {
	case "secrets":
		r.Secrets = on
	case "env":
		r.Env = on
	case "applied":
		r.Applied = on
	case "tokens":
		r.Tokens = on
	case "managedFields":
		r.ManagedFields = on
	case "names":
		r.Names = on
	case "paths":
		r.Paths = slices.DeleteFunc(strings.Fields(strings.ReplaceAll(value, ",", " ")), func(s string) bool { return s == "" })
	}
	return nil
}

// Begin has the worker make a file of the open capture. If something in it still looks like
// a secret, the viewer sees it and has to confirm.
func (m *Model) Begin(d Desk) []desk.Cmd {
	if m.Busy || !m.As.Can(d.Rest()) {
		return nil
	}
	r := m.Redact
	r.Anyway = m.Suspects != nil
	m.Busy, m.Saved, m.Suspects, m.Making = true, nil, nil, nil
	d.Fail(nil)
	switch {
	case m.As.Picture():
		return m.shoot(d)
	case m.As == Least:
		return d.Send(link.SaveLeast{Redact: r})
	case m.As != File:
		return d.Send(link.SaveText{As: link.As(m.As)})
	}
	return d.Send(link.Save{Redact: &r})
}

// CanCopy reports whether such a file can be put on the clipboard in place of being saved.
func (a As) CanCopy() bool { return a == Session || a == GoTest || a == ControllerTest }

// CopyText has the worker make the text of such a file.
func (m *Model) CopyText(d Desk) []desk.Cmd {
	if m.Busy || !m.As.CanCopy() || !m.As.Can(d.Rest()) {
		return nil
	}
	m.Busy, m.Saved, m.Making = true, nil, nil
	d.Fail(nil)
	return d.Send(link.SaveText{As: link.As(m.As), Copy: true})
}

// Choose chooses what to make a file of.
func (m *Model) Choose(d Desk, as string) []desk.Cmd {
	if slices.Contains(All, As(as)) && As(as).Can(d.Rest()) && !m.Busy {
		m.As, m.Saved, m.Suspects = As(as), nil, nil
		d.Fail(nil)
	}
	return nil
}

// Stop stops making a text.
func (m *Model) Stop(d Desk) []desk.Cmd {
	if !m.Busy || !m.As.Stops() {
		return nil
	}
	if m.Film != nil {
		return m.cut(d)
	}
	m.Busy, m.Making = false, nil
	return d.Send(link.StopSaving{})
}

// TakeSaved takes in the file that was made.
func (m *Model) TakeSaved(f *link.Saved) []desk.Cmd {
	m.Busy, m.Saved, m.Copied = false, f, ""
	if f.Text != "" {
		return []desk.Cmd{desk.Copy{Text: f.Text}}
	}
	return nil
}

// TakeMaking takes in how far a text is.
func (m *Model) TakeMaking(x *link.Making) { m.Making = x }

// TakeSuspects takes in what still looks like a secret.
func (m *Model) TakeSuspects(x *link.Suspects) { m.Busy, m.Suspects = false, x }

// NoteCopied notes whether the text is on the clipboard: "yes" or "no".
func (m *Model) NoteCopied(says string) { m.Copied = says }

// Fail ends what is being made.
func (m *Model) Fail() { m.Busy = false }

// Anew is what stays of m when something else is opened.
func (m Model) Anew() Model {
	m.Saved, m.Busy, m.Film = nil, false, nil
	return m
}

// GiveUp drops what is being made, as the worker has ended.
func (m *Model) GiveUp() { m.Film, m.Busy = nil, false }
