// Package apply does server-side apply, and keeps metadata.managedFields, as an API server does it by sigs.k8s.io/structured-merge-diff
// and the field managers of k8s.io/apimachinery. It needs neither of them: a test of replay/testserver/clientgo compares its answers
// with theirs. An object has one version here, so that nothing is converted. A list that has an element twice, where elements are told
// apart, is refused.
package apply

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
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
