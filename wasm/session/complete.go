package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script"
)

// maxCompletions is how many completions a list has at most.
const maxCompletions = 40

// Completions are lines that begin with what is being written.
func (m *Model) Completions() []string {
	if m.Opened == nil || m.Frame == nil || m.Tab != Console {
		return nil
	}
	var n script.Names
	for _, x := range m.Opened.Informers {
		n.Informers = append(n.Informers, x.Name)
	}
	for _, t := range m.Frame.Store.Tiles {
		if len(n.Keys) < 12 {
			n.Keys = append(n.Keys, t.Key)
		}
	}
	for _, l := range m.Frame.Processor.Listeners {
		n.Handlers = append(n.Handlers, l.Name)
	}
	for _, a := range m.Frame.Actors {
		if a.Ready {
			n.Actors = append(n.Actors, m.ActorName(a.ID))
		}
	}
	for _, x := range m.Frame.Store.Indices {
		n.Indices = append(n.Indices, x.Name)
	}
	return script.Completions(nil, m.Line, n, maxCompletions)
}

// ActorName is what lines of script call an actor: "run/audit" for "run/1".
func (m *Model) ActorName(id string) string {
	kind, number, ok := strings.Cut(id, "/")
	if !ok || kind != "pop" && kind != "run" {
		return id
	}
	for _, l := range m.Frame.Processor.Listeners {
		if number == strconv.Itoa(l.ID) {
			return kind + "/" + l.Name
		}
	}
	return id
}
