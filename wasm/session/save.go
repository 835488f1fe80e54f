package session

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// openSave opens the dialog that asks what to take out of a trace that is saved.
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
	return m.send(link.Request{Op: link.OpSave, Redact: &r}, false)
}
