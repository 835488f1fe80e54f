package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
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
func Inputs(h *world.History) ([]Input, error) {
	p := writer{informers: h.Front().Informers, roles: &h.Front().Set}
	var out []Input
	for _, in := range h.Inputs() {
		line, err := p.input(&in)
		if err != nil {
			return nil, err
		}
		out = append(out, Input{in.Step, line})
	}
	return out, nil
}

// Lines writes the inputs of a run as lines that make the same run again on a
// machine with the same setup.
func Lines(h *world.History) ([]string, error) {
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

// input is the line of an input.
func (p *writer) input(in *world.Input) (string, error) {
	if in.Command != nil {
		return p.command(in.Command)
	}
	return "step " + Word(actorName(p.informers, p.roles.Role(in.Actor))), nil
}

type writer struct {
	informers []*informer.Informer // at the run's end, when all handlers have been added
	roles     *actor.Set           // at the run's end
}

// table has the objects that a command is about.
func (p *writer) table(c *world.Command) *object.Table { return p.informers[c.Informer].Config().Table }

func (p *writer) command(c *world.Command) (string, error) {
	if c.Handler.Took != nil {
		return "", ErrUnwritable
	}
	for i := len(commands) - 1; i >= 0; i-- {
		if x := &commands[i]; x.makes.Kind == c.Kind {
			return x.write(p, c), nil
		}
	}
	return "", ErrUnwritable
}

// Word writes text so that it is parsed as one word.
func Word(text string) string {
	if text == "" || strings.ContainsAny(text, " \t#[]") {
		return `"` + text + `"`
	}
	return text
}

// actorName is an actor's name in scripts: "loop", "run/audit" or "worker/0". The
// name of an informer other than the first stands before it: "nodes:loop". If a
// later call of Run has started the actor, the number of the call stands behind
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
