package session

import (
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/link"
)

// CanMinimise reports whether the worker can look for the smallest recording in which the
// expression that is searched still comes about.
func (e *Expr) CanMinimise(m *Model) bool {
	x, err := ask.Parse(e.Asked)
	return err == nil && x.Type() == ask.Bool && !e.Likely && m.Open.Trace != nil && !m.Open.Trace.Script && m.Cluster.Live == nil && !m.Open.Loading
}

// minimise has the worker look for the smallest such recording.
func (e *Expr) minimise(m *Model) []Cmd {
	if !e.CanMinimise(m) {
		return nil
	}
	e.Least = nil
	return m.send(link.Minimise{Expr: e.Asked}, false)
}

// saveLeast opens the dialog that saves what was found.
func (e *Expr) saveLeast(m *Model) []Cmd {
	if !m.Save.Can(m, SaveLeast) {
		return nil
	}
	cmds := m.Save.open(m)
	return append(cmds, m.Save.choose(m, string(SaveLeast))...)
}
