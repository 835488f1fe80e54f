package trace

import (
	"bytes"
	"io"
)

// A future is what a viewer did to the machine that plays a trace. It stands on a line
// behind the header. Its content is the page's, and nobody else reads it.

const futureBegins = `{"t":0,"future":`

// maxFuture is how many bytes a future may have.
const maxFuture = 1 << 20

// WithFuture returns a Writer that hands lines on to w, one with each Write, and puts a
// future behind the first one. Futures that the lines have already are left out. The
// future is an object of JSON without line breaks, or "" for none.
func WithFuture(w io.Writer, future string) io.Writer { return &withFuture{w: w, future: future} }

type withFuture struct {
	w      io.Writer
	future string
	begun  bool
}

func (f *withFuture) Write(line []byte) (int, error) {
	if bytes.HasPrefix(line, []byte(futureBegins)) {
		return len(line), nil
	}
	n, err := f.w.Write(line)
	if err == nil && !f.begun && f.future != "" {
		_, err = f.w.Write([]byte(futureBegins + f.future + "}\n"))
	}
	f.begun = true
	return n, err
}
