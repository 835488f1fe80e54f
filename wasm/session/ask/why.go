package ask

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Causes is the chain of the causes of a thing, and of its effects.
type Causes struct {
	desk  Desk
	Chain *link.Causes // that was asked for last; nil for none
	Seeks bool         // more of it is being looked for
	id    int          // the ID of the last link.AskWhy, 0 for none
}

// NewCauses returns Causes without a chain.
func NewCauses(d Desk) Causes { return Causes{desk: d} }

// Ask asks what the thing at a place came of, and what came of it. Without a place it is
// about the key that the viewer deals with.
func (w *Causes) Ask(place string) []desk.Cmd {
	w.desk.SetDialog("")
	w.desk.CloseMenu()
	w.desk.Show(desk.WhyTab)
	cmds := w.desk.Pause()
	key := w.desk.Subject()
	if place == "" && key == "" {
		w.Chain = nil
		return cmds
	}
	if place != "" {
		key = keyOnTape(w.desk.Surroundings().Frame, place)
	}
	w.Chain, w.Seeks = nil, true
	cmds = append(cmds, w.desk.Send(link.AskWhy{Place: place, Key: key})...)
	w.id = w.desk.Surroundings().Sent
	return cmds
}

// keyOnTape returns the key of the watch event at a place of the server's tape, "" for other places.
func keyOnTape(f *link.Frame, place string) string {
	for _, e := range f.Server.Tape {
		if place == link.PlaceTape(int64(e.N)) {
			return e.Chip.Key
		}
	}
	return ""
}

// SetAnswer takes in an answer.
func (w *Causes) SetAnswer(id int, chain *link.Causes) {
	if id != w.id {
		return // something else was asked since
	}
	w.Chain, w.Seeks = chain, chain.Looked > 0
}

// Stop ends the search for the chain. What was found stays.
func (w *Causes) Stop() []desk.Cmd {
	if !w.Seeks {
		return nil
	}
	w.Seeks, w.id = false, 0
	return w.desk.Send(link.StopWhy{})
}

// Forget forgets the chain, because it is of another run.
func (w *Causes) Forget() { *w = NewCauses(w.desk) }

// Close goes from the chain to the explanation.
func (w *Causes) Close() []desk.Cmd {
	w.desk.Turn(desk.Explain)
	return w.Stop()
}

// Marked is a place on the stage where a thing of the chain stands at the step
// shown, and the number of the link that has put the thing there, counted from
// 1.
type Marked struct {
	N     int
	Place string
}

// Marked lists where the members of the chain are at the step shown.
func (w *Causes) Marked() (all []Marked) {
	r := w.desk.Surroundings()
	f := r.Frame
	if w.Chain == nil || f == nil || r.Tab != desk.WhyTab {
		return nil
	}
	n, step := 0, f.Step
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
