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
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

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
	return t.Header.Version > 0 || slices.ContainsFunc(t.Resources, func(r *trace.Resource) bool { return r.Events > 0 })
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

// folder adds the files in a folder and below it, whatever they hold. It leaves out
// hidden files and folders, and all that is no regular file. A symbolic link is followed
// where it leads to a file or folder within the folder, hidden ones among them, and no
// file is added twice. A link that leads out of the folder or nowhere is an input that
// can't be read, which tells of it.
func (c *Captures) folder(name string) error {
	root, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	w := &walk{c: c, root: root, seen: map[string]bool{}}
	before := len(c.Inputs)
	if err := w.addFolder(name); err != nil {
		return err
	}
	// What a link leads to may come later under its own name, so links come last.
	for len(w.links) > 0 {
		link := w.links[0]
		w.links = w.links[1:]
		if err := w.follow(link); err != nil {
			return err
		}
	}
	if len(c.Inputs) == before {
		return fmt.Errorf("%s: the folder has no files", name)
	}
	return nil
}

// walk is the way through a folder.
type walk struct {
	c     *Captures
	root  string          // without links
	links []string        // that were met
	seen  map[string]bool // files and folders, by their names without links
}

// follow adds what a link leads to.
func (w *walk) follow(link string) error {
	real, err := filepath.EvalSymlinks(link)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(real)
	}
	within, outside := filepath.Rel(w.root, real)
	switch {
	case err != nil:
		w.refuse(link, "it is a symbolic link that leads nowhere")
	case outside != nil || !filepath.IsLocal(within):
		w.refuse(link, "it is a symbolic link that leads out of the folder, and such links are not followed")
	case info.IsDir():
		return w.addFolder(link)
	case info.Mode().IsRegular() && !w.seen[real]:
		w.add(link, real, info)
	}
	return nil
}

// refuse adds an input that can't be read.
func (w *walk) refuse(link, why string) {
	err := convert.Unopened{Err: errors.New(why)}
	w.c.Inputs = append(w.c.Inputs, convert.Input{Name: link, Loose: true, Open: func() (io.ReadCloser, error) { return nil, err }})
}

// add adds a regular file, whose name without links is real.
func (w *walk) add(path, real string, info fs.FileInfo) {
	w.seen[real] = true
	in := w.c.file(path, info)
	in.Loose = true
	w.c.Inputs = append(w.c.Inputs, in)
}

// addFolder adds the files in the folder name, and below it.
func (w *walk) addFolder(name string) error {
	real, err := filepath.EvalSymlinks(name)
	if err != nil || w.seen[real] {
		return err
	}
	return filepath.WalkDir(real, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := w.c.Ctx.Err(); err != nil {
			return err
		}
		shown := filepath.Join(name, strings.TrimPrefix(path, real)) // as the user named the folder
		switch {
		case path != real && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			if w.seen[path] {
				return fs.SkipDir
			}
			w.seen[path] = true
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			w.links = append(w.links, shown)
			return nil
		case !d.Type().IsRegular() || w.seen[path]:
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		w.add(shown, path, info)
		return nil
	})
}

// rereadable is the standard input or a pipe. Its beginning is held, so that it can be
// read again once its format is known.
type rereadable struct {
	in        io.Reader
	mu        sync.Mutex
	head      []byte
	discarded bool // the beginning is not held any more
	err       error
}

// maxReread is how many bytes of the beginning are held.
const maxReread = 64 << 20

func (s *rereadable) open() (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.discarded {
		return nil, errors.New("the input is too large to buffer for a second pass; save it to a file first")
	}
	return &reread{s: s}, nil
}

// settle lets go of the beginning, because it won't be read again.
func (s *rereadable) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.discarded, s.head = true, nil
}

// reread reads a rereadable once, from its beginning.
type reread struct {
	s      *rereadable
	offset int
	closed bool
}

func (r *reread) Read(p []byte) (int, error) {
	if n, err := r.readHeld(p); n > 0 || err != nil {
		return n, err
	}
	// This Read may take for ever, so it is not locked. Only one reread reads at a
	// time.
	n, err := r.s.in.Read(p)
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	if !s.discarded && len(s.head)+n <= maxReread {
		s.head = append(s.head, p[:n]...)
		r.offset = len(s.head)
	} else {
		s.discarded, s.head = true, nil
	}
	return n, err
}

// readHeld reads from the beginning that is held.
func (r *reread) readHeld(p []byte) (int, error) {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.offset < len(s.head) {
		n := copy(p, s.head[r.offset:])
		r.offset += n
		return n, nil
	}
	if r.closed {
		return 0, os.ErrClosed
	}
	return 0, s.err
}

func (r *reread) Close() error {
	r.closed = true
	return nil
}

// ahead reads in a goroutine of its own. So uncompressing runs beside the work on
// its result, and a Read returns as soon as ctx is done, whatever it waits for.
// The goroutine ends with ctx too, unless it hangs in a Read of the input, which
// nothing can interrupt.
type ahead struct {
	ctx    context.Context
	vets   bool
	full   chan piece
	empty  chan []byte
	done   chan struct{} // closed when the goroutine has ended
	now    piece
	offset int
}

// piece is the result of one Read.
type piece struct {
	b     []byte
	sound []format.Span // what format.Vet has found of b
	err   error         // that came after it
}

// aheadBy is how many pieces are read in advance.
const aheadBy = 2

// readAhead reads in by pieces of at most size bytes.
func readAhead(ctx context.Context, in io.Reader, size int) *ahead {
	return startAhead(ctx, in, size, false)
}

// vet does what readAhead does, and has format.Vet look at each piece ahead of whoever reads it. To look for damage
// takes nearly half of the time that a report takes, and it is the only part that needs nothing of what was read before. On a
// single core nothing is gained by it.
func vet(ctx context.Context, in io.Reader, size int) *ahead {
	return startAhead(ctx, in, size, runtime.GOMAXPROCS(0) > 1)
}

func startAhead(ctx context.Context, in io.Reader, size int, vets bool) *ahead {
	a := &ahead{ctx: ctx, vets: vets, full: make(chan piece), empty: make(chan []byte, aheadBy+1), done: make(chan struct{})}
	for range aheadBy {
		a.empty <- make([]byte, size)
	}
	go a.pump(in)
	return a
}

func (a *ahead) pump(in io.Reader) {
	defer close(a.done)
	for {
		var p piece
		select {
		case p.b = <-a.empty:
		case <-a.ctx.Done():
			return
		}
		var n int
		n, p.err = in.Read(p.b[:cap(p.b)])
		if p.b = p.b[:n]; a.vets {
			p.sound = format.Vet(p.b)
		}
		select {
		case a.full <- p:
		case <-a.ctx.Done():
			return
		}
		if p.err != nil {
			return
		}
	}
}

// next returns the next piece, which holds until the next call. It must not be called after
// one with an error.
func (a *ahead) next() piece {
	if a.now.b != nil {
		a.empty <- a.now.b
	}
	select {
	case a.now = <-a.full:
	case <-a.ctx.Done():
		a.now = piece{err: stopped{a.ctx.Err()}}
	}
	return a.now
}

// Read returns the next bytes. After an error it returns that error again.
func (a *ahead) Read(p []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, stopped{err}
	}
	for a.offset == len(a.now.b) {
		if a.now.err != nil {
			return 0, a.now.err
		}
		a.offset = 0
		a.next()
	}
	n := copy(p, a.now.b[a.offset:])
	a.offset += n
	return n, nil
}

// fullReads fills each Read, except at the end of the input. A decompressor
// returns a few kilobytes at a time, and a line that two pieces share isn't vetted.
type fullReads struct{ io.Reader }

func (w fullReads) Read(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var more int
		more, err = w.Reader.Read(p[n:])
		n += more
	}
	return n, err
}
