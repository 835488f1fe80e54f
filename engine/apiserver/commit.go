package apiserver

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Commit writes a version of an object for a caller that keeps the objects' contents
// itself and has decided by the registry's rules what the write comes to: event.Added,
// Updated or Deleted, the last with the final content. The revision must be later than all
// before it.
func (s *Simulated) Commit(m object.Meta, typ event.Delta, rev, now int64) {
	s.write(change{rev: rev, at: now, obj: s.cfg.Versions.At(m, rev), old: s.Storage.Get(s.cfg.Table.MakeKey(m)), typ: typ})
}

// DialSelecting is Simulated.Dial for a client with a selector of its own, nil for none.
func DialSelecting(s *Simulated, selects func(t *object.Table, r object.Ref) bool) *Simulated {
	c := s.Dial().(*Simulated)
	cfg := *s.cfg
	cfg.Selects = selects
	c.cfg = &cfg
	return c
}
