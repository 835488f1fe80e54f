package capture

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/wire"
	"github.com/informerscope/informerscope/replay/format/inflate"
)

// Glance is how much of an input's beginning tells its format, uncompressed.
const Glance = 64 << 10

// maxLayers is how many times an input may be compressed.
const maxLayers = 3

// Limits are those of reading. All are set.
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

	Form   *Form
	Layout Layout
	Alone  bool // it is one object, and nothing else

	stamps       *stamps // since it was opened last; nil where Layout has none
	uncompressed bool    // ReaderAt reads what Open does
}

// Open opens the source and peels its compressions off, whichever they are.
func (s *Source) Open() (*bufio.Reader, io.Closer, error) {
	file, err := s.File()
	if err != nil {
		return nil, nil, err
	}
	closers := closers{file}
	r := bufio.NewReaderSize(&counted{r: file, p: s.Progress, weight: s.Weight}, Glance)
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
			return s.plain(r), closers, nil
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

// plain makes UTF-8 of r, and takes away what stands around the values.
func (s *Source) plain(r *bufio.Reader) *bufio.Reader {
	head, _ := r.Peek(4)
	if order := utf16Order(head); order != nil {
		s.uncompressed = false
		r = NewReader(&utf16Reader{r: r, order: order})
	}
	if s.Layout == (Layout{}) {
		return r
	}
	s.stamps = nil
	if s.Layout.Stamps {
		s.stamps = &stamps{}
	}
	return NewReader(s.Layout.open(r, s.stamps))
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
	var at io.ReaderAt = &countedAt{s.ReaderAt, s.Progress}
	size := s.Size
	if s.ReaderAt == nil || size == 0 || !s.uncompressed {
		b, err := io.ReadAll(io.LimitReader(in, s.Limits.MaxHeld+1))
		switch {
		case err != nil:
			return nil, err
		case int64(len(b)) > s.Limits.MaxHeld:
			return nil, inflate.LimitError{Why: fault.Number("archiveAsFile max", s.Limits.MaxHeld)}
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
