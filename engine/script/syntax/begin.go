package syntax

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
)

// maxLine is how long a line may be, in bytes.
const maxLine = 4096

// Begin splits line number n into words, finds its form, and takes the words with which
// the form begins. The form is nil if the line is empty or a comment.
func Begin(text string, n int) (*Parser, *Form, error) {
	if len(text) > maxLine {
		return nil, nil, Error{n, maxLine, fault.Number("longLine max", maxLine)}
	}
	p := &Parser{Line: n}
	if err := p.split(text); err != nil || len(p.Words) == 0 {
		return nil, nil, err
	}
	f, err := p.form()
	return p, f, err
}

// Looks reports whether a text looks like a script and not like a capture: the
// first word outside of comments is one that sets up a machine.
func LooksLikeScript(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		verb, _, _ := strings.Cut(line, " ")
		for i := range forms {
			if f := &forms[i]; f.parts[0].name == verb {
				return f.Setup
			}
		}
		return false
	}
	return false
}
