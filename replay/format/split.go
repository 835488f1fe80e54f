package format

import "github.com/informerscope/informerscope/replay/trace"

// Decode is how the objects of an input are read. Neither function may keep b.
type Decode struct {
	// Whole reads a line that compact.Object accepts, and reports whether it has. It may be nil.
	Whole func(b []byte) bool
	// Any reads any object. The object nests no deeper than trace.MaxDepth.
	Any func(b []byte) error
}

// NewSplitter returns a Reader that makes no Trace, but finds one JSON object of
// the input after the other, however they are laid out. It calls add with each
// object that decode accepts, and tell with each place that is damaged, or that add
// returns an error for. b lies at offset and begins on that line. add must not keep it.
func NewSplitter(o Options, decode Decode, add func(b []byte, offset, line int64) error, tell func(trace.Problem)) *Reader {
	r := NewReader(o)
	r.bare, r.told = true, tell
	r.parts = newValues(splitter{decode, add})
	return r
}

type splitter struct {
	decoded Decode
	added   func(b []byte, offset, line int64) error
}

func (s splitter) whole(b []byte) bool { return s.decoded.Whole != nil && s.decoded.Whole(b) }

func (s splitter) decode(b []byte) error { return s.decoded.Any(b) }

func (s splitter) add(b []byte, offset, line int64) error { return s.added(b, offset, line) }

func (s splitter) glance([]byte) int { return 0 }

func (s splitter) complete() {}
