package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/plain"
)

// Target is the file or the standard output that a trace is written to.
type Target struct {
	ctx       context.Context
	Name      string   // as it was given
	path      string   // of the file that will be replaced; "" for none
	permanent bool     // it is a device or a pipe, and is never removed
	file      *os.File // nil for the standard output
	lines     *bufio.Writer
	pack      io.WriteCloser
}

// Create opens the target. A file must not exist unless force is set; then a
// temporary file beside it is written first. Devices and pipes are opened as they
// are.
func Create(ctx context.Context, name string, force bool, stdout io.Writer) (*Target, error) {
	t := &Target{ctx: ctx, Name: name}
	under := stdout
	if name != Stdin {
		f, err := t.create(force)
		if err != nil {
			return nil, err
		}
		t.file, under = f, f
	}
	var err error
	if t.pack, err = Packer(under, name); err != nil {
		return nil, err
	}
	t.lines = bufio.NewWriterSize(t.pack, 256<<10)
	return t, nil
}

func (t *Target) create(force bool) (*os.File, error) {
	info, err := os.Stat(t.Name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return os.OpenFile(t.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	case err != nil:
		return nil, err
	case info.Mode()&(os.ModeDevice|os.ModeNamedPipe) != 0:
		t.permanent = true
		return os.OpenFile(t.Name, os.O_WRONLY, 0)
	case !force || !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is there already; give another name, or --force to replace a file", t.Name)
	}
	// A symbolic link stays, and its target is replaced.
	if t.path, err = filepath.EvalSymlinks(t.Name); err != nil {
		return nil, err
	}
	return os.CreateTemp(filepath.Dir(t.path), "."+filepath.Base(t.path)+".*")
}

// Write writes a line. A file that can be removed takes no more lines once its
// context is done.
func (t *Target) Write(line []byte) (int, error) {
	if t.Removable() {
		if err := t.ctx.Err(); err != nil {
			return 0, err
		}
	}
	return t.lines.Write(line)
}

// Removable reports whether the target is a file of our own making.
func (t *Target) Removable() bool { return t.file != nil && !t.permanent }

// Reopen removes what was written to a Removable file, and opens it again.
func (t *Target) Reopen() (*Target, error) {
	t.Close(cli.ErrInterrupted, 0) // that removes it
	return Create(t.ctx, t.Name, t.path != "", nil)
}

// Close ends the file. failed is the error that ended the conversion early, or nil.
// After a failure the file keeps the lines that were converted before. It is
// removed if the conversion was interrupted, or if writing failed.
func (t *Target) Close(failed error, lines int64) error {
	err := t.lines.Flush()
	if closed := t.pack.Close(); err == nil {
		err = closed
	}
	if t.file != nil {
		if closed := t.file.Close(); err == nil {
			err = closed
		}
	}
	written := err == nil
	switch {
	case !written: // failed comes from the same error
		err = Unwritten(t.Name, err)
	case failed == nil && t.path != "":
		err = os.Rename(t.file.Name(), t.path)
		failed = err
	default:
		err = failed
	}
	if err == nil || !t.Removable() {
		return err
	}
	untouched := ""
	if t.path != "" {
		untouched = "; " + t.Name + " is as it was"
	}
	if !written || lines == 0 || errors.Is(failed, cli.ErrInterrupted) {
		return errors.Join(fmt.Errorf("%w; nothing of it is kept%s", err, untouched), os.Remove(t.file.Name()))
	}
	return fmt.Errorf("%w; what was converted before that, %s, is in %s%s", err, plain.Plural(lines, "line"), t.file.Name(), untouched)
}

// Beside returns the name of a new file beside the file name: web.small.jsonl beside web.jsonl, if the word is small. Where
// the new file becomes a trace, it is web.small.trace.jsonl.
func Beside(name, word string, becomesTrace bool) string {
	base := filepath.Base(name)
	stem, rest := base, ""
	if i := strings.IndexByte(base, '.'); i > 0 { // a hidden file begins with a dot
		stem, rest = base[:i], base[i:]
	}
	if becomesTrace {
		packed := filepath.Ext(rest)
		if rest = ".trace.jsonl"; packed == ".gz" || packed == ".zst" {
			rest += packed
		}
	}
	return filepath.Join(filepath.Dir(filepath.Clean(name)), stem+"."+word+rest)
}

// Unwritten says that a file could not be written. It leaves out the call that
// failed, and the name of a temporary file.
func Unwritten(name string, err error) error {
	if name == Stdin {
		name = "the standard output"
	}
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s could not be written: %w", name, err)
}

// Packer returns a Writer that compresses in the way that the file's name says, and
// writes to w. Closing it does not close w.
func Packer(w io.Writer, name string) (io.WriteCloser, error) {
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
