package session

import (
	"strconv"
	"strings"
)

// maxCompletions is how many of them a list is good for.
const maxCompletions = 40

// patterns are what lines may begin with; what stands in capitals is filled in
// from what there is.
var patterns = []string{
	"create INFORMER default/new", "update INFORMER KEY", "delete INFORMER KEY", "mutate INFORMER KEY",
	"handler another takes=1ms", "remove handler HANDLER", "takes HANDLER 1s", "takes HANDLER 0s",
	"break watch", "silence watch", "compact", "restart server down=1s", "lag server 5s", "lag server forever", "lag server 0s",
	"fail requests expired", "fail requests toomany", "fail requests internal", "fail requests refused", "fail requests none",
	"advance 30s", "run", "run until pop KEY", "run until call HANDLER", "run until synced", "step", "step ACTOR",
	"stop", "start again", "steps take no time",
	"show queue", "show store", "show server", "show rv", "show synced", "show workqueue", "show deltas KEY", "show notified HANDLER", "show behind HANDLER", "show pending HANDLER", "show actor ACTOR", "show lock fifo",
	"expect queue []", "expect store [KEY]", "can HANDLER OnUpdate KEY",
}

// Completions are lines that go on as the one that is being written.
func (m *Model) Completions() []string {
	if m.Opened == nil || m.Frame == nil || m.Tab != Console {
		return nil
	}
	var informers, keys, handlers, actors []string
	for _, x := range m.Opened.Informers {
		informers = append(informers, word(x.Name))
	}
	for _, t := range m.Frame.Store.Tiles {
		if len(keys) < 12 {
			keys = append(keys, t.Key)
		}
	}
	for _, l := range m.Frame.Processor.Listeners {
		handlers = append(handlers, word(l.Name))
	}
	for _, a := range m.Frame.Actors {
		if a.Ready {
			actors = append(actors, m.ActorName(a.ID))
		}
	}
	var out []string
	for _, p := range patterns {
		lines := fill(fill(fill(fill([]string{p}, "INFORMER", informers), "KEY", keys), "HANDLER", handlers), "ACTOR", actors)
		for _, l := range lines {
			if strings.HasPrefix(l, m.Line) && l != m.Line && len(out) < maxCompletions {
				out = append(out, l)
			}
		}
	}
	return out
}

// fill replaces a word of the lines by each of the values.
func fill(lines []string, word string, values []string) []string {
	var out []string
	for _, l := range lines {
		if !strings.Contains(l, word) {
			out = append(out, l)
			continue
		}
		for _, v := range values {
			out = append(out, strings.Replace(l, word, v, 1))
		}
	}
	return out
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
