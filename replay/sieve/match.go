package sieve

import (
	"encoding/json"
	"reflect"
	"strings"
)

// What a plan writes for values that it doesn't say.
const (
	anyValue = "SIEVE-NON-NIL"
	anyItem  = "SIEVE-SKIP"
)

// leaf is a value of an object, and where it is.
type leaf struct {
	path  []any // names, and numbers of a list's items
	value any
}

// leaves are the values of the part of an object that a plan has as JSON, "" for none.
func leaves(text string) (all []leaf, err error) {
	if text == "" {
		return nil, nil
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return nil, err
	}
	var walk func(v any, path []any)
	walk = func(v any, path []any) {
		switch v := v.(type) {
		case map[string]any:
			for name, value := range v {
				walk(value, append(path[:len(path):len(path)], name))
			}
		case []any:
			for i, value := range v {
				walk(value, append(path[:len(path):len(path)], i))
			}
		default:
			if v != anyItem {
				all = append(all, leaf{path, v})
			}
		}
	}
	walk(v, nil)
	return all, nil
}

// of returns what an object has at the leaf's place, nil if there is nothing. What a controller holds has the names of Go's
// fields, which differ in case.
func (l *leaf) of(object any) any {
	for _, at := range l.path {
		switch at := at.(type) {
		case int:
			list, _ := object.([]any)
			if at >= len(list) {
				return nil
			}
			object = list[at]
		case string:
			m, _ := object.(map[string]any)
			v, ok := m[at]
			for name, value := range m {
				if !ok && strings.EqualFold(name, at) {
					v = value
				}
			}
			object = v
		}
	}
	return object
}

// is reports whether an object has the leaf's value.
func (l *leaf) is(object any) bool {
	v := l.of(object)
	return l.value == anyValue && v != nil || reflect.DeepEqual(v, l.value)
}

// changed reports whether the value at the leaf's place is another one in another version.
func (l *leaf) changed(before, after any) bool {
	return !reflect.DeepEqual(l.of(before), l.of(after))
}

// matches reports whether an event is what a trigger waits for.
func (d *definition) matches(e *event) bool {
	if !e.named(d.Condition.Resource) {
		return false
	}
	switch d.Condition.Type {
	case onCreate:
		return e.op == created
	case onDelete:
		return e.op == deleted
	case onUpdate:
		return e.op == updated && updates(d.before, e.before, e) && updates(d.after, e.object, e)
	case onAny:
		if e.op != updated {
			return false
		}
		for i := range d.before {
			if !d.before[i].is(e.object) {
				return true
			}
		}
	}
	return false
}

// updates reports whether a version has all values, and whether each of them is part of the change. Other fields may change, too.
func updates(values []leaf, version any, e *event) bool {
	for i := range values {
		if l := &values[i]; !l.is(version) || !l.changed(e.before, e.object) {
			return false
		}
	}
	return true
}
