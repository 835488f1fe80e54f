package apiserver

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Objects appends what the server holds after the first n records, in the order
// of the keys.
func (p *Playback) Objects(dst []object.Ref, n int) []object.Ref {
	return p.rec.amount(dst, n, nil)
}

// amount is Objects of a Playback. It also raises newest to the newest revision that the records tell. Newest may
// be nil. A long recording takes long, so it is gone through once.
func (f *recording) amount(dst []object.Ref, n int, newest *int64) []object.Ref {
	held := append(f.scratch[:0], make([]object.Ref, f.table.Keys())...)
	f.scratch = held
	n = min(n, f.feed.Len())
	listed := -1 // where the items end of a list that is taken in
	for i := range n {
		r := f.feed.At(i)
		if newest != nil {
			look(newest, f.table, &r)
		}
		switch {
		case r.Kind == ListBegin:
			if end := f.listEnd(i, n); end < n && f.feed.At(end).Kind == ListEnd {
				clear(held)
				listed = end
			}
		case r.Kind == ListItem:
			if i < listed {
				held[f.table.KeyOf(r.Obj)] = r.Obj
			}
		case r.Kind == WatchOpen && r.Streaming:
			if end := f.initialEnd(i, n); end < n && f.feed.At(end).Kind == InitialEnd {
				clear(held)
			}
		case r.Failure == OtherKind: // the object is none of the resource's
		case r.Kind == WatchEvent && r.Delta == event.Deleted:
			held[f.table.KeyOf(r.Obj)] = 0
		case r.Kind == WatchEvent && (r.Delta == event.Added || r.Delta == event.Updated):
			held[f.table.KeyOf(r.Obj)] = r.Obj
		}
	}
	first := len(dst)
	for _, r := range held[1:] {
		if r != 0 {
			dst = append(dst, r)
		}
	}
	slices.SortFunc(dst[first:], func(a, b object.Ref) int {
		return f.table.CompareKeys(f.table.KeyOf(a), f.table.KeyOf(b))
	})
	return dst
}
