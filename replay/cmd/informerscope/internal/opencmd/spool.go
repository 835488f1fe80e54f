package opencmd

import (
	"context"
	"io"
	"os"
	"sync"
	"time"
)

// spool keeps the standard input in a file, so that the page can read it again: after a reload,
// and for the objects that somebody looks at.
type spool struct {
	ctx   context.Context
	file  *os.File
	began time.Time

	mu       sync.Mutex
	size     int64
	err      error         // how the input ended, nil before
	grown    chan struct{} // closed, and replaced, when there is more
	timed    bool          // when each byte came is of interest
	arrivals []arrival     // of what next has not returned
	passed   int64         // where that begins
}

// arrival says when the bytes before a place had come.
type arrival struct {
	to   int64
	time time.Time
}

// together is how close arrivals are that count as one.
const together = time.Millisecond

// newSpool returns an empty spool. Reading it ends with ctx.
func newSpool(ctx context.Context) (*spool, error) {
	f, err := os.CreateTemp("", "informerscope-") // only this user can read it
	if err != nil {
		return nil, err
	}
	return &spool{ctx: ctx, file: f, began: time.Now(), grown: make(chan struct{})}, nil
}

// remove deletes the file.
func (s *spool) remove() {
	s.file.Close()
	os.Remove(s.file.Name())
}

// fill reads in to its end.
func (s *spool) fill(in io.Reader) {
	buf := make([]byte, 64<<10)
	for {
		n, err := in.Read(buf)
		if _, full := s.Write(buf[:n]); full != nil {
			err = full
		}
		if err != nil {
			s.end(err)
			return
		}
	}
}

// Write adds b. Only one goroutine may write.
func (s *spool) Write(b []byte) (int, error) {
	n, err := s.file.WriteAt(b, s.size)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.size += int64(n)
	switch now, last := time.Now(), len(s.arrivals)-1; {
	case !s.timed:
	case last < 0 || now.Sub(s.arrivals[last].time) > together:
		s.arrivals = append(s.arrivals, arrival{s.size, now})
	default:
		s.arrivals[last].to = s.size
	}
	s.notify()
	return n, err
}

// untimed forgets when each byte came.
func (s *spool) untimed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timed, s.arrivals = false, nil
}

// end says how the input ended.
func (s *spool) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	s.notify()
}

func (s *spool) notify() {
	close(s.grown)
	s.grown = make(chan struct{})
}

func (s *spool) state() (size int64, more <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size, s.grown, s.err
}

// open reads the spool from its beginning. At its end a Read waits for more.
func (s *spool) open() io.ReadCloser {
	closed := make(chan struct{})
	return &spooled{s: s, closed: closed, close: sync.OnceFunc(func() { close(closed) })}
}

type spooled struct {
	s      *spool
	offset int64
	closed chan struct{}
	close  func()
}

func (r *spooled) Read(p []byte) (int, error) {
	for {
		size, more, err := r.s.state()
		if r.offset < size {
			n, err := r.s.file.ReadAt(p[:min(int64(len(p)), size-r.offset)], r.offset)
			r.offset += int64(n)
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
