package session

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

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

// Picture tells whether the file is a picture of the stage, which the page takes itself.
func (s SaveAs) Picture() bool { return s == SaveSVG || s == SavePNG || s == SaveGIF }

// CanSave tells whether there is something to make such a file of.
func (m *Model) CanSave(s SaveAs) bool {
	switch s {
	case SaveFile:
		return m.Opened != nil
	case SaveLeast:
		return m.Least != nil && m.Least.Objects > 0
	case SaveSession, SaveGoTest: // a recording is played by no script
		return m.Opened != nil && m.Opened.Script
	}
	return m.Frame != nil
}

// Stops tells whether the making of such a file can be stopped.
func (s SaveAs) Stops() bool { return s != SaveFile && s != SaveLeast && s != SaveSVG && s != SavePNG }

// Changed tells whether the future that is shown is one that the viewer made.
func (m *Model) Changed() bool {
	if m.Lanes == nil {
		return false
	}
	for _, l := range m.Lanes.All {
		if l.ID == m.Lanes.Shown {
			return len(l.Lines) > 0
		}
	}
	return false
}

// openSave opens the dialog that asks what to save.
func (m *Model) openSave() []Cmd {
	if m.Opened == nil {
		return nil
	}
	m.Dialog, m.Saved, m.Suspects, m.Failure = "save", nil, nil, nil
	if !m.CanSave(m.SaveAs) {
		m.SaveAs = SaveFile
	}
	m.aim()
	return nil
}

// editRedact changes what is taken out of a trace that is saved.
func (m *Model) editRedact(field, value string) []Cmd {
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

// save has the worker make a file of the open capture. If something in it still looks like
// a secret, the viewer sees it and has to confirm.
func (m *Model) save() []Cmd {
	if m.Saving || !m.CanSave(m.SaveAs) {
		return nil
	}
	r := m.Redact
	r.Anyway = m.Suspects != nil
	m.Saving, m.Saved, m.Suspects, m.Failure, m.Making = true, nil, nil, nil, nil
	switch {
	case m.SaveAs.Picture():
		return m.shoot()
	case m.SaveAs == SaveLeast:
		return m.send(link.SaveLeast{Redact: r}, false)
	case m.SaveAs != SaveFile:
		return m.send(link.SaveText{As: link.As(m.SaveAs)}, false)
	}
	return m.send(link.Save{Redact: &r}, false)
}

// CanCopy tells whether such a file can be put on the clipboard in place of being saved.
func (s SaveAs) CanCopy() bool { return s == SaveSession || s == SaveGoTest }

// copyText has the worker make the text of such a file.
func (m *Model) copyText() []Cmd {
	if m.Saving || !m.SaveAs.CanCopy() || !m.CanSave(m.SaveAs) {
		return nil
	}
	m.Saving, m.Saved, m.Failure, m.Making = true, nil, nil, nil
	return m.send(link.SaveText{As: link.As(m.SaveAs), Copy: true}, false)
}

// saveAs chooses what to make a file of.
func (m *Model) saveAs(as string) []Cmd {
	if slices.Contains(Saves, SaveAs(as)) && m.CanSave(SaveAs(as)) && !m.Saving {
		m.SaveAs, m.Saved, m.Suspects, m.Failure = SaveAs(as), nil, nil, nil
	}
	return nil
}

// unsave stops making a text.
func (m *Model) unsave() []Cmd {
	if !m.Saving || !m.SaveAs.Stops() {
		return nil
	}
	if m.Film != nil {
		return m.cut()
	}
	m.Saving, m.Making = false, nil
	return m.send(link.StopSaving{}, false)
}
