package capture

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/wire"
	"github.com/informerscope/informerscope/replay/format/inflate"
)

// Glance is how much of an input's beginning tells its format, uncompressed.
const Glance = 64 << 10

// maxLayers is how many times an input may be compressed.
const maxLayers = 3

// Limits bound the reading. All are set.
type Limits struct {
	MaxLine     int   // of a line, or of a value over several lines: bytes
	MaxInflated int64 // what one input may come to when it is uncompressed: bytes
	MaxObjects  int   // that are kept in mind at once
	MaxHeld     int64 // of an archive that must be held in memory: bytes
}

// Source is an input, uncompressed.
type Source struct {
	Name     string                        // as people know it
	Size     int64                         // bytes as it is, compressed or not; 0 where that isn't known
	File     func() (io.ReadCloser, error) // opens it as it is, at its beginning
	ReaderAt io.ReaderAt                   // reads it anywhere; nil where that can't be done
	Limits   Limits
	Progress *Progress // is told of all that is read
	Weight   float64   // of its bytes in Progress; 0 stands for 1
	Kind     string    // of objects that don't say it, as a user names it; "" where it is found out

	Form   *Form
	Layout Layout
	Alone  bool // it is one object, and nothing else
	Loose  bool // it is among others that may be anything

	stamps       *stamps  // since it was opened last; nil where Layout has none
	wrapper      *wrapper // likewise
	uncompressed bool     // ReaderAt reads what Open does
}

// Open opens the source and peels its compressions off, whichever they are.
func (s *Source) Open() (*bufio.Reader, io.Closer, error) {
	file, err := s.File()
	if err != nil {
		return nil, nil, err
	}
	closers := closers{file}
	r := bufio.NewReaderSize(&countingFile{r: file, p: s.Progress, weight: s.Weight}, Glance)
	s.uncompressed = true
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
			return s.decode(r), closers, nil
		}
		if err != nil {
			closers.Close()
			return nil, nil, inflate.Readable(err)
		}
		s.uncompressed = false
		r = bufio.NewReaderSize(&inflate.Reader{R: inflated, Budget: inflate.NewBudget(s.Limits.MaxInflated)}, Glance)
	}
	closers.Close()
	return nil, nil, fault.Number("manyLayers max", maxLayers)
}

// decode makes UTF-8 of r, and takes away what stands around the values.
func (s *Source) decode(r *bufio.Reader) *bufio.Reader {
	head, _ := r.Peek(4)
	if order := utf16Order(head); order != nil {
		s.uncompressed = false
		r = NewReader(&utf16Reader{r: r, order: order})
	}
	if head, _ := r.Peek(longestStamp * 4); isPython(head) {
		s.uncompressed = false
		r = NewReader(&python{r: r})
	} else if isExported(head) {
		s.uncompressed = false
		r = NewReader(&exported{r: r})
	} else if isCast(head) {
		s.uncompressed = false
		r = NewReader(&cast{r: r, maxLine: s.Limits.MaxLine})
	}
	if s.Layout == (Layout{}) {
		return r
	}
	s.stamps, s.wrapper = nil, nil
	return NewReader(s.Layout.open(r, s))
}

type closers []io.Closer

func (c closers) Close() error {
	var all error
	for _, x := range c {
		all = errors.Join(all, x.Close())
	}
	return all
}

// Zip opens the input as a zip archive. in reads it from its beginning.
func (s *Source) Zip(in io.Reader) (*zip.Reader, error) {
	var at io.ReaderAt = &countingReader{s.ReaderAt, s.Progress}
	size := s.Size
	if s.ReaderAt == nil || size == 0 || !s.uncompressed {
		b, err := io.ReadAll(io.LimitReader(in, s.Limits.MaxHeld+1))
		switch {
		case err != nil:
			return nil, err
		case int64(len(b)) > s.Limits.MaxHeld:
			return nil, inflate.LimitError{Err: fault.Number("archiveAsFile max", s.Limits.MaxHeld)}
		}
		at, size = bytes.NewReader(b), int64(len(b))
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return nil, fault.Plain("zipCut")
	}
	return z, nil
}

// NewReader returns a reader of lines.
func NewReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, Glance) }

// Named says which input err is about.
func Named(name string, err error) error {
	if err == nil || name == "" || errors.Is(err, wire.ErrStopped) {
		return err
	}
	return fault.New("named name why", name, err)
}

// Progress is how much of all inputs has been read.
type Progress struct {
	Total   int64 // bytes of all inputs
	Unknown bool  // of an input it isn't known how large it is
	Report  func(read, total int64)
	read    int64
}

// Expect says that an input of that size will be read; 0 stands for an unknown size.
func (p *Progress) Expect(size int64) {
	p.Total += size
	p.Unknown = p.Unknown || size == 0
}

type countingFile struct {
	r      io.Reader
	p      *Progress
	weight float64
}

func (c *countingFile) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if c.weight > 0 {
		c.p.add(int(float64(n) * c.weight))
	} else {
		c.p.add(n)
	}
	return n, err
}

// countingReader counts what is read of an archive.
type countingReader struct {
	r io.ReaderAt
	p *Progress
}

func (c *countingReader) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(b, off)
	c.p.add(n)
	return n, err
}

// add says that n more bytes were read.
func (p *Progress) add(n int) {
	if p.Report == nil || n <= 0 {
		return
	}
	p.read += int64(n)
	if p.Unknown {
		p.Report(p.read, 0)
		return
	}
	p.Report(min(p.read, p.Total), p.Total) // of an archive some is read twice
}

// translated is what a reader of another text has made of it.
type translated struct {
	out  []byte
	sent int   // of out
	err  error // after out
}

// read reads what was made. Where there is nothing more, next makes more, or sets the error.
func (t *translated) read(b []byte, next func()) (int, error) {
	for t.sent == len(t.out) {
		if t.err != nil {
			return 0, t.err
		}
		t.out, t.sent = t.out[:0], 0
		next()
	}
	n := copy(b, t.out[t.sent:])
	t.sent += n
	return n, nil
}

// passEmptyLines takes over empty lines that begin r, and reports whether there were any.
func (t *translated) passEmptyLines(r *bufio.Reader) bool {
	n, lines := emptyLines(r)
	r.Discard(n)
	t.out = append(t.out, bytes.Repeat([]byte{'\n'}, lines)...)
	return n > 0
}

// utf16Reader reads UTF-16 and returns UTF-8.
type utf16Reader struct {
	translated
	r     io.Reader
	order binary.ByteOrder
	in    [4096]byte
	held  int // how many bytes of in are not decoded yet
}

// utf16Order returns the byte order of UTF-16 by its mark, or by two characters of ASCII. It
// is nil for what is no UTF-16.
func utf16Order(head []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return binary.BigEndian
	case len(head) < 4:
	case head[1] == 0 && head[3] == 0 && isPrinted(head[0]) && isPrinted(head[2]):
		return binary.LittleEndian
	case head[0] == 0 && head[2] == 0 && isPrinted(head[1]) && isPrinted(head[3]):
		return binary.BigEndian
	}
	return nil
}

// isPrinted reports whether c is a character of ASCII that text begins with.
func isPrinted(c byte) bool { return c > ' ' && c < 0x7f || c == ' ' || c == '\n' || c == '\r' }

// IsTranslated reports whether head begins as an input does that Open returns as another text: UTF-16, what Python
// prints, what journalctl exports, what asciinema records.
func IsTranslated(head []byte) bool {
	return utf16Order(head) != nil || isPython(head) || isExported(head) || isCast(head)
}

func (u *utf16Reader) Read(p []byte) (int, error) { return u.read(p, u.decode) }

// decode reads on, decodes the whole characters, and keeps the rest.
func (u *utf16Reader) decode() {
	var n int
	n, u.err = u.r.Read(u.in[u.held:])
	n += u.held
	i := 0
	for i+2 <= n {
		c := rune(u.order.Uint16(u.in[i:]))
		size := 2
		if utf16.IsSurrogate(c) {
			if i+4 > n && u.err == nil {
				break
			}
			size, c = u.pair(i, n, c)
		}
		if i += size; c == utf8.RuneError && size == 2 {
			u.out = append(u.out, 0xff) // so that it is found and reported as not UTF-8
		} else {
			u.out = utf8.AppendRune(u.out, c)
		}
	}
	if u.err != nil && i < n {
		u.out = append(u.out, 0xff)
		i = n
	}
	u.held = copy(u.in[:], u.in[i:n])
}

// pair decodes a surrogate pair. Its first half, at i, is first.
func (u *utf16Reader) pair(i, n int, first rune) (size int, c rune) {
	if i+4 <= n {
		if c := utf16.DecodeRune(first, rune(u.order.Uint16(u.in[i+2:]))); c != utf8.RuneError {
			return 4, c
		}
	}
	return 2, utf8.RuneError
}
