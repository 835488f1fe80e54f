package record

import (
	"bufio"
	"bytes"
	"io"
)

// lines is where a trace.Writer writes to: each Write is one line. It gathers
// them until Flush, and takes out what is to be taken out.
type lines struct {
	out    *bufio.Writer
	under  io.Writer
	redact func(line []byte) []byte // nil for none
}

func newLines(w io.Writer, redact func(line []byte) []byte) *lines {
	return &lines{bufio.NewWriterSize(w, 128<<10), w, redact}
}

func (l *lines) Write(line []byte) (int, error) {
	if l.redact == nil {
		return l.out.Write(line)
	}
	kept := l.redact(bytes.TrimSuffix(line, []byte("\n")))
	if kept == nil {
		return len(line), nil
	}
	if _, err := l.out.Write(kept); err != nil {
		return 0, err
	}
	if err := l.out.WriteByte('\n'); err != nil {
		return 0, err
	}
	return len(line), nil
}

// Flush writes all lines to the writer, and flushes that, too.
func (l *lines) Flush() error {
	if err := l.out.Flush(); err != nil {
		return err
	}
	if f, ok := l.under.(interface{ Flush() error }); ok {
		return f.Flush()
	}
	return nil
}
