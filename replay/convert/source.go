package convert

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// glance is how much of an input's beginning tells its format, uncompressed.
const glance = 64 << 10

// maxLayers is how many times an input may be compressed.
const maxLayers = 3

// source is an Input, uncompressed.
type source struct {
	Input
	o       Options
	p       *progress
	form    *form
	archive bool // it is not compressed, so At reads what Open does
}

// newSource finds out which format an input is of.
func newSource(in Input, o Options, p *progress) (*source, error) {
	s := &source{Input: in, o: o, p: &progress{}}
	r, closer, err := s.open()
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	head, err := r.Peek(glance)
	if len(head) == 0 && err != io.EOF {
		return nil, err
	}
	var unknown error
	if s.form, unknown = sniff(head, in.Name); unknown != nil {
		if err != nil && err != io.EOF && len(head) < glance {
			return nil, err // there is not enough of it to know
		}
		return nil, unknown
	}
	s.p = p
	p.total += in.Size
	p.unknown = p.unknown || in.Size == 0
	return s, nil
}

// open opens the source and peels its compressions off, whichever they are.
func (s *source) open() (*bufio.Reader, io.Closer, error) {
	file, err := s.Open()
	if err != nil {
		return nil, nil, err
	}
	closers := closers{file}
	r := bufio.NewReaderSize(&counted{r: file, p: s.p}, glance)
	s.archive = true
	for range maxLayers {
		head, _ := r.Peek(4)
		var inflated io.Reader
		switch {
		case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
			inflated, err = gzip.NewReader(r)
		case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
			var z *zstd.Decoder
			// One goroutine, and no window larger than what the format asks every
			// decoder to be able to hold.
			z, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
			if err == nil {
				closers = append(closers, z.IOReadCloser())
				inflated = z
			}
		default:
			return r, closers, nil
		}
		if err != nil {
			closers.Close()
			return nil, nil, err
		}
		s.archive = false
		r = bufio.NewReaderSize(&bounded{r: inflated, left: s.o.MaxInflated, limit: s.o.MaxInflated}, glance)
	}
	closers.Close()
	return nil, nil, fmt.Errorf("it is compressed more than %d times", maxLayers)
}

type closers []io.Closer

func (c closers) Close() error {
	var all error
	for _, x := range c {
		all = errors.Join(all, x.Close())
	}
	return all
}

// bounded fails when more than a limit comes out of what is compressed.
type bounded struct {
	r           io.Reader
	left, limit int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("it is more than %d bytes when uncompressed, which is the limit", b.limit)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// progress is how much of all inputs has been read.
type progress struct {
	read, total int64
	unknown     bool // of an input it isn't known how large it is
	tell        func(read, total int64)
}

type counted struct {
	r io.Reader
	p *progress
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.p.add(n)
	return n, err
}

// countedAt counts what is read of an archive.
type countedAt struct {
	r io.ReaderAt
	p *progress
}

func (c *countedAt) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(b, off)
	c.p.add(n)
	return n, err
}

// add says that n more bytes were read.
func (p *progress) add(n int) {
	if p.tell == nil || n <= 0 {
		return
	}
	p.read += int64(n)
	if p.unknown {
		p.tell(p.read, 0)
		return
	}
	p.tell(min(p.read, p.total), p.total) // of an archive some is read twice
}
