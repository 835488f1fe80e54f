package script

import (
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// carryOut carries out the command that a line has made on an informer, on one
// of its handlers, or on its server.
func carryOut(r *Runner, m *made) error {
	c := m.command
	if m.handler.col > 0 {
		i, j, ok := r.handler(m.handler.text)
		if !ok {
			return Error{m.line, m.handler.col, fault.Quoted("noHandler name", m.handler.text)}
		}
		c.Informer, c.Listener = i, j
	} else {
		i, err := r.informerNamed(m.informer, m.line)
		if err != nil {
			return err
		}
		c.Informer = i
	}
	if err := r.moving(m.line); err != nil {
		return err
	}
	if m.key.col > 0 {
		c.Object.Key = r.config(c.Informer).Table.Key(m.key.text)
	}
	if c.Kind == world.RestoreServer && c.N > r.w.Revision(c.Informer) {
		return Error{m.line, 1, fault.Number("notReached rv", c.N)}
	}
	if !r.do(c) {
		return Error{m.line, 1, fault.Plain("noEffect")}
	}
	return nil
}

// mutate changes an object in the cache.
func mutate(r *Runner, m *made) error {
	if err := r.moving(m.line); err != nil {
		return err
	}
	i, err := r.informerNamed(m.informer, m.line)
	if err != nil {
		return err
	}
	t := r.w.Informers[i].Config().Table
	c := m.command
	k, ok := t.LookupKey(m.key.text)
	c.Informer, c.Object = i, object.Meta{Key: k, Labels: labelSet(t, m.labels)}
	if !ok || !r.do(c) {
		return Error{m.line, m.key.col, fault.Quoted("notCached key", m.key.text)}
	}
	return nil
}
