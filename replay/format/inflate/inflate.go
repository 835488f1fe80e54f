// Package inflate is for code that uncompresses captures: it has a limit, and errors that people understand.
package inflate

import (
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

// MaxWindow is how far a zstd decoder can look back, in bytes. An input may not
// ask for more. The format asks so much of every decoder.
const MaxWindow = 128 << 20

var (
	errCut     = errors.New("what is compressed ends too early: the file is cut")
	errDamaged = errors.New("what is compressed is damaged")
	errWindow  = LimitError{"it is compressed with a window of more than 128 MiB, which is the limit (zstd --long=27 stays below it)"}
)

// LimitError says which limit an input is over.
type LimitError struct{ Says string }

func (e LimitError) Error() string { return e.Says }

// TooMuch is the error for more than limit bytes.
func TooMuch(limit int64) error {
	return LimitError{"it is more than " + strconv.FormatInt(limit, 10) + " bytes when uncompressed, which is the limit"}
}

// Readable says in plain words why something that is compressed can't be read on.
func Readable(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errCut
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return errWindow
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat),
		errors.Is(err, zstd.ErrCRCMismatch), errors.Is(err, zstd.ErrMagicMismatch), errors.Is(err, zstd.ErrUnknownDictionary),
		errors.As(err, new(flate.CorruptInputError)):
		return errDamaged
	}
	return err
}

// Reader reads R to a limit. Several may share a Budget.
type Reader struct {
	R      io.Reader
	Budget *Budget
}

// Budget is how much may still be read.
type Budget struct{ Left, Limit int64 }

// NewBudget returns a Budget of that many bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit, limit} }

func (r *Reader) Read(p []byte) (int, error) {
	b := r.Budget
	if b.Left <= 0 {
		return 0, TooMuch(b.Limit)
	}
	n, err := r.R.Read(p[:min(int64(len(p)), b.Left)])
	b.Left -= int64(n)
	return n, Readable(err)
}
