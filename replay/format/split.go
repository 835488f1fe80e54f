package format

import "github.com/informerscope/informerscope/replay/trace"

// NewSplitter returns a Reader that makes no Trace, but finds one JSON object of
// the input after the other, however they are laid out. It calls add with each
// object that decode accepts, and tell with each place that is damaged, or that add
// returns an error for. b nests no deeper than trace.MaxDepth, lies at offset and
// begins on that line. decode and add must not keep it.
func NewSplitter(o Options, decode func(b []byte) error, add func(b []byte, offset, line int64) error, tell func(trace.Problem)) *Reader {
	r := NewReader(o)
	r.bare, r.told = true, tell
	r.parts = newValues(splitter{decode, add})
	return r
}

type splitter struct {
	decoded func(b []byte) error
	added   func(b []byte, offset, line int64) error
}

func (s splitter) decode(b []byte) error { return s.decoded(b) }

func (s splitter) add(b []byte, offset, line int64) error { return s.added(b, offset, line) }

func (s splitter) glance([]byte) int { return 0 }

func (s splitter) complete() {}
