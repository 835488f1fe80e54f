package convert

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/informerscope/informerscope/replay/format/inflate"
)

// archives are the formats that are packed in one way or another.
var archives = []form{
	kshrkForm,
	{
		id: "age", convert: func(*conversion) error { return errEncrypted },
		knows: func(head []byte) bool {
			return bytes.HasPrefix(head, []byte(ageHeader)) || bytes.HasPrefix(head, []byte("-----BEGIN AGE ENCRYPTED FILE-----"))
		},
	},
	sktraceForm,
}

// ageHeader is what begins a file that is encrypted with age.
const ageHeader = "age-encryption.org/"

// errEncrypted tells what to do about it. k8shark encrypts its captures so.
var errEncrypted = errors.New("it is encrypted with age: decrypt it first (age --decrypt -o DECRYPTED FILE), and open what comes out")

// packing is a kind of archive.
type packing uint8

const (
	unpacked packing = iota
	tarred
	zipped
)

// packingOf tells an archive by its beginning.
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

// archived opens the input as a zip archive. In reads it from its beginning.
func (s *source) archived(in io.Reader) (*zip.Reader, error) {
	var at io.ReaderAt = &countedAt{s.At, s.p}
	size := s.Size
	if s.At == nil || size == 0 || !s.archive {
		b, err := io.ReadAll(io.LimitReader(in, s.o.MaxHeld+1))
		switch {
		case err != nil:
			return nil, err
		case int64(len(b)) > s.o.MaxHeld:
			return nil, inflate.LimitError{Says: "an archive of more than " + itoa(s.o.MaxHeld) + " bytes can only be read as a file, uncompressed"}
		}
		at, size = bytes.NewReader(b), int64(len(b))
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return nil, errors.New("the zip archive is cut or damaged: its list of files, which is at its end, can't be read")
	}
	return z, nil
}

// maxEntries is how many files an archive may hold.
const maxEntries = 1_000_000

var errEntries = inflate.LimitError{Says: "the archive has more than " + itoa(maxEntries) + " entries, which is the limit"}

// unpack adds the captures that are in an archive. What was found before an error
// stays.
func (b *batch) unpack(s *source, depth int) error {
	in, closer, err := s.open()
	if err != nil {
		return err
	}
	defer closer.Close()
	if s.packed == zipped {
		return b.unzip(s, in, depth)
	}
	return b.untar(s, in, depth)
}

// unzip adds the captures that are in a zip archive, or that it is one of k8shark.
func (b *batch) unzip(s *source, in io.Reader, depth int) error {
	z, err := s.archived(in)
	if err != nil {
		return err
	}
	if len(z.File) > maxEntries {
		return errEntries
	}
	for _, f := range z.File {
		if name := f.Name; name == sharkIndexName || strings.HasSuffix(name, "/"+sharkIndexName) {
			s.form, s.packed, s.p = &kshrkForm, unpacked, b.p
			s.p.total += s.Size
			b.sources = append(b.sources, s)
			return nil
		}
	}
	budget := inflate.NewBudget(b.o.MaxInflated)
	for _, f := range z.File {
		if f.Mode().IsDir() {
			continue
		}
		b.add(Input{Name: s.Name + "/" + f.Name, Size: int64(f.UncompressedSize64), Loose: true, Open: func() (io.ReadCloser, error) {
			r, err := f.Open()
			if err != nil {
				return nil, inflate.Readable(err)
			}
			return &metered{inflate.Reader{R: r, Budget: budget}, r}, nil
		}}, depth+1)
		if budget.Left <= 0 {
			return inflate.TooMuch(budget.Limit)
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
func (b *batch) untar(s *source, in io.Reader, depth int) error {
	held := s.o.MaxHeld
	t := tar.NewReader(in)
	for n := 0; ; n++ {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return nil
		case n == maxEntries:
			return errEntries
		case errors.Is(err, tar.ErrHeader):
			return errors.New("the tar archive is damaged behind its " + itoa(int64(n)) + " first entries")
		case err != nil:
			return inflate.Readable(err)
		case h.Typeflag != tar.TypeReg:
			continue
		}
		name := s.Name + "/" + h.Name
		r := bufio.NewReaderSize(t, glance)
		head, err := r.Peek(glance)
		if err != nil && err != io.EOF {
			return inflate.Readable(err)
		}
		if !worthUnpacking(head) {
			b.passed++
			continue
		}
		content, err := io.ReadAll(io.LimitReader(r, held+1))
		if err != nil {
			return inflate.Readable(err)
		}
		if held -= int64(len(content)); held < 0 {
			return inflate.LimitError{Says: "the captures in the archive are more than " + itoa(s.o.MaxHeld) + " bytes, which is the limit: unpack it, and open the folder"}
		}
		before := len(b.sources)
		b.add(Input{Name: name, Size: int64(len(content)), At: bytes.NewReader(content), Loose: true, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(content)), nil
		}}, depth+1)
		if len(b.sources) == before {
			held += int64(len(content))
		}
	}
}

// worthUnpacking tells by the beginning of a file whether it may be a capture.
func worthUnpacking(head []byte) bool {
	if len(head) == 0 {
		return false
	}
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) || utf16Order(head) != nil || packingOf(head) != unpacked {
		return true
	}
	_, _, err := sniff(head, "", true)
	return err == nil
}
