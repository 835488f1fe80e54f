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
	desk    Desk
	Format  Format
	Shot    Shot        // how a picture is to be taken
	Film    *Film       // that is being made, nil for none
	Redact  link.Redact // what for, and what the viewer chooses to leave or to take out
	Busy    bool
	Looked  *link.SavePreview // what is in the trace that would be saved, or was in the one before; nil while that isn't known
	looking int               // the request for it that is under way, 0 for none
	Saved   *link.Saved
	Copied  string       // whether Saved is on the clipboard: "", "yes" or "no"
	Making  *link.Making // how far the text is that is being made, nil before it is known
	Report  Report
}

// New returns the Model before the viewer has chosen anything.
func New(d Desk) Model {
	return Model{desk: d, Report: Report{desk: d}, Format: File, Shot: Shot{Caption: true, Millis: usualMillis}, Redact: link.Redact{Share: true}}
}

// Desk is what saving knows of the rest of the model, and does to it.
type Desk interface {
	desk.Desk

	// MoveOn sends the request that waits until the machine was moved. It reports false if none does.
	MoveOn() (cmds []desk.Cmd, ok bool)
}

// Format is what a file is made of. For the Format "svg", the catalogues have
// the title under "ui.saveAs.svg", and what the file is good for under
// "ui.saveAs.svg.why".
type Format string

// What a file can be made of.
const (
	File Format = "file" // what is open: a trace without secrets, or a script
	SVG  Format = "svg"  // a picture of the stage
	PNG  Format = "png"
	GIF  Format = "gif" // pictures of some steps, one after the other

	Session               = Format(link.AsSession)
	GoTest                = Format(link.AsGoTest)
	ControllerTest        = Format(link.AsControllerTest)
	Calls                 = Format(link.AsCalls)
	Transcript            = Format(link.AsTranscript)
	Perfetto              = Format(link.AsPerfetto)
	Metrics               = Format(link.AsMetrics)
	MinimisedTrace Format = "least" // a part of the recording, without secrets
)

// All lists them.
var All = []Format{File, MinimisedTrace, SVG, PNG, GIF, Session, GoTest, ControllerTest, Calls, Transcript, Perfetto, Metrics}

// Picture reports whether the file is a picture of the stage, which the page takes itself.
func (a Format) Picture() bool { return a == SVG || a == PNG || a == GIF }

// Can reports whether there is something to make such a file of.
func (a Format) Can(r desk.Surroundings) bool {
	switch a {
	case File:
		return r.Trace != nil
	case MinimisedTrace:
		return r.Minimised != nil && r.Minimised.Objects > 0
	case Session, GoTest: // a recording is played by no script
		return r.Trace != nil && r.Trace.Script
	case ControllerTest:
		return r.Trace != nil && (r.Trace.Script || r.Trace.Complete && !r.Trace.NoTimes)
	}
	return r.Frame != nil
}

// Stops reports whether the making of such a file can be stopped.
func (a Format) Stops() bool { return a != File && a != MinimisedTrace && a != SVG && a != PNG }

// Open opens the dialog that asks what to save.
func (m *Model) Open() []desk.Cmd {
	m.desk.SetDialog("save")
	m.Saved = nil
	m.desk.Fail(nil)
	if !m.Format.Can(m.desk.Surroundings()) {
		m.Format = File
	}
	m.chooseSteps()
	return m.previewSoon()
}

// OpenLeast opens the dialog that saves the smallest recording that was found.
func (m *Model) OpenLeast() []desk.Cmd {
	if !MinimisedTrace.Can(m.desk.Surroundings()) {
		return nil
	}
	return append(m.Open(), m.Choose(string(MinimisedTrace))...)
}

// OpenPicture opens the dialog that takes a picture of the stage.
func (m *Model) OpenPicture() []desk.Cmd {
	cmds := m.Open()
	if m.Format.Picture() {
		return cmds
	}
	return append(cmds, m.Choose(string(PNG))...)
}

// EditRedact changes what leaves of a trace that is saved.
func (m *Model) EditRedact(field, value string) []desk.Cmd {
	r := &m.Redact
	paths := strings.Fields(strings.ReplaceAll(value, ",", " "))
	switch field {
	case "for":
		r.Share = value == "share"
	case "names":
		r.Names = value == "true"
	case "keep":
		r.Keep = paths
		m.forget() // the viewer still writes
		return nil
	case "paths":
		r.Paths = paths
		m.forget()
		return nil
	}
	return m.previewSoon()
}

// Traces reports whether the file is a trace of what is open.
func (m *Model) Traces() bool {
	open := m.desk.Surroundings().Trace
	return m.Format == MinimisedTrace || m.Format == File && open != nil && !open.Script
}

// Looking reports whether the trace is being made that the viewer is to look at.
func (m *Model) Looking() bool { return m.looking != 0 }

// Unseen reports whether the viewer has not seen yet what would be saved.
func (m *Model) Unseen() bool {
	return m.Looked == nil && m.Traces()
}

// forget drops what is known of the trace that would be saved.
func (m *Model) forget() { m.Looked, m.looking, m.Saved = nil, 0, nil }

// eagerLimit is how many events a recording may have for its trace to be made as soon as the viewer may want
// it. The trace of a larger one takes its time, so it is made when the viewer asks for it.
const eagerLimit = 20_000

// previewSoon makes the trace if that is quick.
func (m *Model) previewSoon() []desk.Cmd {
	seen := m.Looked
	m.forget()
	open := m.desk.Surroundings().Trace
	if m.Busy || !m.Traces() || !open.Complete {
		return nil
	}
	events := 0
	for i := range open.Informers {
		events += open.Informers[i].Events
	}
	if events > eagerLimit {
		return nil
	}
	m.Looked = seen // stays until it is known better, so that nothing jumps
	return m.preview()
}

// preview lets the worker make the trace, and shows what is in it.
func (m *Model) preview() []desk.Cmd {
	m.desk.Fail(nil)
	cmds := m.desk.Send(m.request(true))
	m.looking = m.desk.Surroundings().Sent
	return cmds
}

// request returns the request to make the trace, or only to look at what is in it.
func (m *Model) request(look bool) link.Op {
	r := m.Redact
	if r.Share {
		r.Paths = nil
	} else {
		r.Names, r.Keep = false, nil
	}
	if m.Format == MinimisedTrace {
		return link.SaveLeast{Redact: &r, Look: look}
	}
	return link.Save{Redact: &r, Look: look}
}

// TakeLooked takes in what is in the trace that would be saved.
func (m *Model) TakeLooked(id int, x *link.SavePreview) {
	if id == m.looking {
		m.Looked, m.looking = x, 0
	}
}

// Begin lets the worker make a file of the open capture. The viewer sees first what is in it.
func (m *Model) Begin() []desk.Cmd {
	r := m.desk.Surroundings()
	if m.Busy || m.Looking() || !m.Format.Can(r) {
		return nil
	}
	if m.Unseen() {
		return m.preview()
	}
	q := m.request(false)
	m.Busy, m.Saved, m.Making = true, nil, nil
	m.desk.Fail(nil)
	switch {
	case m.Format.Picture():
		return m.shoot()
	case m.Format == MinimisedTrace, m.Format == File:
		return m.desk.Send(q)
	}
	return m.desk.Send(link.SaveText{Format: link.TextFormat(m.Format)})
}

// CanCopy reports whether such a file can be put on the clipboard in place of being saved.
func (a Format) CanCopy() bool { return a == Session || a == GoTest || a == ControllerTest }

// CopyText lets the worker make the text of such a file.
func (m *Model) CopyText() []desk.Cmd {
	if m.Busy || !m.Format.CanCopy() || !m.Format.Can(m.desk.Surroundings()) {
		return nil
	}
	m.Busy, m.Saved, m.Making = true, nil, nil
	m.desk.Fail(nil)
	return m.desk.Send(link.SaveText{Format: link.TextFormat(m.Format), Copy: true})
}

// Choose chooses what to make a file of.
func (m *Model) Choose(as string) []desk.Cmd {
	if slices.Contains(All, Format(as)) && Format(as).Can(m.desk.Surroundings()) && !m.Busy {
		m.Format = Format(as)
		m.desk.Fail(nil)
		return m.previewSoon()
	}
	return nil
}

// Stop stops making a text.
func (m *Model) Stop() []desk.Cmd {
	if !m.Busy || !m.Format.Stops() {
		return nil
	}
	if m.Film != nil {
		return m.abortFilm()
	}
	m.Busy, m.Making = false, nil
	return m.desk.Send(link.StopSaving{})
}

// TakeSaved takes in the file that was made.
func (m *Model) TakeSaved(f *link.Saved) []desk.Cmd {
	m.Busy, m.Saved, m.Copied = false, f, ""
	if f.Text != "" {
		return []desk.Cmd{desk.Copy{Text: f.Text}}
	}
	return nil
}

// Fail ends what is being made.
func (m *Model) Fail() {
	if m.Looking() { // what is shown was of another choice
		m.Looked = nil
	}
	m.Busy, m.looking = false, 0
}

// Reset forgets what was open.
func (m *Model) Reset() {
	m.forget()
	m.Busy, m.Film = false, nil
}

// GiveUp drops what is being made, as the worker has ended.
func (m *Model) GiveUp() { m.Film, m.Busy, m.looking = nil, false, 0 }

// Report is the report of a problem, which the viewer may give to those who mend the page.
type Report struct {
	desk   desk.Desk
	Text   string        // "" while it is being made
	Failed *link.Failure // why there is none
	done   string        // the names of the last commands
}

// MakeReport makes the report. Nothing in it is about what is open, except for its format.
type MakeReport struct {
	Release, Program string // as in session.Version
	States, Commands string
}

// Reported says that the report was made, or Failed says why not.
type Reported struct{ Text, Failed string }

func (MakeReport) Cmd() {}
func (Reported) Msg()   {}

// LastDone is how many bytes the names of the last commands have at most.
const LastDone = 600

// Note notes that a command was done. What the command was given may be private.
func (r *Report) Note(name string) {
	r.done += " " + name
	if over := len(r.done) - LastDone; over > 0 {
		_, r.done, _ = strings.Cut(r.done[over:], " ")
	}
}

// Begin opens the dialog with the report, and has it made of x and the last commands.
func (r *Report) Begin(x MakeReport) []desk.Cmd {
	r.desk.SetDialog("report")
	r.Text, r.Failed = "", nil
	x.Commands = strings.TrimSpace(r.done)
	return []desk.Cmd{x}
}

// Reported takes in the report, or why there is none.
func (r *Report) Reported(x Reported) {
	if r.Text = x.Text; x.Failed != "" {
		r.Failed = &link.Failure{Sentence: link.Sentence{ID: "fail.report"}, Reason: link.FaultText(x.Failed)}
	}
}
