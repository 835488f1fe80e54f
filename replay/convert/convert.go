// Package convert turns whatever people have captured into informerscope's own
// format: one file for each foreign format, all behind one Convert that finds
// out which it is. Several inputs become one trace on one clock.
//
// It works as a stream, and what it holds in memory does not grow with its inputs.
// There are two exceptions. Of lists, and of formats whose meaning depends on what came
// before, it holds the objects that are alive. Of compressed archives it holds the
// captures.
package convert

import (
	"errors"
	"fmt"
	"io"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
)

// Input is one file.
type Input struct {
	Name string // as people know it
	Size int64  // bytes as it is, compressed or not; 0 where that isn't known
	// Open opens it at its beginning. It is called more than once.
	Open func() (io.ReadCloser, error)
	// At reads it anywhere. It is nil for what can only be read from beginning to
	// end; archives need it.
	At io.ReaderAt
	// Loose says that it is one of a folder's files, which may be anything: where it is
	// no capture it is passed over and counted.
	Loose bool
}

// Options of Convert. Their zero values are the defaults.
type Options struct {
	MaxLine     int   // of a line, or of a value over several lines: bytes; format.MaxLine
	MaxInflated int64 // what one input may come to when it is uncompressed: bytes; the constant MaxInflated
	MaxObjects  int   // that are kept in mind at once; the constant MaxObjects
	MaxHeld     int64 // of an archive that must be held in memory: bytes; the constant MaxHeld
	// Progress is called with how many bytes of all inputs have been read, compressed
	// as they are, and how many there are: 0 where that isn't known.
	Progress func(read, total int64)
}

// The limits, where Options don't give others.
const (
	MaxInflated = 64 << 30
	MaxObjects  = 4_000_000
	MaxHeld     = 1 << 30
)

// Spacing is the time between two events of formats without times, in
// nanoseconds.
const Spacing = format.Spacing

// Summary says what was converted.
type Summary struct {
	Formats  []string // of the inputs, in their order
	Lines    int64    // written, without the header
	Remarks  []trace.Remark
	Problems []trace.Problem // the first trace.MaxProblems of them
	Problem  int64           // how many there are of them
	Gaps     int64           // how many of them are trace.Missing
	Lost     int64           // about how many watch events are lost there
}

// remark adds r. One that is there already only has its Count raised.
func (s *Summary) remark(r trace.Remark) {
	t := trace.Trace{Remarks: s.Remarks}
	t.AddRemark(r)
	s.Remarks = t.Remarks
}

// problem counts p, and keeps it if there are not too many.
func (s *Summary) problem(p trace.Problem) {
	s.Problem++
	if p.Kind == trace.Missing {
		s.Gaps++
	}
	s.Lost += p.Lost
	if len(s.Problems) < trace.MaxProblems {
		s.Problems = append(s.Problems, p)
	}
}

// Convert writes inputs to w as one trace in informerscope's own format. Archives
// among them are unpacked. Places of an input that can't be read become problems of
// the trace, as do inputs that can't be read at all if others can, and the rest is read
// all the same. An error means that no input could be read, or that w failed; what was
// written until then is whole lines.
func Convert(w io.Writer, inputs []Input, o Options) (*Summary, error) {
	if len(inputs) == 0 {
		return nil, errors.New("there is no input")
	}
	b := &batch{o: o.withDefaults(), p: &progress{tell: o.Progress}}
	for _, in := range inputs {
		b.add(in, 0)
	}
	if len(b.sources) == 0 {
		return nil, b.nothing()
	}
	sum := &Summary{}
	for _, s := range b.sources {
		sum.Formats = append(sum.Formats, s.form.id)
	}
	all := group(b.sources)
	all[0].noted = b.notes()
	err := run(w, all, sum)
	return sum, err
}

// named says which input err is about.
func named(name string, err error) error {
	if err == nil || name == "" || errors.Is(err, errStopped) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

func (o Options) withDefaults() Options {
	if o.MaxLine <= 0 {
		o.MaxLine = format.MaxLine
	}
	if o.MaxInflated <= 0 {
		o.MaxInflated = MaxInflated
	}
	if o.MaxObjects <= 0 {
		o.MaxObjects = MaxObjects
	}
	if o.MaxHeld <= 0 {
		o.MaxHeld = MaxHeld
	}
	return o
}

// run converts one input straight to w, and merges several.
func run(w io.Writer, all []*conversion, sum *Summary) error {
	out := &collector{w: w, sum: sum}
	for _, c := range all {
		c.sum = sum
	}
	if len(all) == 1 {
		c := all[0]
		c.header = trace.Header{From: c.from}
		c.sink = out
		return named(c.Name, c.convert())
	}
	return merge(out, all)
}

// collector counts what is written.
type collector struct {
	w   io.Writer
	sum *Summary
}

func (c *collector) Write(line []byte) (int, error) {
	c.sum.Lines++
	return c.w.Write(line)
}
