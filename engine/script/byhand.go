package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// A queue or work line moves a station by hand, as a program that uses only that
// part of client-go does. The informer that it belongs to then never runs.
//
//	queue add|update|delete KEY [LABEL=VALUE …]     queue replace [KEY …]
//	queue known none                                without knownObjects
//	queue pop [fails]        what is popped is written to the indexer; or fails and is put back
//	queue resync             queue close
//	work add|done|limited|forget KEY                work after KEY TIME
//	work get                 work wait TIME         work shutdown [drain]

// byHand carries out a call on a station of the first informer, and adds its
// results and facts to the transcript.
func (r *Runner) byHand(line int, c world.Command) error {
	if !r.h.Do(c) {
		return Error{line, 1, "the informer runs already: its stations cannot be moved by hand"}
	}
	got, t := &r.w.Returned, r.config(0).Table
	for _, d := range got.Deltas {
		text := d.Type.String()
		if d.Key != 0 {
			text += " " + t.KeyText(d.Key) + versions(t, 0, d.Obj) + labelText(t, d.Obj)
		}
		if d.Tomb > 0 {
			text += " tombstone"
		}
		r.tell(Entry{Kind: Value, Text: text})
	}
	if got.ShutDown {
		r.tell(Entry{Kind: Value, Text: "shut down"})
	}
	r.look()
	if got.Err != nil {
		r.tell(Entry{Kind: Value, Text: "error: " + got.Err.Error()})
	}
	return nil
}

// moving makes the run if there is none yet. It is an error if a station is moved
// by hand.
func (r *Runner) moving(line int) error {
	if err := r.begin(line); err != nil {
		return err
	}
	if r.w.ByHand() {
		return Error{line, 1, "the stations are moved by hand: nothing moves by itself"}
	}
	return nil
}

// version makes the next version of an object.
func (r *Runner) version(key string, labels []string) object.Ref {
	t := r.config(0).Table
	ns, name, ok := strings.Cut(key, "/")
	if !ok {
		ns, name = "", key
	}
	r.versions++
	return t.Add(object.Meta{Namespace: t.Sym(ns), Name: t.Sym(name), RV: object.NumberRV(uint64(r.versions)), Labels: labelSet(t, labels)})
}

// queueCalls are the calls that a queue line can make.
var queueCalls = map[string]world.CommandKind{
	"add": world.QueueAdd, "update": world.QueueUpdate, "delete": world.QueueDelete, "replace": world.QueueReplace,
	"known": world.QueueUnknown, "pop": world.QueuePop, "resync": world.QueueResync, "close": world.QueueClose,
}

// handCall returns what plays a line that calls a station by hand.
func handCall(line int, call func(r *Runner) world.Command) func(*Runner) error {
	return func(r *Runner) error {
		if err := r.begin(line); err != nil {
			return err
		}
		return r.byHand(line, call(r))
	}
}

func parseQueue(p *line) (func(*Runner) error, error) {
	verb, err := p.next("what to do with the queue")
	if err != nil {
		return nil, err
	}
	c := world.Command{Kind: queueCalls[verb.text]}
	switch verb.text {
	case "add", "update", "delete":
		return parseQueueObject(p, verb.text)
	case "replace":
		return parseQueueReplace(p), nil
	case "known":
		err = p.literal("none")
	case "pop":
		if p.peek() == "fails" {
			c.Kind = world.QueuePopFails
			p.i++
		}
	case "resync", "close":
	default:
		return nil, p.fail(verb, "a queue has no "+strconv.Quote(verb.text))
	}
	if err == nil {
		err = p.done()
	}
	return handCall(p.n, func(*Runner) world.Command { return c }), err
}

func parseQueueReplace(p *line) func(*Runner) error {
	var keys []string
	for p.more() {
		w, _ := p.next("")
		keys = append(keys, strings.Fields(strings.Trim(w.text, "[]"))...)
	}
	return handCall(p.n, func(r *Runner) world.Command {
		c := world.Command{Kind: world.QueueReplace}
		for _, k := range keys {
			c.Refs = append(c.Refs, r.version(k, nil))
		}
		c.N = r.versions
		return c
	})
}

func parseQueueObject(p *line, verb string) (func(*Runner) error, error) {
	key, err := p.next("a key")
	if err != nil {
		return nil, err
	}
	var labels []string
	err = p.options(func(name string, v word) (wrong string) {
		labels = append(labels, name, v.text)
		return ""
	})
	return handCall(p.n, func(r *Runner) world.Command {
		return world.Command{Kind: queueCalls[verb], Refs: []object.Ref{r.version(key.text, labels)}}
	}), err
}

// labelText writes an object's labels: " value=1".
func labelText(t *object.Table, o object.Ref) string {
	s := ""
	for _, l := range t.LabelsOf(t.LabelSetOf(o)) {
		s += " " + t.Text(l.Name) + "=" + t.Text(l.Value)
	}
	return s
}

func parseWork(p *line) (func(*Runner) error, error) {
	verb, err := p.next("what to do with the workqueue")
	if err != nil {
		return nil, err
	}
	var key, when word
	var d int64
	drain := false
	switch verb.text {
	case "add", "done", "limited", "forget", "after":
		if key, err = p.next("a key"); err != nil {
			return nil, err
		}
	case "shutdown":
		if drain = p.peek() == "drain"; drain {
			p.i++
		}
	case "get", "wait":
	default:
		return nil, p.fail(verb, "a workqueue has no "+strconv.Quote(verb.text))
	}
	if verb.text == "after" || verb.text == "wait" {
		if when, err = p.next("a time"); err != nil {
			return nil, err
		}
		ok := false
		if d, ok = duration(when.text); !ok {
			return nil, p.fail(when, wantsTime)
		}
	}
	return handCall(p.n, func(r *Runner) world.Command {
		c := world.Command{Kind: workCalls[verb.text], N: d}
		if drain {
			c.Kind = world.WorkShutDownWithDrain
		}
		if key.text != "" {
			c.Object.Key = r.config(0).Table.Key(key.text)
		}
		return c
	}), p.done()
}

// workCalls are the calls that a work line can make.
var workCalls = map[string]world.CommandKind{
	"add": world.WorkAdd, "done": world.WorkDone, "limited": world.WorkAddRateLimited, "forget": world.WorkForget,
	"after": world.WorkAddAfter, "get": world.WorkGet, "wait": world.WorkWait, "shutdown": world.WorkShutDown,
}
