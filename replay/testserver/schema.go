package testserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The schema of a custom resource: its fields, what they must be, and what they are where a write leaves them out.

// rules are what is known of a schema. A definition with any other rule is refused.
var rules = strings.Fields("type properties additionalProperties items required enum default nullable description title example externalDocs minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern minItems maxItems minProperties maxProperties format x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource x-kubernetes-int-or-string x-kubernetes-list-type x-kubernetes-list-map-keys x-kubernetes-map-type")

// formats are those that are looked at, or that a real server doesn't look at either.
var formats = []string{"", "int32", "int64", "float", "double", "date-time"}

// unknownRule returns where a schema has a rule that isn't known, "" for nowhere.
func unknownRule(schema tree, at string) string {
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		// controller-gen writes anyOf of a field that is a number or a text.
		if !slices.Contains(rules, name) && !(name == "anyOf" && schema["x-kubernetes-int-or-string"] == true) || name == "format" && !slices.Contains(formats, text(schema, name)) {
			return at + "." + name
		}
	}
	if p := text(schema, "pattern"); p != "" {
		if _, err := regexp.Compile(p); err != nil {
			return at + ".pattern"
		}
	}
	for _, name := range []string{"items", "additionalProperties"} {
		if s, is := schema[name].(tree); is {
			if at := unknownRule(s, at+"."+name); at != "" {
				return at
			}
		}
	}
	properties := treeAt(schema, "properties")
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if s, is := properties[name].(tree); is {
			if at := unknownRule(s, at+".properties["+name+"]"); at != "" {
				return at
			}
		}
	}
	return ""
}

// conforms applies the schema to an object: what it doesn't know is left out, and what has a default is filled in. It
// returns the fields that were left out.
func (k *kind) conforms(o tree) (out tree, unknown []string, f *failure) {
	if k.schema == nil {
		return o, nil, nil
	}
	if err := decode(asJSON(o), &out); err != nil { // nothing of it is shared with another version
		return nil, nil, badRequest("%v", err)
	}
	c := &conforming{}
	c.object(k.schema, out, "", true)
	if c.wrong != "" {
		return nil, c.unknown, k.invalid(text(metaOf(o), "name"), c.field, c.wrong)
	}
	return out, c.unknown, nil
}

// conforming is one application of a schema.
type conforming struct {
	unknown      []string
	field, wrong string // the first thing that is wrong
}

func (c *conforming) refuse(at, format string, args ...any) {
	if c.wrong == "" {
		c.field, c.wrong = at, fmt.Sprintf(format, args...)
	}
}

// object applies a schema to the fields of an object. An embedded one has those that every object has.
func (c *conforming) object(s, o tree, at string, embedded bool) {
	properties := treeAt(s, "properties")
	for name, p := range properties {
		p, _ := p.(tree)
		if v, has := o[name]; p["default"] != nil && (!has || v == nil && p["nullable"] != true) {
			var v any
			if decode(asJSON(p["default"]), &v) == nil {
				o[name] = v
			}
		}
	}
	more, typed := s["additionalProperties"].(tree)
	for _, name := range slices.Sorted(maps.Keys(o)) {
		below := strings.TrimPrefix(at+"."+name, ".")
		p, known := properties[name].(tree)
		switch {
		case embedded && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name):
		case known:
			o[name] = c.value(p, o[name], below)
		case typed:
			o[name] = c.value(more, o[name], below)
		case s["additionalProperties"] == true || s["x-kubernetes-preserve-unknown-fields"] == true:
		default:
			c.unknown = append(c.unknown, below)
			delete(o, name)
		}
	}
	required, _ := texts(s["required"])
	for _, name := range required {
		if _, has := o[name]; !has {
			c.refuse(strings.TrimPrefix(at+"."+name, "."), "Required value")
		}
	}
	c.size(s, "Properties", len(o), at)
}

// value applies a schema to a value.
func (c *conforming) value(s tree, v any, at string) any {
	if v == nil && s["nullable"] == true {
		return v
	}
	is := map[string]bool{}
	switch v := v.(type) {
	case tree:
		is["object"] = true
		c.object(s, v, at, s["x-kubernetes-embedded-resource"] == true)
	case []any:
		is["array"] = true
		item, _ := s["items"].(tree)
		for i := range v {
			v[i] = c.value(item, v[i], fmt.Sprintf("%s[%d]", at, i))
		}
		c.size(s, "Items", len(v), at)
		c.unique(s, v, at)
	case string:
		is["string"] = true
		c.size(s, "Length", utf8.RuneCountInString(v), at)
		if p := text(s, "pattern"); p != "" && !regexp.MustCompile(p).MatchString(v) {
			c.refuse(at, "Invalid value: %q: should match '%s'", v, p)
		}
		if _, err := time.Parse(time.RFC3339, v); s["format"] == "date-time" && err != nil {
			c.refuse(at, "Invalid value: %q: must be of type date-time", v)
		}
	case bool:
		is["boolean"] = true
	case json.Number:
		n, ok := new(big.Rat).SetString(string(v))
		is["number"], is["integer"] = true, ok && n.IsInt()
		if ok {
			c.bounds(s, n, at)
		}
	}
	if want := text(s, "type"); s["x-kubernetes-int-or-string"] == true && !is["integer"] && !is["string"] || want != "" && !is[want] {
		c.refuse(at, "Invalid value: must be of type %s", cmp.Or(want, "integer or string"))
	}
	if all, has := s["enum"].([]any); has && !slices.ContainsFunc(all, func(allowed any) bool { return reflect.DeepEqual(allowed, v) }) {
		c.refuse(at, "Unsupported value: %s: supported values: %s", asJSON(v), asJSON(all))
	}
	return v
}

// size looks at the bounds of a number of things, such as minItems.
func (c *conforming) size(s tree, unit string, n int, at string) {
	for _, b := range []struct {
		name string
		sign int
	}{{"min", -1}, {"max", 1}} {
		if bound, ok := number(s[b.name+unit]); ok && big.NewRat(int64(n), 1).Cmp(bound) == b.sign {
			c.refuse(at, "Invalid value: %s%s is %s", b.name, unit, bound.RatString())
		}
	}
}

func number(v any) (*big.Rat, bool) {
	n, is := v.(json.Number)
	if !is {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

func (c *conforming) bounds(s tree, n *big.Rat, at string) {
	if b, ok := number(s["minimum"]); ok && (n.Cmp(b) < 0 || s["exclusiveMinimum"] == true && n.Cmp(b) == 0) {
		c.refuse(at, "Invalid value: should be greater than or equal to %s", b.RatString())
	}
	if b, ok := number(s["maximum"]); ok && (n.Cmp(b) > 0 || s["exclusiveMaximum"] == true && n.Cmp(b) == 0) {
		c.refuse(at, "Invalid value: should be less than or equal to %s", b.RatString())
	}
	bits := map[string]int{"int32": 31, "int64": 63}[text(s, "format")]
	if bits > 0 && n.IsInt() && new(big.Int).Abs(n.Num()).BitLen() > bits {
		c.refuse(at, "Invalid value: must be of type %s", text(s, "format"))
	}
}

// unique looks for what is twice in a list that is a set, or a map.
func (c *conforming) unique(s tree, list []any, at string) {
	keys, _ := texts(s["x-kubernetes-list-map-keys"])
	kind, seen := text(s, "x-kubernetes-list-type"), map[string]bool{}
	if kind != "set" && kind != "map" {
		return
	}
	for i, item := range list {
		if o, is := item.(tree); is && kind == "map" {
			values := make([]any, len(keys))
			for j, key := range keys {
				values[j] = o[key]
			}
			item = values
		}
		key := string(asJSON(item))
		if seen[key] {
			c.refuse(fmt.Sprintf("%s[%d]", at, i), "Duplicate value: %s", key)
		}
		seen[key] = true
	}
}
