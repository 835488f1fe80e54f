package opencmd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/serve"
	"github.com/informerscope/informerscope/replay/trace"
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

// A pause is how long nothing comes of an input that somebody is still writing. Whoever only
// copies a file makes none. An input that has not paused after busy is taken to be written, too.
// A user is told what the program waits for where nothing has come for so long as slow.
const (
	pause = 300 * time.Millisecond
	busy  = 5 * time.Second
	slow  = 2 * time.Second
)

// begin waits for the first bytes, or for the end. It calls waiting if they don't come soon.
func (s *spool) begin(waiting func()) {
	for late := time.After(slow); ; {
		size, more, err := s.state()
		if size > 0 || err != nil {
			return
		}
		select {
		case <-more:
		case <-late:
			waiting()
		case <-s.ctx.Done():
			return
		}
	}
}

// pauses reports whether the input, which has begun, pauses before its end.
func (s *spool) pauses() bool {
	for late := time.After(busy); ; {
		_, more, err := s.state()
		if err != nil {
			return false
		}
		select {
		case <-more:
		case <-time.After(pause):
			return true
		case <-late:
			return true
		case <-s.ctx.Done():
			return false
		}
	}
}

// next reads on, and says when that came. Where nothing comes for as long as patience, n is 0
// and at is now; patience 0 has no end.
func (s *spool) next(b []byte, patience time.Duration) (n int, at time.Time, err error) {
	var tired <-chan time.Time
	if patience > 0 {
		tired = time.After(patience)
	}
	for {
		s.mu.Lock()
		more, ended := s.grown, s.err
		if len(s.arrivals) > 0 {
			first := s.arrivals[0]
			n = int(min(int64(len(b)), first.to-s.passed))
			if s.passed += int64(n); s.passed == first.to {
				s.arrivals = s.arrivals[1:]
			}
			from := s.passed - int64(n)
			s.mu.Unlock()
			n, err = s.file.ReadAt(b[:n], from)
			return n, first.time, err
		}
		s.mu.Unlock()
		if ended != nil {
			return 0, time.Now(), ended
		}
		select {
		case <-more:
		case <-tired:
			return 0, time.Now(), nil
		case <-s.ctx.Done():
			return 0, time.Now(), s.ctx.Err()
		}
	}
}

// live hands over the standard input while somebody writes it. Our own format has the times of
// everything, so it is handed over as it is. Of other captures a trace is made in which
// everything has the time at which it came. ok is false for what the page can't follow.
func live(ctx context.Context, stdin *spool) (o serve.Opened, remove func(), ok bool, err error) {
	o = serve.Opened{Name: "standard-input.trace.jsonl", Live: true}
	first := make([]byte, head)
	n, _ := stdin.open().Read(first)
	first = first[:n]
	line, _, _ := bytes.Cut(first, []byte{'\n'})
	if trace.IsHeader(line) {
		o.Open = func() (io.ReadCloser, error) { return stdin.open(), nil }
		return o, func() {}, true, nil
	}
	if !convert.Arriving(first) {
		return o, func() {}, false, nil
	}
	out, err := newSpool(ctx)
	if err != nil {
		return o, nil, false, err
	}
	var mu sync.Mutex // of a
	a := convert.NewArrivals(out, stdin.began, first)
	go func() {
		b := make([]byte, 64<<10)
		for patience := pause; ; {
			n, at, err := stdin.next(b, patience)
			mu.Lock()
			ended := err != nil
			switch {
			case ended && err != io.EOF:
			case ended:
				if err = a.Close(at); err == nil {
					err = io.EOF
				}
			case n > 0:
				err, patience = a.Write(at, b[:n]), pause
			default:
				err, patience = a.Pause(at), 0
			}
			mu.Unlock()
			if err != nil {
				out.end(err)
				return
			}
		}
	}()
	o.Open = func() (io.ReadCloser, error) {
		mu.Lock()
		defer mu.Unlock()
		if err := a.Tick(time.Now()); err != nil { // so the page's clock is right
			return nil, fmt.Errorf("the standard input can't be read on: %w", err)
		}
		return out.open(), nil
	}
	return o, out.remove, true, nil
}
