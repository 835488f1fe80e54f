package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// SaveAs is what a file is made of. The catalogues have its title under "ui.saveAs." and
// it, and under "ui.saveAs." and it and ".why" what the file is good for.
type SaveAs string

// What a file can be made of.
const (
	SaveFile SaveAs = "file" // what is open: a trace without secrets, or a script
	SaveSVG  SaveAs = "svg"  // a picture of the stage
	SavePNG  SaveAs = "png"
)

// Saves lists them.
var Saves = []SaveAs{SaveFile, SaveSVG, SavePNG}

// Picture tells whether it is a picture of the stage, which the page takes itself.
func (s SaveAs) Picture() bool { return s == SaveSVG || s == SavePNG }

// Shot is how a picture of the stage is taken.
type Shot struct {
	Theme string // "dark", "light", or "" for the page's
	Says  bool   // the sentence about the step stands below the stage
}

// openSave opens the dialog that asks what to save.
func (m *Model) openSave() []Cmd {
	if m.Opened == nil {
		return nil
	}
	m.Dialog, m.Saved, m.Suspects, m.Failure = "save", nil, nil, nil
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
	if m.Opened == nil || m.Saving {
		return nil
	}
	r := m.Redact
	r.Anyway = m.Suspects != nil
	m.Saving, m.Saved, m.Suspects, m.Failure = true, nil, nil, nil
	if m.SaveAs.Picture() {
		return m.shoot()
	}
	return m.send(link.Request{Op: link.OpSave, Redact: &r}, false)
}

// saveAs chooses what to make a file of.
func (m *Model) saveAs(as string) []Cmd {
	if slices.Contains(Saves, SaveAs(as)) && !m.Saving {
		m.SaveAs, m.Saved, m.Suspects, m.Failure = SaveAs(as), nil, nil, nil
	}
	return nil
}

// editShot changes how a picture is taken.
func (m *Model) editShot(field, value string) []Cmd {
	m.Saved = nil
	switch field {
	case "theme":
		m.Shot.Theme = value
	case "says":
		m.Shot.Says = value == "true"
	}
	return nil
}

// shoot takes a picture of the stage.
func (m *Model) shoot() []Cmd {
	if m.Frame == nil {
		m.Saving = false
		return nil
	}
	theme := m.Shot.Theme
	if theme == "" {
		theme = map[bool]string{true: "dark", false: "light"}[m.IsDark()]
	}
	name := link.FileName(m.Name, "-step-"+strconv.FormatInt(m.Frame.Step, 10)+"."+string(m.SaveAs))
	return []Cmd{Shoot{As: m.SaveAs, Theme: theme, Says: m.Shot.Says, Name: name}}
}

// developed takes note of a picture that was taken, or of why there is none.
func (m *Model) developed(d Developed) []Cmd {
	m.Saving = false
	if d.Failed != "" {
		m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.save"}, Detail: d.Failed}
		return nil
	}
	m.Saved = &link.Saved{Name: d.Name, Size: d.Size}
	return nil
}
