// Package convert turns whatever people have captured into informerscope's own format.
// It finds out which format an input is of. Several inputs become one trace on one clock.
//
// It works as a stream, and what it holds in memory does not grow with its inputs.
// There are two exceptions. Of lists, and of formats whose meaning depends on what came
// before, it holds the objects that are alive. Of compressed archives it holds the
// captures.
//
//	open := func() (io.ReadCloser, error) { return os.Open("audit.log") }
//	sum, err := convert.Convert(w, []convert.Input{{Name: "audit.log", Open: open}}, convert.Options{})
package convert

import (
	"bytes"
	"io"
	"slices"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/logs"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Input is one file.
type Input struct {
	Name string // as people know it
	Size int64  // bytes as it is, compressed or not; 0 where that isn't known
	// Open opens it at its beginning. It is called more than once.
	Open func() (io.ReadCloser, error)
	// ReaderAt reads it anywhere. It is nil for what can only be read from beginning to
	// end; archives need it.
	ReaderAt io.ReaderAt
	// Loose says that it is one of a folder's files, which may be anything: where it is
	// no capture it is passed over and counted.
	Loose bool
	// Kind is the kind of objects that have none, as Pod, deployments.apps or apps/v1/Deployment. If it is
	// "", the objects, the names of files or the other objects have to tell.
	Kind string
}

// Unopened is an error of Input.Open about an input that may well be a capture, so that
// it is told even where the input is Loose.
type Unopened struct{ Err error }

// Error returns the text of the error within.
func (u Unopened) Error() string { return u.Err.Error() }

// Unwrap returns the error within.
func (u Unopened) Unwrap() error { return u.Err }

// Options of Convert. Their zero values are the defaults.
type Options struct {
	MaxLine     int   // bytes of a line, or of a value over several lines; 0 is format.MaxLine
	MaxInflated int64 // bytes of one input when it is uncompressed; 0 is the constant MaxInflated
	MaxObjects  int   // objects that are held at once; 0 is the constant MaxObjects
	MaxHeld     int64 // bytes of an archive that must be held in memory; 0 is the constant MaxHeld
	// Progress is called with how many bytes of all inputs have been read, compressed
	// as they are, and how many there are: 0 where that isn't known.
	Progress func(read, total int64)
}

// The limits, where Options don't give others: bytes, objects, and bytes.
const (
	MaxInflated = 64 << 30
	MaxObjects  = 4_000_000
	MaxHeld     = 128 << 20
)

// Summary says what was converted.
type Summary struct {
	Formats      []string // of the inputs, in their order
	Lines        int64    // written, without the header
	Remarks      []trace.Remark
	Problems     []trace.Problem // the first trace.MaxProblems of them
	ProblemCount int64           // of all
	Gaps         int64           // how many of them are trace.Missing
	Lost         int64           // about how many watch events are lost there
}

// Convert writes inputs to w as one trace in informerscope's own format. Archives
// among them are unpacked. Places of an input that can't be read become problems of
// the trace, as do inputs that can't be read at all if others can, and the rest is read
// all the same. An error means that no input could be read, or that w failed; what was
// written until then is whole lines.
func Convert(w io.Writer, inputs []Input, o Options) (*Summary, error) {
	if len(inputs) == 0 {
		return nil, fault.Plain("noInput")
	}
	b := &batch{limits: o.limits(), progress: &capture.Progress{Report: o.Progress}}
	for _, in := range inputs {
		b.add(in, 0)
	}
	if len(b.sources) == 0 {
		return nil, b.emptyError()
	}
	sum := &Summary{}
	for _, s := range b.sources {
		sum.Formats = append(sum.Formats, s.Form.ID)
	}
	all := group(b.sources)
	if !slices.ContainsFunc(all, hasObjects) {
		if b.first != nil {
			return nil, b.emptyError()
		}
		if slices.ContainsFunc(b.sources, func(s *capture.Source) bool { return s.Form.ID == logs.Controller.ID }) {
			return nil, fault.Plain("logAlone")
		}
		return nil, fault.Plain("seriesAlone")
	}
	all[0].Note(b.notes())
	merged := &trace.Trace{}
	for _, c := range all {
		c.Findings, c.Several = merged, len(b.sources) > 1
	}
	err := run(&collector{w: w, lines: &sum.Lines}, all)
	sum.Remarks, sum.Problems = merged.Remarks, merged.Problems
	sum.ProblemCount, sum.Gaps, sum.Lost = merged.ProblemCount, merged.Gaps, merged.Lost
	return sum, err
}

// limits returns the limits, with those that o doesn't give.
func (o Options) limits() capture.Limits {
	l := capture.Limits{MaxLine: o.MaxLine, MaxInflated: o.MaxInflated, MaxObjects: o.MaxObjects, MaxHeld: o.MaxHeld}
	if l.MaxLine <= 0 {
		l.MaxLine = format.MaxLine
	}
	if l.MaxInflated <= 0 {
		l.MaxInflated = MaxInflated
	}
	if l.MaxObjects <= 0 {
		l.MaxObjects = MaxObjects
	}
	if l.MaxHeld <= 0 {
		l.MaxHeld = MaxHeld
	}
	return l
}

// run converts one input straight to w, and merges several.
func run(w io.Writer, all []*capture.Conversion) error {
	if len(all) > 1 {
		return merge(w, all)
	}
	c := all[0]
	c.Out.Header = trace.Header{From: joined(formats(c))}
	c.Out.Sink = w
	return capture.Named(c.From.Name, c.Convert())
}

// collector counts the lines that are written.
type collector struct {
	w     io.Writer
	lines *int64
}

func (c *collector) Write(line []byte) (int, error) {
	*c.lines++
	return c.w.Write(line)
}

// newSource finds out which format an input is of, or how it is packed.
func newSource(in Input, l capture.Limits, p *capture.Progress) (*capture.Source, packing, error) {
	s := &capture.Source{Name: in.Name, Size: in.Size, File: in.Open, ReaderAt: in.ReaderAt, Loose: in.Loose, Kind: in.Kind, Limits: l, Progress: &capture.Progress{}}
	r, closer, err := s.Open()
	if err != nil {
		return nil, unpacked, err
	}
	defer closer.Close()
	head, err := r.Peek(capture.Glance)
	if len(head) == 0 && err != io.EOF {
		return nil, unpacked, inflate.Readable(err)
	}
	if packed := packingOf(head); packed != unpacked {
		return s, packed, nil
	}
	var unknown error
	if s.Form, s.Layout, unknown = sniff(head, in.Name, in.Loose); unknown != nil {
		if err != nil && err != io.EOF && len(head) < capture.Glance {
			return nil, unpacked, inflate.Readable(err) // there is not enough of it to know
		}
		return nil, unpacked, unknown
	}
	s.Alone = s.Form.ID == "objects" && s.Layout.Wraps == nil && isAlone(head)
	s.Progress = p
	p.Expect(in.Size)
	return s, unpacked, nil
}

// isAlone reports whether an input of objects that begins with head seems to be one
// object.
func isAlone(head []byte) bool {
	head = bytes.TrimSpace(head)
	if len(head) == 0 || head[0] != '{' { // YAML
		return !bytes.Contains(bytes.TrimPrefix(head, []byte("---")), []byte("\n---"))
	}
	depth := 0
	for i := 0; i < len(head); i++ {
		switch head[i] {
		case '"':
			end := jsonscan.StringEnd(head, i)
			if end < 0 {
				return true
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i+1 == len(head)
			}
		}
	}
	return true
}
