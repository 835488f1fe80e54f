// Package inflate is for code that uncompresses captures: it has a limit, and errors that people understand.
package inflate

import (
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/engine/fault"
)

// MaxWindow is how far a zstd decoder can look back, in bytes. An input may not
// ask for more. The format asks so much of every decoder.
const MaxWindow = 128 << 20

const (
	errCut     = fault.Plain("compressedCut")
	errDamaged = fault.Plain("compressedDamaged")
)

// LimitError says which limit an input is over.
type LimitError struct{ Err error }

// Error returns the English sentence.
func (e LimitError) Error() string { return e.Err.Error() }

// Fault returns the error with an id.
func (e LimitError) Fault() error { return e.Err }

// ErrLimit returns the error for more than limit bytes.
func ErrLimit(limit int64) error { return LimitError{fault.Number("inflatesBeyond max", limit)} }

// Readable says in plain words why something that is compressed can't be read on.
func Readable(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errCut
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return LimitError{fault.Number("wideWindow max", MaxWindow>>20)}
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
type Budget struct{ Remaining, Limit int64 }

// NewBudget returns a Budget of that many bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit, limit} }

// Read reads from R, and fails with ErrLimit where the Budget is used up.
func (r *Reader) Read(p []byte) (int, error) {
	b := r.Budget
	if b.Remaining <= 0 {
		return 0, ErrLimit(b.Limit)
	}
	n, err := r.R.Read(p[:min(int64(len(p)), b.Remaining)])
	b.Remaining -= int64(n)
	return n, Readable(err)
}
