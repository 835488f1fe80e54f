package reportcmd

import (
	"bufio"
	"bytes"
	"io"
	"os"
)

// spool holds text that is printed later: a little of it in memory, and much of it in a
// temporary file.
type spool struct {
	held bytes.Buffer
	file *os.File
	out  *bufio.Writer
}

// mostHeld is how many bytes a spool holds in memory.
const mostHeld = 4 << 20

// Write adds text.
func (s *spool) Write(text []byte) (int, error) {
	if s.file == nil && s.held.Len()+len(text) <= mostHeld {
		return s.held.Write(text)
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
