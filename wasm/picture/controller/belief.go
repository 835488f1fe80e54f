package controller

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
)

// belief returns what the controller takes the children of an object for, and what they are.
func (s *show) belief() *link.Belief {
	k := s.subject()
	b, ok := s.w.Belief(s.x.Index(), k)
	if !ok {
		return nil
	}
	out := &link.Belief{
		Key: s.t.KeyText(k), Wants: b.Wants, Cached: len(b.Cached), Held: len(b.Held), Count: b.Count(), Asked: b.Asked, Made: b.Made, Expected: b.Expected,
	}
	cached, held, read := s.keys(b.Cached), s.keys(b.Held), s.keys(b.Read)
	all := slices.Clone(held) // in the order of their names, and then what the server lacks
	for _, more := range [][]object.Key{cached, read} {
		for _, k := range more {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	if out.More = max(0, len(all)-maxChildren); out.More > 0 { // those that differ come first
		var differ, same []object.Key
		for _, k := range all {
			if slices.Contains(cached, k) == slices.Contains(held, k) {
				same = append(same, k)
			} else {
				differ = append(differ, k)
			}
		}
		all = append(differ, same...)[:maxChildren]
	}
	for _, k := range all {
		_, name, namespaced := strings.Cut(s.t.KeyText(k), "/")
		if !namespaced {
			name = s.t.KeyText(k)
		}
		out.Children = append(out.Children, link.Child{
			Name: name, Held: slices.Contains(held, k), Cached: slices.Contains(cached, k), Read: slices.Contains(read, k),
		})
	}
	return out
}

func (s *show) keys(refs []object.Ref) (keys []object.Key) {
	for _, o := range refs {
		keys = append(keys, s.t.KeyOf(o))
	}
	return keys
}

// subject returns the object that a worker has in hand, or had last, or else the first that the
// server has.
func (s *show) subject() object.Key {
	last := object.Key(0)
	for i := range s.x.Work.Workers {
		if k := s.x.Work.Workers[i].Key; k != 0 {
			return k
		}
		if o := s.c.Runs[i].Obj; o != 0 {
			last = s.t.KeyOf(o)
		}
	}
	if last != 0 {
		return last
	}
	if held := s.w.Objects(s.x.Index()); len(held) > 0 {
		return s.t.KeyOf(held[0])
	}
	return 0
}
