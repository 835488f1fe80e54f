// Package convert turns captures of a cluster's API traffic into informerscope's own format: audit logs,
// HAR files, klog output, answers of kubectl and the like ([Formats] lists all). It finds out the format of
// each input. Several inputs become one trace on one clock.
//
// [Convert] works as a stream, and what it holds in memory does not grow with its inputs. There are two
// exceptions: it holds the live objects of lists and of formats whose meaning depends on what came before,
// and the captures within compressed archives. [Options] bounds both.
//
// Input is not trusted. What can't be read becomes a problem of the trace, and an error means that
// there is no trace. [Arrivals] is for a capture that somebody is still writing.
//
//	open := func() (io.ReadCloser, error) { return os.Open("audit.log") }
//	sum, err := convert.Convert(w, []convert.Input{{Name: "audit.log", Open: open}}, convert.Options{})
package convert

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/k8shark"
	"github.com/informerscope/informerscope/replay/convert/internal/logs"
	"github.com/informerscope/informerscope/replay/convert/remarks"
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
	return capture.Limits{
		MaxLine:     cmp.Or(max(o.MaxLine, 0), format.MaxLine),
		MaxInflated: cmp.Or(max(o.MaxInflated, 0), MaxInflated),
		MaxObjects:  cmp.Or(max(o.MaxObjects, 0), MaxObjects),
		MaxHeld:     cmp.Or(max(o.MaxHeld, 0), MaxHeld),
	}
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
	end := jsonscan.ValueEnd(head, 0)
	return end < 0 || end == len(head) // or head ends within the object
}

// batch gathers the inputs of one Convert, with what is in their archives.
type batch struct {
	limits   capture.Limits
	progress *capture.Progress
	sources  []*capture.Source
	passed   int64    // files of folders and archives that are no captures
	logs     []string // the names of those that are logs
	failed   []trace.Problem
	first    error // why the first input that isn't loose can't be read
}

// maxNested is how deep archives may lie in each other.
const maxNested = 3

// add takes an input, which lies in so many archives.
func (b *batch) add(in Input, depth int) {
	s, packed, err := newSource(in, b.limits, b.progress)
	switch {
	case err != nil && in.Loose && !errors.As(err, new(inflate.LimitError)) && !errors.As(err, new(Unopened)):
		b.passed++
	case err != nil:
		b.fail(in, err)
	case packed == unpacked && in.Loose && s.Form.Overlays: // a support bundle has hundreds, of any programs
		b.logs = append(b.logs, in.Name)
	case packed == unpacked:
		b.sources = append(b.sources, s)
	case depth == maxNested:
		b.passed++
	default:
		before, passed := len(b.sources), b.passed
		if err := b.unpack(s, packed, depth); err != nil {
			b.fail(in, err)
		} else if n := b.passed - passed; len(b.sources) == before && depth == 0 && !in.Loose {
			b.fail(in, fault.Number("noneInArchive n", n))
		}
		if depth == 0 {
			b.weigh(in.Size, b.sources[before:])
		}
	}
}

// weigh scales the progress of reading the captures in an archive: together they count
// as many bytes as the archive, which is compressed.
func (b *batch) weigh(size int64, captures []*capture.Source) {
	var sum int64
	for _, s := range captures {
		sum += s.Size
	}
	if sum == 0 {
		return
	}
	b.progress.Total += size - sum
	for _, s := range captures {
		s.Weight = float64(size) / float64(sum)
	}
}

// fail takes note of an input that can't be read.
func (b *batch) fail(in Input, err error) {
	err = capture.Named(in.Name, err)
	if b.first == nil {
		b.first = err
	}
	b.failed = append(b.failed, trace.Problem{Kind: trace.Source, Err: err})
}

// emptyError returns an error that says why there is nothing to convert.
func (b *batch) emptyError() error {
	switch more := len(b.failed) - 1; {
	case b.first == nil && len(b.logs) > 0:
		return capture.Named(b.logs[0], fault.Plain("logAlone"))
	case b.first == nil:
		return fault.Number("noneOfFiles n", b.passed)
	case more > 0:
		return fault.New("norMore why n", b.first, more)
	}
	return b.first
}

// notes returns what the trace says about the inputs that are not in it.
func (b *batch) notes() []capture.Note {
	var all []capture.Note
	for _, p := range b.failed {
		all = append(all, capture.Note{Problem: p})
	}
	if n := len(b.logs); n > 0 {
		const named = 3
		detail := strings.Join(b.logs[:min(n, named)], ", ")
		if n > named {
			detail += ", …"
		}
		all = append(all, capture.Note{Remark: trace.Remark{ID: remarks.LogsNamed, Count: int64(n), Detail: detail}})
	}
	if b.passed > 0 {
		all = append(all, capture.Note{Remark: trace.Remark{ID: remarks.PassedOver, Count: b.passed}})
	}
	return all
}

// packing is a kind of archive.
type packing uint8

const (
	unpacked packing = iota
	tarred
	zipped
)

// packingOf returns how an archive is packed, by its beginning.
func packingOf(head []byte) packing {
	const magic = 257
	switch {
	case len(head) > magic+5 && string(head[magic:magic+5]) == "ustar":
		return tarred
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return zipped
	}
	return unpacked
}

// maxEntries is how many files an archive may hold.
const maxEntries = 1_000_000

var errEntries = inflate.LimitError{Err: fault.Number("manyEntries max", maxEntries)}

// unpack adds the captures that are in an archive. What was found before an error
// stays.
func (b *batch) unpack(s *capture.Source, packed packing, depth int) error {
	in, closer, err := s.Open()
	if err != nil {
		return err
	}
	defer closer.Close()
	if packed == zipped {
		return b.unzip(s, in, depth)
	}
	return b.untar(s, in, depth)
}

// unzip adds the captures that are in a zip archive, or that it is one of k8shark.
func (b *batch) unzip(s *capture.Source, in io.Reader, depth int) error {
	z, err := s.Zip(in)
	if err != nil {
		return err
	}
	if len(z.File) > maxEntries {
		return errEntries
	}
	for _, f := range z.File {
		if name := f.Name; name == k8shark.IndexName || strings.HasSuffix(name, "/"+k8shark.IndexName) {
			s.Form, s.Progress = &k8shark.Form, b.progress
			b.progress.Total += s.Size
			b.sources = append(b.sources, s)
			return nil
		}
	}
	budget := inflate.NewBudget(b.limits.MaxInflated)
	for _, f := range z.File {
		if f.Mode().IsDir() {
			continue
		}
		b.add(Input{Name: s.Name + "/" + f.Name, Size: int64(f.UncompressedSize64), Loose: true, Kind: s.Kind, Open: func() (io.ReadCloser, error) {
			r, err := f.Open()
			if err != nil {
				return nil, inflate.Readable(err)
			}
			return &metered{inflate.Reader{R: r, Budget: budget}, r}, nil
		}}, depth+1)
		if budget.Remaining <= 0 {
			return inflate.ErrLimit(budget.Limit)
		}
	}
	return nil
}

// metered closes what it reads out of a budget that it shares with others.
type metered struct {
	inflate.Reader
	io.Closer
}

// untar adds the captures that are in a tar archive. They are held in memory, because
// a compressed archive can only be read from its beginning to its end.
func (b *batch) untar(s *capture.Source, in io.Reader, depth int) error {
	held := s.Limits.MaxHeld
	t := tar.NewReader(in)
	for n := 0; ; n++ {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return nil
		case n == maxEntries:
			return errEntries
		case errors.Is(err, tar.ErrHeader):
			return fault.Number("tarDamaged n", int64(n))
		case err != nil:
			return inflate.Readable(err)
		case h.Typeflag != tar.TypeReg:
			continue
		}
		name := s.Name + "/" + h.Name
		r := bufio.NewReaderSize(t, capture.Glance)
		head, err := r.Peek(capture.Glance)
		if err != nil && err != io.EOF {
			return inflate.Readable(err)
		}
		if worth, isLog := worthUnpacking(head); isLog {
			b.logs = append(b.logs, name)
			continue
		} else if !worth {
			b.passed++
			continue
		}
		content, err := io.ReadAll(io.LimitReader(r, held+1))
		if err != nil {
			return inflate.Readable(err)
		}
		if held -= int64(len(content)); held < 0 {
			return inflate.LimitError{Err: fault.Number("largeArchive max", s.Limits.MaxHeld)}
		}
		before := len(b.sources)
		b.add(Input{Name: name, Size: int64(len(content)), ReaderAt: bytes.NewReader(content), Loose: true, Kind: s.Kind, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(content)), nil
		}}, depth+1)
		if len(b.sources) == before {
			held += int64(len(content))
		}
	}
}

// worthUnpacking reports whether a file that begins with head may be a capture, or is a log.
func worthUnpacking(head []byte) (worth, isLog bool) {
	if len(head) == 0 {
		return false, false
	}
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) || capture.IsTranslated(head) || packingOf(head) != unpacked {
		return true, false
	}
	f, _, err := sniff(head, "", true)
	return err == nil, err == nil && f.Overlays
}
