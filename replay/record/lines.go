package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// lines is where a trace.Writer writes to: each Write is one line. It gathers
// them until Flush, and takes out what is to be taken out.
type lines struct {
	out    *bufio.Writer
	line   *lineWriter
	redact func(line []byte) []byte // nil for none
}

func newLines(w io.Writer, redact func(line []byte) []byte) *lines {
	under := &lineWriter{w: w}
	return &lines{bufio.NewWriterSize(under, 128<<10), under, redact}
}

func (l *lines) Write(line []byte) (int, error) {
	kept := bytes.TrimSuffix(line, []byte("\n"))
	if l.redact != nil {
		var err error
		if kept, err = redacted(l.redact, kept); err != nil {
			return 0, err
		}
		if kept == nil {
			return len(line), nil
		}
	}
	if _, err := l.out.Write(kept); err != nil {
		return 0, err
	}
	if err := l.out.WriteByte('\n'); err != nil {
		return 0, err
	}
	return len(line), nil
}

// redacted calls Options.Redact, which is the controller's code. The process must not end because
// that panics in the goroutine that writes.
func redacted(redact func(line []byte) []byte, line []byte) (kept []byte, err error) {
	defer recovered("Options.Redact", &err)
	return redact(line), nil
}

// recovered makes a panic of somebody else's code an error.
func recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%s panicked: %v", what, p)
	}
}

// writeRaw writes a line as it is, and flushes.
func (l *lines) writeRaw(line []byte) error {
	l.redact = nil
	if _, err := l.Write(line); err != nil {
		return err
	}
	return l.Flush()
}

// Flush writes all lines to the writer, and flushes that, too.
func (l *lines) Flush() (err error) {
	defer recovered("the writer", &err)
	if err := l.out.Flush(); err != nil {
		return err
	}
	if f, ok := l.line.w.(interface{ Flush() error }); ok {
		return f.Flush()
	}
	return nil
}

// lineWriter writes to w, and takes back what it wrote of a line that could not be written
// to its end.
type lineWriter struct {
	w    io.Writer
	part int64 // bytes that were written after the last newline
}

// truncater is a file, where it can be cut.
type truncater interface {
	io.Seeker
	Truncate(size int64) error
}

func (w *lineWriter) Write(b []byte) (int, error) {
	n, err := w.write(b)
	if n = min(max(n, 0), len(b)); bytes.IndexByte(b[:n], '\n') >= 0 {
		w.part = 0
	}
	w.part += int64(n - 1 - bytes.LastIndexByte(b[:n], '\n'))
	if err != nil && w.part > 0 {
		err = errors.Join(err, w.takeBack())
	}
	return n, err
}

func (w *lineWriter) write(b []byte) (n int, err error) {
	defer recovered("the writer", &err)
	return w.w.Write(b)
}

// takeBack cuts the file where its last whole line ends. Anything but a regular file
// stays as it is.
func (w *lineWriter) takeBack() error {
	f, ok := w.w.(truncater)
	if !ok {
		return nil
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil
	}
	if err := f.Truncate(at - w.part); err != nil {
		return err
	}
	_, err = f.Seek(at-w.part, io.SeekStart)
	w.part = 0
	return err
}

// short cuts s.
func short(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "")
	}
	return s
}
