package apiserver

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Objects appends what the server holds after the first n records, in the order
// of the keys.
func (p *Playback) Objects(dst []object.Ref, n int) []object.Ref { return p.amount(dst, n, nil) }

// amount is Objects, which also raises newest to the newest revision that the records tell. Newest may
// be nil. A long recording takes long, so it is gone through once.
func (p *Playback) amount(dst []object.Ref, n int, newest *int64) []object.Ref {
	held := append(p.scratch[:0], make([]object.Ref, p.table.Keys())...)
	p.scratch = held
	n = min(n, p.feed.Len())
	listed := -1 // where the items end of a list that is taken in
	for i := range n {
		r := p.feed.At(i)
		if newest != nil {
			look(newest, p.table, &r)
		}
		switch {
		case r.Kind == ListBegin:
			if end := p.listEnd(i, n); end < n && p.feed.At(end).Kind == ListEnd {
				clear(held)
				listed = end
			}
		case r.Kind == ListItem:
			if i < listed {
				p.hold(held, r.Obj)
			}
		case r.Kind == WatchOpen && r.Streaming:
			if end := p.initialEnd(i, n); end < n && p.feed.At(end).Kind == InitialEnd {
				clear(held)
			}
		case r.Failure == OtherKind: // the object is none of the resource's
		case r.Kind == WatchEvent && r.Delta == event.Deleted:
			held[p.table.KeyOf(r.Obj)] = 0
		case r.Kind == WatchEvent && (r.Delta == event.Added || r.Delta == event.Updated):
			p.hold(held, r.Obj)
		}
	}
	first := len(dst)
	for _, r := range held[1:] {
		if r != 0 {
			dst = append(dst, r)
		}
	}
	slices.SortFunc(dst[first:], func(a, b object.Ref) int {
		return p.table.CompareKeys(p.table.KeyOf(a), p.table.KeyOf(b))
	})
	return dst
}

func (p *Playback) hold(held []object.Ref, r object.Ref) { held[p.table.KeyOf(r)] = r }

// listEnd returns the first record after i, but none beyond n, that is no item
// of a list.
func (p *Playback) listEnd(i, n int) int {
	for i++; i < n && p.feed.At(i).Kind == ListItem; i++ {
	}
	return i
}
