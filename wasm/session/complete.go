package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script"
)

// maxCompletions is how many completions a list has at most.
const maxCompletions = 40

// Completions are lines that begin with what is being written.
func (h *Hands) Completions(m *Model) []string {
	if m.Open.Trace == nil || m.Stage.Frame == nil || m.Front.Tab != Console {
		return nil
	}
	var n script.Names
	for _, x := range m.Open.Trace.Informers {
		n.Informers = append(n.Informers, x.Name)
	}
	for _, t := range m.Stage.Frame.Store.Tiles {
		if len(n.Keys) < 12 {
			n.Keys = append(n.Keys, t.Key)
		}
	}
	for _, l := range m.Stage.Frame.Processor.Listeners {
		n.Handlers = append(n.Handlers, l.Name)
	}
	for _, a := range m.Stage.Frame.Actors {
		if a.Ready {
			n.Actors = append(n.Actors, h.ActorName(m, a.ID))
		}
	}
	for _, x := range m.Stage.Frame.Store.Indices {
		n.Indices = append(n.Indices, x.Name)
	}
	return script.Completions(nil, h.Line, n, maxCompletions)
}

// ActorName is what lines of script call an actor: "run/audit" for "run/1".
func (h *Hands) ActorName(m *Model, id string) string {
	kind, number, ok := strings.Cut(id, "/")
	if !ok || kind != "pop" && kind != "run" {
		return id
	}
	for _, l := range m.Stage.Frame.Processor.Listeners {
		if number == strconv.Itoa(l.ID) {
			return kind + "/" + l.Name
		}
	}
	return id
}
