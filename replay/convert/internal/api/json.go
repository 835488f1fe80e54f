package api

import (
	"bytes"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/trace"
)

// ErrNotJSON says that an input is no JSON.
const ErrNotJSON = fault.Plain("notJSON")

// ErrTooDeep says that an input nests too deeply.
var ErrTooDeep = fault.Number("deepValue max", trace.MaxDepth)

// Sound returns what is wrong with b if it is not JSON, or nests too deep.
func Sound(b []byte) error {
	switch {
	case !trace.Shallow(b):
		return ErrTooDeep
	case !json.Valid(b):
		return ErrNotJSON
	}
	return nil
}

// DecodeObject reads o from b, which must be JSON.
func DecodeObject(b []byte, o *trace.Object) error {
	if o.Whole(b, 0) == len(b) {
		return nil
	}
	if !trace.Shallow(b) {
		return ErrTooDeep
	}
	if err := o.Decode(b); err != nil {
		return Undecoded(b, err)
	}
	return nil
}

// Undecoded returns what is wrong with b, which failed to be decoded.
func Undecoded(b []byte, err error) error {
	if json.Valid(b) {
		return err
	}
	return ErrNotJSON
}

// Member returns the JSON of a field, or nil if b has no such field.
func Member(b []byte, name string) []byte {
	from, to, ok := trace.Field(b, name)
	if !ok {
		return nil
	}
	return b[from:to]
}

// FirstField returns the text of a field of the object that begins head, or "" if there
// is none.
func FirstField(head []byte, name string) string {
	from, to, ok := trace.Field(head, name)
	if !ok {
		return ""
	}
	var s string
	if trace.Decode(head[from:to], &s) != nil {
		return ""
	}
	return s
}

// Filled reports whether b is an array with an element.
func Filled(b []byte) bool {
	return len(b) > 0 && b[0] == '[' && len(bytes.TrimSpace(b[1:])) > 1
}

// AppendText appends s as a JSON string. The common case, in which nothing must be
// escaped, is one append.
func AppendText(b []byte, s string) []byte {
	for i := range len(s) {
		if x := s[i]; x < ' ' || x == '"' || x == '\\' || x >= 0x7f || x == '<' || x == '>' || x == '&' {
			return trace.AppendString(b, s)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
