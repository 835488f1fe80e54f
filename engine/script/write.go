package script

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// ErrUnwritable is the error of Lines for a run with an input that no line can
// express: a handler that takes as long as recorded calls took.
const ErrUnwritable = fault.Plain("recordedHandler")

// Input is a line that stands for one input of a run.
type Input struct {
	Step int64 // the number of the step that the input makes, counted from 1
	Line string
}

// Inputs writes each input of a run as a line.
func Inputs(h *history.History) ([]Input, error) {
	w := h.Front() // when all handlers have been added
	var out []Input
	for _, in := range h.Inputs() {
		line, ok := "", true
		if in.Command != nil {
			line, ok = syntax.CommandLine(in.Command, configs(w))
		} else {
			line = "step " + syntax.Quote(actorName(w.Informers, w.Set.Role(in.Actor)))
		}
		if !ok {
			return nil, ErrUnwritable
		}
		out = append(out, Input{in.Step, line})
	}
	return out, nil
}

// configs returns the configuration of an informer of w by its number.
func configs(w *world.World) func(informer int) *informer.Config {
	return func(i int) *informer.Config { return w.Informers[i].Config() }
}

// Lines writes the inputs of a run as lines that make the same run again on a
// machine with the same setup.
func Lines(h *history.History) ([]string, error) {
	inputs, err := Inputs(h)
	if err != nil {
		return nil, err
	}
	var lines []string
	made := int64(0)
	for _, in := range inputs {
		if in.Step != made+1 {
			lines = append(lines, "run until step "+strconv.FormatInt(in.Step-1, 10))
		}
		made = in.Step
		lines = append(lines, in.Line)
	}
	return lines, nil
}

// actorName is an actor's name in scripts: "loop", "run/audit" or "worker/0". The
// name of an informer other than the first stands before it: "nodes:loop". If a
// later call of Run has started the actor, the number of the call stands after
// it: "loop@2".
func actorName(informers []*informer.Informer, role actor.Role) string {
	cfg := informers[role.Informer].Config()
	s := role.Kind.String()
	switch role.Kind {
	case actor.Pop, actor.Run:
		s += "/" + cfg.Handlers[role.Index].Name
	case actor.Worker:
		s += "/" + strconv.Itoa(int(role.Index))
	}
	if role.Again > 0 {
		s += "@" + strconv.Itoa(int(role.Again)+1)
	}
	if role.Informer > 0 {
		s = cfg.Name + ":" + s
	}
	return s
}
