// Package inspect shows an object: its JSON, the versions before and after it, and what
// differs between two of them.
package inspect

import (
	"slices"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// maxInspectLines is how many lines of an object the page is sent. Each becomes an
// element, and viewers read some hundred of them.
const maxInspectLines = 4000

// IndentJSON indents an object and keeps the order of its fields. Bytes that are no
// JSON come back as they are.
func IndentJSON(raw []byte) string {
	if !jsonscan.Valid(raw) {
		return string(raw)
	}
	var out []byte
	line := func(depth int) {
		out = append(out, '\n')
		for range depth {
			out = append(out, "  "...)
		}
	}
	depth := 0
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case ' ', '\n', '\t', '\r':
		case '"':
			end := jsonscan.StringEnd(raw, i)
			out = append(out, raw[i:end]...)
			i = end - 1
		case '{', '[':
			out = append(out, c)
			if next := jsonscan.SkipSpace(raw, i+1); raw[next] == c+2 { // the bracket that closes it
				out = append(out, c+2)
				i = next
				continue
			}
			depth++
			line(depth)
		case '}', ']':
			depth--
			line(depth)
			out = append(out, c)
		case ',':
			out = append(out, c)
			line(depth)
		case ':':
			out = append(out, ": "...)
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// Versions finds the version of an object before r and the version after r,
// among those that a run knows. W is the run's furthest point. A version that
// doesn't exist is 0. Before an object that a handler changed in place comes
// the object as it was read. Another run's versions are left out.
func Versions(w *world.World, informer int, r object.Ref) (prev, next object.Ref) {
	x := w.Informers[informer]
	t := x.Config().Table
	k := t.KeyOf(r)
	var all []object.Ref
	for o := object.Ref(1); int(o) < t.Len(); o++ { // as they were read
		if t.KeyOf(o) != k {
			continue
		}
		if o != r && x.Indexer.Read(o) == r {
			return o, 0
		}
		if t.Meta(o).Source.Length > 0 {
			all = append(all, o)
		}
	}
	if s := w.Simulated(informer); s != nil {
		for _, o := range s.Storage.Written(k, nil) {
			if t.Meta(o).Source.Length == 0 {
				all = append(all, o)
			}
		}
	}
	i := slices.Index(all, r)
	if i > 0 {
		prev = all[i-1]
	}
	if i >= 0 && i+1 < len(all) {
		next = all[i+1]
	}
	return prev, next
}
