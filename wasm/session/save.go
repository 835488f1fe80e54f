package session

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// Saving is what the viewer makes a file of, and how far that is.
type Saving struct {
	As       SaveAs
	Shot     Shot        // how a picture is to be taken
	Film     *Film       // that is being made, nil for none
	Redact   link.Redact // what the viewer chooses to take out
	Busy     bool
	Saved    *link.Saved
	Copied   string         // whether Saved is on the clipboard: "", "yes" or "no"
	Making   *link.Making   // how far the text is that is being made, nil before it is known
	Suspects *link.Suspects // what would be left that looks like a secret
}

// SaveAs is what a file is made of. For the SaveAs "svg", the catalogues have
// the title under "ui.saveAs.svg", and what the file is good for under
// "ui.saveAs.svg.why".
type SaveAs string

// What a file can be made of.
const (
	SaveFile SaveAs = "file" // what is open: a trace without secrets, or a script
	SaveSVG  SaveAs = "svg"  // a picture of the stage
	SavePNG  SaveAs = "png"
	SaveGIF  SaveAs = "gif" // pictures of some steps, one after the other

	SaveSession           = SaveAs(link.AsSession)
	SaveGoTest            = SaveAs(link.AsGoTest)
	SaveCalls             = SaveAs(link.AsCalls)
	SaveTranscript        = SaveAs(link.AsTranscript)
	SavePerfetto          = SaveAs(link.AsPerfetto)
	SaveLeast      SaveAs = "least" // a part of the recording, without secrets
)

// Saves lists them.
var Saves = []SaveAs{SaveFile, SaveLeast, SaveSVG, SavePNG, SaveGIF, SaveSession, SaveGoTest, SaveCalls, SaveTranscript, SavePerfetto}

// Picture reports whether the file is a picture of the stage, which the page takes itself.
func (s SaveAs) Picture() bool { return s == SaveSVG || s == SavePNG || s == SaveGIF }

// Can reports whether there is something to make such a file of.
func (sa *Saving) Can(m *Model, s SaveAs) bool {
	switch s {
	case SaveFile:
		return m.Open.Trace != nil
	case SaveLeast:
		return m.Expr.Least != nil && m.Expr.Least.Objects > 0
	case SaveSession, SaveGoTest: // a recording is played by no script
		return m.Open.Trace != nil && m.Open.Trace.Script
	}
	return m.Stage.Frame != nil
}

// Stops reports whether the making of such a file can be stopped.
func (s SaveAs) Stops() bool { return s != SaveFile && s != SaveLeast && s != SaveSVG && s != SavePNG }

// open opens the dialog that asks what to save.
func (s *Saving) open(m *Model) []Cmd {
	if m.Open.Trace == nil {
		return nil
	}
	m.Front.ask("save")
	s.Saved, s.Suspects = nil, nil
	m.Open.fail(nil)
	if !s.Can(m, s.As) {
		s.As = SaveFile
	}
	s.aim(m)
	return nil
}

// openLeast opens the dialog that saves the smallest recording that was found.
func (s *Saving) openLeast(m *Model) []Cmd {
	if !s.Can(m, SaveLeast) {
		return nil
	}
	return append(s.open(m), s.choose(m, string(SaveLeast))...)
}

// editRedact changes what is taken out of a trace that is saved.
func (sa *Saving) editRedact(field, value string) []Cmd {
	r := &sa.Redact
	sa.Suspects = nil // it will be looked again
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

// begin has the worker make a file of the open capture. If something in it still looks like
// a secret, the viewer sees it and has to confirm.
func (s *Saving) begin(m *Model) []Cmd {
	if s.Busy || !s.Can(m, s.As) {
		return nil
	}
	r := s.Redact
	r.Anyway = s.Suspects != nil
	s.Busy, s.Saved, s.Suspects, s.Making = true, nil, nil, nil
	m.Open.fail(nil)
	switch {
	case s.As.Picture():
		return s.shoot(m)
	case s.As == SaveLeast:
		return m.send(link.SaveLeast{Redact: r}, false)
	case s.As != SaveFile:
		return m.send(link.SaveText{As: link.As(s.As)}, false)
	}
	return m.send(link.Save{Redact: &r}, false)
}

// CanCopy reports whether such a file can be put on the clipboard in place of being saved.
func (s SaveAs) CanCopy() bool { return s == SaveSession || s == SaveGoTest }

// copyText has the worker make the text of such a file.
func (s *Saving) copyText(m *Model) []Cmd {
	if s.Busy || !s.As.CanCopy() || !s.Can(m, s.As) {
		return nil
	}
	s.Busy, s.Saved, s.Making = true, nil, nil
	m.Open.fail(nil)
	return m.send(link.SaveText{As: link.As(s.As), Copy: true}, false)
}

// choose chooses what to make a file of.
func (s *Saving) choose(m *Model, as string) []Cmd {
	if slices.Contains(Saves, SaveAs(as)) && s.Can(m, SaveAs(as)) && !s.Busy {
		s.As, s.Saved, s.Suspects = SaveAs(as), nil, nil
		m.Open.fail(nil)
	}
	return nil
}

// stop stops making a text.
func (s *Saving) stop(m *Model) []Cmd {
	if !s.Busy || !s.As.Stops() {
		return nil
	}
	if s.Film != nil {
		return s.cut(m)
	}
	s.Busy, s.Making = false, nil
	return m.send(link.StopSaving{}, false)
}

// saved takes in the file that was made.
func (s *Saving) saved(f *link.Saved) []Cmd {
	s.Busy, s.Saved, s.Copied = false, f, ""
	if f.Text != "" {
		return []Cmd{Copy{f.Text}}
	}
	return nil
}

// making takes in how far a text is.
func (s *Saving) making(x *link.Making) { s.Making = x }

// suspected takes in what still looks like a secret.
func (s *Saving) suspected(x *link.Suspects) { s.Busy, s.Suspects = false, x }

// copied notes whether the text is on the clipboard: "yes" or "no".
func (s *Saving) copied(says string) { s.Copied = says }

// failed ends what is being made.
func (s *Saving) failed() { s.Busy = false }

// anew is what stays of s when something else is opened.
func (s Saving) anew() Saving {
	s.Saved, s.Busy, s.Film = nil, false, nil
	return s
}

// giveUp drops what is being made, as the worker has ended.
func (s *Saving) giveUp() { s.Film, s.Busy = nil, false }
