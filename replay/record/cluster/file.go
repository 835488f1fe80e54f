package cluster

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// File is a trace's file, compressed as the end of its name says: .gz or .zst.
// All that was flushed can be read, even if the process is killed.
type File struct {
	// Redact, if it isn't nil, returns what is to be kept of each line, or nil for
	// nothing.
	Redact func(line []byte) []byte

	file       *os.File // nil for a pipe
	compressed io.Writer
	lines      *bufio.Writer
	pack       packer // nil for none
	good       int64  // bytes of the file that hold whole lines
	size       int64  // bytes written to it
	failed     error
}

// packer is a gzip or zstd writer.
type packer interface {
	io.WriteCloser
	Flush() error
}

// Create makes a new file that only this user can read. It fails if there is a file of
// that name. The name "-" stands for w.
func Create(name string, w io.Writer) (*File, error) {
	f := &File{compressed: w}
	if name != "-" {
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			return nil, errors.New(name + " is there already; give another name with -o")
		}
		if err != nil {
			return nil, err
		}
		f.file, f.compressed = file, file
	}
	out := io.Writer(counted{f})
	switch {
	case strings.HasSuffix(name, ".gz"):
		z, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
		if err != nil {
			return nil, err
		}
		f.pack = z
	case strings.HasSuffix(name, ".zst"):
		z, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
		if err != nil {
			return nil, err
		}
		f.pack = z
	}
	if f.pack != nil {
		out = f.pack
	}
	f.lines = bufio.NewWriterSize(out, 64<<10)
	return f, nil
}

// counted writes to the file and counts.
type counted struct{ f *File }

func (c counted) Write(b []byte) (int, error) {
	n, err := c.f.compressed.Write(b)
	c.f.size += int64(n)
	return n, err
}

// Size returns how much was written to the file, in bytes.
func (f *File) Size() int64 { return f.size }

// Write takes a line.
func (f *File) Write(line []byte) (int, error) {
	if f.Redact != nil {
		kept := f.Redact(bytes.TrimSuffix(line, []byte("\n")))
		if kept == nil {
			return len(line), f.failed
		}
		f.lines.Write(kept) // a bufio.Writer's error comes again
		return len(line), f.fail(f.lines.WriteByte('\n'))
	}
	n, err := f.lines.Write(line)
	return n, f.fail(err)
}

// Flush writes all lines to the file.
func (f *File) Flush() error {
	if f.lines.Buffered() == 0 && f.size == f.good {
		return f.failed
	}
	err := f.lines.Flush()
	if err == nil && f.pack != nil {
		err = f.pack.Flush()
	}
	if err == nil {
		f.good = f.size
	}
	return f.fail(err)
}

// Close ends the file. If writing has failed, it cuts the file after the last whole
// line and returns the error.
func (f *File) Close() error {
	err := f.Flush()
	if err == nil && f.pack != nil {
		err = f.fail(f.pack.Close())
	}
	if f.file == nil {
		return err
	}
	if err != nil {
		err = errors.Join(err, f.file.Truncate(f.good))
	}
	return errors.Join(err, f.file.Close())
}

func (f *File) fail(err error) error {
	if f.failed == nil {
		f.failed = err
	}
	return f.failed
}
