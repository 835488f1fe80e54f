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
	"github.com/informerscope/informerscope/replay/format/inflate"
)

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

var errEntries = inflate.LimitError{Why: fault.Number("manyEntries max", maxEntries)}

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
		if budget.Left <= 0 {
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
			return inflate.LimitError{Why: fault.Number("largeArchive max", s.Limits.MaxHeld)}
		}
		before := len(b.sources)
		b.add(Input{Name: name, Size: int64(len(content)), At: bytes.NewReader(content), Loose: true, Kind: s.Kind, Open: func() (io.ReadCloser, error) {
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
	return err == nil, err == nil && f.Over
}
