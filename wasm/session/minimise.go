package session

import (
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/link"
)

// CanMinimise tells whether the worker can look for the smallest recording in which the
// expression that is searched still comes about.
func (m *Model) CanMinimise() bool {
	x, err := ask.Parse(m.Expr.Asked)
	return err == nil && x.Type() == ask.Bool && !m.Expr.Likely && m.Opened != nil && !m.Opened.Script && m.Live == nil && !m.Loading
}

// minimise has the worker look for the smallest such recording.
func (m *Model) minimise() []Cmd {
	if !m.CanMinimise() {
		return nil
	}
	m.Least = nil
	return m.send(link.Minimise{Expr: m.Expr.Asked}, false)
}

// saveLeast opens the dialog that saves what was found.
func (m *Model) saveLeast() []Cmd {
	if !m.CanSave(SaveLeast) {
		return nil
	}
	cmds := m.openSave()
	return append(cmds, m.saveAs(string(SaveLeast))...)
}
