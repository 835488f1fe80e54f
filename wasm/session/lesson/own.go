package lesson

import (
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Guards is the name of the lesson that shows a stale read of the reader's own.
const Guards = "choose-a-guard"

// ChooseGuard opens the lesson at its scene, for a stale read of a recording. The watch of the scene is as late as the recorded watch was.
func (m *Model) ChooseGuard(name string, c *link.Table) []desk.Cmd {
	m.Recording = Recording{Name: name, Case: c}
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
func (m *Model) SeekOwn() { m.Recording = Recording{Sought: true} }
