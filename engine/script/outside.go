package script

import (
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// carryOut carries out the command that a line has made on an informer, on one
// of its handlers, or on its server.
func (r *Runner) carryOut(m *syntax.Parsed) error {
	c := m.Command
	if m.Handler.Col > 0 {
		i, j, ok := r.handler(m.Handler.Text)
		if !ok {
			return syntax.At(m.Line, m.Handler.Col, fault.Quoted("noHandler name", m.Handler.Text))
		}
		c.Informer, c.Listener = i, j
	} else {
		i, err := r.informerNamed(m.Informer, m.Line)
		if err != nil {
			return err
		}
		c.Informer = i
	}
	if err := r.beginMoving(m.Line); err != nil {
		return err
	}
	if m.Key.Col > 0 {
		c.Object.Key = r.config(c.Informer).Table.Key(m.Key.Text)
	}
	if c.Kind == world.RestoreServer && r.w.Election != nil {
		return syntax.At(m.Line, 1, fault.Plain("restoresNoLease"))
	}
	if c.Kind == world.RestoreServer && c.N > r.w.Revision(c.Informer) {
		return syntax.At(m.Line, 1, fault.Number("notReached rv", c.N))
	}
	if !r.do(c) {
		return syntax.At(m.Line, 1, fault.Plain("noEffect"))
	}
	return nil
}

// mutate changes an object in the cache.
func (r *Runner) mutate(m *syntax.Parsed) error {
	if err := r.beginMoving(m.Line); err != nil {
		return err
	}
	i, err := r.informerNamed(m.Informer, m.Line)
	if err != nil {
		return err
	}
	t := r.w.Informers[i].Config().Table
	c := m.Command
	k, ok := t.LookupKey(m.Key.Text)
	c.Informer, c.Object = i, object.Meta{Key: k, Labels: labelSet(t, m.Labels)}
	if !ok || !r.do(c) {
		return syntax.At(m.Line, m.Key.Col, fault.Quoted("notCached key", m.Key.Text))
	}
	return nil
}
