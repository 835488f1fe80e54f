package main

import (
	"errors"
	"io"
	"os"
	"sync"
)

// rereadable can be read from its beginning several times, while not too much of
// it has been read: what it is shows at the beginning, and then it is read anew.
type rereadable struct {
	in   io.Reader
	mu   sync.Mutex
	head []byte
	gone bool // more has been read than is held
	err  error
}

// maxReread is how much of the beginning is held, in bytes.
const maxReread = 64 << 20

func (s *rereadable) open() (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return nil, errors.New("the standard input would have to be read again from its beginning: save it in a file first")
	}
	return &reread{s: s}, nil
}

// settle lets go of the beginning: it won't be needed again.
func (s *rereadable) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone, s.head = true, nil
}

// reread is one time that it is read.
type reread struct {
	s      *rereadable
	at     int
	closed bool
}

func (r *reread) Read(p []byte) (int, error) {
	if n, err := r.held(p); n > 0 || err != nil {
		return n, err
	}
	// Not locked, because it may take for ever; one at a time reads.
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

// held reads what is known already.
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
