package convert

import (
	"errors"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/trace"
)

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
	case packed == unpacked && in.Loose && s.Form.Over: // a support bundle has hundreds, of any programs
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
	b.failed = append(b.failed, trace.Problem{Kind: trace.Source, Why: err})
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
