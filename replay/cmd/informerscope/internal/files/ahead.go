package files

import (
	"context"
	"io"
)

// ahead reads in a goroutine of its own. So uncompressing runs beside the work on
// its result, and a Read returns as soon as ctx is done, whatever it waits for.
// The goroutine ends with ctx too, unless it hangs in a Read of the input, which
// nothing can interrupt.
type ahead struct {
	ctx   context.Context
	full  chan piece
	empty chan []byte
	over  chan struct{} // closed when the goroutine has ended
	now   piece
	at    int
}

// piece is the result of one Read.
type piece struct {
	b   []byte
	err error
}

// aheadBy is how many pieces are read in advance.
const aheadBy = 2

// readAhead reads in by pieces of at most size bytes.
func readAhead(ctx context.Context, in io.Reader, size int) *ahead {
	a := &ahead{ctx: ctx, full: make(chan piece), empty: make(chan []byte, aheadBy+1), over: make(chan struct{})}
	for range aheadBy {
		a.empty <- make([]byte, size)
	}
	go a.pump(in)
	return a
}

func (a *ahead) pump(in io.Reader) {
	defer close(a.over)
	for {
		var b []byte
		select {
		case b = <-a.empty:
		case <-a.ctx.Done():
			return
		}
		n, err := in.Read(b[:cap(b)])
		select {
		case a.full <- piece{b[:n], err}:
		case <-a.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// Read returns the next bytes. After an error it returns that error again.
func (a *ahead) Read(p []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, stopped{err}
	}
	for a.at == len(a.now.b) {
		if a.now.err != nil {
			return 0, a.now.err
		}
		if a.now.b != nil {
			a.empty <- a.now.b
		}
		a.at = 0
		select {
		case a.now = <-a.full:
		case <-a.ctx.Done():
			a.now = piece{err: stopped{a.ctx.Err()}}
		}
	}
	n := copy(p, a.now.b[a.at:])
	a.at += n
	return n, nil
}
