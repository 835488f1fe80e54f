// Package builtin knows the fields of Kubernetes' own kinds. It reads objects in protobuf, as controller-runtime writes them, and does
// strategic merge patches, as kubectl and client-go's recorder of events send them. It needs none of Kubernetes' modules: a test of
// replay/testserver/clientgo makes kinds.txt of k8s.io/api.
package builtin

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/informerscope/informerscope/replay/testserver/apply"
)

// kinds has a line for each type: its name, and its fields, each with its number in protobuf, its name in JSON, and what it holds.
// That is s, y, i or b for a string, bytes, an integer or a bool, or the name of a type. Before it stand [] for a list, {} for a map
// of strings, ? where zero is left out of JSON, ! where a strategic merge patch replaces the object, and ~ where server-side apply does.
// A list that a strategic merge patch merges has the key of its objects within the brackets, or = for values. Where server-side apply
// merges it otherwise, | and its keys follow, with their defaults. A field without a name is one whose fields belong to the object around
// it. A kind's name has its group and version before it.
//
//go:embed kinds.txt
var kinds string

type field struct {
	name, holds         string
	several, keyed, opt bool
	key                 string // by which a patch merges a list
	replaced            bool   // by a patch
	keys                string // by which server-side apply merges a list
	atomic              bool   // server-side apply replaces an object
	schema              *apply.Schema
}

// fields are the fields of a type, by number and by name.
type fields struct {
	numbers map[int]field
	names   map[string]field
	schema  *apply.Schema
	all     map[string]*fields
}

// types returns the fields of each type.
var types = sync.OnceValue(func() map[string]*fields {
	all := map[string]*fields{}
	for line := range strings.Lines(kinds) {
		words := strings.Fields(line)
		t := &fields{map[int]field{}, map[string]field{}, &apply.Schema{Object: true}, all}
		isKind := strings.Contains(words[0], "/")
		t.schema.Fields = func(name string) *apply.Schema {
			if isKind && (name == "apiVersion" || name == "kind") {
				return &apply.Schema{Scalar: true}
			}
			f, err := t.field(name)
			if name == "" || err != nil {
				return nil
			}
			return f.schema
		}
		for _, word := range words[1:] {
			number, rest, _ := strings.Cut(word, ":")
			n, _ := strconv.Atoi(number)
			var f field
			f.name, rest, _ = strings.Cut(rest, ":")
			rest, f.opt = strings.CutPrefix(rest, "?")
			rest, f.replaced = strings.CutPrefix(rest, "!")
			if rest, f.several = strings.CutPrefix(rest, "["); f.several {
				f.keys, rest, _ = strings.Cut(rest, "]")
				var other bool
				if f.key, f.keys, other = strings.Cut(f.keys, "|"); !other {
					f.keys = f.key
				}
			}
			rest, f.atomic = strings.CutPrefix(rest, "~")
			f.holds, f.keyed = strings.CutPrefix(rest, "{}")
			t.numbers[n], t.names[f.name] = f, f
		}
		all[words[0]] = t
	}
	for _, t := range all {
		for name, f := range t.names {
			f.schema = f.schemaOf(all)
			t.names[name] = f
		}
	}
	return all
})

// scalars are what is neither an object nor a list in JSON.
const scalars = "s y i b Quantity Duration Time MicroTime IntOrString"

// schemaOf returns how server-side apply merges a field.
func (f *field) schemaOf(all map[string]*fields) *apply.Schema {
	s := &apply.Schema{Scalar: slices.Contains(strings.Fields(scalars), f.holds)}
	switch holds := f.holds; {
	case s.Scalar:
	case holds == "RawExtension" || holds == "FieldsV1":
		s.Object, s.Element = true, apply.Any
	default:
		s.Object, s.Atomic = true, f.atomic && !f.keyed
		s.Fields = func(name string) *apply.Schema { return all[holds].schema.Fields(name) }
	}
	if f.keyed {
		s = &apply.Schema{Object: true, Atomic: f.atomic, Element: s}
	}
	if !f.several {
		return s
	}
	s = &apply.Schema{List: true, Element: s, Defaults: map[string]any{}}
	switch f.keys {
	case "":
		return s
	case "=":
		s.Keys = []string{"="}
		return s
	}
	for word := range strings.SplitSeq(f.keys, ",") {
		name, value, given := strings.Cut(word, "=")
		s.Keys = append(s.Keys, name)
		switch key := all[f.holds].names[name]; {
		case given:
			s.Defaults[name] = value
		case key.opt: // it has none
		case key.holds == "s":
			s.Defaults[name] = ""
		case key.holds == "i":
			s.Defaults[name] = json.Number("0")
		}
	}
	return s
}

// Schema returns how server-side apply merges objects of a kind, nil if it isn't one of Kubernetes' own.
func Schema(apiVersion, kind string) *apply.Schema {
	if t := types()[apiVersion+"/"+kind]; t != nil {
		return t.schema
	}
	return nil
}

// Known reports whether a kind is one of Kubernetes' own.
func Known(apiVersion, kind string) bool { return types()[apiVersion+"/"+kind] != nil }
