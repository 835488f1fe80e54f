package script

import (
	"errors"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// ErrUnwritable is the error of Lines for a run with an input that no line can
// express: a handler that takes as long as recorded calls took.
var ErrUnwritable = errors.New("a handler that was recorded cannot be added by a line")

// Lines writes the inputs of a run as lines that make the same run again on a
// machine with the same setup.
func Lines(h *world.History) ([]string, error) {
	p := writer{informers: h.Front().Informers}
	made := int64(0)
	for _, in := range h.Inputs() {
		if in.Step != made+1 {
			p.line("run until step " + strconv.FormatInt(in.Step-1, 10))
		}
		made = in.Step
		if in.Command != nil {
			if err := p.command(in.Command); err != nil {
				return nil, err
			}
			continue
		}
		p.line("step " + actorName(p.informers, h.Front().Set.Role(in.Actor)))
	}
	return p.lines, nil
}

type writer struct {
	informers []*informer.Informer // at the run's end, when all handlers are there
	lines     []string
}

func (p *writer) line(text string) { p.lines = append(p.lines, text) }

// verbsOf are the verbs of commands whose only argument is an informer.
var verbsOf = map[world.CommandKind]string{
	world.BreakWatch: "break watch", world.SilenceWatch: "silence watch", world.StopInformer: "stop", world.RunAgain: "start again",
	world.Compact: "compact",
}

func (p *writer) command(c *world.Command) error {
	cfg := p.informers[c.Informer].Config()
	in := "" // which informer, where it is not the first
	if c.Informer > 0 {
		in = " " + quoted(cfg.Name)
	}
	if verb, ok := verbsOf[c.Kind]; ok {
		p.line(verb + in)
		return nil
	}
	switch c.Kind {
	case world.AddHandler:
		return p.handler(&c.Handler, cfg.Name)
	case world.RemoveHandler:
		p.line("remove handler " + quoted(cfg.Handlers[c.Listener].Name))
	case world.PaceHandler:
		p.line("takes " + quoted(cfg.Handlers[c.Listener].Name) + " " + timeText(c.N))
	case world.MutateCached:
		p.line("mutate" + in + " " + quoted(cfg.Table.KeyText(c.Object.Key)) + labelWords(cfg.Table, c.Object.Labels))
	case world.PassTime:
		p.line("advance to " + timeText(c.N))
	case world.TakeNoTime:
		p.line("steps take no time")
	case world.Create:
		p.line("create " + quoted(cfg.Name) + " " + objectName(cfg.Table, c.Object) + labelWords(cfg.Table, c.Object.Labels))
	case world.Update:
		p.line("update " + quoted(cfg.Name) + " " + objectName(cfg.Table, c.Object) + labelWords(cfg.Table, c.Object.Labels))
	case world.Delete:
		p.line("delete " + quoted(cfg.Name) + " " + objectName(cfg.Table, c.Object))
	case world.RestartServer:
		p.line("restart server down=" + timeText(c.N) + " warm=" + timeText(c.Warm) + in)
	case world.RestoreServer:
		p.line("restore server " + strconv.FormatInt(c.N, 10) + in)
	case world.LagServer:
		p.line("lag server " + lagText(c.N) + in)
	case world.FailRequests:
		p.line("fail requests " + failureName(c) + in)
	default:
		p.byHand(c, cfg.Table)
	}
	return nil
}

func (p *writer) handler(h *informer.Handler, in string) error {
	if h.Took != nil {
		return ErrUnwritable
	}
	text := "handler " + quoted(h.Name) + " informer=" + quoted(in) + " takes=" + timeText(h.Takes) + " resync=" + timeText(h.Resync)
	if h.From > 0 {
		text += " from=" + timeText(h.From)
	}
	if h.Until > 0 {
		text += " until=" + timeText(h.Until)
	}
	if h.Workqueue {
		text += " workqueue"
	}
	p.line(text)
	return nil
}

// byHand writes a call on one station.
func (p *writer) byHand(c *world.Command, t *object.Table) {
	for verb, kind := range queueCalls {
		if kind != c.Kind {
			continue
		}
		text := "queue " + verb
		if verb == "known" {
			text += " none"
		}
		for _, r := range c.Refs {
			text += " " + objectName(t, t.Meta(r))
			if verb != "replace" {
				text += labelWords(t, t.LabelSetOf(r))
			}
		}
		p.line(text)
		return
	}
	switch key := quoted(t.KeyText(c.Object.Key)); c.Kind {
	case world.QueuePopFails:
		p.line("queue pop fails")
	case world.WorkGet:
		p.line("work get")
	case world.WorkShutDown:
		p.line("work shutdown")
	case world.WorkShutDownWithDrain:
		p.line("work shutdown drain")
	case world.WorkWait:
		p.line("work wait " + timeText(c.N))
	case world.WorkAddAfter:
		p.line("work after " + key + " " + timeText(c.N))
	default:
		for verb, kind := range workCalls {
			if kind == c.Kind {
				p.line("work " + verb + " " + key)
			}
		}
	}
}

// objectName is an object's name in the lines of commands.
func objectName(t *object.Table, m object.Meta) string {
	if m.Namespace == 0 {
		return quoted(t.Text(m.Name))
	}
	return quoted(t.Text(m.Namespace) + "/" + t.Text(m.Name))
}

func labelWords(t *object.Table, set object.Labels) string {
	s := ""
	for _, l := range t.LabelsOf(set) {
		s += " " + t.Text(l.Name) + "=" + quoted(t.Text(l.Value))
	}
	return s
}

func lagText(ns int64) string {
	if ns < 0 {
		return "forever"
	}
	return timeText(ns)
}

func failureName(c *world.Command) string {
	for _, f := range failures {
		if f.is != c.Failure {
			continue
		}
		switch {
		case c.N == 0:
			return "none"
		case c.N < 0:
			return f.name + " n=all"
		}
		return f.name + " n=" + strconv.FormatInt(c.N, 10)
	}
	return "none"
}

// quoted writes text so that it is parsed as one word.
func quoted(text string) string {
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
