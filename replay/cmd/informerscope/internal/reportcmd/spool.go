package reportcmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/informerscope/informerscope/replay/report"
)

// spool holds text that is printed later: a little of it in memory, and much of it in a
// temporary file.
type spool struct {
	inMemory bool // in memory
	held     bytes.Buffer
	file     *os.File
	out      *bufio.Writer
}

// maxBuffered is how many bytes a spool holds in memory.
const maxBuffered = 4 << 20

var errTooMuch = fmt.Errorf("more than %d MB would be found; ask for less", maxBuffered>>20)

// Write adds text.
func (s *spool) Write(text []byte) (int, error) {
	if s.file == nil && s.held.Len()+len(text) <= maxBuffered {
		return s.held.Write(text)
	}
	if s.inMemory {
		return 0, errTooMuch
	}
	if s.file == nil {
		f, err := os.CreateTemp("", "informerscope-*")
		if err != nil {
			return 0, err
		}
		os.Remove(f.Name()) // some systems remove no open file; there, close does
		s.file, s.out = f, bufio.NewWriterSize(f, 256<<10)
		if _, err := s.held.WriteTo(s.out); err != nil {
			return 0, err
		}
	}
	return s.out.Write(text)
}

// read returns all of the text.
func (s *spool) read() (io.Reader, error) {
	if s.file == nil {
		return &s.held, nil
	}
	if err := s.out.Flush(); err != nil {
		return nil, err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return s.file, nil
}

// close removes the temporary file.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
}

// calls holds the calls of one resource's handlers, as JSON lines. They are printed
// at the end, resource by resource.
type calls struct {
	spool
	encoder *json.Encoder
}

func newCalls(only bool) *calls {
	c := &calls{spool: spool{inMemory: only}}
	c.encoder = json.NewEncoder(c)
	c.encoder.SetEscapeHTML(false)
	return c
}

// add adds a call.
func (c *calls) add(call report.Call) error { return c.encoder.Encode(call) }

// writeTo writes the lines to w. If informer is not empty, it becomes the first
// field of each line.
func (c *calls) writeTo(w io.Writer, informer string) error {
	in, err := c.read()
	if err != nil {
		return err
	}
	if informer == "" {
		_, err = io.Copy(w, in)
		return err
	}
	var name bytes.Buffer
	e := json.NewEncoder(&name)
	e.SetEscapeHTML(false)
	if err := e.Encode(informer); err != nil {
		return err
	}
	first := append([]byte(`{"informer":`), bytes.TrimSpace(name.Bytes())...)
	first = append(first, ',')
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if _, err := w.Write(append(first[:len(first):len(first)], line[1:]...)); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
