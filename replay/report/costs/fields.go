package costs

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// fields are the fields that the objects of a resource have been seen with: those at the top, those
// of metadata, spec and status, and each annotation. What lies deeper counts to one of these.
type fields struct {
	all      []field // the first stands for the object itself
	held     []count // by field: of the objects that are held
	metadata int32
}

type field struct {
	path  Path
	below map[string]int32 // nil where nothing is told apart
}

// count is how many objects have a field, and its bytes in all of them.
type count struct{ objects, bytes int64 }

const (
	unnamed   = -1  // no field
	maxFields = 500 // how many are told apart; a bound, since annotations can have any name
	maxName   = 256 // bytes of a name
)

func newFields() *fields {
	f := &fields{all: []field{{below: map[string]int32{}}}, held: make([]count, 1)}
	f.metadata = f.child(0, []byte(`"metadata"`))
	return f
}

// child is the field with that name, in its quotes, in the value of another, or unnamed.
func (f *fields) child(of int32, quoted []byte) int32 {
	if of < 0 || f.all[of].below == nil {
		return unnamed
	}
	name := quoted[1 : len(quoted)-1]
	if child, known := f.all[of].below[string(name)]; known {
		return child
	}
	if len(f.all) == maxFields || len(name) == 0 || len(name) > maxName || bytes.IndexByte(name, '\\') >= 0 {
		return unnamed
	}
	child := int32(len(f.all))
	one := field{path: append(slices.Clone(f.all[of].path), string(name))}
	switch one.path.String() {
	case "metadata", "metadata.annotations", "spec", "status":
		one.below = map[string]int32{}
	}
	f.all[of].below[one.path[len(one.path)-1]] = child
	f.all, f.held = append(f.all, one), append(f.held, count{})
	return child
}

// hold adds the parts of an object that is held from now on, or takes them away if sign is -1.
func (f *fields) hold(parts []part, sign int64) {
	for _, p := range parts {
		f.held[p.field].objects += sign
		f.held[p.field].bytes += sign * int64(p.bytes)
	}
}

// list returns the fields that were held, each behind the one that it is in, and the largest first.
func (f *fields) list(held []count) (all []Field) {
	for i, n := range held {
		if n.objects > 0 {
			all = append(all, Field{Path: f.all[i].path.String(), Bytes: n.bytes, Objects: n.objects, path: f.all[i].path})
		}
	}
	size := func(p Path) int64 {
		at := int32(0)
		for _, name := range p {
			at = f.all[at].below[name]
		}
		return held[at].bytes
	}
	slices.SortFunc(all, func(a, b Field) int {
		for n := 0; ; n++ {
			switch {
			case len(a.path) == n || len(b.path) == n:
				return len(a.path) - len(b.path)
			case a.path[n] == b.path[n]:
				continue
			}
			return cmp.Or(cmp.Compare(size(b.path[:n+1]), size(a.path[:n+1])), strings.Compare(a.path[n], b.path[n]))
		}
	})
	return all
}
