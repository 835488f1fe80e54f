package format

import (
	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/trace"
)

// NewSplitter returns a Reader that makes no Trace, but calls each with one JSON
// object of the input after the other, however they are laid out. What is
// between them, cut or damaged is passed over, and is a Problem of the Trace, as
// is what each can't do anything with. Each must not keep b, which nests no
// deeper than trace.MaxDepth, lies at offset, and begins on that line.
func NewSplitter(o Options, each func(b []byte, offset, line int64) error) *Reader {
	r := NewReader(o)
	r.bare = true
	r.parts = newValues(splitter(each))
	return r
}

type splitter func(b []byte, offset, line int64) error

func (s splitter) decode(b []byte) error {
	if json.Valid(b) {
		return nil
	}
	var v struct{}
	if err := trace.Decode(b, &v); err != nil {
		return err
	}
	return errNotJSON
}

func (s splitter) add(b []byte, offset, line int64) error { return s(b, offset, line) }

func (s splitter) complete() {}
