// Package files opens what commands read, creates what they write, and shows how far they are.
package files

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
)

// Stdin is the file name that stands for the standard input.
const Stdin = "-"

// readBy is how many bytes are read at once.
const readBy = 1 << 20

// Captures are the inputs of a command: files, pipes, and the standard input.
type Captures struct {
	Ctx    context.Context
	Inputs []convert.Input
	Bar    *Bar
	Recent *format.Recent // is kept while the captures are read, unless it is nil
	once   []*rereadable  // the standard input and pipes, which can be read once only
}

// givenKey is the key of the inputs that a context holds.
type givenKey struct{}

// WithInput returns a context in which Open opens in, whatever names it is given. Whoever runs a command in it may open what no file
// name says.
func WithInput(ctx context.Context, in convert.Input) context.Context {
	return context.WithValue(ctx, givenKey{}, in)
}

// IsGiven reports whether a context is made by WithInput. A command that runs in it writes no file.
func IsGiven(ctx context.Context) bool { return ctx.Value(givenKey{}) != nil }

// Open checks that the files are there, but opens none. Reading them ends
// with ctx.
func Open(ctx context.Context, names []string, stdin io.Reader, b *Bar) (*Captures, error) {
	c := &Captures{Ctx: ctx, Bar: b}
	if in, ok := ctx.Value(givenKey{}).(convert.Input); ok {
		c.Inputs = append(c.Inputs, in)
		return c, nil
	}
	for i, name := range names {
		if name == Stdin {
			if slices.Contains(names[:i], name) {
				return nil, errors.New("the standard input can be read once only")
			}
			c.readOnce("the standard input", stdin)
			continue
		}
		info, err := Stat(name)
		if err != nil {
			return nil, err
		}
		switch {
		case info.IsDir():
			if err := c.folder(name); err != nil {
				return nil, err
			}
		case info.Mode().IsRegular():
			c.Inputs = append(c.Inputs, c.file(name, info))
		default: // a pipe, such as <(COMMAND) of a shell
			c.readOnce(name, &lazyPipe{name: name})
		}
	}
	return c, nil
}

// KindFlag adds the flag that names the kind of objects that don't say it.
func KindFlag(c *cobra.Command, kind *string) {
	c.Flags().StringVar(kind, "kind", "", "the `kind` of objects that don't say it, such as Pod, deployments.apps or apps/v1/Deployment")
}

// SetKind sets the kind of objects in the inputs that don't say it.
func (c *Captures) SetKind(kind string) {
	for i := range c.Inputs {
		c.Inputs[i].Kind = kind
	}
}

// Stat returns what there is under a name, or an error that says in one line that there is nothing.
func Stat(name string) (fs.FileInfo, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file or folder", name)
	}
	return info, err
}

// readOnce adds an input that can be read once only.
func (c *Captures) readOnce(name string, in io.Reader) {
	r := &rereadable{in: readAhead(c.Ctx, in, readBy)}
	c.once = append(c.once, r)
	c.Inputs = append(c.Inputs, convert.Input{Name: name, Open: r.open})
}

// lazyPipe is a pipe that is opened when it is first read, because opening it waits for
// who writes to it.
type lazyPipe struct {
	name string
	file *os.File
}

func (l *lazyPipe) Read(p []byte) (n int, err error) {
	if l.file == nil {
		if l.file, err = os.Open(l.name); err != nil {
			return 0, err
		}
	}
	if n, err = l.file.Read(p); err != nil {
		l.file.Close()
	}
	return n, err
}

// file returns the input in a regular file.
func (c *Captures) file(name string, info fs.FileInfo) convert.Input {
	in := convert.Input{Name: name, Size: info.Size(), ReaderAt: lateOpen(name)}
	in.Open = func() (io.ReadCloser, error) {
		f, err := os.Open(name)
		if err != nil {
			return nil, convert.Unopened{Err: err}
		}
		return &interruptible{ReadCloser: f, ctx: c.Ctx}, nil
	}
	return in
}

// Captured is what was read.
type Captured struct {
	Trace *trace.Trace
	Bytes int64 // of uncompressed JSON, after the conversion if there was one
}

// Read reads the inputs as one trace. It calls begin with the empty Trace, and then
// the function that begin returned whenever the Trace has grown. If an input turns
// out to need converting, Read starts again with a new Trace and calls begin
// again. It fails if there is nothing to show, if grown fails, or if ctx is done.
func (c *Captures) Read(begin func(*trace.Trace) (grown func() error)) (*Captured, error) {
	defer c.Bar.Done()
	if len(c.Inputs) == 1 && !c.Inputs[0].Loose {
		out, err := c.Direct(c.Inputs[0], begin)
		if !errors.As(err, new(format.Foreign)) {
			return out, err
		}
	}
	out, err := c.convert(begin)
	return out, c.Explained(err)
}

// Explained returns err, or what the only input is where that is a script or a lesson and no capture.
func (c *Captures) Explained(err error) error {
	if err == nil || len(c.once) > 0 {
		return err
	}
	if text, _ := c.Script(); text == "" {
		return err
	}
	name := c.Inputs[0].Name
	return fmt.Errorf("%s: this is a script, and not a capture: informerscope run %s plays it, and informerscope open %s shows it", name, name, name)
}

// Script returns the text of the only input where that is a script or a lesson, "" where it is anything else.
func (c *Captures) Script() (text string, isLesson bool) {
	if len(c.Inputs) != 1 || c.Inputs[0].Loose {
		return "", false
	}
	f, err := c.Inputs[0].Open()
	if err != nil {
		return "", false
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(f, head)
	text = syntax.Text(head[:n])
	if isLesson = lesson.IsLesson(text); !isLesson && !syntax.LooksLikeScript(text) {
		return "", false
	}
	rest, _ := io.ReadAll(io.LimitReader(f, script.MaxBytes)) // what is longer is refused by its length
	return text + string(rest), isLesson
}

// Direct reads one input without converting it. It fails with format.Foreign if
// the input needs converting.
func (c *Captures) Direct(in convert.Input, begin func(*trace.Trace) func() error) (*Captured, error) {
	f, err := in.Open()
	if err != nil {
		return nil, err
	}
	r := format.NewReader(format.Options{})
	out := &Captured{Trace: r.Trace()}
	c.Recent.Begin(0)
	grown := begin(out.Trace)
	plain, err := file.Plain(&progressReader{in: f, total: in.Size, report: c.Bar.Set})
	if err != nil {
		f.Close()
		r.Fail(err)
		return out, c.named(in, r.Close())
	}
	ctx, stop := context.WithCancel(c.Ctx)
	var all io.Reader = plain
	if len(c.once) == 0 {
		all = fullReads{plain}
	}
	source := readAhead(ctx, all, readBy)
	defer func() {
		stop()
		select {
		case <-source.done:
			plain.Close()
			f.Close()
		case <-c.Ctx.Done(): // the goroutine may hang in a Read
		}
	}()
	settled := func() error {
		err := grown()
		if err == nil && len(c.once) > 0 && native(out.Trace) {
			c.once[0].settle() // it is the only input
		}
		return err
	}
	if err := c.take(vet(ctx, source, readBy), r, out, settled, func(err error) error { return c.named(in, err) }); err != nil {
		return nil, err
	}
	if err := r.Close(); err != nil {
		return nil, c.named(in, err)
	}
	return out, grown()
}

// take reads an input to its end, or until grown fails. What the Reader refuses it with is told as
// refused says.
func (c *Captures) take(in *ahead, r *format.Reader, out *Captured, grown func() error, refused func(error) error) error {
	for {
		p := in.next()
		if c.Ctx.Err() != nil {
			return c.Ctx.Err()
		}
		out.Bytes += int64(len(p.b))
		c.Recent.Add(p.b)
		if err := r.WriteVetted(p.b, p.sound); err != nil {
			return refused(err)
		}
		if len(p.b) > 0 {
			if err := grown(); err != nil {
				return err
			}
			c.Recent.Forget(r.ValueOffset())
		}
		if p.err != nil {
			if p.err != io.EOF {
				r.Fail(p.err)
			}
			return nil
		}
	}
}

// native reports whether enough was read to know that the input needs no
// converting.
func native(t *trace.Trace) bool {
	if t.Header.Version > 0 {
		return true
	}
	for _, r := range t.Resources {
		if r.Events > 0 {
			return true
		}
	}
	return false
}

// convert reads the inputs by converting them to our own format first, in a goroutine of its own.
func (c *Captures) convert(begin func(*trace.Trace) func() error) (*Captured, error) {
	r := format.NewReader(format.Options{})
	out := &Captured{Trace: r.Trace()}
	c.Recent.Begin(0)
	grown := begin(out.Trace)
	ctx, stop := context.WithCancel(c.Ctx)
	from, to := io.Pipe()
	over := make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(to, readBy)
		_, err := convert.Convert(w, c.Inputs, convert.Options{Progress: c.Bar.Set})
		w.Flush() // fails where nobody reads any more
		to.Close()
		over <- err
	}()
	err := c.take(vet(ctx, fullReads{from}, readBy), r, out, grown, func(err error) error { return err })
	stop()
	from.Close()
	var why error
	select {
	case why = <-over:
	case <-c.Ctx.Done(): // the goroutine may hang in a Read
		return nil, c.Ctx.Err()
	}
	switch {
	case err != nil:
		return nil, err
	case why != nil && out.Trace.Records == 0:
		return nil, why
	case why != nil:
		r.Fail(why)
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return out, grown()
}

// named adds the input's name to err.
func (c *Captures) named(in convert.Input, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", in.Name, err)
}

// Telling returns a Reader of in that reports its progress.
func Telling(in io.Reader, total int64, tell func(read, total int64)) io.Reader {
	return &progressReader{in: in, total: total, report: tell}
}

// progressReader is a Reader that reports its progress.
type progressReader struct {
	in          io.Reader
	read, total int64
	report      func(read, total int64)
}

func (t *progressReader) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	t.read += int64(n)
	t.report(t.read, t.total)
	return n, err
}

// stopped is a context's error in words for a trace, which convert writes as the
// problem that ended an input.
type stopped struct{ error }

func (s stopped) Error() string { return "the reading was interrupted here" }
func (s stopped) Unwrap() error { return s.error }

// interruptible is a file that can't be read once ctx is done.
type interruptible struct {
	io.ReadCloser
	ctx context.Context
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, stopped{err}
	}
	return i.ReadCloser.Read(p)
}

// lateOpen is the name of a file that each ReadAt opens. Only archives are read
// that way, so that other inputs hold no open file.
type lateOpen string

func (name lateOpen) ReadAt(p []byte, off int64) (int, error) {
	f, err := os.Open(string(name))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(p, off)
}

// InMemory returns an input that lies in memory.
func InMemory(name string, lines [][]byte) *Captures {
	text := append(bytes.Join(lines, []byte("\n")), '\n')
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	return &Captures{Ctx: context.Background(), Inputs: []convert.Input{{Name: name, Size: int64(len(text)), Open: open}}}
}
