package builtin

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strings"
)

type (
	object = map[string]any
	list   = []any
)

// PatchError says why a server refuses a patch, and with which code.
type PatchError struct {
	Code int
	text string
}

func (e *PatchError) Error() string { return e.text }

// The codes of HTTP. Package net/http would weigh on the page's second program, which needs nothing else of it.
const (
	badRequest    = 400
	unprocessable = 422
	internal      = 500
)

func refuse(code int, format string, args ...any) error {
	return &PatchError{code, fmt.Sprintf(format, args...)}
}

// The directives that a patch may have, and prefixes of names.
const (
	directive  = "$patch"
	retainKeys = "$retainKeys"
	deleteFrom = "$deleteFromPrimitiveList/"
	setOrder   = "$setElementOrder/"
)

// Strategic does a strategic merge patch of an object, which it changes with the patch, as k8s.io/apimachinery does it. It returns the
// object.
func Strategic(apiVersion, kind string, live, patch object) (object, error) {
	return merge(types()[apiVersion+"/"+kind], live, patch)
}

// field returns a field by its name in JSON. A type that isn't in kinds.txt has a field of any name.
func (t *fields) field(name string) (field, error) {
	if t == nil {
		return field{name: name}, nil
	}
	f, is := t.names[name]
	if inline, has := t.names[""]; !is && has {
		return t.all[inline.holds].field(name)
	}
	if !is {
		return f, refuse(internal, "unable to find api field %q", name)
	}
	return f, nil
}

// fields returns the fields of what a field holds.
func (f *field) fields() *fields {
	if f.keyed {
		return nil
	}
	return types()[f.holds]
}

// Merge does a JSON merge patch (RFC 7386) of an object, and changes neither of them.
func Merge(live, patch object) object {
	out := maps.Clone(live)
	if out == nil {
		out = object{}
	}
	for name, v := range patch {
		switch v := v.(type) {
		case nil:
			delete(out, name)
		case object:
			old, _ := out[name].(object)
			out[name] = Merge(old, v)
		default:
			out[name] = v
		}
	}
	return out
}

func merge(t *fields, live, patch object) (object, error) {
	switch d := patch[directive]; d {
	case nil:
	case "replace":
		delete(patch, directive)
		return patch, nil
	case "delete":
		return object{}, nil
	default:
		return nil, refuse(internal, "unknown patch type: %v", d)
	}
	if live == nil {
		live = object{}
	}
	if err := retain(live, patch); err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(patch)) // directives come first
	for _, name := range names {
		if field, is := strings.CutPrefix(name, setOrder); is {
			if err := t.ordered(field, live, patch, patch[name]); err != nil {
				return nil, err
			}
			delete(patch, name)
			delete(patch, field)
		}
	}
	for _, name := range names {
		v, is := patch[name]
		if !is {
			continue
		}
		name, deletes := strings.CutPrefix(name, deleteFrom)
		old, has := live[name]
		switch {
		case v == nil:
			delete(live, name)
			continue
		case !has || reflect.TypeOf(old) != reflect.TypeOf(v):
			if deletes {
				continue
			}
			if kept, keep := cleared(v, true); keep {
				live[name] = kept
			} else {
				delete(live, name)
			}
			continue
		}
		var err error
		if live[name], err = t.put(name, old, v, deletes); err != nil {
			return nil, err
		}
	}
	return live, nil
}

// put returns what a field's value becomes by another one, of the same type.
func (t *fields) put(name string, old, v any, deletes bool) (any, error) {
	switch v.(type) {
	case object, list:
	default:
		return v, nil
	}
	f, err := t.field(name)
	if err != nil {
		return nil, err
	}
	if o, is := v.(object); is && !f.replaced {
		return merge(f.fields(), old.(object), o)
	}
	if l, is := v.(list); is && (f.key != "" || deletes) {
		return f.merge(old.(list), l, deletes)
	}
	return v, nil
}

// retain does what $retainKeys says.
func retain(live, patch object) error {
	v, is := patch[retainKeys]
	if !is {
		return nil
	}
	delete(patch, retainKeys)
	keys, is := v.(list)
	for name, v := range patch {
		is = is && (v == nil || strings.HasPrefix(name, deleteFrom) || strings.HasPrefix(name, setOrder) || slices.Contains(keys, any(name)))
	}
	if !is {
		return refuse(badRequest, "invalid patch format of retainKeys")
	}
	maps.DeleteFunc(live, func(name string, _ any) bool { return !slices.Contains(keys, any(name)) })
	return nil
}

// ordered merges a list in the order that $setElementOrder says.
func (t *fields) ordered(name string, live, patch object, order any) error {
	f, err := t.field(name)
	if err != nil {
		return err
	}
	old, has := live[name]
	v, changes := patch[name]
	by, is := order.(list)
	was, is1 := old.(list)
	change, is2 := v.(list)
	if !is || has && !is1 || changes && !is2 {
		return refuse(internal, "%s is no list", name)
	}
	if err := f.follows(change, by); err != nil {
		return err
	}
	all := was
	switch {
	case changes && !has:
		kept, _ := cleared(change, false)
		all = kept.(list)
	case changes && f.key != "":
		all, err = f.merge(all, change, false)
	case changes:
		all = change
	case !has:
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := f.alike(was, change); err != nil {
		return err
	}
	live[name], err = f.sorted(all, by, was)
	return err
}

// follows returns an error if a list of a patch isn't in an order. What it deletes needn't be.
func (f *field) follows(l, order list) error {
	if len(l) == 0 || len(order) == 0 {
		return nil
	}
	at, rest := 0, slices.DeleteFunc(slices.Clone(l), func(v any) bool {
		o, _ := v.(object)
		return o[directive] == "delete"
	})
	for at < len(order) && len(rest) > 0 {
		o, _ := rest[0].(object)
		_, has := f.keyOf(rest[0])
		switch {
		case o[directive] != nil:
			rest = rest[1:]
			continue
		case !has:
			return f.noKey()
		case f.sameKey(order[at], rest[0]):
			rest = rest[1:]
		}
		at++
	}
	if len(rest) > 0 {
		return refuse(internal, "the order of %s doesn't match %s", f.name, setOrder)
	}
	return nil
}

// alike reports whether the elements of some lists are objects. They must all be of a type.
func (f *field) alike(lists ...list) (objects bool, err error) {
	all := slices.Concat(lists...)
	for _, v := range all {
		if reflect.TypeOf(v) != reflect.TypeOf(all[0]) {
			return false, refuse(internal, "the elements of %s are not of one type", f.name)
		}
	}
	if len(all) == 0 {
		return false, refuse(internal, "%s has no elements", f.name)
	}
	if _, is := all[0].(list); is {
		return false, refuse(unprocessable, "lists of lists are not supported")
	}
	_, objects = all[0].(object)
	return objects, nil
}

// keyOf returns what distinguishes an element from others: an object's key, or the value itself.
func (f *field) keyOf(v any) (any, bool) {
	o, is := v.(object)
	if !is {
		return v, f.key == "" || f.key == "="
	}
	k, has := o[f.key]
	return k, has
}

func (f *field) sameKey(a, b any) bool {
	x, has := f.keyOf(a)
	y, too := f.keyOf(b)
	return has && too && reflect.DeepEqual(x, y)
}

// index returns where the element of v's key is in a list, or -1.
func (f *field) index(l list, v any) int {
	return slices.IndexFunc(l, func(in any) bool { return f.sameKey(in, v) })
}

// merge merges a list into another, or takes its values out.
func (f *field) merge(live, patch list, deletes bool) (list, error) {
	if len(live)+len(patch) == 0 {
		return live, nil
	}
	objects, err := f.alike(live, patch)
	if err != nil {
		return nil, err
	}
	if !objects {
		if deletes {
			return slices.DeleteFunc(live, func(v any) bool { return slices.Contains(patch, v) }), nil
		}
		var out list
		for _, v := range slices.Concat(live, patch) {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
		return f.sorted(out, patch, live)
	}
	if f.key == "" || f.key == "=" {
		return nil, refuse(internal, "cannot merge lists without merge key for %s", f.name)
	}
	var rest list
	replaces := false
	// As in the library, what is added takes the places of what is deleted, where ordered sees it.
	out := live
	for _, v := range patch {
		d, directs := v.(object)[directive]
		_, has := f.keyOf(v)
		switch {
		case d == "replace":
			replaces = true
		case !has:
			return nil, f.noKey()
		case d == "delete":
			for i := f.index(out, v); i >= 0; i = f.index(out, v) {
				out = append(out[:i], out[i+1:]...)
			}
		case directs:
			return nil, refuse(internal, "unknown patch type: %v", d)
		default:
			rest = append(rest, v)
		}
	}
	if replaces {
		return rest, nil
	}
	live = out
	for _, v := range rest {
		i := f.index(out, v)
		if i < 0 {
			out = append(out, v)
		} else if out[i], err = merge(f.fields(), out[i].(object), v.(object)); err != nil {
			return nil, err
		}
	}
	return f.sorted(out, rest, live)
}

func (f *field) noKey() error {
	return refuse(internal, "an element of %s does not contain declared merge key: %s", f.name, f.key)
}

// sorted returns a list's elements in an order, with those that are in the live list only where they are there.
func (f *field) sorted(all, order, live list) (list, error) {
	var first, rest list // what is in the order
	for _, v := range slices.Concat(all, order, live) {
		if _, has := f.keyOf(v); !has {
			return nil, f.noKey()
		}
	}
	for _, v := range all {
		if f.index(order, v) >= 0 {
			first = append(first, v)
		} else {
			rest = append(rest, v)
		}
	}
	f.sort(first, order)
	f.sort(rest, live)
	out := list{}
	for len(first)+len(rest) > 0 {
		from := &first
		if len(first) == 0 {
			from = &rest
		} else if len(rest) > 0 {
			if i, j := f.index(live, rest[0]), f.index(live, first[0]); i >= 0 && j >= 0 && i < j {
				from = &rest
			}
		}
		out, *from = append(out, (*from)[0]), (*from)[1:]
	}
	return out, nil
}

// sort sorts a list's elements in an order. What isn't in it comes where the library has it, whose comparison this is.
func (f *field) sort(l, order list) {
	sort.SliceStable(l, func(i, j int) bool {
		x, y := f.index(order, l[i]), f.index(order, l[j])
		return x < 0 || y < 0 || x < y
	})
}

// cleared returns a value without directives, and without null if that is wanted. It reports false if it is a directive itself.
func cleared(v any, nulls bool) (any, bool) {
	switch v := v.(type) {
	case object:
		if _, is := v[directive]; is {
			return nil, false
		}
		for name, in := range v {
			if kept, keep := cleared(in, nulls); keep && (kept != nil || !nulls) {
				v[name] = kept
			} else {
				delete(v, name)
			}
		}
	case list:
		out := list{}
		for _, in := range v {
			if kept, keep := cleared(in, nulls); keep {
				out = append(out, kept)
			}
		}
		return out, true
	}
	return v, true
}
