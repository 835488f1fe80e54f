package redact

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
)

// path leads from an object to the value that is to be taken out of it.
type path struct {
	text  string // the path as it was given
	steps []pathStep
}

// pathStep leads to a field, to an element, or to all of them.
type pathStep struct {
	name  string // folded, for a field
	index int    // of an element; -1 for a field, -2 for all elements and all fields
}

const (
	aField = -1
	all    = -2
)

// step is a path on its way: the step that it waits for.
type step struct{ path, at int }

// ways are the paths, and where they lead in the line.
type ways struct {
	paths  []path
	active []step
}

// span is a piece of ways.active.
type span struct{ from, to int }

// parsePath reads ".a.b", "$.a[*].b", ".a[3]" and `.a["b.c"]`.
func parsePath(text string) (path, error) {
	p := path{text: text}
	rest := strings.TrimSpace(text)
	if s, ok := strings.CutPrefix(rest, "{"); ok {
		rest = strings.TrimSuffix(s, "}")
	}
	rest = strings.TrimPrefix(rest, "$")
	if rest != "" && rest[0] != '.' && rest[0] != '[' {
		rest = "." + rest
	}
	for rest != "" {
		var s pathStep
		var ok bool
		if rest[0] == '.' {
			s, rest, ok = dotStep(rest[1:])
		} else {
			s, rest, ok = bracketStep(rest)
		}
		if !ok {
			return p, fault.Quoted("pathShape path", text)
		}
		p.steps = append(p.steps, s)
	}
	if len(p.steps) == 0 {
		return p, fault.Plain("pathEmpty")
	}
	return p, nil
}

// inObject returns the rest of the path below the line's object. The path starts at the line,
// as the paths of Findings do.
func (p path) inObject() []pathStep {
	s := p.steps
	named := func(i int, name string) bool { return i < len(s) && s[i].index == aField && s[i].name == name }
	switch {
	case named(0, "event") && named(1, "object"):
		return s[2:]
	case named(0, "body") && named(1, "items") && len(s) > 2 && s[2].index != aField:
		return s[3:]
	case named(0, "body"):
		return s[1:]
	}
	return nil
}

// dotStep reads a field's name, in which a backslash makes the next character
// part of it.
func dotStep(s string) (step pathStep, rest string, ok bool) {
	var name []byte
	i := 0
	for ; i < len(s) && s[i] != '.' && s[i] != '['; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		name = append(name, s[i])
	}
	if string(name) == "*" {
		return pathStep{index: all}, s[i:], true
	}
	return pathStep{name: fold(string(name)), index: aField}, s[i:], len(name) > 0
}

func bracketStep(s string) (step pathStep, rest string, ok bool) {
	if !strings.HasPrefix(s, "[") || len(s) < 3 {
		return step, s, false
	}
	if quote := s[1]; quote == '"' || quote == '\'' {
		end := strings.IndexByte(s[2:], quote)
		if end < 0 || !strings.HasPrefix(s[2+end+1:], "]") {
			return step, s, false
		}
		return pathStep{name: fold(s[2 : 2+end]), index: aField}, s[2+end+2:], true
	}
	inside, rest, ok := strings.Cut(s[1:], "]")
	if inside == "*" {
		return pathStep{index: all}, rest, ok
	}
	n, err := strconv.Atoi(inside)
	return pathStep{index: n}, rest, ok && err == nil && n >= 0
}

// fold does what appendFolded does, for text that is not JSON.
func fold(s string) string { return string(appendFolded(nil, appendQuoted(nil, []byte(s)))) }

// begin adds all paths to those that lead through an object.
func (w *ways) begin(s span) span {
	if len(w.paths) == 0 {
		return s
	}
	from := len(w.active)
	w.active = append(w.active, w.active[s.from:s.to]...)
	for i := range w.paths {
		w.active = append(w.active, step{i, 0})
	}
	return span{from, len(w.active)}
}

// follow takes the paths that lead through a value on to a field of that (folded)
// name, or to the element with that index. hit is one that ends there.
func (w *ways) follow(through span, key string, index int) (on span, hit *path) {
	on.from = len(w.active)
	for i := through.from; i < through.to; i++ {
		a := w.active[i]
		steps := w.paths[a.path].steps
		s := steps[a.at]
		if s.index != all && s.index != index || s.index == aField && s.name != key {
			continue
		}
		if a.at == len(steps)-1 {
			return span{}, &w.paths[a.path]
		}
		w.active = append(w.active, step{a.path, a.at + 1})
	}
	on.to = len(w.active)
	return on, nil
}
