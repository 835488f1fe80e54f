package testserver

import (
	"fmt"
	"slices"
	"strings"
)

// maxSelector is how long a selector may be, in bytes.
const maxSelector = 64 << 10

// requirement is one part of a selector.
type requirement struct {
	key    string
	op     string // "=", "!=", "in", "notin", "exists", "!"
	values []string
}

func (q *requirement) matches(value string, there bool) bool {
	switch q.op {
	case "exists":
		return there
	case "!":
		return !there
	case "=", "in":
		return there && slices.Contains(q.values, value)
	}
	return !there || !slices.Contains(q.values, value)
}

// labelSelector parses a labelSelector as the server does: a=b, a==b, a!=b, a in (b,c),
// a notin (b), a and !a, with commas between them.
func labelSelector(text string) ([]requirement, *failure) {
	if len(text) > maxSelector {
		return nil, badRequest("the label selector is too long")
	}
	var all []requirement
	for _, part := range outside(text) {
		q, ok := labelRequirement(strings.TrimSpace(part))
		if !ok {
			return nil, badRequest("unable to parse requirement: %q", part)
		}
		all = append(all, q)
	}
	return all, nil
}

// outside splits at the commas that are outside of brackets.
func outside(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var parts []string
	from, in := 0, false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			in = true
		case ')':
			in = false
		case ',':
			if !in {
				parts, from = append(parts, text[from:i]), i+1
			}
		}
	}
	return append(parts, text[from:])
}

func labelRequirement(part string) (requirement, bool) {
	if key, not := strings.CutPrefix(part, "!"); not {
		key = strings.TrimSpace(key)
		return requirement{key: key, op: "!"}, isLabel(key)
	}
	if i := strings.IndexAny(part, "=!"); i >= 0 {
		key, op, value := strings.TrimSpace(part[:i]), "=", ""
		switch rest := part[i:]; {
		case strings.HasPrefix(rest, "!="):
			op, value = "!=", rest[2:]
		case strings.HasPrefix(rest, "=="):
			value = rest[2:]
		case rest[0] == '=':
			value = rest[1:]
		default:
			return requirement{}, false
		}
		value = strings.TrimSpace(value)
		return requirement{key: key, op: op, values: []string{value}}, isLabel(key) && (value == "" || isLabel(value))
	}
	words := strings.Fields(strings.Replace(part, "(", " (", 1))
	if len(words) < 2 {
		return requirement{key: part, op: "exists"}, isLabel(part)
	}
	q := requirement{key: words[0], op: words[1]}
	list, opened := strings.CutPrefix(strings.Join(words[2:], ""), "(")
	list, closed := strings.CutSuffix(list, ")")
	if !opened || !closed || q.op != "in" && q.op != "notin" {
		return q, false
	}
	for _, v := range strings.Split(list, ",") {
		if v != "" && !isLabel(v) {
			return q, false
		}
		q.values = append(q.values, v)
	}
	return q, isLabel(q.key)
}

func isLabel(s string) bool {
	return s != "" && len(s) <= 317 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./") == ""
}

// fieldSelector parses a fieldSelector: a=b, a==b and a!=b, with commas between them, in
// which a backslash keeps the next character.
func (r *Resource) fieldSelector(text string) ([]requirement, *failure) {
	if len(text) > maxSelector {
		return nil, badRequest("the field selector is too long")
	}
	var all []requirement
	for len(text) > 0 {
		i := strings.IndexAny(text, "=!,")
		if i < 0 || text[i] == ',' {
			return nil, badRequest("invalid field selector: %q; can't understand it", text)
		}
		q := requirement{key: strings.TrimSpace(text[:i]), op: "="}
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "!="):
			q.op, rest = "!=", rest[2:]
		case strings.HasPrefix(rest, "=="):
			rest = rest[2:]
		case rest[0] == '=':
			rest = rest[1:]
		default:
			return nil, badRequest("invalid field selector: %q; can't understand it", text)
		}
		var value strings.Builder
		n := 0
		for ; n < len(rest) && rest[n] != ','; n++ {
			if rest[n] == '\\' && n+1 < len(rest) {
				n++
			}
			value.WriteByte(rest[n])
		}
		text = strings.TrimPrefix(rest[n:], ",")
		if q.key != "metadata.name" && (q.key != "metadata.namespace" || r.Cluster) && !slices.Contains(r.Fields, q.key) {
			return nil, badRequest("field label not supported: %s", q.key)
		}
		q.values = []string{value.String()}
		all = append(all, q)
	}
	return all, nil
}

// selection is which objects a request is for.
type selection struct {
	namespace      string // "" for all
	labels, fields []requirement
	shards         shards
}

func (s *selection) matchesAll() bool {
	return s.namespace == "" && len(s.labels) == 0 && len(s.fields) == 0 && len(s.shards.ranges) == 0
}

func (s *selection) matches(o tree) bool {
	meta, _ := o["metadata"].(tree)
	if s.namespace != "" && meta["namespace"] != s.namespace {
		return false
	}
	if !s.shards.contains(meta) {
		return false
	}
	labels, _ := meta["labels"].(tree)
	for i := range s.labels {
		v, there := labels[s.labels[i].key].(string)
		if !s.labels[i].matches(v, there) {
			return false
		}
	}
	for i := range s.fields {
		if !s.fields[i].matches(fieldOf(o, s.fields[i].key), true) {
			return false
		}
	}
	return true
}

// fieldOf returns the text of a field, "" if it is not there.
func fieldOf(o tree, path string) string {
	var at any = o
	for _, name := range strings.Split(path, ".") {
		in, _ := at.(tree)
		at = in[name]
	}
	if at == nil {
		return ""
	}
	return fmt.Sprint(at)
}
