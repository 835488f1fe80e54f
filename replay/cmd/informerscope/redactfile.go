package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/trace"
)

// redaction is one run. What is taken out is counted in the header, which stands
// first: so the rest goes to a temporary file, without secrets, before.
type redaction struct {
	ctx     context.Context
	in, out string
	r       *redact.Redactor
	learn   bool // read the input twice
	read    told
	damage  error
	header  []byte
	lines   int64
}

func (j *redaction) run(stdout, stderr io.Writer) (err error) {
	if j.out != "-" {
		if _, err := os.Lstat(j.out); err == nil {
			return fmt.Errorf("%s is there already; give another name", j.out)
		}
	}
	defer j.read.bar.done()
	if j.learn {
		if err := j.each(j.r.Learn); err != nil {
			return err
		}
	}
	dir := os.TempDir()
	if j.out != "-" {
		dir = filepath.Dir(j.out)
	}
	rest, err := os.CreateTemp(dir, ".informerscope-redact-*")
	if err != nil {
		return err
	}
	defer os.Remove(rest.Name())
	defer rest.Close()
	if err := j.take(rest); err != nil {
		return err
	}
	j.read.bar.done()
	if _, err := rest.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := j.write(rest, stdout); err != nil {
		return err
	}
	for _, c := range j.r.Counts() {
		fmt.Fprintf(stderr, "taken out: %s\n", c)
	}
	if j.damage != nil {
		return fmt.Errorf("%s is damaged after line %d: %w; what stands before that was kept", j.in, j.lines, j.damage)
	}
	return nil
}

// take writes all lines but the header to rest, compressed.
func (j *redaction) take(rest io.Writer) error {
	z, err := zstd.NewWriter(rest, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(z, 1<<20)
	err = j.each(func(line []byte) {
		if j.lines == 1 {
			j.header = bytes.Clone(line)
		} else if kept := j.r.Line(line); kept != nil {
			out.Write(kept) // what fails here fails again at Flush
			out.WriteByte('\n')
		}
	})
	if err == nil {
		err = out.Flush()
	}
	if closed := z.Close(); err == nil {
		err = closed
	}
	return err
}

// each gives each line of the input to f, without its newline. What can't be
// read any further is damage, and no error.
func (j *redaction) each(f func(line []byte)) error {
	if j.in == "-" {
		j.read.in = readAhead(j.ctx, os.Stdin, readBy)
	} else {
		file, err := os.Open(j.in)
		if err != nil {
			return err
		}
		defer file.Close()
		j.read.in = file
		if info, err := file.Stat(); err == nil {
			j.read.total = info.Size()
		}
		if j.learn { // then it is read twice
			j.read.total *= 2
		}
	}
	plain, err := file.Plain(&j.read)
	if err != nil {
		return fmt.Errorf("%s: %w", j.in, err)
	}
	defer plain.Close()
	j.lines, j.damage = 0, nil
	lines := lineReader{r: bufio.NewReaderSize(plain, 1<<20), most: format.MaxLine}
	for {
		line, whole, err := lines.next()
		if err == nil || len(line) > 0 || !whole {
			j.lines++
			if j.lines == 1 {
				if err := isTrace(line); err != nil {
					return fmt.Errorf("%s: %w", j.in, err)
				}
			}
			if whole {
				f(line)
			} else {
				j.r.Drop()
			}
		}
		switch {
		case j.ctx.Err() != nil:
			return j.ctx.Err()
		case err == io.EOF && j.lines == 0:
			return fmt.Errorf("%s: %w", j.in, isTrace(nil))
		case err == io.EOF:
			return nil
		case err != nil && j.lines == 0:
			return fmt.Errorf("%s: %w", j.in, err)
		case err != nil:
			j.damage = err
			return nil
		}
	}
}

// isTrace fails unless line is the header of a trace that is understood.
func isTrace(line []byte) error {
	if !trace.IsHeader(line) {
		return errors.New("it is no trace of informerscope's own format; make one of it with: informerscope convert")
	}
	_, err := trace.NewDecoder(&trace.Trace{}, line)
	return err
}

// write writes the header, and the rest after it, as a new file.
func (j *redaction) write(rest io.Reader, stdout io.Writer) (err error) {
	header := j.r.Counted(j.header)
	if header == nil {
		return fmt.Errorf("%s: the header makes no sense", j.in)
	}
	out := stdout
	if j.out != "-" {
		file, failed := os.OpenFile(j.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if failed != nil {
			return failed
		}
		out = file
		defer func() {
			if closed := file.Close(); err == nil {
				err = closed
			}
			if err != nil {
				os.Remove(j.out) // half of a trace is of no use
			}
		}()
	}
	packed, err := packer(out, j.out)
	if err != nil {
		return err
	}
	unpack, err := zstd.NewReader(rest, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer unpack.Close()
	if _, err = packed.Write(append(header, '\n')); err == nil {
		_, err = io.Copy(packed, unpack)
	}
	if closed := packed.Close(); err == nil {
		err = closed
	}
	return err
}

// packer compresses what goes to w as the name of the file says. Closing it does
// not close w.
func packer(w io.Writer, name string) (io.WriteCloser, error) {
	switch {
	case strings.HasSuffix(name, ".gz"):
		return gzip.NewWriter(w), nil
	case strings.HasSuffix(name, ".zst"):
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return struct {
		io.Writer
		io.Closer
	}{w, io.NopCloser(nil)}, nil
}

// lineReader reads lines of up to most bytes.
type lineReader struct {
	r    *bufio.Reader
	most int
	long []byte
}

// next returns a line without its newline, which holds until the next call.
// whole is false for one that is too long: it was passed over. The last line
// comes with the error.
func (l *lineReader) next() (line []byte, whole bool, err error) {
	l.long = l.long[:0]
	whole = true
	for {
		part, err := l.r.ReadSlice('\n')
		if err == nil && len(l.long) == 0 && whole {
			return part[:len(part)-1], true, nil
		}
		if whole && len(l.long)+len(part) <= l.most+1 {
			l.long = append(l.long, part...)
		} else {
			whole = false
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSuffix(l.long, []byte{'\n'}), whole, err
		}
	}
}
