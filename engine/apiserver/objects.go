package apiserver

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Objects appends what the server holds after the first n records, in the order
// of the keys.
func (p *Playback) Objects(dst []object.Ref, n int) []object.Ref {
	held := append(p.scratch[:0], make([]object.Ref, p.table.Keys())...)
	p.scratch = held
	n = min(n, p.feed.Len())
	for i := 0; i < n; i++ {
		switch r := p.feed.At(i); {
		case r.Kind == ListBegin:
			end := p.listEnd(i, n)
			if end < n && p.feed.At(end).Kind == ListEnd {
				clear(held)
				for j := i + 1; j < end; j++ {
					p.hold(held, p.feed.At(j).Obj)
				}
			}
			i = end - 1
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
