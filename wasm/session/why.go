package session

import "github.com/informerscope/informerscope/wasm/link"

// askWhy asks what the thing at a place came of, and what came of it. Without a place it is
// about the key that the viewer deals with.
func (m *Model) askWhy(place string) []Cmd {
	if m.Frame == nil || m.Died != "" {
		return nil
	}
	m.Dialog, m.Menu, m.Tab, m.Sheet, m.WhyShown = "", "", Explain, true, true
	cmds := m.setPlaying(false)
	key := m.subject()
	if place == "" && key == "" {
		m.Why = nil
		return cmds
	}
	if place != "" {
		key = m.taped(place)
	}
	m.Why, m.WhySeeks = nil, true
	cmds = append(cmds, m.send(link.AskWhy{Place: place, Key: key}, false)...)
	m.ask.why = m.ask.id
	return cmds
}

// taped is the key of the watch event at a place of the server's tape, "" for other places.
func (m *Model) taped(place string) string {
	for _, e := range m.Frame.Server.Tape {
		if place == link.PlaceTape(int64(e.N)) {
			return e.Chip.Key
		}
	}
	return ""
}

// toldWhy takes an answer in.
func (m *Model) toldWhy(id int, w *link.Why) {
	if id != m.ask.why {
		return // something else was asked since
	}
	m.Why, m.WhySeeks = w, w.Looked > 0
}

// stopWhy ends the search for the chain. What was found stays.
func (m *Model) stopWhy() []Cmd {
	if !m.WhySeeks {
		return nil
	}
	m.WhySeeks, m.ask.why = false, 0
	return m.send(link.StopWhy{}, false)
}

// forgetWhy forgets the chain, because it is of another run.
func (m *Model) forgetWhy() {
	m.Why, m.WhyShown, m.WhySeeks, m.looked, m.ask.why = nil, false, false, "", 0
}

// closeWhy shows the explanation in the place of the chain.
func (m *Model) closeWhy() []Cmd {
	m.WhyShown = false
	return m.stopWhy()
}

// chooseTab shows one of the inspector's tabs. The chain gives way to the explanation when
// its tab is chosen once more.
func (m *Model) chooseTab(t Tab) []Cmd {
	again := m.Tab == t && t == Explain
	m.Tab, m.Sheet = t, true
	if again {
		return m.closeWhy()
	}
	return nil
}

// WhyPlace is the place of the version in the inspector where the viewer has chosen it on
// the stage, and "" otherwise.
func (m *Model) WhyPlace() string { return m.looked }

// Marked is a place on the stage where a thing of the chain stands at the step
// shown, and the number of the link that has put the thing there, counted from
// 1.
type Marked struct {
	N     int
	Place string
}

// Marked lists where the members of the chain are at the step shown.
func (m *Model) Marked() (all []Marked) {
	if m.Why == nil || m.Frame == nil || m.Tab != Explain || !m.WhyShown {
		return nil
	}
	n, step := 0, m.Frame.Step
	for _, part := range m.Why.Parts {
		for _, l := range part.Links {
			n++
			if l.Place != "" && l.Step <= step && (l.Until < 0 || step <= l.Until) {
				all = append(all, Marked{n, l.Place})
			}
		}
	}
	return all
}
