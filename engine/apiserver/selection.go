package apiserver

import (
	"strings"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// What the selector of a request makes of a server's objects and changes.

// selects reports whether r is an object that the selector selects.
func (cfg *SimConfig) selects(r object.Ref) bool {
	return r != 0 && (cfg.Selects == nil || cfg.Selects(cfg.Table, r))
}

// page keeps those objects that are selected and belong to the page, and makes
// the token for the next.
func (cfg *SimConfig) page(list []object.Ref, l listing) ([]object.Ref, object.Sym) {
	t := cfg.Table
	kept := list[:0]
	for _, r := range list {
		k := t.KeyOf(r)
		if l.paged && strings.Compare(t.KeyText(k), l.after) <= 0 || !cfg.selects(r) {
			continue
		}
		if l.limit > 0 && int64(len(kept)) == l.limit {
			return kept, token(t, l.rev, t.KeyOf(kept[len(kept)-1]))
		}
		kept = append(kept, r)
	}
	return kept, 0
}

// selected is the type of watch event that a change is to the server's selector.
// leaves tells whether the object lives on outside of the selection.
func (cfg *SimConfig) selected(c *change) (d event.Delta, leaves bool) {
	if cfg.Selects == nil {
		return c.typ, false
	}
	was, is := cfg.selects(c.old), c.typ != event.Deleted && cfg.selects(c.obj)
	switch {
	case was && is:
		return event.Updated, false
	case is:
		return event.Added, false
	case was:
		return event.Deleted, c.typ != event.Deleted
	}
	return event.None, false
}

// told is the event that a watcher with the server's selector gets for a change, or None.
// If an object leaves the selection, the watcher gets its deletion, with the content that
// it had there, at the revision of leaving.
func (cfg *SimConfig) told(c *change) (event.Delta, object.Ref) {
	d, leaves := cfg.selected(c)
	if leaves {
		return d, cfg.Versions.At(cfg.Table.Meta(c.old), c.rev)
	}
	return d, c.obj
}
