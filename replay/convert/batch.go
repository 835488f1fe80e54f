package convert

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/k8shark"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/trace"
)

// batch gathers the inputs of one Convert, with what is in their archives.
type batch struct {
	limits   capture.Limits
	progress *capture.Progress
	sources  []*capture.Source
	passed   int64    // files of folders and archives that are no captures
	logs     []string // the names of those that are logs
	failed   []trace.Problem
	first    error // why the first input that isn't loose can't be read
}

// maxNested is how deep archives may lie in each other.
const maxNested = 3

// add takes an input, which lies in so many archives.
func (b *batch) add(in Input, depth int) {
	s, packed, err := newSource(in, b.limits, b.progress)
	switch {
	case err != nil && in.Loose && !errors.As(err, new(inflate.LimitError)) && !errors.As(err, new(Unopened)):
		b.passed++
	case err != nil:
		b.fail(in, err)
	case packed == unpacked && in.Loose && s.Form.Overlays: // a support bundle has hundreds, of any programs
		b.logs = append(b.logs, in.Name)
	case packed == unpacked:
		b.sources = append(b.sources, s)
	case depth == maxNested:
		b.passed++
	default:
		before, passed := len(b.sources), b.passed
		if err := b.unpack(s, packed, depth); err != nil {
			b.fail(in, err)
		} else if n := b.passed - passed; len(b.sources) == before && depth == 0 && !in.Loose {
			b.fail(in, fault.Number("noneInArchive n", n))
		}
		if depth == 0 {
			b.weigh(in.Size, b.sources[before:])
		}
	}
}

// weigh scales the progress of reading the captures in an archive: together they count
// as many bytes as the archive, which is compressed.
func (b *batch) weigh(size int64, captures []*capture.Source) {
	var sum int64
	for _, s := range captures {
		sum += s.Size
	}
	if sum == 0 {
		return
	}
	b.progress.Total += size - sum
	for _, s := range captures {
		s.Weight = float64(size) / float64(sum)
	}
}

// fail takes note of an input that can't be read.
func (b *batch) fail(in Input, err error) {
	err = capture.Named(in.Name, err)
	if b.first == nil {
		b.first = err
	}
	b.failed = append(b.failed, trace.Problem{Kind: trace.Source, Err: err})
}

// emptyError returns an error that says why there is nothing to convert.
func (b *batch) emptyError() error {
	switch more := len(b.failed) - 1; {
	case b.first == nil && len(b.logs) > 0:
		return capture.Named(b.logs[0], fault.Plain("logAlone"))
	case b.first == nil:
		return fault.Number("noneOfFiles n", b.passed)
	case more > 0:
		return fault.New("norMore why n", b.first, more)
	}
	return b.first
}

// notes returns what the trace says about the inputs that are not in it.
func (b *batch) notes() []capture.Note {
	var all []capture.Note
	for _, p := range b.failed {
		all = append(all, capture.Note{Problem: p})
	}
	if n := len(b.logs); n > 0 {
		const named = 3
		detail := strings.Join(b.logs[:min(n, named)], ", ")
		if n > named {
			detail += ", …"
		}
		all = append(all, capture.Note{Remark: trace.Remark{ID: remarks.LogsNamed, Count: int64(n), Detail: detail}})
	}
	if b.passed > 0 {
		all = append(all, capture.Note{Remark: trace.Remark{ID: remarks.PassedOver, Count: b.passed}})
	}
	return all
}

// packing is a kind of archive.
type packing uint8

const (
	unpacked packing = iota
	tarred
	zipped
)

// packingOf returns how an archive is packed, by its beginning.
func packingOf(head []byte) packing {
	const magic = 257
	switch {
	case len(head) > magic+5 && string(head[magic:magic+5]) == "ustar":
		return tarred
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return zipped
	}
	return unpacked
}

// maxEntries is how many files an archive may hold.
const maxEntries = 1_000_000

var errEntries = inflate.LimitError{Err: fault.Number("manyEntries max", maxEntries)}

// unpack adds the captures that are in an archive. What was found before an error
// stays.
func (b *batch) unpack(s *capture.Source, packed packing, depth int) error {
	in, closer, err := s.Open()
	if err != nil {
		return err
	}
	defer closer.Close()
	if packed == zipped {
		return b.unzip(s, in, depth)
	}
	return b.untar(s, in, depth)
}

// unzip adds the captures that are in a zip archive, or that it is one of k8shark.
func (b *batch) unzip(s *capture.Source, in io.Reader, depth int) error {
	z, err := s.Zip(in)
	if err != nil {
		return err
	}
	if len(z.File) > maxEntries {
		return errEntries
	}
	for _, f := range z.File {
		if name := f.Name; name == k8shark.IndexName || strings.HasSuffix(name, "/"+k8shark.IndexName) {
			s.Form, s.Progress = &k8shark.Form, b.progress
			b.progress.Total += s.Size
			b.sources = append(b.sources, s)
			return nil
		}
	}
	budget := inflate.NewBudget(b.limits.MaxInflated)
	for _, f := range z.File {
		if f.Mode().IsDir() {
			continue
		}
		b.add(Input{Name: s.Name + "/" + f.Name, Size: int64(f.UncompressedSize64), Loose: true, Kind: s.Kind, Open: func() (io.ReadCloser, error) {
			r, err := f.Open()
			if err != nil {
				return nil, inflate.Readable(err)
			}
			return &metered{inflate.Reader{R: r, Budget: budget}, r}, nil
		}}, depth+1)
		if budget.Remaining <= 0 {
			return inflate.ErrLimit(budget.Limit)
		}
	}
	return nil
}

// metered closes what it reads out of a budget that it shares with others.
type metered struct {
	inflate.Reader
	io.Closer
}

// untar adds the captures that are in a tar archive. They are held in memory, because
// a compressed archive can only be read from its beginning to its end.
func (b *batch) untar(s *capture.Source, in io.Reader, depth int) error {
	held := s.Limits.MaxHeld
	t := tar.NewReader(in)
	for n := 0; ; n++ {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return nil
		case n == maxEntries:
			return errEntries
		case errors.Is(err, tar.ErrHeader):
			return fault.Number("tarDamaged n", int64(n))
		case err != nil:
			return inflate.Readable(err)
		case h.Typeflag != tar.TypeReg:
			continue
		}
		name := s.Name + "/" + h.Name
		r := bufio.NewReaderSize(t, capture.Glance)
		head, err := r.Peek(capture.Glance)
		if err != nil && err != io.EOF {
			return inflate.Readable(err)
		}
		if worth, isLog := worthUnpacking(head); isLog {
			b.logs = append(b.logs, name)
			continue
		} else if !worth {
			b.passed++
			continue
		}
		content, err := io.ReadAll(io.LimitReader(r, held+1))
		if err != nil {
			return inflate.Readable(err)
		}
		if held -= int64(len(content)); held < 0 {
			return inflate.LimitError{Err: fault.Number("largeArchive max", s.Limits.MaxHeld)}
		}
		before := len(b.sources)
		b.add(Input{Name: name, Size: int64(len(content)), ReaderAt: bytes.NewReader(content), Loose: true, Kind: s.Kind, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(content)), nil
		}}, depth+1)
		if len(b.sources) == before {
			held += int64(len(content))
		}
	}
}

// worthUnpacking reports whether a file that begins with head may be a capture, or is a log.
func worthUnpacking(head []byte) (worth, isLog bool) {
	if len(head) == 0 {
		return false, false
	}
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) || capture.IsTranslated(head) || packingOf(head) != unpacked {
		return true, false
	}
	f, _, err := sniff(head, "", true)
	return err == nil, err == nil && f.Overlays
}
