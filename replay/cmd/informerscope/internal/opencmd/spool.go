package opencmd

import (
	"context"
	"io"
	"os"
	"sync"
)

// spool keeps the standard input in a file, so that the page can read it again: after a reload,
// and for the objects that somebody looks at.
type spool struct {
	ctx  context.Context
	file *os.File

	mu   sync.Mutex
	size int64
	err  error         // how the input ended, nil before
	more chan struct{} // closed, and replaced, when there is more
}

// newSpool begins to read in. Reading the spool ends with ctx.
func newSpool(ctx context.Context, in io.Reader) (*spool, error) {
	f, err := os.CreateTemp("", "informerscope-") // only this user can read it
	if err != nil {
		return nil, err
	}
	s := &spool{ctx: ctx, file: f, more: make(chan struct{})}
	go s.fill(in)
	return s, nil
}

// remove deletes the file.
func (s *spool) remove() {
	s.file.Close()
	os.Remove(s.file.Name())
}

func (s *spool) fill(in io.Reader) {
	buf := make([]byte, 64<<10)
	for at, ended := int64(0), false; !ended; {
		n, err := in.Read(buf)
		if _, full := s.file.WriteAt(buf[:n], at); full != nil {
			n, err = 0, full
		}
		at += int64(n)
		ended = err != nil
		s.mu.Lock()
		s.size, s.err = at, err
		close(s.more)
		s.more = make(chan struct{})
		s.mu.Unlock()
	}
}

func (s *spool) state() (size int64, more <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size, s.more, s.err
}

// open reads the spool from its beginning. At its end a Read waits for more.
func (s *spool) open() io.ReadCloser {
	closed := make(chan struct{})
	return &spooled{s: s, closed: closed, close: sync.OnceFunc(func() { close(closed) })}
}

type spooled struct {
	s      *spool
	at     int64
	closed chan struct{}
	close  func()
}

func (r *spooled) Read(p []byte) (int, error) {
	for {
		size, more, err := r.s.state()
		if r.at < size {
			n, err := r.s.file.ReadAt(p[:min(int64(len(p)), size-r.at)], r.at)
			r.at += int64(n)
			return n, err
		}
		if err != nil {
			return 0, err
		}
		select {
		case <-more:
		case <-r.closed:
			return 0, os.ErrClosed
		case <-r.s.ctx.Done():
			return 0, r.s.ctx.Err()
		}
	}
}

// Close ends a Read that waits.
func (r *spooled) Close() error {
	r.close()
	return nil
}
