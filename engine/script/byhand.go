package script

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// A queue, work or notify line moves one station by hand, as a program does that uses
// only this part of client-go. The station's informer then never runs.
//
// What queue pop pops is written to the indexer. After queue pop fails, it is in the
// queue again. After queue pop errs, it is lost, unless a queue retry follows, which puts
// it back as processLoop does with the option RetryOnError. A notify line hands a
// notification to a sharedProcessor, whose listeners move by themselves.

// byHand carries out a call on a station of the first informer, and adds its
// results and facts to the transcript.
func (r *Runner) byHand(line int, c world.Command) error {
	if !r.h.Do(c) {
		return syntax.At(line, 1, fault.Plain("runs"))
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
		r.emit(Entry{Kind: Value, Text: text})
	}
	if got.ShutDown {
		r.emit(Entry{Kind: Value, Text: "shut down"})
	}
	r.record()
	if got.Err != nil {
		r.emit(Entry{Kind: Value, Text: "error: " + got.Err.Error()})
	}
	return nil
}

// moving makes the run if there is none yet. It returns an error if a station is moved
// by hand, because no actor moves then.
func (r *Runner) beginMoving(line int) error {
	if err := r.begin(line); err != nil {
		return err
	}
	if r.w.ByHand() {
		return syntax.At(line, 1, fault.Plain("byHand"))
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

// queueCall plays a call on the queue.
func (r *Runner) callQueue(m *syntax.Parsed) error {
	if err := r.begin(m.Line); err != nil {
		return err
	}
	c := m.Command
	if m.Key.Col > 0 {
		c.Refs = []object.Ref{r.version(m.Key.Text, m.Labels)}
	}
	for _, k := range m.Keys {
		c.Refs = append(c.Refs, r.version(k, nil))
	}
	if c.Kind == world.QueueReplace {
		c.N = r.versions
	}
	return r.byHand(m.Line, c)
}

// notifyCall plays a call of distribute. An update or a deletion is about the
// version that the processor was given last.
func (r *Runner) callProcessor(m *syntax.Parsed) error {
	if err := r.begin(m.Line); err != nil {
		return err
	}
	c, t := m.Command, r.config(0).Table
	var last object.Ref
	for _, in := range r.h.Inputs() {
		if c := in.Command; c != nil && c.Kind >= world.NotifyAdd && syntax.ObjectName(t, t.Meta(c.Refs[0])) == syntax.Quote(m.Key.Text) {
			last = c.Refs[0]
		}
	}
	switch {
	case c.Kind == world.NotifyAdd:
		c.Refs = []object.Ref{r.version(m.Key.Text, m.Labels)}
	case last == 0:
		return syntax.At(m.Line, m.Key.Col, fault.Quoted("notAdded key", m.Key.Text))
	case c.Kind == world.NotifyDelete:
		c.Refs = []object.Ref{last}
	default:
		c.Refs = []object.Ref{r.version(m.Key.Text, m.Labels), last}
	}
	return r.byHand(m.Line, c)
}

// workCall plays a call on the workqueue.
func (r *Runner) callWorkqueue(m *syntax.Parsed) error {
	if err := r.begin(m.Line); err != nil {
		return err
	}
	c, times := m.Command, int64(1)
	if c.Kind == world.WorkAddRateLimited {
		times, c.N = max(1, c.N), 0
	}
	if m.Key.Col > 0 {
		c.Object.Key = r.config(0).Table.Key(m.Key.Text)
	}
	for range times {
		if err := r.byHand(m.Line, c); err != nil {
			return err
		}
	}
	return nil
}

// labelText writes an object's labels: " value=1".
func labelText(t *object.Table, o object.Ref) string {
	s := ""
	for _, l := range t.LabelsOf(t.LabelSetOf(o)) {
		s += " " + t.Text(l.Name) + "=" + t.Text(l.Value)
	}
	return s
}
