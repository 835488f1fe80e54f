package opencmd

import (
	"bytes"
	"context"
	"io"
	"os"
	"sync"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
)

// plainFile is the parts of a capture that lies in a file as the page reads it. They are what was there when it was opened:
// what is written behind that later isn't among them.
type plainFile struct {
	file *os.File
	size int64

	mu      sync.Mutex
	looked  time.Time // when the file had been written last, as far as is known
	samples [2][]byte // its first and its last bytes
}

// errChanged says that a capture isn't any more what it was.
const errChanged = fault.Plain("fileChanged")

// sample is how many bytes are compared to tell a file that has grown from another one in its place.
const sample = 4 << 10

func openPlain(name string) (*plainFile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	p := &plainFile{file: f}
	info, err := f.Stat()
	if err == nil {
		p.size, p.looked = info.Size(), info.ModTime()
		p.samples, err = p.sample()
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

// sample reads the samples.
func (p *plainFile) sample() (all [2][]byte, err error) {
	for i, offset := range [...]int64{0, max(0, p.size-sample)} {
		all[i] = make([]byte, min(sample, p.size-offset))
		if _, err := p.file.ReadAt(all[i], offset); err != nil {
			return all, err
		}
	}
	return all, nil
}

// checkUnchanged fails if the file has changed otherwise than by growing.
func (p *plainFile) checkUnchanged() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	info, err := p.file.Stat()
	switch {
	case err != nil:
		return err
	case info.ModTime().Equal(p.looked) && info.Size() >= p.size:
		return nil
	case info.Size() <= p.size:
		return errChanged
	}
	now, err := p.sample()
	if err != nil {
		return err
	}
	if !bytes.Equal(now[0], p.samples[0]) || !bytes.Equal(now[1], p.samples[1]) {
		return errChanged
	}
	p.looked = info.ModTime()
	return nil
}

func (p *plainFile) ReadAt(b []byte, offset int64) (n int, err error) {
	if offset >= p.size {
		return 0, io.EOF
	}
	n, err = p.file.ReadAt(b[:min(int64(len(b)), p.size-offset)], offset)
	// It is looked at after the reading, so that nothing is handed over that was written before the look.
	if changed := p.checkUnchanged(); changed != nil {
		return 0, changed
	}
	if err == nil && n < len(b) {
		err = io.EOF
	}
	return n, err
}

// Await returns at once.
func (p *plainFile) Await(context.Context, int64) error { return nil }

// Size returns how many bytes there are.
func (p *plainFile) Size() int64 { return p.size }

// Close closes the file.
func (p *plainFile) Close() error { return p.file.Close() }
