package host

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/excerpt"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/convert/ownwork"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// page stands for the page and the browser. It asks, and keeps the answers.
type page struct {
	t       testing.TB
	h       *Host
	turns   []func() // the host wants to be called later
	clock   int64
	quick   int64 // how much more than a millisecond passes whenever the clock is looked at
	hidden  bool  // it is out of sight, and paints nothing
	replies []*link.Reply
	id      int

	converted   *file                          // what the last Convert gave
	kept        *file                          // the text that a link holds
	conversions int                            // how often Convert was called
	site        browser.Input                  // what Fetch gives
	files       func(url string) browser.Input // what it gives for each URL; nil for site alone
	heard       func(*link.Reply)              // is told of each reply; may be nil
	server      []*asked
	timers      []*timer
	given       map[string][]byte

	complaints *[]string // what the console is told; nil where any complaint is an error
	sentences  []string  // what else it is told
}

func newPage(t testing.TB) *page {
	p := &page{t: t}
	p.h = New(p)
	return p
}

// described is a process with three handlers that a viewer has described.
func described() link.Setup {
	s := address.LegacySetup()
	s.Profile, s.Listed = "classic", true
	return s
}

// news is what a reply tells if that is a T, or else nil.
func news[T link.News](r *link.Reply) T {
	x, _ := r.News.(T)
	return x
}

// tellsProgress reports whether a reply says how far reading or running is.
func tellsProgress(r *link.Reply) bool { return news[*link.Progress](r) != nil }

func (p *page) Send(b []byte) {
	r, err := link.DecodeReply(b)
	if err != nil {
		p.t.Fatal(err)
	}
	p.replies = append(p.replies, r)
	if p.heard != nil {
		p.heard(r)
	}
	if answered := news[*link.Opened](r) != nil || news[*link.Progress](r) != nil && news[*link.Progress](r).Phase != link.Done || reads(news[*link.SecondMachine](r)); answered && !p.hidden {
		p.turns = append(p.turns, func() { p.h.Handle((&link.Request{Op: link.Painted{}}).Encode(), nil) })
	}
}

func (p *page) Complain(what string) {
	if p.complaints == nil {
		p.t.Error(what)
		return
	}
	*p.complaints = append(*p.complaints, what)
}

func (p *page) Debug(what string) { p.sentences = append(p.sentences, what) }
func (p *page) Later(f func())    { p.turns = append(p.turns, f) }
func (p *page) Now() int64        { p.clock += machine.Millisecond + p.quick; return p.clock }

func (p *page) Fetch(url string) browser.Input {
	if p.files != nil {
		return p.files(url)
	}
	return p.site
}

func (p *page) StoreText(text string) browser.Stored {
	f := &file{data: []byte(text), piece: 1 << 16}
	p.kept = f
	p.turns = append(p.turns, func() {
		if f.end != nil { // it is read
			f.pump()
		}
	})
	return f
}

func (p *page) Convert(files []browser.Bytes, options string) browser.Stored {
	p.conversions++
	var inputs []convert.Input
	for _, f := range files {
		data, err := f.ReadAt(0, int(f.Size()))
		if err != nil {
			p.t.Fatal(err)
		}
		inputs = append(inputs, convert.Input{Name: "a file", Size: f.Size(), ReaderAt: bytes.NewReader(data), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }})
	}
	var b bytes.Buffer
	var to io.Writer = &b
	c, err := link.DecodeConversion([]byte(options))
	if err != nil {
		p.t.Fatal(err)
	}
	for i := range inputs {
		inputs[i].Kind = c.Kind
	}
	if q := c.Redact; q != nil {
		if q.OwnWork {
			err := ownwork.Write(&b, func(w io.Writer) error {
				_, err := convert.Convert(w, inputs, convert.Options{})
				return err
			})
			p.converted = &file{data: b.Bytes(), piece: 1 << 16, fails: err}
			return p.converted
		}
		if q.Part != nil {
			from := func(line func([]byte)) error {
				_, err := convert.Convert(lineWriter(line), inputs, convert.Options{})
				return err
			}
			lines, err := excerpt.Extract(from, &q.Part.Plan, excerpt.Content(q.Part.Content))
			to = trace.WithEdits(&b, q.Edits)
			for _, line := range lines {
				to.Write(append(line, '\n'))
			}
			p.converted = &file{data: b.Bytes(), piece: 1 << 16, fails: err}
			return p.converted
		}
		to = trace.WithEdits(&b, q.Edits)
	}
	_, err = convert.Convert(to, inputs, convert.Options{})
	p.converted = &file{data: b.Bytes(), piece: 1 << 16, fails: err}
	return p.converted
}

// lineWriter is called with each line that is written.
type lineWriter func([]byte)

func (f lineWriter) Write(b []byte) (int, error) {
	f(bytes.TrimSuffix(b, []byte{'\n'}))
	return len(b), nil
}

// ask sends a request, lets the host do all that it wants to do, and returns the
// answers.
func (p *page) ask(op link.Op, in browser.Input) []*link.Reply {
	if o, is := op.(link.Open); is && o.URL == "" { // the tests were written for the recording that the page brings along
		o.Profile = cmp.Or(o.Profile, world.Classic.Name)
		op = o
	}
	p.id++
	p.replies = nil
	var files []browser.Input
	if in != nil {
		files = []browser.Input{in}
	}
	p.h.Handle((&link.Request{ID: p.id, Op: op}).Encode(), files)
	if f, ok := in.(*file); ok {
		p.pump(f)
	}
	for p.converted != nil {
		f := p.converted
		p.converted = nil
		p.pump(f)
	}
	p.settle()
	return p.replies
}

// pump hands over all of f. The page paints, and the host runs, whenever they want to.
func (p *page) pump(f *file) {
	for f.pump(); p.settle(); {
		f.pump()
	}
}

func (p *page) frame(op link.Op) *link.Frame {
	p.t.Helper()
	for _, r := range p.ask(op, nil) {
		if news[*link.Frame](r) != nil && r.ID == p.id {
			return news[*link.Frame](r)
		}
	}
	p.t.Fatalf("%s got no frame, but %s", link.Name(op), p.failures())
	return nil
}

// inWords is an error as it has crossed: its id and its arguments in the order of their
// names, or its text.
func inWords(s *link.Sentence) string {
	if s == nil {
		return ""
	}
	var all []string
	if id := strings.TrimPrefix(s.ID, "error."); id != fault.Text {
		all = append(all, id)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		if a := s.Args[name]; a.Reason != nil {
			all = append(all, "("+inWords(a.Reason)+")")
		} else {
			all = append(all, a.V)
		}
	}
	return strings.Join(all, " ")
}

func (p *page) failures() string {
	var all []string
	for _, r := range p.replies {
		if news[*link.Failure](r) != nil {
			all = append(all, news[*link.Failure](r).Sentence.ID+": "+inWords(news[*link.Failure](r).Reason))
		}
	}
	return strings.Join(all, ", ")
}

// file is an Input in memory, handed over in pieces when the test pumps.
type file struct {
	data  []byte
	piece int
	chunk func([]byte, int64)
	end   func(error)
	over  bool
	fails error
	read  int // how many bytes were handed over
	ended bool

	held     bool
	settled  bool
	inMemory int   // how many pieces are to be settled
	again    *file // the last Again, which is pumped by itself
	worn     error // why Again fails at its end

	alone  bool                       // one reader reads all of it, whatever the host asks for
	digest func(b []byte, read int64) // gets digests, since the host has asked for them; nil before
}

func (f *file) Size() int64 { return int64(len(f.data)) }

func (f *file) Stream(chunk func([]byte, int64), end func(error)) func() {
	f.chunk, f.end = chunk, end
	return func() { f.over = true }
}

func (f *file) pump() {
	for !f.over && !f.held && f.read < len(f.data) {
		n := min(f.piece, len(f.data)-f.read)
		f.read += n
		if piece := f.data[f.read-n : f.read]; f.digest != nil {
			f.digest(new(format.Digester).Append(nil, piece), int64(f.read))
		} else {
			f.chunk(piece, int64(f.read))
		}
	}
	if !f.over && !f.held && !f.ended {
		f.ended = true
		f.end(f.fails)
	}
}

func (f *file) Spread(digest func([]byte, int64)) {
	if !f.alone {
		f.digest = digest
	}
}

func (f *file) Hold(on bool) {
	if f.again != nil {
		f = f.again
	}
	f.held = on
}

func (f *file) Settle() bool {
	f.settled = true
	f.inMemory--
	return f.inMemory >= 0
}

func (f *file) Restream(chunk func([]byte, int64), end func(error)) func() {
	f.again = &file{data: f.data, piece: f.piece, fails: f.worn}
	return f.again.Stream(chunk, end)
}

func (f *file) ReadAt(offset int64, n int) ([]byte, error) {
	if offset+int64(n) > int64(len(f.data)) {
		return nil, io.ErrUnexpectedEOF
	}
	return f.data[offset : offset+int64(n)], nil
}

func shop(t testing.TB) *file {
	t.Helper()
	return recording(t, "../../web/traces/shop.trace.jsonl.gz")
}

func recording(t testing.TB, name string) *file {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return &file{data: unzip(t, b), piece: 1 << 16}
}

func unzip(t testing.TB, b []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// reads reports whether the page was told of a second capture.
func reads(b *link.SecondMachine) bool {
	if b == nil {
		return false
	}
	_, is := b.Second.Second.(link.SecondCapture)
	return is
}
