package opencmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/serve"
)

// head is how much of a file is looked at to tell its format.
const head = 1 << 20

// capture returns what the page is to open, and a function that deletes what it takes on this
// machine. The page follows the standard input while it is still written, unless something
// else stands beside it.
func (o *openOptions) capture(ctx context.Context, stdin *spool, stderr io.Writer) (c serve.Opened, remove func(), err error) {
	if slices.Equal(o.names, []string{files.Stdin}) {
		stdin.begin(func() { fmt.Fprintln(stderr, "waiting for the first bytes of the standard input") })
		if len(o.against) == 0 && stdin.pauses() {
			c, remove, ok, err := live(ctx, stdin)
			if ok || err != nil {
				return c, remove, err
			}
		}
	}
	if stdin != nil {
		stdin.untimed()
	}
	c, parts, err := capture(ctx, o.names, o.kind, stdin)
	return c, parts.remove, err
}

// capture returns what the page reads of files. What the page's first program reads is handed
// over as it is. Anything else is converted while the page reads it. What p takes of this machine
// has to be removed; p may be nil. Objects that have no kind are of this kind; "" finds it out.
func capture(ctx context.Context, names []string, kind string, stdin *spool) (c serve.Opened, p *parted, err error) {
	if slices.Equal(names, []string{files.Stdin}) {
		const name = "standard-input.json"
		return handed(name, convert.Input{Name: name, Kind: kind, Open: func() (io.ReadCloser, error) { return stdin.open(), nil }})
	}
	var standard io.Reader
	if stdin != nil {
		standard = stdin.open()
	}
	in, err := files.Open(ctx, names, standard, files.NewBar(io.Discard, true))
	if err != nil {
		return serve.Opened{}, nil, err
	}
	in.SetKind(kind)
	name := serve.OpenedName(names[0])
	if len(in.Inputs) == 1 && !in.Inputs[0].Loose {
		return handed(name, in.Inputs[0])
	}
	c, p = converted(name, in.Inputs)
	return c, p, nil
}

// handed returns a capture under a name: as it is if the page reads it so, or converted.
func handed(name string, source convert.Input) (serve.Opened, *parted, error) {
	direct, packed, err := direct(source)
	if err != nil {
		return serve.Opened{}, nil, err
	}
	if !direct {
		c, p := converted(name, []convert.Input{source})
		return c, p, nil
	}
	c, p := serve.Opened{Name: name, Open: source.Open}, plainParts(source)
	if packed {
		p = unpackedParts(source)
	}
	p.setPage(&c)
	return c, p, nil
}

// converted returns a capture that is converted anew each time it is read as a whole.
func converted(name string, inputs []convert.Input) (serve.Opened, *parted) {
	c, p := serve.Opened{Name: name + ".trace.jsonl", Open: func() (io.ReadCloser, error) {
		r, w := io.Pipe()
		go func() {
			_, err := convert.Convert(w, inputs, convert.Options{})
			w.CloseWithError(err)
		}()
		return r, nil
	}}, convertedParts(inputs)
	p.setPage(&c)
	return c, p
}

// Parts are the bytes of captures, unpacked and in a format that package format reads.
type Parts = parts

// Bytes returns the bytes of captures, which have to be closed.
func Bytes(c *files.Captures) (Parts, error) {
	if len(c.Inputs) > 1 || c.Inputs[0].Loose {
		return convertedParts(c.Inputs).open()
	}
	first := c.Inputs[0]
	direct, packed, err := direct(first)
	switch {
	case err != nil:
		return nil, err
	case !direct:
		return convertedParts(c.Inputs).open()
	case packed || first.ReaderAt == nil:
		return unpackedParts(first).open()
	}
	return plainParts(first).open()
}

// zstandard is what a file compressed with zstd begins with. No browser unpacks it.
var zstandard = []byte{0x28, 0xb5, 0x2f, 0xfd}

// gzipped is what a file compressed with gzip begins with.
var gzipped = []byte{0x1f, 0x8b}

// direct reports whether the page reads an input without converting it, and whether the input is
// compressed. Of an input that is still to come it reads what is there.
func direct(source convert.Input) (direct, packed bool, err error) {
	in, err := source.Open()
	if err != nil {
		return false, false, err
	}
	defer in.Close()
	first := make([]byte, head)
	n, err := io.ReadAtLeast(in, first, 1)
	if err == io.EOF {
		return false, false, errors.New("the input is empty")
	}
	if err != nil {
		return false, false, err
	}
	if first = first[:n]; bytes.HasPrefix(first, zstandard) {
		return false, true, nil
	}
	plain, err := file.Plain(io.MultiReader(bytes.NewReader(first), in))
	if err != nil {
		return false, false, nil // the conversion says what is wrong
	}
	defer plain.Close()
	packed = bytes.HasPrefix(first, gzipped)
	r := format.NewReader(format.Options{})
	for total := 0; total < head; {
		b := make([]byte, head/16)
		n, err := plain.Read(b)
		if total == 0 && n > 0 && isScript(b[:n]) {
			return true, packed, nil
		}
		total += n
		refused := r.Write(b[:n])
		if refused == nil && err != nil {
			refused = r.Close()
		}
		switch {
		case errors.As(refused, new(format.Foreign)):
			return false, packed, nil
		case refused != nil || err != nil:
			return true, packed, nil // the page says what is wrong
		case r.Trace().Records > 0:
			return true, packed, nil
		}
	}
	return true, packed, nil
}

// isScript reports whether a text that begins with head is a script or a lesson.
func isScript(head []byte) bool {
	text := syntax.Text(head)
	return syntax.LooksLikeScript(text) || lesson.IsLesson(text)
}

// A page reads a capture in parts if it is as large as this, in bytes. A smaller one it reads at once and keeps, so that
// it can go on when this program has ended. The page has several readers from the first of these sizes on.
const (
	largePlain  = 56 << 20
	largePacked = 4 << 20 // of one that is compressed, or that must be converted
)

// parts are serve.Parts that take something of this machine until they are closed.
type parts interface {
	serve.Parts
	io.Closer
}

// parted has the parts of a capture, as its files are now.
type parted struct {
	inputs []convert.Input
	from   int64 // how large the capture must be
	open   func() (parts, error)

	mu    sync.Mutex
	now   parts
	stamp string // what the files were when now was opened
}

// current returns the parts, or nil if there are none.
func (p *parted) current() (serve.Parts, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	stamp, size := "", int64(0)
	for _, in := range p.inputs {
		info, err := os.Stat(in.Name)
		if err != nil {
			return nil, err
		}
		size += info.Size()
		stamp += fmt.Sprintln(info.Size(), info.ModTime().UnixNano())
	}
	if p.now != nil && stamp == p.stamp {
		return p.now, nil
	}
	p.close()
	if size < p.from {
		return nil, nil
	}
	now, err := p.open()
	if err != nil {
		return nil, err
	}
	p.now, p.stamp = now, stamp
	return now, nil
}

// remove gives up what the parts take of this machine.
func (p *parted) remove() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.close()
}

func (p *parted) close() {
	if p.now != nil {
		p.now.Close()
		p.now = nil
	}
}

// setPage makes the page read c in p, unless an input can be read only once.
func (p *parted) setPage(c *serve.Opened) {
	for _, in := range p.inputs {
		if in.ReaderAt == nil {
			return
		}
	}
	c.Parts = p.current
}

// Handed returns what the page reads of a capture under a name.
func Handed(ctx context.Context, name string, p Parts) serve.Opened {
	return serve.Opened{Name: serve.OpenedName(name), Open: func() (io.ReadCloser, error) { return &reader{Parts: p, ctx: ctx}, nil }, Parts: func() (serve.Parts, error) {
		if p.Size() < largePlain {
			return nil, nil
		}
		return p, nil
	}}
}

// reader reads parts from their beginning. Close leaves them as they are.
type reader struct {
	Parts
	ctx context.Context
	at  int64
}

func (r *reader) Read(b []byte) (n int, err error) {
	if err := r.Await(r.ctx, r.at+int64(len(b))); err != nil {
		return 0, err
	}
	n, err = r.ReadAt(b, r.at)
	r.at += int64(n)
	return n, err
}

func (r *reader) Close() error { return nil }

// plainParts returns the parts of a file that the page's program reads as it is.
func plainParts(in convert.Input) *parted {
	return &parted{inputs: []convert.Input{in}, from: largePlain, open: func() (parts, error) { return openPlain(in.Name) }}
}

// unpackedParts returns the parts of a compressed file.
func unpackedParts(in convert.Input) *parted {
	return packedParts([]convert.Input{in}, func(w io.Writer, progress func(read, total int64)) error {
		f, err := in.Open()
		if err != nil {
			return err
		}
		defer f.Close()
		r, err := file.Plain(files.Telling(f, in.Size, progress))
		if err != nil {
			return err
		}
		defer r.Close()
		_, err = io.CopyBuffer(w, r, make([]byte, blockSize))
		return err
	})
}

// convertedParts returns the parts of what inputs become in our own format.
func convertedParts(inputs []convert.Input) *parted {
	return packedParts(inputs, func(w io.Writer, progress func(read, total int64)) error {
		_, err := convert.Convert(w, inputs, convert.Options{Progress: progress})
		return err
	})
}

func packedParts(inputs []convert.Input, fill func(io.Writer, func(read, total int64)) error) *parted {
	return &parted{inputs: inputs, from: largePacked, open: func() (parts, error) { return newPacked(fill) }}
}

// plainFile is the parts of a capture that lies in a file as the page reads it. They are what was there when it was opened:
// what is written behind that later isn't among them.
type plainFile struct {
	file *os.File
	size int64

	mu      sync.Mutex
	looked  time.Time // when the file had been written last, as far as is known
	samples [2][]byte // its first and its last bytes
}

// errChanged says that a capture isn't any more what it was.
const errChanged = fault.Plain("fileChanged")

// sample is how many bytes are compared to tell a file that has grown from another one in its place.
const sample = 4 << 10

func openPlain(name string) (*plainFile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	p := &plainFile{file: f}
	info, err := f.Stat()
	if err == nil {
		p.size, p.looked = info.Size(), info.ModTime()
		p.samples, err = p.sample()
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

// sample reads the samples.
func (p *plainFile) sample() (all [2][]byte, err error) {
	for i, offset := range [...]int64{0, max(0, p.size-sample)} {
		all[i] = make([]byte, min(sample, p.size-offset))
		if _, err := p.file.ReadAt(all[i], offset); err != nil {
			return all, err
		}
	}
	return all, nil
}

// checkUnchanged fails if the file has changed otherwise than by growing.
func (p *plainFile) checkUnchanged() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	info, err := p.file.Stat()
	switch {
	case err != nil:
		return err
	case info.ModTime().Equal(p.looked) && info.Size() >= p.size:
		return nil
	case info.Size() <= p.size:
		return errChanged
	}
	now, err := p.sample()
	if err != nil {
		return err
	}
	if !bytes.Equal(now[0], p.samples[0]) || !bytes.Equal(now[1], p.samples[1]) {
		return errChanged
	}
	p.looked = info.ModTime()
	return nil
}

func (p *plainFile) ReadAt(b []byte, offset int64) (n int, err error) {
	if offset >= p.size {
		return 0, io.EOF
	}
	n, err = p.file.ReadAt(b[:min(int64(len(b)), p.size-offset)], offset)
	// It is looked at after the reading, so that nothing is handed over that was written before the look.
	if changed := p.checkUnchanged(); changed != nil {
		return 0, changed
	}
	if err == nil && n < len(b) {
		err = io.EOF
	}
	return n, err
}

// Await returns at once.
func (p *plainFile) Await(context.Context, int64) error { return nil }

// Size returns how many bytes there are.
func (p *plainFile) Size() int64 { return p.size }

// Close closes the file.
func (p *plainFile) Close() error { return p.file.Close() }

// packed are the parts of a capture that only this program unpacks or converts. It does so once, and keeps the result in
// a file, in blocks that are compressed each by itself: recordings become ten times smaller by it, and any byte is as
// near as any other. S2 takes a quarter to two thirds of the time of the fastest zstd.
type packed struct {
	file *os.File
	left atomic.Bool   // the filling is to end
	done chan struct{} // closed when it has ended

	block []byte // what was written and has no place yet; only the filling uses these two
	small []byte

	mu    sync.Mutex
	ends  []int64       // of the blocks in the file
	size  int64         // of all that was unpacked into blocks
	part  float64       // how much of the input that was, from 0 to 1
	ended error         // nil before the end, io.EOF for a good one
	grown chan struct{} // closed, and replaced, when there is more
}

const (
	// blockSize is how many bytes a block has unpacked, except for the last one.
	blockSize = 1 << 20
	// maxPacked is how long the file becomes at most.
	maxPacked = 16 << 30
)

// newPacked returns the parts that fill writes. Meanwhile, fill tells how much of its input it has read.
func newPacked(fill func(w io.Writer, progress func(read, total int64)) error) (*packed, error) {
	f, err := os.CreateTemp("", "informerscope-") // only this user can read it
	if err != nil {
		return nil, err
	}
	p := &packed{file: f, done: make(chan struct{}), grown: make(chan struct{}), block: make([]byte, 0, blockSize)}
	go func() {
		defer close(p.done)
		err := fill(p, p.setProgress)
		p.end(cmp.Or(p.flush(), err, io.EOF))
	}()
	return p, nil
}

// setProgress takes note of how far the filling is.
func (p *packed) setProgress(read, total int64) {
	if read <= 0 || total <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.part = min(1, float64(read)/float64(total))
}

// Write adds b.
func (p *packed) Write(b []byte) (n int, err error) {
	for len(b) > 0 {
		if p.left.Load() {
			return n, os.ErrClosed
		}
		m := copy(p.block[len(p.block):blockSize], b)
		p.block = p.block[:len(p.block)+m]
		n, b = n+m, b[m:]
		if len(p.block) == blockSize {
			if err := p.flush(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// flush writes a block.
func (p *packed) flush() error {
	if len(p.block) == 0 {
		return nil
	}
	var at int64
	if len(p.ends) > 0 {
		at = p.ends[len(p.ends)-1]
	}
	p.small = s2.Encode(p.small[:cap(p.small)], p.block)
	if at+int64(len(p.small)) > maxPacked {
		return fmt.Errorf("the file %s would become longer than %s, which is the limit", p.file.Name(), plain.Size(maxPacked))
	}
	if _, err := p.file.WriteAt(p.small, at); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ends = append(p.ends, at+int64(len(p.small)))
	p.size += int64(len(p.block))
	p.block = p.block[:0]
	p.notify()
	return nil
}

// end says why no more comes.
func (p *packed) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = err
	p.notify()
}

func (p *packed) notify() {
	close(p.grown)
	p.grown = make(chan struct{})
}

// Await waits until all bytes before an offset are there, or none come any more.
func (p *packed) Await(ctx context.Context, offset int64) error {
	for {
		p.mu.Lock()
		there, more := p.size >= offset || p.ended != nil, p.grown
		p.mu.Unlock()
		if there {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Size returns how many bytes there are or, before all are there, how many there will be if the rest of the input is
// compressed as much as its beginning.
func (p *packed) Size() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended != nil || p.part == 0 {
		return p.size
	}
	return int64(float64(p.size) / p.part)
}

func (p *packed) ReadAt(b []byte, offset int64) (n int, err error) {
	var unpacked []byte
	for n < len(b) {
		from, to, err := p.place(offset)
		if err != nil {
			return n, err
		}
		small := make([]byte, to-from)
		if _, err := p.file.ReadAt(small, from); err != nil {
			return n, err
		}
		if unpacked, err = s2.Decode(unpacked[:cap(unpacked)], small); err != nil {
			return n, err
		}
		m := copy(b[n:], unpacked[offset%blockSize:])
		n, offset = n+m, offset+int64(m)
	}
	return n, nil
}

// place returns where the block lies in the file that has the byte at an offset.
func (p *packed) place(offset int64) (from, to int64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if offset >= p.size {
		return 0, 0, cmp.Or(p.ended, io.ErrNoProgress)
	}
	i := offset / blockSize
	if i > 0 {
		from = p.ends[i-1]
	}
	return from, p.ends[i], nil
}

// Close ends the filling, and deletes the file.
func (p *packed) Close() error {
	p.left.Store(true)
	<-p.done
	return cmp.Or(p.file.Close(), os.Remove(p.file.Name()))
}
