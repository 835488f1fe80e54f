package apply

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// set is a set of paths in an object, as the fieldsV1 of managedFields has it: each step has the paths below it, and member if it is the
// end of a path itself.
type set map[string]set

const member = "."

func (a set) union(b set) set {
	out := set{}
	maps.Copy(out, a)
	for step, below := range b {
		out[step] = out[step].union(below)
	}
	return out
}

// filter returns the paths of a that are in b, or those that are not.
func (a set) filter(b set, in bool) set {
	out := set{}
	for step, below := range a {
		if _, is := b[step]; step != member {
			out.put(step, below.filter(b[step], in))
		} else if is == in {
			out[member] = set{}
		}
	}
	return out
}

func (a set) intersection(b set) set { return a.filter(b, true) }
func (a set) minus(b set) set        { return a.filter(b, false) }

// put adds the paths below a step, if there are any.
func (a set) put(step string, below set) {
	if len(below) > 0 {
		a[step] = below
	}
}

// add adds the path that ends here, if it is to be there.
func (a set) add(is bool) set {
	if is {
		a[member] = set{}
	}
	return a
}

// without returns the paths that neither are a path nor go on from it.
func (a set) without(steps ...string) set {
	out := maps.Clone(a)
	delete(out, steps[0])
	if len(steps) > 1 {
		out.put(steps[0], a[steps[0]].without(steps[1:]...))
	}
	return out
}

// decode returns the set that a fieldsV1 stands for.
func decode(fields any) set {
	o, _ := fields.(object)
	out := set{}
	for step, below := range o {
		result := set{}
		if step != member {
			result = decode(below)
			result.add(len(result) == 0)
		}
		out[step] = result
	}
	return out
}

// encode returns the fieldsV1 of a set.
func (a set) encode() object {
	out := object{}
	for step, below := range a {
		out[step] = object{}
		if _, is := below[member]; !is || len(below) > 1 {
			out[step] = below.encode()
		}
	}
	return out
}

// texts returns the paths as messages have them, such as .spec.ports[port=80]. As in them, short paths come first.
func (a set) texts() (all []string) {
	var below []string
	for _, step := range slices.Sorted(maps.Keys(a)) {
		if _, is := a[step][member]; is {
			all = append(all, text(step))
		}
		for _, rest := range a[step].texts() {
			below = append(below, text(step)+rest)
		}
	}
	return append(all, below...)
}

// text returns a step of a path as messages have it.
func text(step string) string {
	kind, name, _ := strings.Cut(step, ":")
	var v any
	if kind == "f" || json.Unmarshal([]byte(name), &v) != nil {
		return "." + name
	}
	key, is := v.(object)
	if !is {
		key = object{"": v}
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(key)) {
		value := asJSON(key[name])
		if s, is := key[name].(string); is {
			value = strconv.Quote(s)
		}
		all = append(all, name+"="+value)
	}
	return "[" + strings.Join(all, ",") + "]"
}

// named adds the declared fields on the way to the paths of a set.
func (s *Schema) named(a set) set {
	out := set{}
	for step, below := range a {
		if step == member {
			out.add(true)
			continue
		}
		name, isField := strings.CutPrefix(step, "f:")
		field, declared := s.field(name)
		if !isField {
			field, declared = s.Element, false
		}
		if field == nil {
			field = Any
		}
		out[step] = field.named(below).add(declared)
	}
	return out
}

// fields returns the paths to what a value has.
func (s *Schema) fields(v any) set {
	steps, all, whole := s.parts(v)
	out := set{}.add(whole)
	for _, step := range steps {
		p := all[step]
		o, is := p.v.(object)
		out.put(step, p.fields(p.v).add(!p.declared || p.v == nil || is && len(o) == 0))
	}
	return out
}

// merged returns a value with another one merged into it. It changes neither.
func (s *Schema) merged(a, b any) any {
	had, old, _ := s.parts(a)
	wanted, parts, whole := s.parts(b)
	_, isList := b.(list)
	switch {
	case whole || len(had)+len(wanted) == 0:
		return b
	case len(wanted) == 0:
		return a
	case isList:
		return mergedLists(had, wanted, old, parts)
	}
	out, o := object{}, object{}
	if was, is := a.(object); is {
		o = was
	}
	maps.Copy(out, o)
	for _, step := range wanted {
		out[strings.TrimPrefix(step, "f:")] = parts[step].mergeOver(old, step)
	}
	return out
}

// mergeOver returns what a part makes of that which was there by the same step.
func (p part) mergeOver(old map[string]part, step string) any {
	if was, is := old[step]; is {
		return p.merged(was.v, p.v)
	}
	return p.v
}

// mergedLists returns the elements of two lists: those that are wanted in their order, and the others where they stand among those that
// there were.
func mergedLists(had, wanted []string, old, parts map[string]part) (out list) {
	var shared []string // which are still to come
	for _, step := range wanted {
		if _, is := old[step]; is {
			shared = append(shared, step)
		}
	}
	done := map[string]bool{}
	for len(had)+len(wanted) > 0 {
		if len(had) > 0 {
			p, is := parts[had[0]]
			switch {
			case !is:
				p = old[had[0]]
				out, had = append(out, p.v), had[1:]
				continue
			case done[had[0]], len(wanted) > 0 && had[0] != wanted[0] && len(shared) > 0 && shared[0] != had[0]:
				had = had[1:]
				continue
			}
		}
		step := wanted[0]
		out, done[step], wanted = append(out, parts[step].mergeOver(old, step)), true, wanted[1:]
		if len(shared) > 0 && shared[0] == step {
			shared = shared[1:]
		}
	}
	return out
}

// remove returns a value without the fields and elements of a set. An object or a list that becomes empty is null.
func (s *Schema) remove(v any, gone set) any {
	steps, all, whole := s.parts(v)
	if whole {
		return v
	}
	o, l := object{}, list{}
	for _, step := range steps {
		p, below := all[step], gone[step]
		if _, is := below[member]; is {
			continue
		}
		if len(below) > 0 {
			p.v = p.remove(p.v, below)
		}
		o[strings.TrimPrefix(step, "f:")] = p.v
		l = append(l, p.v)
	}
	_, isList := v.(list)
	switch {
	case len(l) == 0:
		return nil
	case isList:
		return l
	}
	return o
}

// difference is what one value lacks that another one has, and so on.
type difference struct{ removed, changed, added set }

// compare returns what is another in b than in a.
func (s *Schema) compare(a, b any) difference {
	_, old, was := s.parts(a)
	_, parts, is := s.parts(b)
	d := difference{set{}.add(b == absent), set{}.add(a != absent && b != absent && (was || is || len(old)+len(parts) == 0) && !reflect.DeepEqual(a, b)), set{}.add(a == absent)}
	for _, from := range []map[string]part{old, parts} {
		for step, p := range from {
			inner := p.compare(valueAt(old, step), valueAt(parts, step))
			d.removed.put(step, inner.removed)
			d.changed.put(step, inner.changed)
			d.added.put(step, inner.added)
		}
	}
	return d
}

// valueAt returns a part's value, or absent.
func valueAt(parts map[string]part, step string) any {
	if p, is := parts[step]; is {
		return p.v
	}
	return absent
}
