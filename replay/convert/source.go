package convert

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/trace"
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
	layout  layout
	stamps  *stamps // since it was opened last; nil where layout has none
	archive bool    // it is not compressed, so At reads what Open does
	packed  packing
	alone   bool    // it is one object, and nothing else
	weight  float64 // of its bytes in the progress; 0 stands for 1
}

// newSource finds out which format an input is of, or which archive it is.
func newSource(in Input, o Options, p *progress) (*source, error) {
	s := &source{Input: in, o: o, p: &progress{}}
	r, closer, err := s.open()
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	head, err := r.Peek(glance)
	if len(head) == 0 && err != io.EOF {
		return nil, inflate.Readable(err)
	}
	if s.packed = packingOf(head); s.packed != unpacked {
		return s, nil
	}
	var unknown error
	if s.form, s.layout, unknown = sniff(head, in.Name, in.Loose); unknown != nil {
		if err != nil && err != io.EOF && len(head) < glance {
			return nil, inflate.Readable(err) // there is not enough of it to know
		}
		return nil, unknown
	}
	s.alone = s.form.id == "objects" && isAlone(head)
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
	r := bufio.NewReaderSize(&counted{r: file, p: s.p, weight: s.weight}, glance)
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
			z, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(inflate.MaxWindow))
			if err == nil {
				closers = append(closers, z.IOReadCloser())
				inflated = z
			}
		default:
			return s.plain(r), closers, nil
		}
		if err != nil {
			closers.Close()
			return nil, nil, inflate.Readable(err)
		}
		s.archive = false
		r = bufio.NewReaderSize(&inflate.Reader{R: inflated, Budget: inflate.NewBudget(s.o.MaxInflated)}, glance)
	}
	closers.Close()
	return nil, nil, errors.New("it is compressed more than " + itoa(maxLayers) + " times")
}

// plain makes UTF-8 of r, and takes away what stands around the values.
func (s *source) plain(r *bufio.Reader) *bufio.Reader {
	head, _ := r.Peek(2)
	if order := utf16Order(head); order != nil {
		s.archive = false
		r = newReader(&utf16Reader{r: r, order: order})
	}
	if s.layout == (layout{}) {
		return r
	}
	s.stamps = nil
	if s.layout.stamps {
		s.stamps = &stamps{}
	}
	return newReader(s.layout.open(r, s.stamps))
}

type closers []io.Closer

func (c closers) Close() error {
	var all error
	for _, x := range c {
		all = errors.Join(all, x.Close())
	}
	return all
}

// progress is how much of all inputs has been read.
type progress struct {
	read, total int64
	unknown     bool // of an input it isn't known how large it is
	tell        func(read, total int64)
}

type counted struct {
	r      io.Reader
	p      *progress
	weight float64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if c.weight > 0 {
		c.p.add(int(float64(n) * c.weight))
	} else {
		c.p.add(n)
	}
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

// isAlone reports whether an input of objects that begins with head seems to be one
// object.
func isAlone(head []byte) bool {
	head = bytes.TrimSpace(head)
	if len(head) == 0 || head[0] != '{' { // YAML
		return !bytes.Contains(bytes.TrimPrefix(head, []byte("---")), []byte("\n---"))
	}
	depth := 0
	for i := 0; i < len(head); i++ {
		switch head[i] {
		case '"':
			end := trace.StringEnd(head, i)
			if end < 0 {
				return true
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i+1 == len(head)
			}
		}
	}
	return true
}
