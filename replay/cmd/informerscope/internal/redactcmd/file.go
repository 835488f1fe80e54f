package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/trace"
)

// redaction is one run of redact. The header, which stands first, counts what was
// taken out. So the redacted lines go to a temporary file until the counts are
// known.
type redaction struct {
	captures *captures
	name     string // of the input, which may be a folder
	r        *redact.Redactor
	learn    bool // read the input twice
	out      string
	foreign  bool // the input is converted, because it is no trace
	passes   int64
	sum      *convert.Summary // of the conversion
	damage   error
	header   []byte
	lines    int64
}

// run redacts names[0] and writes the result to names[1], or to a file beside
// names[0].
func (j *redaction) run(names []string, stdout, stderr io.Writer) (err error) {
	defer j.captures.bar.done()
	if err := j.detect(); err != nil {
		return err
	}
	j.out = redactedName(names, j.foreign)
	dir := os.TempDir()
	if j.out != stdinName {
		if _, err := os.Lstat(j.out); err == nil {
			return fmt.Errorf("%s is there already; give another name", j.out)
		}
		dir = filepath.Dir(j.out)
	}
	if j.learn {
		if err := j.each(j.r.Learn); err != nil {
			return err
		}
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
	j.captures.bar.done()
	if _, err := rest.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := j.write(rest, stdout); err != nil {
		return err
	}
	for _, c := range j.r.Counts() {
		fmt.Fprintf(stderr, "taken out: %s\n", c)
	}
	if j.sum != nil {
		tellSummary(stderr, names[:1], j.out, j.sum)
		return damageIn(j.sum.Problem, j.sum.Gaps, j.sum.Lost, false)
	}
	if j.damage != nil {
		return exitError{exitDamaged, fmt.Errorf("%s is damaged after line %d: %w; what stands before that was kept", j.name, j.lines, j.damage)}
	}
	return nil
}

func (j *redaction) in() *convert.Input { return &j.captures.inputs[0] }

// detect finds out whether the input must be converted.
func (j *redaction) detect() error {
	if j.foreign = len(j.captures.inputs) > 1 || j.in().Loose; j.foreign {
		return nil
	}
	f, err := j.in().Open()
	if err != nil {
		return err
	}
	defer f.Close()
	plain, err := file.Plain(f)
	if err != nil {
		return fmt.Errorf("%s: %w", j.in().Name, err)
	}
	defer plain.Close()
	head, err := bufio.NewReaderSize(plain, headerSize).Peek(headerSize)
	if len(head) == 0 && err != io.EOF {
		return fmt.Errorf("%s: %w", j.in().Name, err)
	}
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	if j.foreign = !trace.Shallow(line) || !trace.IsHeader(line); j.foreign {
		return nil
	}
	if _, err := trace.NewDecoder(&trace.Trace{}, line); err != nil {
		return fmt.Errorf("%s: %w", j.in().Name, err)
	}
	return nil
}

// headerSize is how many bytes of the input are searched for a trace's header.
const headerSize = 1 << 20

// take keeps the header, and writes all other lines to rest, redacted and
// compressed.
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
			out.Write(kept) // an error comes again from Flush
			out.WriteByte('\n')
		}
	})
	if failed := cmp.Or(out.Flush(), z.Close()); err == nil && failed != nil {
		return unwritten(j.out, failed)
	}
	return err
}

// each calls f with each line of the input's trace, without its newline. Damage
// ends the input without an error.
func (j *redaction) each(f func(line []byte)) error {
	j.lines, j.damage = 0, nil
	read := j.direct
	if j.foreign {
		read = j.convert
	}
	err := read(f)
	j.passes++
	return cmp.Or(j.captures.ctx.Err(), err)
}

// progress shows how far all passes over the input are.
func (j *redaction) progress(read, total int64) {
	if j.learn {
		read, total = read+j.passes*total, 2*total
	}
	j.captures.bar.set(read, total)
}

func (j *redaction) convert(f func(line []byte)) (err error) {
	to := eachLine{func(line []byte) { j.lines++; f(line) }}
	j.sum, err = convert.Convert(to, j.captures.inputs, convert.Options{Progress: j.progress})
	return err
}

// eachLine is a Writer that gets one line with each Write.
type eachLine struct{ f func(line []byte) }

func (e eachLine) Write(line []byte) (int, error) {
	e.f(bytes.TrimSuffix(line, []byte{'\n'}))
	return len(line), nil
}

func (j *redaction) direct(f func(line []byte)) error {
	in, err := j.in().Open()
	if err != nil {
		return err
	}
	defer in.Close()
	plain, err := file.Plain(&told{in: in, total: j.in().Size, tell: j.progress})
	if err != nil {
		return fmt.Errorf("%s: %w", j.in().Name, err)
	}
	defer plain.Close()
	lines := lineReader{r: bufio.NewReaderSize(plain, 1<<20), most: format.MaxLine}
	for {
		line, whole, err := lines.next()
		if err == nil || len(line) > 0 || !whole {
			j.lines++
			if whole {
				f(line)
			} else {
				j.r.Drop()
			}
		}
		switch {
		case j.captures.ctx.Err() != nil || err == io.EOF:
			return nil
		case err != nil:
			j.damage = err
			return nil
		}
	}
}

// write writes the header and then the rest to a new file.
func (j *redaction) write(rest io.Reader, stdout io.Writer) (err error) {
	header := j.r.Counted(j.header)
	if header == nil {
		return fmt.Errorf("%s: the header makes no sense", j.name)
	}
	out := stdout
	if j.out != stdinName {
		file, failed := os.OpenFile(j.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if failed != nil {
			return failed
		}
		out = file
		defer func() {
			if closed := file.Close(); err == nil && closed != nil {
				err = unwritten(j.out, closed)
			}
			if err != nil {
				os.Remove(j.out) // the trace is not complete
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
		_, err = io.Copy(packed, &interruptible{ReadCloser: unpack.IOReadCloser(), ctx: j.captures.ctx})
	}
	if closed := packed.Close(); err == nil {
		err = closed
	}
	if err != nil && j.captures.ctx.Err() == nil {
		return unwritten(j.out, err)
	}
	return err
}

// redactedName returns the name of the result. A foreign input becomes a trace.
func redactedName(names []string, foreign bool) string {
	switch in := names[0]; {
	case len(names) > 1:
		return names[1]
	case in == stdinName:
		return stdinName
	default:
		base := filepath.Base(in)
		stem, rest, _ := strings.Cut(base, ".")
		if stem == "" { // a hidden file
			stem, rest = base, ""
		}
		if rest != "" {
			rest = "." + rest
		}
		if foreign {
			packed := filepath.Ext(rest)
			if rest = ".trace.jsonl"; packed == ".gz" || packed == ".zst" {
				rest += packed
			}
		}
		return filepath.Join(filepath.Dir(filepath.Clean(in)), stem+".redacted"+rest)
	}
}

// packer returns a Writer that compresses in the way that the file's name says, and
// writes to w. Closing it does not close w.
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

// lineReader reads lines of at most most bytes.
type lineReader struct {
	r    *bufio.Reader
	most int
	long []byte
}

// next returns a line without its newline. The line is valid until the next call.
// whole is false if the line was too long and was skipped. The last line comes
// together with the error.
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
