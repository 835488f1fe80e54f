package files

import (
	"errors"
	"io"
	"os"
	"sync"
)

// rereadable is the standard input or a pipe. Its beginning is held, so that it can be
// read again once its format is known.
type rereadable struct {
	in   io.Reader
	mu   sync.Mutex
	head []byte
	gone bool // the beginning is not held any more
	err  error
}

// maxReread is how many bytes of the beginning are held.
const maxReread = 64 << 20

func (s *rereadable) open() (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return nil, errors.New("the input is too large to buffer for a second pass; save it to a file first")
	}
	return &reread{s: s}, nil
}

// settle lets go of the beginning, because it won't be read again.
func (s *rereadable) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone, s.head = true, nil
}

// reread reads a rereadable once, from its beginning.
type reread struct {
	s      *rereadable
	at     int
	closed bool
}

func (r *reread) Read(p []byte) (int, error) {
	if n, err := r.held(p); n > 0 || err != nil {
		return n, err
	}
	// This Read may take for ever, so it is not locked. Only one reread reads at a
	// time.
	n, err := r.s.in.Read(p)
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	if !s.gone && len(s.head)+n <= maxReread {
		s.head = append(s.head, p[:n]...)
		r.at = len(s.head)
	} else {
		s.gone, s.head = true, nil
	}
	return n, err
}

// held reads from the beginning that is held.
func (r *reread) held(p []byte) (int, error) {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.at < len(s.head) {
		n := copy(p, s.head[r.at:])
		r.at += n
		return n, nil
	}
	if r.closed {
		return 0, os.ErrClosed
	}
	return 0, s.err
}

func (r *reread) Close() error {
	r.closed = true
	return nil
}
