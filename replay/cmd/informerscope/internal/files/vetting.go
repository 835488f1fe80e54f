package files

import (
	"context"
	"io"
	"runtime"

	"github.com/informerscope/informerscope/replay/format"
)

// vetting has format.Vet look at an input in a goroutine of its own, ahead of whoever reads
// it. To look for damage takes nearly half of the time that a report takes, and it is the
// only part that needs nothing of what was read before.
type vetting struct {
	ctx   context.Context
	in    io.Reader
	full  chan vetted // nil on a single core, where nothing is gained
	empty chan []byte
	now   vetted
}

// vetted is a piece of the input.
type vetted struct {
	b     []byte
	sound []format.Span
	err   error // that came after it
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

// vet begins to read in, whose Reads end with ctx, by pieces of at most size bytes.
func vet(ctx context.Context, in io.Reader, size int) *vetting {
	v := &vetting{ctx: ctx, in: in, now: vetted{b: make([]byte, size)}}
	if runtime.GOMAXPROCS(0) == 1 {
		return v
	}
	v.full, v.empty = make(chan vetted, aheadBy), make(chan []byte, aheadBy+2)
	for range aheadBy + 1 {
		v.empty <- make([]byte, size)
	}
	go v.pump()
	return v
}

func (v *vetting) pump() {
	for {
		var b []byte
		select {
		case b = <-v.empty:
		case <-v.ctx.Done():
			return
		}
		n, err := v.in.Read(b[:cap(b)])
		select {
		case v.full <- vetted{b[:n], format.Vet(b[:n]), err}:
		case <-v.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// next returns the next piece, which holds until the next call. It must not be called after
// one with an error.
func (v *vetting) next() vetted {
	if v.full == nil {
		n, err := v.in.Read(v.now.b[:cap(v.now.b)])
		v.now = vetted{b: v.now.b[:n], err: err}
		return v.now
	}
	v.empty <- v.now.b
	select {
	case v.now = <-v.full:
	case <-v.ctx.Done():
		v.now = vetted{err: stopped{v.ctx.Err()}}
	}
	return v.now
}
