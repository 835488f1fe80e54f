package lesson

import (
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Guards is the name of the lesson that shows a stale read of the reader's own.
const Guards = "choose-a-guard"

// ChooseGuard opens the lesson at the scene whose watch is as late as that of a stale read in a recording.
func (m *Model) ChooseGuard(name string, c *link.Table) []desk.Cmd {
	m.Own = Own{Name: name, Case: c}
	late := "forever"
	if c.Late >= 0 {
		n, unit := max(c.Late, 1), int64(1)
		for n/unit >= 1000 {
			unit *= 10
		}
		late = syntax.TimeText(n / unit * unit)
	}
	return m.Open("", Guards, "yours", []string{"lag server " + late + " pods"})
}

// SeekOwn lets the reader choose a recording of their own.
func (m *Model) SeekOwn() { m.Own = Own{Sought: true} }
