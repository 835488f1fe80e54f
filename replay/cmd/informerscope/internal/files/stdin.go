package files

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"

	"github.com/informerscope/informerscope/replay/format"
)

// rereadable is the standard input or a pipe. Its beginning is held, so that it can be
// read again once its format is known.
type rereadable struct {
	in        io.Reader
	mu        sync.Mutex
	head      []byte
	discarded bool // the beginning is not held any more
	err       error
}

// maxReread is how many bytes of the beginning are held.
const maxReread = 64 << 20

func (s *rereadable) open() (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.discarded {
		return nil, errors.New("the input is too large to buffer for a second pass; save it to a file first")
	}
	return &reread{s: s}, nil
}

// settle lets go of the beginning, because it won't be read again.
func (s *rereadable) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.discarded, s.head = true, nil
}

// reread reads a rereadable once, from its beginning.
type reread struct {
	s      *rereadable
	offset int
	closed bool
}

func (r *reread) Read(p []byte) (int, error) {
	if n, err := r.readHeld(p); n > 0 || err != nil {
		return n, err
	}
	// This Read may take for ever, so it is not locked. Only one reread reads at a
	// time.
	n, err := r.s.in.Read(p)
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	if !s.discarded && len(s.head)+n <= maxReread {
		s.head = append(s.head, p[:n]...)
		r.offset = len(s.head)
	} else {
		s.discarded, s.head = true, nil
	}
	return n, err
}

// readHeld reads from the beginning that is held.
func (r *reread) readHeld(p []byte) (int, error) {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.offset < len(s.head) {
		n := copy(p, s.head[r.offset:])
		r.offset += n
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

// ahead reads in a goroutine of its own. So uncompressing runs beside the work on
// its result, and a Read returns as soon as ctx is done, whatever it waits for.
// The goroutine ends with ctx too, unless it hangs in a Read of the input, which
// nothing can interrupt.
type ahead struct {
	ctx    context.Context
	vets   bool
	full   chan piece
	empty  chan []byte
	done   chan struct{} // closed when the goroutine has ended
	now    piece
	offset int
}

// piece is the result of one Read.
type piece struct {
	b     []byte
	sound []format.Span // what format.Vet has found of b
	err   error         // that came after it
}

// aheadBy is how many pieces are read in advance.
const aheadBy = 2

// readAhead reads in by pieces of at most size bytes.
func readAhead(ctx context.Context, in io.Reader, size int) *ahead {
	return startAhead(ctx, in, size, false)
}

// vet does what readAhead does, and has format.Vet look at each piece ahead of whoever reads it. To look for damage
// takes nearly half of the time that a report takes, and it is the only part that needs nothing of what was read before. On a
// single core nothing is gained by it.
func vet(ctx context.Context, in io.Reader, size int) *ahead {
	return startAhead(ctx, in, size, runtime.GOMAXPROCS(0) > 1)
}

func startAhead(ctx context.Context, in io.Reader, size int, vets bool) *ahead {
	a := &ahead{ctx: ctx, vets: vets, full: make(chan piece), empty: make(chan []byte, aheadBy+1), done: make(chan struct{})}
	for range aheadBy {
		a.empty <- make([]byte, size)
	}
	go a.pump(in)
	return a
}

func (a *ahead) pump(in io.Reader) {
	defer close(a.done)
	for {
		var p piece
		select {
		case p.b = <-a.empty:
		case <-a.ctx.Done():
			return
		}
		var n int
		n, p.err = in.Read(p.b[:cap(p.b)])
		if p.b = p.b[:n]; a.vets {
			p.sound = format.Vet(p.b)
		}
		select {
		case a.full <- p:
		case <-a.ctx.Done():
			return
		}
		if p.err != nil {
			return
		}
	}
}

// next returns the next piece, which holds until the next call. It must not be called after
// one with an error.
func (a *ahead) next() piece {
	if a.now.b != nil {
		a.empty <- a.now.b
	}
	select {
	case a.now = <-a.full:
	case <-a.ctx.Done():
		a.now = piece{err: stopped{a.ctx.Err()}}
	}
	return a.now
}

// Read returns the next bytes. After an error it returns that error again.
func (a *ahead) Read(p []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, stopped{err}
	}
	for a.offset == len(a.now.b) {
		if a.now.err != nil {
			return 0, a.now.err
		}
		a.offset = 0
		a.next()
	}
	n := copy(p, a.now.b[a.offset:])
	a.offset += n
	return n, nil
}

// fullReads fills each Read, except at the end of the input. A decompressor
// returns a few kilobytes at a time, and a line that two pieces share isn't vetted.
type fullReads struct{ io.Reader }

func (w fullReads) Read(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var more int
		more, err = w.Reader.Read(p[n:])
		n += more
	}
	return n, err
}
