package session

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Why is the chain of what a thing came of, and of what came of it.
type Why struct {
	Chain *link.Why // that was asked for last; nil for none
	Shown bool      // it is in the place of the explanation
	Seeks bool      // more of it is being looked for
	id    int       // the ID of the last link.AskWhy, 0 for none
}

// ask asks what the thing at a place came of, and what came of it. Without a place it is
// about the key that the viewer deals with.
func (w *Why) ask(m *Model, place string) []Cmd {
	if m.Stage.Frame == nil || m.Open.Died != "" {
		return nil
	}
	m.Front.ask("")
	m.Hands.CloseMenu()
	m.Front.show(desk.Explain)
	w.Shown = true
	cmds := m.Transport.set(m, false)
	key := m.Find.subject(m)
	if place == "" && key == "" {
		w.Chain = nil
		return cmds
	}
	if place != "" {
		key = w.taped(m, place)
	}
	w.Chain, w.Seeks = nil, true
	cmds = append(cmds, m.send(link.AskWhy{Place: place, Key: key}, false)...)
	w.id = m.ask.id
	return cmds
}

// taped is the key of the watch event at a place of the server's tape, "" for other places.
func (w *Why) taped(m *Model, place string) string {
	for _, e := range m.Stage.Frame.Server.Tape {
		if place == link.PlaceTape(int64(e.N)) {
			return e.Chip.Key
		}
	}
	return ""
}

// told takes an answer in.
func (wh *Why) told(id int, w *link.Why) {
	if id != wh.id {
		return // something else was asked since
	}
	wh.Chain, wh.Seeks = w, w.Looked > 0
}

// stop ends the search for the chain. What was found stays.
func (w *Why) stop(m *Model) []Cmd {
	if !w.Seeks {
		return nil
	}
	w.Seeks, w.id = false, 0
	return m.send(link.StopWhy{}, false)
}

// forget forgets the chain, because it is of another run.
func (w *Why) forget(m *Model) {
	*w = Why{}
	m.Front.overlook()
}

// close shows the explanation in the place of the chain.
func (w *Why) close(m *Model) []Cmd {
	w.Shown = false
	return w.stop(m)
}

// chooseTab shows one of the inspector's tabs. The chain gives way to the explanation when
// its tab is chosen once more.
func (f *Front) chooseTab(m *Model, t desk.Tab) []Cmd {
	again := f.Tab == t && t == desk.Explain
	f.Tab, f.Sheet = t, true
	if again {
		return m.Why.close(m)
	}
	return nil
}

// WhyPlace is the place of the version in the inspector where the viewer has chosen it on
// the stage, and "" otherwise.
func (f *Front) WhyPlace() string { return f.looked }

// Marked is a place on the stage where a thing of the chain stands at the step
// shown, and the number of the link that has put the thing there, counted from
// 1.
type Marked struct {
	N     int
	Place string
}

// Marked lists where the members of the chain are at the step shown.
func (w *Why) Marked(m *Model) (all []Marked) {
	if w.Chain == nil || m.Stage.Frame == nil || m.Front.Tab != desk.Explain || !w.Shown {
		return nil
	}
	n, step := 0, m.Stage.Frame.Step
	for _, part := range w.Chain.Parts {
		for _, l := range part.Links {
			n++
			if l.Place != "" && l.Step <= step && (l.Until < 0 || step <= l.Until) {
				all = append(all, Marked{n, l.Place})
			}
		}
	}
	return all
}
