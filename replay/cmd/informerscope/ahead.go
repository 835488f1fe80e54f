package main

import (
	"context"
	"io"
)

// ahead reads in a goroutine of its own, so that uncompressing goes on beside
// what is done with its result, and that a Read ends at once when ctx does,
// whatever it waits for. The goroutine ends with ctx, but for a Read of in that
// nothing can interrupt.
type ahead struct {
	ctx   context.Context
	full  chan piece
	empty chan []byte
	over  chan struct{} // closed when the goroutine has ended
	now   piece
	at    int
}

// piece is what was read at once.
type piece struct {
	b   []byte
	err error
}

// aheadBy is how many pieces are read before they are asked for.
const aheadBy = 2

// readAhead reads in by pieces of so many bytes at most.
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

// Read returns the next bytes. An error that was come upon stays.
func (a *ahead) Read(p []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, err
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
			a.now = piece{err: a.ctx.Err()}
		}
	}
	n := copy(p, a.now.b[a.at:])
	a.at += n
	return n, nil
}
