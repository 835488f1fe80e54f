package opencmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/informerscope/informerscope/replay/plain"
	"github.com/klauspost/compress/s2"
)

// packed are the parts of a capture that only this program unpacks or converts. It does so once, and keeps the result in
// a file, in blocks that are compressed each by itself: recordings become ten times smaller by it, and any byte is as
// near as any other. S2 takes a quarter to two thirds of the time of the fastest zstd.
type packed struct {
	file *os.File
	left atomic.Bool   // the filling is to end
	over chan struct{} // closed when it has ended

	block []byte // what was written and has no place yet; only the filling uses these two
	small []byte

	mu    sync.Mutex
	ends  []int64       // of the blocks in the file
	size  int64         // of all that was unpacked into blocks
	part  float64       // how much of the input that was, from 0 to 1
	ended error         // nil before the end, io.EOF for a good one
	more  chan struct{} // closed, and replaced, when there is more
}

const (
	// blockSize is how many bytes a block has unpacked, except for the last one.
	blockSize = 1 << 20
	// maxPacked is how long the file becomes at most.
	maxPacked = 16 << 30
)

// newPacked returns the parts that fill writes. Meanwhile, fill tells how much of its input it has read.
func newPacked(fill func(w io.Writer, told func(read, total int64)) error) (*packed, error) {
	f, err := os.CreateTemp("", "informerscope-") // only this user can read it
	if err != nil {
		return nil, err
	}
	p := &packed{file: f, over: make(chan struct{}), more: make(chan struct{}), block: make([]byte, 0, blockSize)}
	go func() {
		defer close(p.over)
		err := fill(p, p.setProgress)
		p.end(cmp.Or(p.flush(), err, io.EOF))
	}()
	return p, nil
}

// setProgress takes note of how far the filling is.
func (p *packed) setProgress(read, total int64) {
	if read <= 0 || total <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.part = min(1, float64(read)/float64(total))
}

// Write adds b.
func (p *packed) Write(b []byte) (n int, err error) {
	for len(b) > 0 {
		if p.left.Load() {
			return n, os.ErrClosed
		}
		m := copy(p.block[len(p.block):blockSize], b)
		p.block = p.block[:len(p.block)+m]
		n, b = n+m, b[m:]
		if len(p.block) == blockSize {
			if err := p.flush(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// flush writes a block.
func (p *packed) flush() error {
	if len(p.block) == 0 {
		return nil
	}
	var at int64
	if len(p.ends) > 0 {
		at = p.ends[len(p.ends)-1]
	}
	p.small = s2.Encode(p.small[:cap(p.small)], p.block)
	if at+int64(len(p.small)) > maxPacked {
		return fmt.Errorf("the file %s would become longer than %s, which is the limit", p.file.Name(), plain.Size(maxPacked))
	}
	if _, err := p.file.WriteAt(p.small, at); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ends = append(p.ends, at+int64(len(p.small)))
	p.size += int64(len(p.block))
	p.block = p.block[:0]
	p.notify()
	return nil
}

// end says why no more comes.
func (p *packed) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = err
	p.notify()
}

func (p *packed) notify() {
	close(p.more)
	p.more = make(chan struct{})
}

// Await waits until all bytes before an offset are there, or none come any more.
func (p *packed) Await(ctx context.Context, offset int64) error {
	for {
		p.mu.Lock()
		there, more := p.size >= offset || p.ended != nil, p.more
		p.mu.Unlock()
		if there {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Size returns how many bytes there are or, before all are there, how many there will be if the rest of the input is
// compressed as much as its beginning.
func (p *packed) Size() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended != nil || p.part == 0 {
		return p.size
	}
	return int64(float64(p.size) / p.part)
}

func (p *packed) ReadAt(b []byte, offset int64) (n int, err error) {
	var unpacked []byte
	for n < len(b) {
		from, to, err := p.place(offset)
		if err != nil {
			return n, err
		}
		small := make([]byte, to-from)
		if _, err := p.file.ReadAt(small, from); err != nil {
			return n, err
		}
		if unpacked, err = s2.Decode(unpacked[:cap(unpacked)], small); err != nil {
			return n, err
		}
		m := copy(b[n:], unpacked[offset%blockSize:])
		n, offset = n+m, offset+int64(m)
	}
	return n, nil
}

// place returns where the block lies in the file that has the byte at an offset.
func (p *packed) place(offset int64) (from, to int64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if offset >= p.size {
		return 0, 0, cmp.Or(p.ended, io.ErrNoProgress)
	}
	i := offset / blockSize
	if i > 0 {
		from = p.ends[i-1]
	}
	return from, p.ends[i], nil
}

// Close ends the filling, and deletes the file.
func (p *packed) Close() error {
	p.left.Store(true)
	<-p.over
	return cmp.Or(p.file.Close(), os.Remove(p.file.Name()))
}
