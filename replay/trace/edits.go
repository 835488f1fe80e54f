package trace

import (
	"bytes"
	"io"
)

// Edits are a viewer's changes to the run of a trace, in the page. The line after the header
// has them, under the name "future". Only the page reads what they are.

const editsBegin = `{"t":0,"future":`

// maxEdits is how many bytes edits may have.
const maxEdits = 1 << 20

// WithEdits returns a Writer that hands lines on to w, one with each Write, and puts edits
// after the first one. Edits that the lines have already are left out. The edits are an
// object of JSON without line breaks, or "" for none.
func WithEdits(w io.Writer, edits string) io.Writer { return &withEdits{w: w, edits: edits} }

type withEdits struct {
	w     io.Writer
	edits string
	begun bool
}

func (f *withEdits) Write(line []byte) (int, error) {
	if bytes.HasPrefix(line, []byte(editsBegin)) {
		return len(line), nil
	}
	n, err := f.w.Write(line)
	if err == nil && !f.begun && f.edits != "" {
		_, err = f.w.Write([]byte(editsBegin + f.edits + "}\n"))
	}
	f.begun = true
	return n, err
}
