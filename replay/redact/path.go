package redact

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
)

// path leads from an object to a field. Lists are passed through: an index stands for all elements.
type path struct {
	text  string   // as it was given
	steps []string // * is any field
}

// parsePath reads ".a.b", "$.a[*].b" and `.a["b.c"]`.
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
		var step string
		var ok bool
		if rest[0] == '.' {
			step, rest, ok = dotStep(rest[1:])
		} else {
			step, rest, ok = bracketStep(rest)
		}
		if !ok {
			return p, fault.Quoted("pathShape path", text)
		}
		if step != "" {
			p.steps = append(p.steps, step)
		}
	}
	if len(p.steps) == 0 {
		return p, fault.Plain("pathEmpty")
	}
	return p, nil
}

// dotStep reads a field's name, in which a backslash makes the next character part of it.
func dotStep(s string) (step, rest string, ok bool) {
	var name []byte
	i := 0
	for ; i < len(s) && s[i] != '.' && s[i] != '['; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		name = append(name, s[i])
	}
	return string(name), s[i:], len(name) > 0
}

// bracketStep reads a name in quotes, or an index, which is no step.
func bracketStep(s string) (step, rest string, ok bool) {
	if len(s) < 3 {
		return "", s, false
	}
	if quote := s[1]; quote == '"' || quote == '\'' {
		end := strings.IndexByte(s[2:], quote)
		if end < 1 || !strings.HasPrefix(s[2+end+1:], "]") {
			return "", s, false
		}
		return s[2 : 2+end], s[2+end+2:], true
	}
	inside, rest, ok := strings.Cut(s[1:], "]")
	return "", rest, ok && (inside == "*" || madeOf([]byte(inside), "", 9) && strings.Trim(inside, "0123456789") == "")
}
