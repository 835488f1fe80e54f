// Package apply does server-side apply, and keeps metadata.managedFields, as an API server does it by sigs.k8s.io/structured-merge-diff
// and the field managers of k8s.io/apimachinery. It needs neither of them: a test of replay/testserver/clientgo compares its answers
// with theirs. An object has one version here, so that nothing is converted. A list that has an element twice, where elements are told
// apart, is refused.
package apply

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

type (
	object = map[string]any
	list   = []any
)

// Schema says what a value may be, and how it is merged.
type Schema struct {
	Scalar, Object, List bool                      // what it may be
	Atomic               bool                      // an object is replaced as a whole
	Keys                 []string                  // tell a list's elements apart: names of fields, or "=" for the elements themselves; nil for a list that is replaced
	Defaults             object                    // of the fields in Keys
	Fields               func(name string) *Schema // of an object: a field that is declared, or nil; nil for none
	Element              *Schema                   // a list's elements, and an object's other fields; nil where there are none
}

// Any is the schema of what nothing is known of. Objects are merged, and lists replaced.
var Any = func() *Schema {
	s := &Schema{Scalar: true, Object: true, List: true}
	s.Element = s
	return s
}()

// absent stands for a value that isn't there; nil is null.
var absent any = struct{}{}

// part is a field of an object, or an element of a list.
type part struct {
	*Schema
	declared bool
	v        any
}

// field returns the schema of a field, and whether it has the field by its name.
func (s *Schema) field(name string) (schema *Schema, declared bool) {
	if s.Fields != nil {
		if f := s.Fields(name); f != nil {
			return f, true
		}
	}
	if s.Element == nil {
		return Any, false
	}
	return s.Element, false
}

// parts returns the steps of paths that lead to the fields or elements of a value, and these. whole says that it has none because it is
// merged as a whole.
func (s *Schema) parts(v any) (steps []string, all map[string]part, whole bool) {
	all = map[string]part{}
	switch v := v.(type) {
	case nil, struct{}:
		return nil, nil, false
	case object:
		if whole = s.Atomic || !s.Object; whole {
			break
		}
		for name, v := range v {
			field, declared := s.field(name)
			steps = append(steps, "f:"+name)
			all["f:"+name] = part{field, declared, v}
		}
	case list:
		if whole = s.Keys == nil; whole {
			break
		}
		element, _ := s.field("")
		for _, v := range v {
			step, _ := s.element(v) // check has looked at it
			steps = append(steps, step)
			all[step] = part{element, false, v}
		}
	default:
		whole = true
	}
	return steps, all, whole
}

// element returns the step that leads to an element of a list.
func (s *Schema) element(v any) (string, error) {
	o, isObject := v.(object)
	if s.Keys[0] == "=" {
		if _, isList := v.(list); isObject || isList || v == nil {
			return "", fmt.Errorf("a set has the element %s", asJSON(v))
		}
		return "v:" + asJSON(v), nil
	}
	key := object{}
	for _, name := range s.Keys {
		for _, from := range []object{s.Defaults, o} {
			if v, has := from[name]; has && isObject {
				key[name] = v
			}
		}
	}
	if len(key) == 0 {
		return "", fmt.Errorf("an element omits all key fields %q", s.Keys)
	}
	return "k:" + asJSON(key), nil
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of JSON
	}
	return string(b)
}

// maxDepth is how deep an object may be.
const maxDepth = 500

// check returns an error if a value isn't as the schema says. What is applied must have declared fields only.
func (s *Schema) check(v any, applied bool, depth int) error {
	o, isObject := v.(object)
	l, isList := v.(list)
	switch {
	case isObject && !s.Object, isList && !s.List, !isObject && !isList && v != nil && !s.Scalar:
		return fmt.Errorf(": %.100s is not of the type that is expected there", asJSON(v))
	case depth > maxDepth:
		return fmt.Errorf(": an object is deeper than %d", maxDepth)
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		field, declared := s.field(name)
		if applied && !declared && s.Element == nil {
			return fmt.Errorf(".%s: field not declared in schema", name)
		}
		if err := field.check(o[name], applied, depth+1); err != nil {
			return fmt.Errorf(".%s%w", name, err)
		}
	}
	element, _ := s.field("")
	seen := map[string]bool{}
	for i, v := range l {
		if s.Keys != nil {
			step, err := s.element(v)
			if err == nil && seen[step] {
				err = fmt.Errorf("duplicate entries for key %s", text(step))
			}
			if err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
			seen[step] = true
		}
		if err := element.check(v, applied, depth+1); err != nil {
			return fmt.Errorf("[%d]%w", i, err)
		}
	}
	return nil
}

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
