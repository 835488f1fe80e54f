package format

import (
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// NewSplitter returns a Reader that makes no Trace, but finds one JSON object of
// the input after the other, however they are laid out. It calls add with each
// object that read finds no fault in, and tell with each place that is damaged, or that add
// returns an error for. b lies at offset and begins on that line. add must not keep it.
func NewSplitter(o Options, read func(r *jsonscan.Reader), add func(b []byte, offset, line int64) error, tell func(trace.Problem)) *Reader {
	r := NewReader(o)
	r.bare, r.told = true, tell
	r.parts = newValues(splitter{read, add})
	return r
}

type splitter struct {
	reads func(r *jsonscan.Reader)
	added func(b []byte, offset, line int64) error
}

func (s splitter) read(r *jsonscan.Reader) { s.reads(r) }

func (s splitter) add(b []byte, offset, line int64) error { return s.added(b, offset, line) }

func (s splitter) glance([]byte) int { return 0 }

func (s splitter) complete() {}
