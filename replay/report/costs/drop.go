package costs

import (
	"strconv"
	"strings"
)

// Path names a field of an object: spec.containers.env, or
// metadata.annotations["example.com/note"]. It goes through every element of an array that it
// meets, so spec.containers.env is the env of each container.
type Path []string

// maxPath is how many names a Path may have.
const maxPath = 32

// ParsePath reads a Path. ok is false where text is none.
func ParsePath(text string) (p Path, ok bool) {
	for rest := text; ; {
		var name string
		if strings.HasPrefix(rest, "[") && len(p) > 0 {
			quoted, err := strconv.QuotedPrefix(rest[1:])
			if err != nil || !strings.HasPrefix(rest[1+len(quoted):], "]") {
				return nil, false
			}
			if name, err = strconv.Unquote(quoted); err != nil {
				return nil, false
			}
			rest = rest[len(quoted)+2:]
		} else {
			if len(p) > 0 {
				if rest[0] != '.' {
					return nil, false
				}
				rest = rest[1:]
			}
			end := strings.IndexAny(rest, `.["'] `)
			if end < 0 {
				end = len(rest)
			}
			name, rest = rest[:end], rest[end:]
		}
		if p = append(p, name); name == "" || len(p) > maxPath {
			return nil, false
		}
		if rest == "" {
			return p, true
		}
	}
}

// String writes p as ParsePath reads it.
func (p Path) String() string {
	var b strings.Builder
	for i, name := range p {
		switch {
		case strings.ContainsAny(name, `.["'] `):
			b.WriteString("[" + strconv.Quote(name) + "]")
		case i > 0:
			b.WriteString("." + name)
		default:
			b.WriteString(name)
		}
	}
	return b.String()
}

// A change is what somebody might do so that an object has fewer fields.
type change int

const (
	noManaged change = iota // leave out metadata.managedFields
	dropping                // leave out what the user names
	changes
)

// want is a place in objects at which a change leaves something out, or below which it does.
type want struct {
	below map[string]*want
	gone  [changes]bool // this field itself is left out
	seen  bool          // an object has it
}

// leaveOut adds a Path to what a change leaves out, and returns its place.
func (w *want) leaveOut(p Path, by change) *want {
	for _, name := range p {
		if w.below == nil {
			w.below = map[string]*want{}
		}
		if w.below[name] == nil {
			w.below[name] = &want{}
		}
		w = w.below[name]
	}
	w.gone[by] = true
	return w
}
